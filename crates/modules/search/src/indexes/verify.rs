//! Compares the indexes in a folder with the database, and asks for indexes to be made anew. Both while servers run.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use octavo_search::index::SearchIndex;
use uuid::Uuid;

use super::RESOURCES;
use super::folders::newest_of_all;
use super::position::{Changes, Position};
use super::read::Resource;

/// How one index differs from the database, apart from changes that it still has to take in.
#[derive(Debug, Default)]
pub struct Differences {
    /// What the index is of: titles, authorities.
    pub resource: &'static str,
    /// How many records the database has.
    pub records: usize,
    /// How many changes the index has still to take in.
    pub waiting: usize,
    /// Records that the index does not have.
    pub missing: Vec<Uuid>,
    /// Records that the index has as they were before.
    pub stale: Vec<Uuid>,
    /// Records of the index that the database does not have.
    pub extra: Vec<Uuid>,
}

impl Differences {
    pub fn count(&self) -> usize {
        self.missing.len() + self.stale.len() + self.extra.len()
    }
}

/// Compares each process's indexes of a tenant, as they are on disk, with the database.
pub async fn verify(database: &Database, tenant: &TenantId, derived: &Path) -> Outcome<Vec<Differences>> {
    let mut session = database.session(tenant, Arc::new(Usage::of(Work::Bulk))).await?;
    let mut compared = Vec::new();
    for resource in RESOURCES {
        for index in newest_of_all(derived, tenant, resource).map_err(Fault::internal)? {
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
    let mut indexed = index.contents().map_err(Fault::internal)?;
    let mut found = Differences { resource: resource.plural, ..Differences::default() };
    let extent = resource.extent(session).await?;
    for blocks in extent.pieces(0..extent.blocks) {
        let stored = resource.stored_in(session, blocks).await?;
        found.records += stored.len();
        for record in &stored {
            match indexed.remove(&record.id) {
                None => found.missing.push(record.id),
                Some(content) if content != record.content() => found.stale.push(record.id),
                Some(_) => {}
            }
        }
    }
    resource.is_still(session, extent).await?;
    found.extra = indexed.into_keys().collect();
    // What has changed since the index was committed is not wrong, it waits.
    let changes = Changes::since(session, tenant, resource, position, &[]).await?;
    let waiting: HashSet<Uuid> = changes.ids(session).await?.into_iter().collect();
    for list in [&mut found.missing, &mut found.stale, &mut found.extra] {
        let all = list.len();
        list.retain(|id| !waiting.contains(id));
        found.waiting += all - list.len();
    }
    Ok(found)
}

/// Has every process make its indexes of a tenant anew, while those that are there go on answering.
pub async fn rebuild(session: &mut Session, tenant: &TenantId) -> Outcome<()> {
    session.batch(RESOURCES.map(|resource| made_anew(tenant, resource)).into()).await?;
    Ok(())
}

/// The same of one resource, as a statement for a transaction that changes what entries contain.
pub(crate) fn made_anew(tenant: &TenantId, resource: &Resource) -> Statement {
    Statement::new(REBUILD).text(tenant.schema()).text(resource.name)
}

const REBUILD: &str = "\
insert into octavo.search_generation (schema, resource, generation)
values ($1, $2, 1)
on conflict (schema, resource) do update set generation = search_generation.generation + 1";

octavo_pg::statements! {
    other = [REBUILD],
}
