//! Tenants over several databases. Each database is a whole Octavo database with tenants of its own; this is the directory that says
//! which tenant lives where.
//!
//! The directory is a table of the first database. Processes remember it for as long as they live: where it is out of date, the database
//! that a tenant has left says so, and where the tenant went. So neither a lost notification nor a lost first database leads anybody
//! to a wrong place.

mod departure;
mod mirror;
pub mod moving;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage};

pub use departure::arrive;

use crate::TenantDescriptor;
use crate::tenants::{Change, is_there, notify};

/// The name of the first database, which has the directory.
pub const FIRST: &str = "first";

/// A database by its name.
#[derive(Clone)]
pub struct Place {
    pub name: String,
    pub database: Database,
}

/// Which of several databases a platform is on.
#[derive(Clone)]
pub struct Home {
    pub name: Arc<str>,
    pub places: Arc<Places>,
}

pub struct Places {
    first: Place,
    further: Vec<Place>,
    /// The name of the database in which new tenants are made.
    for_new: String,
    /// The names of the databases of tenants that do not live in the first.
    known: RwLock<HashMap<String, Arc<str>>>,
}

impl Places {
    /// `for_new` names one of the databases.
    pub fn new(first: Database, further: Vec<Place>, for_new: String) -> Places {
        let first = Place { name: FIRST.to_owned(), database: first };
        Places { first, further, for_new, known: RwLock::default() }
    }

    pub fn for_new(&self) -> &str {
        &self.for_new
    }

    pub fn further(&self) -> &[Place] {
        &self.further
    }

    pub fn all(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.first).chain(&self.further)
    }

    pub fn place(&self, name: &str) -> Outcome<&Place> {
        self.all().find(|place| place.name == name).ok_or_else(|| {
            let cause = format!("the settings name no database {name}");
            Fault::unavailable("The database of this library is not known to the server", cause)
        })
    }

    /// The name of the database of a tenant, as far as this process knows.
    pub fn of(&self, tenant: &str) -> Arc<str> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(tenant).map_or_else(|| FIRST.into(), Arc::clone)
    }

    fn note(&self, tenant: &str, name: &str) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        match name {
            FIRST => known.remove(tenant),
            name => known.insert(tenant.to_owned(), name.into()),
        };
    }

    /// Reads the directory: from the first database, or from the copy in the first other that answers.
    pub async fn read(&self) -> Outcome<()> {
        let mut outcome = Ok(());
        for place in self.all() {
            match placements(place).await {
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

    /// Where a tenant has gone that a database no longer has, by what that database says. If the move ended before the tenant could be
    /// used there, that is made up for.
    pub async fn gone_to(&self, tenant: &TenantId, from: &str) -> Outcome<Option<String>> {
        let mut session = system(&self.place(from)?.database).await?;
        let Some(name) = departure::departed_to(&mut session, tenant).await? else { return Ok(None) };
        drop(session);
        arrive(&self.place(&name)?.database, tenant).await?;
        if let Err(fault) = self.correct(tenant, from, &name).await {
            tracing::warn!(%fault, "the directory does not say yet where a tenant is; the database that it left does");
        }
        Ok(Some(name))
    }

    /// Lets the directory say where a tenant is, if it says that it is where it was before. Leaving the first database says so itself.
    async fn correct(&self, tenant: &TenantId, from: &str, to: &str) -> Outcome<()> {
        self.note(tenant.as_str(), to);
        let change = match (from, to) {
            (FIRST, _) => return Ok(()),
            (_, FIRST) => Statement::new(UNPLACE_FROM).text(tenant.as_str()).text(from),
            _ => Statement::new(PLACE_FROM).text(tenant.as_str()).text(from).text(to),
        };
        let change = vec![change, notify(tenant, Change::PLACE)];
        system(&self.first.database).await?.transaction(change).await?;
        Ok(())
    }

    /// The database that has a tenant, if any has it.
    pub async fn find(&self, tenant: &TenantId) -> Outcome<Option<String>> {
        let mut name = self.of(tenant.as_str()).to_string();
        for _ in 0..=self.further.len() {
            if is_there(&self.place(&name)?.database, tenant).await? {
                return Ok(Some(name));
            }
            match self.gone_to(tenant, &name).await? {
                Some(other) => name = other,
                None => break,
            }
        }
        Ok(None)
    }

    /// All tenants with their databases.
    pub async fn list(&self) -> Outcome<Vec<(TenantDescriptor, String)>> {
        let mut session = system(&self.first.database).await?;
        let tenants: Vec<([Option<String>; 3], String)> = session.read(Statement::new(LIST)).await?;
        let described = |([id, name, description], database): ([_; 3], String)| {
            (TenantDescriptor { id, name, description }, database)
        };
        Ok(tenants.into_iter().map(described).collect())
    }

    /// Writes down where a tenant is about to be made. Whoever tries again after that went wrong may choose another database.
    pub async fn reserve(&self, descriptor: &TenantDescriptor, name: &str) -> Outcome<()> {
        let id = TenantId::parse(descriptor.id.as_deref().unwrap_or_default())?;
        let mut session = system(&self.first.database).await?;
        let placed: Option<String> = session.read(Statement::new(PLACED).text(id.as_str())).await?;
        drop(session);
        for taken in [Some(FIRST.to_owned()), placed].into_iter().flatten().filter(|taken| taken != name) {
            if is_there(&self.place(&taken)?.database, &id).await? {
                return Err(Fault::bad_request(format!("Duplicate tenant id {id}")));
            }
        }
        self.write(&id, name, Some(descriptor)).await
    }

    pub async fn describe(&self, id: &TenantId, descriptor: &TenantDescriptor) -> Outcome<()> {
        let describe = Statement::new(DESCRIBE).text(id.as_str()).maybe_text(descriptor.name.as_deref());
        let describe = describe.maybe_text(descriptor.description.as_deref());
        system(&self.first.database).await?.rows(describe).await?;
        Ok(())
    }

    /// Removes a deleted tenant from the directory, and the copies that it has left in other databases.
    pub async fn remove(&self, id: &TenantId) -> Outcome<()> {
        self.drop_copies(id).await?;
        for place in self.all() {
            system(&place.database).await?.rows(Statement::new(UNDEPART).text(id.as_str())).await?;
        }
        self.write(id, FIRST, None).await
    }

    /// Writes into the directory where a tenant is.
    async fn write(&self, id: &TenantId, name: &str, descriptor: Option<&TenantDescriptor>) -> Outcome<()> {
        let change = placed_at(id, name, descriptor);
        system(&self.first.database).await?.transaction(change).await?;
        self.note(id.as_str(), name);
        Ok(())
    }
}

/// Statements for the first database that say where a tenant is. What the directory knows of it stays, if nothing is said.
fn placed_at(id: &TenantId, name: &str, descriptor: Option<&TenantDescriptor>) -> Vec<Statement> {
    let change = match name {
        FIRST => Statement::new(UNPLACE).text(id.as_str()),
        name => {
            let described = descriptor.map(|of| [of.name.as_deref(), of.description.as_deref()]);
            let [title, description] = described.unwrap_or_default();
            let place = Statement::new(PLACE).text(id.as_str()).text(name);
            place.maybe_text(title).maybe_text(description)
        }
    };
    vec![change, notify(id, Change::PLACE)]
}

async fn system(database: &Database) -> Outcome<Session> {
    Ok(database.system(Arc::<Usage>::default()).await?)
}

async fn placements(place: &Place) -> Outcome<Vec<(String, String)>> {
    Ok(system(&place.database).await?.read(Statement::new(PLACEMENTS)).await?)
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
