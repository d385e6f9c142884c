//! The schemas in the database and how they came to be: `octavo`, common to all tenants, and one for each tenant.
//!
//! A schema that exists is brought up to date by numbered [`Migration`]s when a program starts; its table `migration` lists
//! those that it has had. They only add, so that processes of the release before go on working beside, and block nobody for long
//! ([`apply`], [`rule`]). Where that cannot be, the schema's version is raised too: a program that finds a newer version than it
//! knows refuses to start.
//!
//! The schema `octavo` is made by `system.sql` and the migrations after it. A new tenant's schema is generated from the
//! declarations as they are now; a test compares it with the first release's schema after all migrations.

mod apply;
pub mod rule;
pub mod sql;

use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, DbError, Statement, Usage, Work};
use octavo_record::{create_references, create_table};

use super::Tenants;
pub use crate::interface::Migration;
use crate::{Module, TenantDescriptor};

/// Version of the `octavo` schema: the oldest release that can work with it.
pub const SYSTEM_VERSION: i64 = 1;
/// Version of each tenant's schema: the oldest release that can work with it.
pub const TENANT_VERSION: i64 = 1;

/// The migrations of the schema `octavo`.
pub const SYSTEM_MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2,
        name: "words of texts without blanks",
        sql: include_str!("words_without_blanks.sql"),
    },
    Migration { number: 3, name: "user interfaces", sql: include_str!("user_interfaces.sql") },
    Migration { number: 4, name: "changes for the search", sql: include_str!("search_changes.sql") },
    Migration { number: 5, name: "indexes of authorities", sql: include_str!("search_resources.sql") },
    Migration { number: 6, name: "outside modules", sql: include_str!("outside_modules.sql") },
    Migration {
        number: 7,
        name: "permissions that tenants were told of",
        sql: include_str!("announced_permissions.sql"),
    },
    Migration { number: 8, name: "keys of tokens", sql: include_str!("token_keys.sql") },
    Migration { number: 9, name: "consumers of events", sql: include_str!("event_consumers.sql") },
    Migration { number: 10, name: "changes of records as events", sql: include_str!("record_events.sql") },
    Migration { number: 11, name: "import jobs", sql: include_str!("import_jobs.sql") },
    Migration {
        number: 12,
        name: "records from FOLIO, and schemas for reports",
        sql: include_str!("from_folio.sql"),
    },
    Migration { number: 13, name: "tenants over several databases", sql: include_str!("places.sql") },
    Migration { number: 14, name: "timers that rest", sql: include_str!("resting_timers.sql") },
    Migration { number: 15, name: "refusals of events", sql: include_str!("refusals_of_events.sql") },
];

/// Why the database cannot be used as it is.
#[derive(Debug)]
pub enum Unusable {
    TooOld { found: i64 },
    Newer { found: i64, known: i64 },
    Database(DbError),
}

impl From<DbError> for Unusable {
    fn from(error: DbError) -> Self {
        Unusable::Database(error)
    }
}

