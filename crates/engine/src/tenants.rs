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

pub use enabled::EnabledModule;

use crate::{Lease, LeasedCache, ModuleState};

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
    pub outside_descriptors: Vec<String>,
    /// Values that are computed from the tenant's modules.
    pub module_state: ModuleState,
    pub user_grants: LeasedCache<Uuid, Standing>,
    /// The names of the permissions that a list of permissions contains, by that list as it is in a module's token.
    pub contained_permissions: LeasedCache<Vec<String>, Vec<String>>,
}

/// A user's permissions and ended sessions, as they are cached.
#[derive(Debug, Clone)]
pub struct Standing {
    pub grant: Grant,
    pub sessions: Sessions,
}

/// Which of a user's tokens count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sessions {
    /// How often all sessions of the user were ended: sessions of an earlier generation are not accepted.
    pub generation: i64,
    /// The session in which the user changed the password: it stays valid when all others are ended.
    pub kept_session: Option<Uuid>,
    /// The sessions that were ended one by one.
    pub ended_sessions: BTreeSet<Uuid>,
}

impl Sessions {
    /// Whether a token is accepted that names this session and this generation.
    pub fn accept(&self, session: Option<Uuid>, generation: i64) -> bool {
        let ended = session.is_some_and(|session| self.ended_sessions.contains(&session));
        let kept = session.is_some() && session == self.kept_session;
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
    pub fn has_module(&self, module: &str) -> bool {
        self.modules.contains(module)
    }
}

pub struct Tenants {
    database: Database,
    known: LeasedCache<TenantId, Tenant>,
}

impl Tenants {
    pub fn new(database: Database, lease: Arc<Lease>) -> Self {
        Tenants { database, known: LeasedCache::with_lease(lease) }
    }

    /// A connection whose statements have no limit of time.
    async fn maintenance_session(&self) -> Outcome<Session> {
        Ok(self.database.system_session(Arc::new(Usage::for_work(Work::Maintenance))).await?)
    }

    /// The tenant, or 400 as Okapi says it.
    pub async fn get(&self, id: &str) -> Outcome<Arc<Tenant>> {
        if let Some(known) = self.known.get(id) {
            return Ok(known);
        }
        let unknown = || no_such_tenant(id);
        let tenant = TenantId::parse(id).map_err(|_| unknown())?;
        let moment = self.known.begin_read();
        let mut session = self.database.system_session(Arc::<Usage>::default()).await?;
        let enabled: Vec<(Option<String>, Option<String>)> =
            session.read(Statement::new(MODULES_OF).text(id)).await?;
        if enabled.is_empty() {
            return Err(unknown());
        }
        let (modules, descriptors): (Vec<_>, Vec<_>) = enabled.into_iter().unzip();
        let found = Arc::new(Tenant {
            id: tenant.clone(),
            modules: modules.into_iter().flatten().collect(),
            outside_descriptors: descriptors.into_iter().flatten().collect(),
            module_state: ModuleState::default(),
            user_grants: LeasedCache::default(),
            contained_permissions: LeasedCache::default(),
        });
        self.known.insert(tenant, &found, moment);
        Ok(found)
    }

    pub async fn list(&self) -> Outcome<Vec<TenantDescriptor>> {
        let mut session = self.database.system_session(Arc::<Usage>::default()).await?;
        let tenants: Vec<[Option<String>; 3]> = session.read(Statement::new(LIST)).await?;
        let describe = |[id, name, description]: [_; 3]| TenantDescriptor { id, name, description };
        Ok(tenants.into_iter().map(describe).collect())
    }

    pub async fn update_description(&self, descriptor: &TenantDescriptor) -> Outcome<()> {
        let id = descriptor.id.as_deref().unwrap_or_default();
        let mut session = self.database.system_session(Arc::<Usage>::default()).await?;
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
        Ok(!tenant_exists(&self.database, id).await?)
    }

