//! A chunk of records of an import job: what becomes of them by the job's profile, as statements for the caller's transaction.

use octavo_engine::Context;
use octavo_import::JournalEntry;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Record;
use octavo_pg::{Session, Statement};
use serde_json::Value;
use std::sync::Arc;
use uuid::Uuid;

/// A running job execution, as far as its records need it. Its id is that of the snapshot of source records too.
pub struct Job {
    pub id: Uuid,
    /// The job profile with all that hangs below it: `profileSnapshotWrapper` of mod-di-converter-storage.
    pub profile: Arc<Value>,
    /// The user who started it.
    pub user: Option<Uuid>,
}

pub struct Incoming {
    /// The id that its source record gets.
    pub id: Uuid,
    /// Its place in the file, from 0.
    pub order: i32,
    /// The record as it came: what is kept as `rawRecord`.
    pub raw: String,
    /// The record as read, or why it cannot be.
    pub parsed: Result<Record, String>,
}

/// What a chunk of records writes; the caller runs the statements and keeps the journal and the job's progress in one transaction.
#[derive(Default)]
pub struct Written {
    pub statements: Vec<Statement>,
    pub journal: Vec<JournalEntry>,
}

/// Reads what the records need, and decides. When the database refuses the statements of a chunk, the caller tries each record alone, and
/// enters the refusal for the one that is at fault.
pub async fn chunk(
    _context: &Context,
    _session: &mut Session,
    _job: &Job,
    _records: &[Incoming],
) -> Outcome<Written> {
    Err(Fault::text(501, "Imports are not built yet"))
}
