//! Schemas of tenants. To make one costs PostgreSQL more than most tests do, so the schema of a test that has ended is emptied and goes
//! to a test that begins. A schema in which a test has changed a table, a trigger or a function is dropped.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use octavo_engine::{Platform, TenantDescriptor};
use octavo_kernel::TenantId;
use octavo_pg::{Database, DbError, Options, Session, Statement, Usage, Work};
use tokio::sync::OnceCell;

use crate::postgres::postgres;

/// A tenant that a test has. When the last of its clients is dropped, its schema is for others.
#[derive(Debug)]
pub(crate) struct LentTenant(TenantId);

impl LentTenant {
    pub(crate) fn id(&self) -> &TenantId {
        &self.0
    }
}

impl Drop for LentTenant {
    fn drop(&mut self) {
        lock_idle().push(self.0.clone());
    }
}

/// Tenants whose tests have ended.
fn lock_idle() -> MutexGuard<'static, Vec<TenantId>> {
    static IDLE: Mutex<Vec<TenantId>> = Mutex::new(Vec::new());
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A tenant that has no module, and no records but those of the pattern if one is given.
pub(crate) async fn lend_tenant(
    platform: &Platform,
    id: &str,
    pattern: Option<&TenantId>,
) -> Arc<LentTenant> {
    let as_new = pristine_tenant(platform).await;
    let idle = lock_idle().pop();
    if let Some(idle) = idle {
        if let Some(tenant) = take_over(platform, &idle, id, pattern.unwrap_or(as_new)).await {
            return Arc::new(LentTenant(tenant));
        }
        platform.tenants.delete(&idle).await.expect("a tenant that can be deleted");
    }
    Arc::new(LentTenant(create_from_pattern(platform, id, pattern).await))
}

async fn create_from_pattern(platform: &Platform, id: &str, pattern: Option<&TenantId>) -> TenantId {
    let tenant = create_tenant(platform, id).await;
    if let Some(pattern) = pattern {
        let refill = Statement::new(REFILL).text(tenant.schema()).text(pattern.schema());
        let refilled: Option<bool> = session(platform).await.read(refill).await.expect("a new schema");
        assert_eq!(refilled, Some(true), "new schemas differ from each other");
    }
    tenant
}

/// The tenant whose schema is as new, and stays so.
async fn pristine_tenant(platform: &Platform) -> &'static TenantId {
    static AS_NEW: OnceCell<TenantId> = OnceCell::const_new();
    let make = async || {
        let url = postgres().await.url.replacen("octavo@", "postgres@", 1);
        let superuser =
            Database::from_url(&url, Options::unlimited(1)).expect("the address of our own database");
        let mut session = superuser.system_session(Arc::default()).await.expect("a connection");
        session.script(include_str!("schemas.sql")).await.expect("functions of the test kit");
        create_tenant(platform, "as-new").await
    };
    AS_NEW.get_or_init(make).await
}

pub(crate) async fn create_tenant(platform: &Platform, id: &str) -> TenantId {
    let descriptor = TenantDescriptor { id: Some(id.to_owned()), name: None, description: None };
    platform.create_tenant(&descriptor).await.expect("a tenant")
}

async fn session(platform: &Platform) -> Session {
    platform
        .database
        .system_session(Arc::new(Usage::for_work(Work::Maintenance)))
        .await
        .expect("a connection")
}

/// Makes a tenant of another, whose records go; none if its schema cannot be emptied.
async fn take_over(platform: &Platform, old: &TenantId, id: &str, pattern: &TenantId) -> Option<TenantId> {
    let mut session = session(platform).await;
    let new = TenantId::parse(id).expect("an id");
    for _ in 0..20 {
        match rename_tenant(&mut session, old, &new, pattern).await {
            Ok(true) => return Some(new),
            Ok(false) => return None,
            // What the test has left running may hold the locks in another order.
            Err(error) if error.is_conflict() => session.rollback().await.expect("the end of a transaction"),
            // The test has dropped the schema.
            Err(error) if error.has_code("3F000") => return None,
            Err(error) => panic!("the schema of {old} cannot be emptied: {error}"),
        }
    }
    None
}

/// Whether it could: a test may have deleted its tenant, or have changed the schema's shape.
async fn rename_tenant(
    session: &mut Session,
    old: &TenantId,
    new: &TenantId,
    pattern: &TenantId,
) -> Result<bool, DbError> {
    let delete = Statement::new(DELETE).text(old.as_str()).text(format!("{old} tenant"));
    let deleted = session.begin(vec![delete]).await?;
    let refill = Statement::new(REFILL).text(old.schema()).text(pattern.schema());
    if deleted[0].is_empty() || session.read::<Option<bool>>(refill).await? != Some(true) {
        session.rollback().await?;
        return Ok(false);
    }
    let (from, to) = (old.schema(), new.schema());
    let rename = Statement::new(format!("alter schema {from:?} rename to {to:?}"));
    session.commit(vec![rename, Statement::new(CREATE).text(new.as_str())]).await?;
    Ok(true)
}

/// Tells the servers as the deletion of a tenant does.
const DELETE: &str = "delete from octavo.tenants where id = $1 returning pg_notify('octavo', $2)::text";

const REFILL: &str = "select testkit.refill($1, $2)";

const CREATE: &str = "\
insert into octavo.tenants (id, schema_version) select $1, schema_version from octavo.tenants where id = 'as-new'";