    /// Empties the tables of a module.
    pub async fn purge(&self, id: &TenantId, records: &[&'static RecordType]) -> Outcome<()> {
        let tables: Vec<String> = records.iter().map(|record| octavo_record::table_name(record)).collect();
        if !tables.is_empty() {
            let usage = Arc::new(Usage::for_work(Work::Maintenance));
            let mut session = self.database.session(id, usage).await?;
            session.script(&format!("truncate {} cascade", tables.join(", "))).await?;
        }
        Ok(())
    }

    pub fn invalidate(&self, id: &TenantId) {
        self.known.invalidate(id);
    }

    pub fn invalidate_all(&self) {
        self.known.invalidate_all();
    }

    pub fn invalidate_grants(&self, id: &TenantId, user: Option<&str>) {
        // Without a lease the tenant is not used now, but a renewed lease would make it valid again, with these grants.
        let Some(tenant) = self.known.get(id) else { return self.known.invalidate(id) };
        match user.and_then(|user| Uuid::parse_str(user).ok()) {
            Some(user) => tenant.user_grants.invalidate(&user),
            None => {
                tenant.user_grants.invalidate_all();
                tenant.contained_permissions.invalidate_all();
            }
        }
    }
}

/// Whether a database has a tenant. It waits for a deletion or a move that is under way.
pub(crate) async fn tenant_exists(database: &Database, id: &TenantId) -> Outcome<bool> {
    let mut session = database.system_session(Arc::<Usage>::default()).await?;
    Ok(!session.rows(Statement::new(STANDING).text(id.as_str())).await?.is_empty())
}

/// Okapi's answer for a tenant that does not exist.
pub fn no_such_tenant(id: &str) -> Fault {
    Fault::bad_request(format!("No such Tenant {id}"))
}

/// The most milliseconds that one attempt of a deletion or a move waits for the locks of a tenant's tables: less than the
/// second after which PostgreSQL looks for deadlocks, so that it cancels no other transaction for this.
pub(crate) const MAX_LOCK_WAIT_MS: u64 = 400;
/// PostgreSQL's error code if a lock was not available in time.
pub(crate) const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Whether a statement failed because others held a lock, or because it took longer than allowed.
pub(crate) fn is_lock_conflict(why: &DbError) -> bool {
    why.has_code(LOCK_NOT_AVAILABLE) || why.has_code(DbError::CANCELLED) || why.is_conflict()
}

/// A statement that reads the names of a tenant's schemas with views for reports.
pub(crate) fn report_schemas_statement(tenant: &TenantId) -> Statement {
    Statement::new(REPORTS).text(tenant.as_str())
}

/// What a notification says has changed.
pub(crate) struct ChangeKind;

impl ChangeKind {
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

pub(crate) const NOTIFY_CHANNEL: &str = "octavo";

/// A statement that notifies every process of a change that concerns all tenants: the notification names Okapi's own tenant.
pub(crate) fn notify_everywhere_statement(change: &str) -> Outcome<Statement> {
    Ok(notify_statement(&TenantId::parse("supertenant")?, change))
}

/// A statement that notifies every process, when the transaction commits, of a new tenant or of a change of its modules.
pub fn notify_tenant_statement(tenant: &TenantId) -> Statement {
    notify_statement(tenant, ChangeKind::TENANT)
}

/// A statement that notifies every process of a change, when the transaction commits.
pub(crate) fn notify_statement(tenant: &TenantId, change: &str) -> Statement {
    Statement::new(NOTIFY).text(NOTIFY_CHANNEL).text(format!("{tenant} {change}"))
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
    use std::time::Instant;

    use octavo_pg::Options;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a lease is about time that passes")]
    fn grants_that_change_while_there_is_no_lease_are_not_used_after_its_renewal() {
        let lease = Arc::<Lease>::default();
        let database = Database::from_url("postgresql://nobody@localhost/nothing", Options::unlimited(1));
        let tenants = Tenants::new(database.unwrap(), Arc::clone(&lease));
        let (id, user) = (TenantId::parse("one").unwrap(), Uuid::from_u128(1));
        let user_id = user.to_string();
        let is_remembered =
            || tenants.known.get(&id).is_some_and(|tenant| tenant.user_grants.get(&user).is_some());
        for of_user in [Some(user_id.as_str()), None] {
            let tenant = Arc::new(Tenant {
                id: id.clone(),
                modules: BTreeSet::new(),
                outside_descriptors: Vec::new(),
                module_state: ModuleState::default(),
                user_grants: LeasedCache::default(),
                contained_permissions: LeasedCache::default(),
            });
            let standing = Arc::new(Standing { grant: Grant::Inactive, sessions: Sessions::default() });
            tenant.user_grants.insert(user, &standing, tenant.user_grants.begin_read());
            tenants.known.insert(id.clone(), &tenant, tenants.known.begin_read());
            lease.end();
            lease.renew(Instant::now());
            assert!(is_remembered(), "{of_user:?}: nothing has changed");
            lease.end();
            tenants.invalidate_grants(&id, of_user);
            lease.renew(Instant::now());
            assert!(!is_remembered(), "{of_user:?}: the grants have changed");
        }
    }

    #[test]
    fn a_session_ends_alone_or_with_all_others_but_the_one_that_is_kept() {
        let [one, two] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let at_first = Sessions::default();
        let one_ended = Sessions { ended_sessions: BTreeSet::from([one]), ..Sessions::default() };
        let changed = Sessions { generation: 1, kept_session: Some(one), ended_sessions: BTreeSet::new() };
        let kept_then_ended = Sessions { ended_sessions: BTreeSet::from([one]), ..changed };
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
