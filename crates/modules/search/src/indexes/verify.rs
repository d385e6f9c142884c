//! Compares the indexes in a folder with the database, and orders indexes to be rebuilt. Both can be done while servers run.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use octavo_search::index::SearchIndex;
use uuid::Uuid;

use super::RESOURCES;
use super::folders::newest_of_all_processes;
use super::position::{Changes, Position};
use super::read::Resource;

/// How one index differs from the database, apart from changes that it still has to take in.
#[derive(Debug, Default)]
pub struct Differences {
    /// The resource of the index: titles, or authorities.
    pub resource: &'static str,
    /// How many records the database has.
    pub records: usize,
    /// How many changes the index has still to take in.
    pub waiting: usize,
    /// Records that are not in the index.
    pub missing: Vec<Uuid>,
    /// Records whose entries in the index are out of date.
    pub stale: Vec<Uuid>,
    /// Records in the index that are not in the database.
    pub extra: Vec<Uuid>,
}

impl Differences {
    pub fn count(&self) -> usize {
        self.missing.len() + self.stale.len() + self.extra.len()
    }
}

/// Compares the indexes of a tenant on disk, those of all processes, with the database.
pub async fn verify(database: &Database, tenant: &TenantId, derived: &Path) -> Outcome<Vec<Differences>> {
    let mut session = database.session(tenant, Arc::new(Usage::for_work(Work::Bulk))).await?;
    let mut compared = Vec::new();
    for resource in RESOURCES {
        for index in newest_of_all_processes(derived, tenant, resource).map_err(Fault::internal)? {
            compared.push(compare(&mut session, tenant, resource, &index).await?);
        }
    }
    Ok(compared)
}

async fn compare(
    session: &mut Session,
    tenant: &TenantId,
    resource: &Resource,
    index: &SearchIndex,
) -> Outcome<Differences> {
    let position = index.position().map_err(Fault::internal)?;
    let position = position.as_deref().and_then(Position::parse).map_or(0, |position| position.transaction);
    let mut indexed = index.content_numbers().map_err(Fault::internal)?;
    let mut found = Differences { resource: resource.plural, ..Differences::default() };
    let extent = resource.load_extent(session).await?;
    for blocks in extent.pieces(0..extent.blocks) {
        let stored = resource.load_blocks(session, blocks).await?;
        found.records += stored.len();
        for record in &stored {
            match indexed.remove(&record.id) {
                None => found.missing.push(record.id),
                Some(content) if content != record.content_hash() => found.stale.push(record.id),
                Some(_) => {}
            }
        }
    }
    resource.check_not_rewritten(session, extent).await?;
    found.extra = indexed.into_keys().collect();
    // Records that have changed since the last commit of the index are counted as waiting, not as wrong.
    let changes = Changes::load_since(session, tenant, resource, position, &[]).await?;
    let waiting: HashSet<Uuid> = changes.record_ids(session).await?.into_iter().collect();
    for list in [&mut found.missing, &mut found.stale, &mut found.extra] {
        let all = list.len();
        list.retain(|id| !waiting.contains(id));
        found.waiting += all - list.len();
    }
    Ok(found)
}

/// Orders every process to rebuild its indexes of a tenant. The existing indexes go on answering meanwhile.
pub async fn rebuild(session: &mut Session, tenant: &TenantId) -> Outcome<()> {
    session.batch(RESOURCES.map(|resource| rebuild_statement(tenant, resource)).into()).await?;
    Ok(())
}

/// Orders a rebuild of the indexes of one resource: a statement for a transaction that changes what entries contain.
pub(crate) fn rebuild_statement(tenant: &TenantId, resource: &Resource) -> Statement {
    Statement::new(REBUILD).text(tenant.schema()).text(resource.name)
}

const REBUILD: &str = "\
insert into octavo.search_generation (schema, resource, generation)
values ($1, $2, 1)
on conflict (schema, resource) do update set generation = search_generation.generation + 1";

octavo_pg::statements! {
    other = [REBUILD],
}
