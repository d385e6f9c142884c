//! Tenants: their schemas, the modules that each has enabled, and what is remembered of them between requests.

pub mod catalogue;
mod deletion;
mod enabled;
pub mod migrations;

use std::collections::BTreeSet;
use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, Permissions, TenantId};
use octavo_pg::{Database, DbError, Session, Statement, Usage, Work};
use octavo_record::RecordType;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use enabled::Enabled;

use crate::{Kept, Lease, Remembered};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TenantDescriptor {
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A tenant with what the gateway needs at every request.
pub struct Tenant {
    pub id: TenantId,
    /// Names of the enabled modules, without versions; of user interfaces and of modules outside of the process, ids with versions.
    pub modules: BTreeSet<String>,
    /// The descriptors of the enabled modules that are outside of the process.
    pub outside: Vec<String>,
    /// What is made of them.
    pub kept: Kept,
    pub grants: Remembered<Uuid, Standing>,
    /// The names of permissions that lists of names contain, by the list as it stands in a module's token.
    pub contained: Remembered<Vec<String>, Vec<String>>,
}

/// A user's permissions and ended sessions, as they are remembered.
#[derive(Debug, Clone)]
pub struct Standing {
    pub grant: Grant,
    pub sessions: Sessions,
}

/// Which of a user's tokens count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sessions {
    /// How often all sessions were ended: those that began before have ended.
    pub generation: i64,
    /// But for the one in which somebody changed their own password.
    pub kept: Option<Uuid>,
    /// The sessions that were ended one by one.
    pub ended: BTreeSet<Uuid>,
}

impl Sessions {
    /// Whether a token counts that names this session, begun in this generation.
    pub fn accept(&self, session: Option<Uuid>, generation: i64) -> bool {
        let ended = session.is_some_and(|session| self.ended.contains(&session));
        let kept = session.is_some() && session == self.kept;
        !ended && (generation == self.generation || kept)
    }
}

/// What a user may do, and whether they are still there.
#[derive(Debug, Clone)]
pub enum Grant {
    Active {
        permissions: Permissions,
    },
    Inactive,
    Unknown,
    /// A user without a permissions-user record.
    NoPermissions,
}

impl Tenant {
    pub fn has(&self, module: &str) -> bool {
        self.modules.contains(module)
    }
}

pub struct Tenants {
    database: Database,
    known: Remembered<TenantId, Tenant>,
}

impl Tenants {
    pub fn new(database: Database, lease: Arc<Lease>) -> Self {
        Tenants { database, known: Remembered::within(lease) }
    }

    /// A connection whose statements have no limit of time.
    async fn maintenance(&self) -> Outcome<Session> {
        Ok(self.database.system(Arc::new(Usage::of(Work::Maintenance))).await?)
    }

    /// The tenant, or 400 as Okapi says it.
    pub async fn get(&self, id: &str) -> Outcome<Arc<Tenant>> {
        if let Some(known) = self.known.get(id) {
            return Ok(known);
        }
        let unknown = || no_such_tenant(id);
        let tenant = TenantId::parse(id).map_err(|_| unknown())?;
        let moment = self.known.moment();
        let mut session = self.database.system(Arc::<Usage>::default()).await?;
        let enabled: Vec<(Option<String>, Option<String>)> =
            session.read(Statement::new(MODULES_OF).text(id)).await?;
        if enabled.is_empty() {
            return Err(unknown());
        }
        let (modules, descriptors): (Vec<_>, Vec<_>) = enabled.into_iter().unzip();
        let found = Arc::new(Tenant {
            id: tenant.clone(),
            modules: modules.into_iter().flatten().collect(),
            outside: descriptors.into_iter().flatten().collect(),
            kept: Kept::default(),
            grants: Remembered::default(),
            contained: Remembered::default(),
        });
        self.known.keep(tenant, &found, moment);
        Ok(found)
    }

    pub async fn list(&self) -> Outcome<Vec<TenantDescriptor>> {
        let mut session = self.database.system(Arc::<Usage>::default()).await?;
        let tenants: Vec<[Option<String>; 3]> = session.read(Statement::new(LIST)).await?;
        let describe = |[id, name, description]: [_; 3]| TenantDescriptor { id, name, description };
        Ok(tenants.into_iter().map(describe).collect())
    }

    pub async fn describe(&self, descriptor: &TenantDescriptor) -> Outcome<()> {
        let id = descriptor.id.as_deref().unwrap_or_default();
        let mut session = self.database.system(Arc::<Usage>::default()).await?;
        let change = Statement::new(DESCRIBE);
        let change = change
            .text(id)
            .maybe_text(descriptor.name.as_deref())
            .maybe_text(descriptor.description.as_deref());
        if session.rows(change).await?.is_empty() {
            return Err(Fault::text(404, id));
        }
        Ok(())
    }

    /// Whether a tenant that was there a moment ago is there no longer; waits for a deletion that is under way.
    pub async fn is_gone(&self, id: &TenantId) -> Outcome<bool> {
        Ok(!is_there(&self.database, id).await?)
    }

