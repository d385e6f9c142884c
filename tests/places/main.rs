//! Tenants over several databases: where they are made, how they move while people work, and what others notice of it.

mod moves;
mod placed;
