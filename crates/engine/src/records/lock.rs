//! The lock of a patron, which decisions hold from before they read until they are committed. Records that such decisions rest on
//! and that name their patron are changed under it: what was acknowledged before a decision had the lock is heeded by it, and
//! what comes later waits for it.

use octavo_pg::Statement;
use octavo_record::{RecordType, table_name};
use serde_json::Value;
use uuid::Uuid;

/// An SQL expression that waits for the lock of the patron whose id the expression names, to the end of the transaction. An
/// advisory lock: it writes no row.
pub fn patron_lock(id: &str) -> String {
    format!("pg_advisory_xact_lock(hashtextextended(current_schema() || ({id})::text, 1))")
}

/// Locks patrons in the order of their ids.
pub fn lock_patrons(ids: Vec<Uuid>) -> Statement {
    let lock = patron_lock("p.id");
    let ordered = "select distinct id from unnest($1::uuid[]) u (id) order by id offset 0";
    Statement::new(format!("select {lock}\nfrom ({ordered}) p")).uuids(ids)
}

/// Locks whom these states of a record name.
pub(super) fn of_documents(record: &RecordType, documents: &[&Value]) -> Option<Statement> {
    let member = record.patron?;
    let ids = documents.iter().filter_map(|document| Uuid::parse_str(document[member].as_str()?).ok());
    Some(lock_patrons(ids.collect()))
}

/// Locks whom the stored record names.
pub(super) fn of_stored(record: &RecordType, id: Uuid) -> Option<Statement> {
    let member = record.patron?;
    let (lock, table) = (patron_lock(&format!("t.doc ->> '{member}'")), table_name(record));
    Some(Statement::new(format!("select {lock}\nfrom {table} t\nwhere t.id = $1")).uuid(id))
}
