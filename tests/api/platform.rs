//! What holds for every route: how requests are routed, who is let in, and what is made of nonsense.

mod access;
mod allocations;
mod bodies;
mod clock;
mod declared;
mod desk;
mod every_route;
mod extremes;
mod fields;
mod garbage;
mod greedy;
mod health;
mod lab_reports;
mod metrics;
mod notation;
mod operator;
mod pages;
mod pressure;
mod queries;
mod routing;
mod secrets;
mod statements;
mod strangers;
mod tls;
mod tokens;
mod two_connections;
