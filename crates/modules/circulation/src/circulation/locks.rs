//! The locks that decisions take, in their one order: the patron, the title where titles have queues, the items, the loans, the
//! accounts.
//!
//! PostgreSQL gives each statement a snapshot when it begins. A statement that waits for a lock and reads beside it reads what was
//! there before it waited; so the locks of patrons, titles and items are statements of their own, before those that read.
//! Each answers the id that it has locked. What is read afterwards under another id was locked by nobody ([`held`]).

use octavo_pg::DbError;

/// An SQL expression that waits for the lock of the title whose id the expression names, as [`octavo_engine::patron_lock`] does
/// for patrons.
pub(super) fn title(id: &str) -> String {
    format!("pg_advisory_xact_lock(hashtextextended(current_schema() || ({id})::text, 2))")
}

/// Whether what was read is what had been locked; else the decision has to begin anew.
pub(super) fn held<T: PartialEq>(what: &str, locked: &T, read: &T) -> Result<(), DbError> {
    if locked == read { Ok(()) } else { Err(DbError::changed(what)) }
}
