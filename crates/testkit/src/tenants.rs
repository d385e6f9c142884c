//! Tenants, lent to tests. To make a tenant's tables takes PostgreSQL several times as long as to empty them: the tables of a tenant
//! whose test has passed become the next test's, which is a tenant of another name.
//!
//! Nothing of the one is seen in the other. The old tenant is deleted, and its schema renamed, in the transaction that empties it
//! under locks on all of its tables. Whoever still works in the old tenant meets what they meet when a tenant is deleted.

use std::fmt::{self, Display, Formatter};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use octavo_engine::migrations::{TENANT_VERSION, tenant_schema};
use octavo_engine::{Platform, TenantDescriptor};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{DbError, Usage, Work};

/// The module that makes a tenant ask for tokens.
pub(crate) const AUTHTOKEN: &str = "mod-authtoken";

/// A test's tenant. When nothing holds it any longer, its tables are the next test's.
#[derive(Debug)]
pub struct TestTenant {
    id: TenantId,
    altered: AtomicBool,
}

/// Why a tenant is not handed on: its test has deleted it, or a request for which nobody waits holds a lock on one of its tables
/// (PostgreSQL's codes for a schema that is not there, a lock that is not available, and a deadlock).
const NOT_NOW: &[&str] = &["3F000", "55P03", "40P01"];

/// Tenants whose tests have passed.
static RETURNED: Mutex<Vec<TenantId>> = Mutex::new(Vec::new());

impl Deref for TestTenant {
    type Target = TenantId;

    fn deref(&self) -> &TenantId {
        &self.id
    }
}

impl Display for TestTenant {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.id.fmt(formatter)
    }
}

impl TestTenant {
    /// The test may change more than the server would: these tables are nobody else's.
    pub(crate) fn alter(&self) {
        self.altered.store(true, Ordering::Relaxed);
    }
}

impl Drop for TestTenant {
    fn drop(&mut self) {
        if !self.altered.load(Ordering::Relaxed) && !std::thread::panicking() {
            RETURNED.lock().unwrap_or_else(PoisonError::into_inner).push(self.id.clone());
        }
    }
}

/// A tenant without records and modules.
pub(crate) async fn lend(platform: &Platform) -> Arc<TestTenant> {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    let name = format!("library{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let returned = RETURNED.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let id = match returned {
        Some(old) => {
            let new = TenantId::parse(&name).expect("a name for a tenant");
            match hand_on(platform, &old, &new).await {
                Ok(()) => new,
                Err(error) if NOT_NOW.iter().any(|code| error.is(code)) => make(platform, name).await,
                Err(error) => panic!("{old} cannot be handed on: {error}"),
            }
        }
        None => make(platform, name).await,
    };
    Arc::new(TestTenant { id, altered: AtomicBool::new(false) })
}

async fn make(platform: &Platform, name: String) -> TenantId {
    let descriptor = TenantDescriptor { id: Some(name), name: None, description: None };
    platform.tenants.create(&descriptor, platform.modules).await.expect("a tenant")
}

async fn hand_on(platform: &Platform, old: &TenantId, new: &TenantId) -> Result<(), DbError> {
    let usage = Arc::new(Usage::of(Work::Maintenance));
    let mut session = platform.database.system(usage).await?;
    let script = format!(
        "begin; delete from octavo.tenants where id = '{old}'; alter schema {:?} rename to {schema:?}; \
         set local search_path = {schema:?}, octavo; {}; \
         insert into octavo.tenants (id, schema_version) values ('{new}', {TENANT_VERSION}); commit",
        old.schema(),
        *EMPTY,
        schema = new.schema(),
    );
    let done = session.script(&script).await;
    if done.is_err() {
        session.script("rollback").await?;
    }
    done
}

/// Makes the tables in the search path as those of a new tenant are. The locks are waited for no longer than it takes to make another
/// tenant. A table that holds no page has no record.
static EMPTY: LazyLock<String> = LazyLock::new(|| {
    let schema = tenant_schema(MODULES);
    let tables: Vec<&str> = tables(&schema).collect();
    let sequences = made(&schema, "create sequence ");
    let sequences = sequences.map(|name| format!("select setval('{name}', 1, false)"));
    let first_records = schema.lines().filter(|line| line.starts_with("insert into "));
    let first_records = first_records.map(|line| line.trim_end_matches(';').to_owned());
    format!(
        "set local lock_timeout = '500ms'; lock table {}; set local lock_timeout = 0; \
         do $$ declare filled text; begin \
           select string_agg(name, ', ') into filled from unnest(array['{}']) name \
           where pg_relation_size(name::regclass) > 0; \
           execute 'truncate ' || filled || ' cascade'; \
         end $$; {}",
        tables.join(", "),
        tables.join("', '"),
        sequences.chain(first_records).collect::<Vec<String>>().join("; "),
    )
});

/// The names of a tenant's tables.
pub(crate) fn tables(schema: &str) -> impl Iterator<Item = &str> {
    made(schema, "create table ")
}

fn made<'a>(schema: &'a str, what: &'a str) -> impl Iterator<Item = &'a str> {
    schema.lines().filter_map(move |line| line.strip_prefix(what)?.split([' ', ';']).next())
}
