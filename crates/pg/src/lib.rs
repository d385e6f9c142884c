//! The only crate that names the PostgreSQL client: pool, prepared statements, pipelines, notifications, and the
//! private server.
//!
//! Others hand it SQL text with parameters ([`Sql`], [`Statement`]) and get [`Row`]s or a [`DbError`]. It
//! knows no record type, no HTTP and no rule of circulation. tokio-postgres connects and listens; statements go
//! through [`wire`], which speaks the protocol itself.

mod access;
mod answer;
mod backups;
mod batch;
pub mod bulk;
mod columns;
mod connection;
mod connections;
mod copy;
mod database;
mod disk;
pub mod embedded;
mod error;
mod gate;
mod late_reads;
mod lateness;
mod lender;
mod listen;
mod pooler;
mod position;
mod refusals;
mod registered;
mod replicas;
mod replication;
mod row;
mod session;
mod shared;
mod shares;
mod slow;
mod statement;
mod steps;
mod threads;
mod usage;
mod wire;
mod work;

pub use answer::{FromAnswers, FromRows, read_each};
pub use backups::{BackupReport, Backups};
pub use batch::{AnswerHandle, Answers, Batch};
pub use columns::{Column, Columns, Decoded, Json, Read};
pub use copy::{Cell, CopyIn, CopyText};
pub use database::{Database, Options, Pool};
pub use disk::Disk;
pub use error::{DbError, FULL_DISK, is_conflict, is_loss, is_outcome_unknown};
pub use listen::Notification;
pub use octavo_record::{Param, Sql};
pub use position::Position;
pub use registered::{Named, Registered, Texts};
pub use replicas::ReplicaReport;
pub use replication::Slot;
pub use row::Row;
pub use session::Session;
pub use statement::Statement;
pub use steps::{OpenStep, Step};
pub use threads::threads;
pub use usage::{Client, Usage};
pub use work::{Limits, Work};
