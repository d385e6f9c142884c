//! The locks that decisions take, in their one order: the patron, the title where titles have queues, the items, the loans, the
//! accounts.
//!
//! PostgreSQL gives each statement a snapshot when it begins. A statement that waits for a lock and reads beside it reads what was
//! there before it waited; so the locks of patrons, titles and items are statements of their own, before those that read.
//! Each answers the id that it has locked. What is read afterwards under another id was locked by nobody ([`held`]).

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Statement};
use uuid::Uuid;

/// An SQL expression that waits for the lock of the patron whose id the expression names. An advisory lock: decisions do not
/// change the user's row, so none is written.
pub(super) fn patron(id: &str) -> String {
    advisory(id, 1)
}

/// The same of a title.
pub(super) fn title(id: &str) -> String {
    advisory(id, 2)
}

fn advisory(id: &str, kind: u8) -> String {
    format!("pg_advisory_xact_lock(hashtextextended(current_schema() || ({id})::text, {kind}))")
}

/// Locks patrons, in the order of their ids: for whoever reads or removes what decisions about them write.
pub(crate) fn of_patrons(ids: Vec<Uuid>) -> Statement {
    let lock = patron("p.id");
    Statement::new(format!(
        "select {lock}\nfrom (select id from unnest($1::uuid[]) p (id) order by id offset 0) p"
    ))
    .uuids(ids)
}

/// Whether what was read is what had been locked; else the decision has to begin anew.
pub(super) fn held(what: &str, locked: Option<Uuid>, read: Option<Uuid>) -> Outcome<()> {
    if locked == read { Ok(()) } else { Err(Fault::from(DbError::changed(what))) }
}
