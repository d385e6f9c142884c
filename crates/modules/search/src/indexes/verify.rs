//! Compares the indexes in a folder with the database, and asks for indexes to be made anew. Both while servers run.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use octavo_search::index::SearchIndex;
use uuid::Uuid;

use super::folders::newest_of_all;
use super::position::{Changes, Position};
use super::read::titles_after;

/// How one index differs from the database, apart from changes that it still has to take in.
#[derive(Debug, Default)]
pub struct Differences {
    /// How many titles the database has.
    pub titles: usize,
    /// How many changes the index has still to take in.
    pub waiting: usize,
    /// Titles that the index does not have.
    pub missing: Vec<Uuid>,
    /// Titles that the index has as they were before.
    pub stale: Vec<Uuid>,
    /// Titles of the index that the database does not have.
    pub extra: Vec<Uuid>,
}

impl Differences {
    pub fn count(&self) -> usize {
        self.missing.len() + self.stale.len() + self.extra.len()
    }
}

/// Compares each process's index of a tenant, as it is on disk, with the database.
pub async fn verify(database: &Database, tenant: &TenantId, derived: &Path) -> Outcome<Vec<Differences>> {
    let mut session = database.session(tenant, Arc::new(Usage::of(Work::Bulk))).await?;
    let mut compared = Vec::new();
    for index in newest_of_all(derived, tenant).map_err(Fault::internal)? {
        compared.push(compare(&mut session, tenant, &index).await?);
    }
    Ok(compared)
}

async fn compare(session: &mut Session, tenant: &TenantId, index: &SearchIndex) -> Outcome<Differences> {
    let position = index.position().map_err(Fault::internal)?;
    let position = position.as_deref().and_then(Position::parse).map_or(0, |position| position.transaction);
    let mut indexed = index.contents().map_err(Fault::internal)?;
    let mut found = Differences::default();
    let mut last = Uuid::nil();
    loop {
        let stored = titles_after(session, last).await?;
        let Some(end) = stored.last() else { break };
        last = end.id;
        found.titles += stored.len();
        for title in &stored {
            match indexed.remove(&title.id) {
                None => found.missing.push(title.id),
                Some(content) if content != title.content() => found.stale.push(title.id),
                Some(_) => {}
            }
        }
    }
    found.extra = indexed.into_keys().collect();
    // What has changed since the index was committed is not wrong, it waits.
    let changes = Changes::since(session, tenant, position, &[]).await?;
    let waiting: HashSet<Uuid> = changes.of_titles(session).await?.into_iter().collect();
    for list in [&mut found.missing, &mut found.stale, &mut found.extra] {
        let all = list.len();
        list.retain(|id| !waiting.contains(id));
        found.waiting += all - list.len();
    }
    Ok(found)
}

/// Has every process make its index of a tenant anew, while the one that is there goes on answering.
pub async fn rebuild(session: &mut Session, tenant: &TenantId) -> Outcome<()> {
    session.rows(made_anew(tenant)).await?;
    Ok(())
}

/// The same as a statement, for a transaction that changes what entries contain.
pub(crate) fn made_anew(tenant: &TenantId) -> Statement {
    Statement::new(REBUILD).text(tenant.schema())
}

const REBUILD: &str = "\
insert into octavo.search_removed (schema, transaction)
values ($1, pg_current_xact_id())
on conflict (schema) do update set transaction = excluded.transaction";

octavo_pg::statements! {
    other = [REBUILD],
}
