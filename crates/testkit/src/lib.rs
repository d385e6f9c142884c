//! What tests stand on: a whole Octavo in process on a free port, a PostgreSQL of the test binary's own, a tenant for each
//! test, and a client that shows the whole reply when something is not as expected.
//!
//! Nothing is faked: a test talks HTTP to the server that the program runs. `docs/testing.md` says how to write one.

mod addresses;
mod api_key;
mod broker;
mod client;
mod declared;
mod desk;
mod eventually;
mod ids;
mod library;
mod machine;
mod octavo;
mod outside;
mod postgres;
mod replicated;
mod reply;
mod routes;
mod schemas;
mod several;
pub mod sink;

pub use addresses::connect_from;
pub use api_key::ApiKey;
pub use broker::{Broker, ConsumedMessage};
pub use client::{Client, encode};
pub use desk::{Desk, reference};
pub use eventually::eventually;
pub use ids::fresh_id;
pub use library::Library;
pub use machine::{Machine, MachineLimits, Machines, connect_with_tls};
pub use octavo::{
    BODY_BYTES, MODULE_TIME, OPEN_BODY_BYTES, Octavo, SeparatePostgres, database_url, octavo, system_clock,
};
pub use octavo_gateway::{Challenges, Collector, Entrance, Limits};
pub use octavo_tls::Certificate;
pub use outside::{ModuleAnswer, OutsideModule, SeenRequest};
pub use postgres::{on_runtime, temporary_folder};
pub use replicated::{Replicated, Replication, Standby};
pub use reply::Reply;
pub use routes::{Entry, Method, Serve, openapi, routes};
pub use several::SeveralDatabases;
pub use sink::{CERTIFICATES, Mail, MailSink};
