//! Tenants over several databases. Each database is a whole Octavo database with tenants of its own; this is the directory that says
//! which tenant lives where.
//!
//! The directory is a table of the first database. Each process keeps a copy in memory. If the copy is out of date, the database that a
//! tenant has left says to which database it has moved. So requests find the right database even if a notification was lost or the
//! first database cannot be reached.

mod departure;
mod mirror;
pub mod moving;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage};

pub use departure::complete_arrival;

use crate::TenantDescriptor;
use crate::tenants::{ChangeKind, notify_statement, tenant_exists};

/// The name of the first database, which has the directory.
pub const FIRST_DATABASE: &str = "first";

/// A database by its name.
#[derive(Clone)]
pub struct NamedDatabase {
    pub name: String,
    pub database: Database,
}

/// The database of a platform, if Octavo uses several databases.
#[derive(Clone)]
pub struct HomeDatabase {
    pub name: Arc<str>,
    pub directory: Arc<TenantDirectory>,
}

pub struct TenantDirectory {
    first: NamedDatabase,
    further_databases: Vec<NamedDatabase>,
    /// The name of the database in which new tenants are made.
    new_tenant_database: String,
    /// The names of the databases of those tenants that are not in the first database.
    known: RwLock<HashMap<String, Arc<str>>>,
}

impl TenantDirectory {
    /// `for_new` is the name of the database in which new tenants are created.
    pub fn new(first: Database, further: Vec<NamedDatabase>, for_new: String) -> TenantDirectory {
        let first = NamedDatabase { name: FIRST_DATABASE.to_owned(), database: first };
        TenantDirectory {
            first,
            further_databases: further,
            new_tenant_database: for_new,
            known: RwLock::default(),
        }
    }

    pub fn new_tenant_database(&self) -> &str {
        &self.new_tenant_database
    }

    pub fn further_databases(&self) -> &[NamedDatabase] {
        &self.further_databases
    }

    pub fn all_databases(&self) -> impl Iterator<Item = &NamedDatabase> {
        std::iter::once(&self.first).chain(&self.further_databases)
    }

    pub fn find_database(&self, name: &str) -> Outcome<&NamedDatabase> {
        self.all_databases().find(|place| place.name == name).ok_or_else(|| {
            let cause = format!("the settings name no database {name}");
            Fault::unavailable("The database of this library is not known to the server", cause)
        })
    }

