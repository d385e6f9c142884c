//! The server: HTTP in front, the modules behind. It finds the route, checks tenant, token and permission, reads the
//! body within its limit, and answers as Okapi and mod-authtoken do.
//!
//! Knows no record type and no rule: what a route does is in `octavo-modules`. Facts: Okapi 5.3.0, mod-authtoken 2.15.1.

mod access;
mod answer;
mod answering;
mod arriving;
mod budget;
mod carrying_out;
mod clients;
mod connections;
mod counting;
mod desk;
mod edge;
mod elsewhere;
mod entrance;
mod headers;
mod health;
mod inside;
mod late;
mod limits;
mod line;
mod made;
mod metrics;
mod openapi;
mod origins;
mod outgoing;
mod outside;
mod pace;
mod passing;
mod patience;
mod relay;
mod routes;
mod security;
mod server;
mod settling;
mod spelling;
mod timers;
mod traces;
mod weight;
mod within;

/// A request is often begun on one thread and ended on another, which glibc's allocator answers with locks. Programs that count
/// allocations count those of the system's.
#[cfg(not(feature = "count-allocations"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub use clients::Network;
pub use connections::{ConnectionPlace, Connections};
pub use entrance::Entrance;
pub use inside::InsideCall;
pub use limits::{Limits, TrustSettings};
pub use line::ConnectionState;
pub use metrics::Readers;
pub use octavo_acme::Challenges;
pub use openapi::page as openapi;
pub use routes::{Entry, Found, RouteTable};
pub use server::Server;
pub use traces::Collector;
pub use within::call_as_system;
