//! The locks of decisions, always in this order: the patron, the title if titles have queues, the items, the loans, the accounts.
//!
//! PostgreSQL gives each statement a snapshot when it begins. A statement that waits for a lock still reads the state from before it
//! waited, so patrons, titles and items are locked by statements of their own, before those that read. Each returns the id that it has
//! locked. A record that is read afterwards under another id is not locked ([`check_locked`]).

use octavo_pg::DbError;

/// An SQL expression that waits for the lock of the title whose id the expression names, as [`octavo_engine::patron_lock`] does
/// for patrons.
pub(super) fn lock_title_sql(id: &str) -> String {
    format!("pg_advisory_xact_lock(hashtextextended(current_schema() || ({id})::text, 2))")
}

/// Checks that the read record is the locked one; otherwise the decision begins anew.
pub(super) fn check_locked<T: PartialEq>(what: &str, locked: &T, read: &T) -> Result<(), DbError> {
    if locked == read { Ok(()) } else { Err(DbError::conflict(what)) }
}
