//! The lock of a patron. A decision, such as that on a check-out, holds it from before it reads until it is committed. Records that such
//! decisions depend on, and that have the id of a patron, are changed under the same lock: a decision sees every change that was committed
//! before it got the lock, and later changes wait for it.

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

/// A statement that locks the patrons whose ids are in these versions of a record.
pub(super) fn lock_patrons_of_documents(record: &RecordType, documents: &[&Value]) -> Option<Statement> {
    let member = record.patron_lock_member?;
    let ids = documents.iter().filter_map(|document| Uuid::parse_str(document[member].as_str()?).ok());
    Some(lock_patrons(ids.collect()))
}

/// A statement that locks the patron whose id is in the stored record.
pub(super) fn lock_patron_of_stored(record: &RecordType, id: Uuid) -> Option<Statement> {
    let member = record.patron_lock_member?;
    let (lock, table) = (patron_lock(&format!("t.doc ->> '{member}'")), table_name(record));
    Some(Statement::new(format!("select {lock}\nfrom {table} t\nwhere t.id = $1")).uuid(id))
}
