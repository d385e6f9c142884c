//! The only crate that names the PostgreSQL client: pool, prepared statements, pipelines, notifications, and the
//! private server.
//!
//! Others hand it SQL text with parameters ([`Sql`], [`Statement`]) and get [`Row`]s or a [`DbError`]. It
//! knows no record type, no HTTP and no rule of circulation. Measured with tokio-postgres 0.7.18: only prepared statements
//! may be pipelined (an unprepared one can leave its transaction), requests go out in the order of their first poll,
//! and a COMMIT after a failed statement reports success although it rolled back; [`Session`] takes care of all three.

mod copy;
mod database;
pub mod embedded;
mod error;
mod listen;
mod pipeline;
mod row;
mod session;
mod shared;
mod statement;

pub use copy::{Cell, CopyIn};
pub use database::{Database, Options};
pub use error::DbError;
pub use listen::Notification;
pub use octavo_record::{Param, Sql};
pub use row::Row;
pub use session::{Session, Usage};
pub use statement::Statement;
