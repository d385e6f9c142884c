//! What holds for every route: how requests are routed, who is let in, and what is made of nonsense.

mod access;
mod allocations;
mod bodies;
mod desk;
mod every_route;
mod fields;
mod garbage;
mod greedy;
mod lab_reports;
mod metrics;
mod queries;
mod routing;
mod strangers;