    /// Empties the tables of a module.
    pub async fn purge(&self, id: &TenantId, records: &[&'static RecordType]) -> Outcome<()> {
        let tables: Vec<String> = records.iter().map(|record| octavo_record::table_name(record)).collect();
        if !tables.is_empty() {
            let usage = Arc::new(Usage::of(Work::Maintenance));
            let mut session = self.database.session(id, usage).await?;
            session.script(&format!("truncate {} cascade", tables.join(", "))).await?;
        }
        Ok(())
    }

    pub fn forget(&self, id: &TenantId) {
        self.known.forget(id);
    }

    pub fn forget_all(&self) {
        self.known.forget_all();
    }

    pub fn forget_grants(&self, id: &TenantId, user: Option<&str>) {
        let Some(tenant) = self.known.get(id) else { return };
        match user.and_then(|user| Uuid::parse_str(user).ok()) {
            Some(user) => tenant.grants.forget(&user),
            None => {
                tenant.grants.forget_all();
                tenant.contained.forget_all();
            }
        }
    }
}

/// Whether a database has a tenant; waits for a deletion or a move that is under way.
pub(crate) async fn is_there(database: &Database, id: &TenantId) -> Outcome<bool> {
    let mut session = database.system(Arc::<Usage>::default()).await?;
    Ok(!session.rows(Statement::new(STANDING).text(id.as_str())).await?.is_empty())
}

/// Okapi's answer for a tenant that does not exist.
pub fn no_such_tenant(id: &str) -> Fault {
    Fault::bad_request(format!("No such Tenant {id}"))
}

/// How long somebody else's transactions may keep a tenant's tables from being locked: less than the second after which PostgreSQL looks
/// for deadlocks, so that none of them is ended for this.
pub(crate) const LOCK_MS: u64 = 400;
/// A lock was not given in time.
pub(crate) const LOCKED: &str = "55P03";

/// Whether others had what was needed, or it took longer than is allowed.
pub(crate) fn is_in_the_way(why: &DbError) -> bool {
    why.is(LOCKED) || why.is(DbError::CANCELLED) || why.is_conflict()
}

/// The names of the schemas with views for reports of a tenant.
pub(crate) fn reports(tenant: &TenantId) -> Statement {
    Statement::new(REPORTS).text(tenant.as_str())
}

/// What a notification may say.
pub(crate) struct Change;

impl Change {
    pub(crate) const SNAPSHOT: &'static str = "snapshot";
    /// Permissions or state of one user, or of all.
    pub(crate) const GRANTS: &'static str = "grants";
    /// The tenant itself or its modules.
    pub(crate) const TENANT: &'static str = "tenant";
    /// Where modules outside of the process run.
    pub(crate) const INSTANCES: &'static str = "instances";
    /// The keys that sign tokens.
    pub(crate) const KEYS: &'static str = "keys";
    /// In which database a tenant is.
    pub(crate) const PLACE: &'static str = "place";
}

pub(crate) const CHANNEL: &str = "octavo";

/// Tells every process of a change that is no tenant's: the notification names Okapi's own tenant.
pub(crate) fn notify_of_all(change: &str) -> Outcome<Statement> {
    Ok(notify(&TenantId::parse("supertenant")?, change))
}

/// Tells every process, when the transaction commits, that there is a tenant or that its modules are others.
pub fn notify_of_tenant(tenant: &TenantId) -> Statement {
    notify(tenant, Change::TENANT)
}

/// Tells every process, when the transaction commits.
pub(crate) fn notify(tenant: &TenantId, change: &str) -> Statement {
    Statement::new(NOTIFY).text(CHANNEL).text(format!("{tenant} {change}"))
}

const MODULES_OF: &str = "\
select m.module, m.descriptor
from octavo.tenants t
left join (
  select tenant, module, null::text as descriptor from octavo.enabled_modules where tenant = $1
  union all
  select tenant, id, null from octavo.enabled_user_interfaces where tenant = $1
  union all
  select e.tenant, e.id, o.descriptor
  from octavo.enabled_outside_modules e
  join octavo.outside_modules o on o.id = e.id
  where e.tenant = $1
) m on m.tenant = t.id
where t.id = $1";
const LIST: &str = "select id, name, description from octavo.tenants order by id";
const DESCRIBE: &str = "update octavo.tenants set name = $2, description = $3 where id = $1 returning 1";

const REPORTS: &str = "select name from octavo.reporting_schema where tenant = $1";

const STANDING: &str = "select 1 from octavo.tenants where id = $1 for key share";

const NOTIFY: &str = "select pg_notify($1, $2)";

octavo_pg::statements! {
    hot = [MODULES_OF],
    other = [
        LIST, DESCRIBE, REPORTS, STANDING, NOTIFY,
    ],
    within = [catalogue, deletion, enabled, migrations],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_alone_or_with_all_others_but_the_one_that_is_kept() {
        let [one, two] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let at_first = Sessions::default();
        let one_ended = Sessions { ended: BTreeSet::from([one]), ..Sessions::default() };
        let changed = Sessions { generation: 1, kept: Some(one), ended: BTreeSet::new() };
        let kept_then_ended = Sessions { ended: BTreeSet::from([one]), ..changed };
        for (sessions, session, generation, counts) in [
            (&at_first, None, 0, true),
            (&at_first, Some(one), 0, true),
            (&one_ended, Some(one), 0, false),
            (&one_ended, Some(two), 0, true),
            (&changed, None, 0, false),
            (&changed, Some(one), 0, true),
            (&changed, Some(two), 0, false),
            (&changed, Some(two), 1, true),
            (&kept_then_ended, Some(one), 0, false),
        ] {
            assert_eq!(sessions.accept(session, generation), counts, "{sessions:?} {session:?} {generation}");
        }
    }
}