/// Makes the common schema, and brings it and every tenant's up to date. Safe to run in several processes at once.
pub async fn prepare(database: &Database, modules: &[&'static Module]) -> Result<(), Unusable> {
    let found = database.server_version().await?;
    if found < 150_000 {
        return Err(Unusable::TooOld { found });
    }
    let mut session = database.system_session(Arc::new(Usage::for_work(Work::Maintenance))).await?;
    if session.read::<Option<Option<String>>>(Statement::new(PRESENT)).await? == Some(None) {
        // A script is one transaction: who waits for the lock goes on when all of it can be seen.
        session.script(&format!("select pg_advisory_xact_lock({SCHEMA_LOCK}); {SYSTEM}")).await?;
    }
    let found = session.read::<Option<i64>>(Statement::new(VERSION)).await?.unwrap_or(0);
    let tenant = session.read::<Option<i64>>(Statement::new(NEWEST)).await?.unwrap_or(0);
    match (found > SYSTEM_VERSION, tenant > TENANT_VERSION) {
        (true, _) => return Err(Unusable::Newer { found, known: SYSTEM_VERSION }),
        (_, true) => return Err(Unusable::Newer { found: tenant, known: TENANT_VERSION }),
        _ => {}
    }
    apply::bring_up_to_date(database, &mut session, None, SYSTEM_MIGRATIONS).await?;
    let tenants: Vec<String> = session.read(Statement::new(TENANTS)).await?;
    drop(session);
    let migrations = tenant_migrations(modules);
    for tenant in tenants.iter().filter_map(|id| TenantId::parse(id).ok()) {
        migrate_tenant(database, &tenant, &migrations).await?;
    }
    Ok(())
}

/// PostgreSQL looks through all valid plans of a connection for each table that it makes. Connections keep the plans by which
/// foreign keys of many tenants were checked; plans that are discarded are passed over, and made anew when they are needed.
const DISCARD_PLANS: &str = "discard plans";

impl Tenants {
    /// Makes the schema with every table of every module: a module that is enabled later finds its tables.
    pub async fn create(
        &self,
        descriptor: &TenantDescriptor,
        modules: &[&'static Module],
    ) -> Outcome<TenantId> {
        let id = TenantId::parse(descriptor.id.as_deref().unwrap_or_default())?;
        let mut session = self.maintenance_session().await?;
        let script =
            format!("{DISCARD_PLANS}; begin; {}; commit", create_tenant_sql(&id, descriptor, modules));
        match session.script(&script).await {
            Ok(()) => Ok(id),
            Err(error) => {
                // The script stopped inside its transaction.
                session.script("rollback").await?;
                Err(creation_fault(&id, error))
            }
        }
    }
}

/// The SQL script that creates a tenant, to be run inside a transaction; `creation_fault` makes the message if it fails.
pub fn create_tenant_sql(
    id: &TenantId,
    descriptor: &TenantDescriptor,
    modules: &[&'static Module],
) -> String {
    let insert = format!(
        "insert into octavo.tenants (id, name, description, schema_version) values ({}, {}, {}, {})",
        sql_literal(Some(id.as_str())),
        sql_literal(descriptor.name.as_deref()),
        sql_literal(descriptor.description.as_deref()),
        TENANT_VERSION,
    );
    format!(
        "create schema {schema:?}; set local search_path = {schema:?}, octavo; {tables}; {insert}",
        schema = id.schema(),
        tables = tenant_schema_sql(modules),
    )
}

pub fn creation_fault(id: &TenantId, error: DbError) -> Fault {
    match error.has_code("42P06") || error.has_code(DbError::UNIQUE) {
        true => Fault::bad_request(format!("Duplicate tenant id {id}")),
        false => error.into(),
    }
}

/// A text as SQL, for scripts that cannot have parameters.
fn sql_literal(text: Option<&str>) -> String {
    text.map_or("null".to_owned(), |text| format!("'{}'", text.replace('\'', "''").replace('\0', "")))
}

/// Brings one tenant's schema up to date.
pub async fn migrate_tenant(
    database: &Database,
    tenant: &TenantId,
    migrations: &[Migration],
) -> Result<(), DbError> {
    let mut session = database.session(tenant, Arc::new(Usage::for_work(Work::Maintenance))).await?;
    apply::bring_up_to_date(database, &mut session, Some(tenant), migrations).await
}

/// The migrations of all modules, sorted by number.
pub fn tenant_migrations(modules: &[&'static Module]) -> Vec<Migration> {
    let mut migrations: Vec<Migration> =
        modules.iter().flat_map(|module| module.migrations).copied().collect();
    migrations.sort_by_key(|migration| migration.number);
    migrations
}

/// The advisory lock of processes that make or change schemas.
const SCHEMA_LOCK: i64 = 7301;

/// A tenant's schema; nobody deletes the tenant until the transaction ends.
const STANDING: &str =
    "select to_regnamespace(quote_ident($2))::text from octavo.tenants where id = $1 for key share";
const TABLE: &str = "\
create table if not exists migration (
  number bigint primary key,
  name text not null,
  applied timestamptz not null default now()
)";
/// The statement has the name of the schema in the place of `%`.
const APPLIED: &str = "select number from %.migration";
const APPLY: &str = "insert into migration (number, name) values ($1, $2)";

/// Every table of a tenant, in the order in which references allow them to be made.
pub fn tenant_schema_sql(modules: &[&'static Module]) -> String {
    let records = || modules.iter().flat_map(|module| module.tables());
    let mut statements = vec![
        crate::snapshot::TABLES.to_owned(),
        TABLE.replace("if not exists ", ""),
        crate::outbox::TABLE.to_owned(),
        crate::events::TABLE.to_owned(),
    ];
    // A new schema has everything that the migrations add.
    statements.extend(tenant_migrations(modules).iter().map(|Migration { number, name, .. }| {
        format!("insert into migration (number, name) values ({number}, '{name}')")
    }));
    statements.extend(records().flat_map(create_table));
    statements.extend(records().flat_map(create_references));
    statements
        .extend(modules.iter().map(|module| module.script.trim().to_owned()).filter(|sql| !sql.is_empty()));
    statements.join(";\n")
}

/// Functions stand in the common schema, so that the tables of every tenant may use them.
pub(super) const SYSTEM: &str = include_str!("system.sql");

const PRESENT: &str = "select to_regclass('octavo.schema_version')::text";

const VERSION: &str = "select version::int8 from octavo.schema_version";

const NEWEST: &str = "select coalesce(max(schema_version), 0)::int8 from octavo.tenants";

const TENANTS: &str = "select id from octavo.tenants order by id";

octavo_pg::statements! {
    other = [STANDING, APPLY, PRESENT, VERSION, NEWEST, TENANTS],
    within = [apply],
}