    /// The name of the database of a tenant, as far as this process knows it.
    pub fn database_name_of(&self, tenant: &str) -> Arc<str> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(tenant).map_or_else(|| FIRST_DATABASE.into(), Arc::clone)
    }

    fn remember(&self, tenant: &str, name: &str) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        match name {
            FIRST_DATABASE => known.remove(tenant),
            name => known.insert(tenant.to_owned(), name.into()),
        };
    }

    /// Reads the directory: from the first database, or from the copy in the first other that answers.
    pub async fn load(&self) -> Outcome<()> {
        let mut outcome = Ok(());
        for place in self.all_databases() {
            match read_placements(place).await {
                Ok(found) => {
                    let found = found.into_iter().map(|(tenant, name)| (tenant, name.into()));
                    *self.known.write().unwrap_or_else(PoisonError::into_inner) = found.collect();
                    return Ok(());
                }
                Err(fault) => outcome = outcome.and(Err(fault)),
            }
        }
        outcome
    }

    /// The name of the database to which a tenant has moved, from what the database that it has left says. If the move was interrupted
    /// before the tenant could be used in the other database, it is completed.
    pub async fn follow_departure(&self, tenant: &TenantId, from: &str) -> Outcome<Option<String>> {
        let mut session = system_session(&self.find_database(from)?.database).await?;
        let Some(name) = departure::departed_to(&mut session, tenant).await? else { return Ok(None) };
        drop(session);
        complete_arrival(&self.find_database(&name)?.database, tenant).await?;
        if let Err(fault) = self.correct_placement(tenant, from, &name).await {
            tracing::warn!(%fault, "the directory does not say yet where a tenant is; the database that it left does");
        }
        Ok(Some(name))
    }

    /// Changes the directory to the new database of a tenant, if it still names the old one. A move out of the first database has changed
    /// it already.
    async fn correct_placement(&self, tenant: &TenantId, from: &str, to: &str) -> Outcome<()> {
        self.remember(tenant.as_str(), to);
        let change = match (from, to) {
            (FIRST_DATABASE, _) => return Ok(()),
            (_, FIRST_DATABASE) => Statement::new(UNPLACE_FROM).text(tenant.as_str()).text(from),
            _ => Statement::new(PLACE_FROM).text(tenant.as_str()).text(from).text(to),
        };
        let change = vec![change, notify_statement(tenant, ChangeKind::PLACE)];
        system_session(&self.first.database).await?.transaction(change).await?;
        Ok(())
    }

    /// The database that has a tenant, if any has it.
    pub async fn find_tenant(&self, tenant: &TenantId) -> Outcome<Option<String>> {
        let mut name = self.database_name_of(tenant.as_str()).to_string();
        for _ in 0..=self.further_databases.len() {
            if tenant_exists(&self.find_database(&name)?.database, tenant).await? {
                return Ok(Some(name));
            }
            match self.follow_departure(tenant, &name).await? {
                Some(other) => name = other,
                None => break,
            }
        }
        Ok(None)
    }

    /// All tenants with their databases.
    pub async fn list_tenants(&self) -> Outcome<Vec<(TenantDescriptor, String)>> {
        let mut session = system_session(&self.first.database).await?;
        let tenants: Vec<([Option<String>; 3], String)> = session.read(Statement::new(LIST)).await?;
        let described = |([id, name, description], database): ([_; 3], String)| {
            (TenantDescriptor { id, name, description }, database)
        };
        Ok(tenants.into_iter().map(described).collect())
    }

    /// Stores in the directory in which database a tenant is about to be created. If the creation fails, another attempt may choose another
    /// database.
    pub async fn reserve(&self, descriptor: &TenantDescriptor, name: &str) -> Outcome<()> {
        let id = TenantId::parse(descriptor.id.as_deref().unwrap_or_default())?;
        let mut session = system_session(&self.first.database).await?;
        let placed: Option<String> = session.read(Statement::new(PLACED).text(id.as_str())).await?;
        drop(session);
        // In the chosen database, too: a refused creation must not change the name of the tenant that is there.
        for taken in
            BTreeSet::from_iter([Some(FIRST_DATABASE), placed.as_deref(), Some(name)].into_iter().flatten())
        {
            if tenant_exists(&self.find_database(taken)?.database, &id).await? {
                return Err(Fault::bad_request(format!("Duplicate tenant id {id}")));
            }
        }
        self.store_placement(&id, name, Some(descriptor)).await
    }

    pub async fn update_description(&self, id: &TenantId, descriptor: &TenantDescriptor) -> Outcome<()> {
        let describe = Statement::new(DESCRIBE).text(id.as_str()).maybe_text(descriptor.name.as_deref());
        let describe = describe.maybe_text(descriptor.description.as_deref());
        system_session(&self.first.database).await?.rows(describe).await?;
        Ok(())
    }

    /// Removes a deleted tenant from the directory, and what its moves have left in other databases.
    pub async fn remove_tenant(&self, id: &TenantId) -> Outcome<()> {
        self.drop_copies(id).await?;
        self.drop_unarrived_everywhere(id).await?;
        for place in self.all_databases() {
            system_session(&place.database).await?.rows(Statement::new(UNDEPART).text(id.as_str())).await?;
        }
        self.store_placement(id, FIRST_DATABASE, None).await
    }

    /// Writes into the directory where a tenant is.
    async fn store_placement(
        &self,
        id: &TenantId,
        name: &str,
        descriptor: Option<&TenantDescriptor>,
    ) -> Outcome<()> {
        let change = placement_statements(id, name, descriptor);
        system_session(&self.first.database).await?.transaction(change).await?;
        self.remember(id.as_str(), name);
        Ok(())
    }
}

/// Statements for the first database that store where a tenant is. Without a descriptor, its name and description stay unchanged.
fn placement_statements(id: &TenantId, name: &str, descriptor: Option<&TenantDescriptor>) -> Vec<Statement> {
    let change = match name {
        FIRST_DATABASE => Statement::new(UNPLACE).text(id.as_str()),
        name => {
            let described = descriptor.map(|of| [of.name.as_deref(), of.description.as_deref()]);
            let [title, description] = described.unwrap_or_default();
            let place = Statement::new(PLACE).text(id.as_str()).text(name);
            place.maybe_text(title).maybe_text(description)
        }
    };
    vec![change, notify_statement(id, ChangeKind::PLACE)]
}

async fn system_session(database: &Database) -> Outcome<Session> {
    Ok(database.system_session(Arc::<Usage>::default()).await?)
}

async fn read_placements(place: &NamedDatabase) -> Outcome<Vec<(String, String)>> {
    Ok(system_session(&place.database).await?.read(Statement::new(PLACEMENTS)).await?)
}

const PLACEMENTS: &str = "select tenant, database from octavo.placement";
const PLACED: &str = "select database from octavo.placement where tenant = $1";
const LIST: &str = "\
select id, name, description, 'first' from octavo.tenants
union all
select tenant, name, description, database from octavo.placement
order by 1";
const PLACE: &str = "\
insert into octavo.placement (tenant, database, name, description)
values ($1, $2, $3, $4)
on conflict (tenant) do update
set
  database = excluded.database,
  name = coalesce(excluded.name, placement.name),
  description = coalesce(excluded.description, placement.description)";
const UNPLACE: &str = "delete from octavo.placement where tenant = $1";
const UNPLACE_FROM: &str = "delete from octavo.placement where tenant = $1 and database = $2";
const PLACE_FROM: &str = "update octavo.placement set database = $3 where tenant = $1 and database = $2";
const UNDEPART: &str = "delete from octavo.departed where tenant = $1";
const DESCRIBE: &str = "update octavo.placement set name = $2, description = $3 where tenant = $1";

octavo_pg::statements! {
    other = [PLACEMENTS, PLACED, LIST, PLACE, UNPLACE, UNPLACE_FROM, PLACE_FROM, UNDEPART, DESCRIBE],
    within = [departure, mirror, moving],
}
