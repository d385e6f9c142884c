//! mod-rtac 3.6.0: what a discovery system is told of the copies of a title.

mod availability;
mod edge;
