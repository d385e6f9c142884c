//! The schemas in the database and how they came to be: `octavo`, common to all tenants, and one for each tenant.
//!
//! Both carry a version. A program that finds a newer one than it knows refuses to start; an older one it brings up to
//! date. The tenant schema is generated from the declarations; a golden file in `octavo-modules` fails the build when a
//! declaration changes without a numbered migration here.

use octavo_pg::{Database, DbError, Statement};
use octavo_record::{create_references, create_table};

use crate::Module;

/// Version of the `octavo` schema.
pub const SYSTEM_VERSION: i64 = 1;
/// Version of each tenant's schema.
pub const TENANT_VERSION: i64 = 1;

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

/// Makes the common schema, or brings it up to date. Safe to run in several processes at once.
pub async fn prepare(database: &Database) -> Result<(), Unusable> {
    let found = database.server_version().await?;
    if found < 150_000 {
        return Err(Unusable::TooOld { found });
    }
    let mut session = database.system(std::sync::Arc::default()).await?;
    let present = session.rows(Statement::new("select to_regclass('octavo.schema_version')::text")).await?;
    if present.first().is_some_and(|row| row.maybe_text(0).is_none()) {
        // A script is one transaction: who waits for the lock goes on when all of it can be seen.
        session.script(&format!("select pg_advisory_xact_lock(7301); {SYSTEM}")).await?;
    }
    let version = session.rows(Statement::new("select version::int8 from octavo.schema_version")).await?;
    let found = version.first().map_or(0, |row| row.long(0));
    let tenants = session
        .rows(Statement::new("select coalesce(max(schema_version), 0)::int8 from octavo.tenants"))
        .await?;
    let tenant = tenants.first().map_or(0, |row| row.long(0));
    match (found > SYSTEM_VERSION, tenant > TENANT_VERSION) {
        (true, _) => Err(Unusable::Newer { found, known: SYSTEM_VERSION }),
        (_, true) => Err(Unusable::Newer { found: tenant, known: TENANT_VERSION }),
        _ => Ok(()),
    }
}

/// The 32 bytes that sign tokens; made once by whoever comes first.
pub async fn token_key(database: &Database, fresh: [u8; 32]) -> Result<Vec<u8>, DbError> {
    let mut session = database.system(std::sync::Arc::default()).await?;
    let hex: String = fresh.iter().map(|byte| format!("{byte:02x}")).collect();
    let rows = session
        .batch(vec![
            Statement::new(
                "insert into octavo.properties (name, value) values ('token', $1) on conflict do nothing",
            )
            .text(hex),
            Statement::new("select value from octavo.properties where name = 'token'"),
        ])
        .await?;
    let hex = rows[1].first().map(|row| row.text(0).to_owned()).unwrap_or_default();
    Ok(hex
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect())
}

/// Every table of a tenant, in the order in which references allow them to be made.
pub fn tenant_schema(modules: &[&'static Module]) -> String {
    let records = || modules.iter().flat_map(|module| module.tables());
    let mut statements = vec![
        "create table snapshot_version (version bigint not null)".to_owned(),
        "insert into snapshot_version values (1)".to_owned(),
        crate::outbox::TABLE.to_owned(),
    ];
    statements.extend(records().flat_map(create_table));
    statements.extend(records().flat_map(create_references));
    statements
        .extend(modules.iter().map(|module| module.script.trim().to_owned()).filter(|sql| !sql.is_empty()));
    statements.join(";\n")
}

/// Functions stand in the common schema, so that the tables of every tenant may use them.
const SYSTEM: &str = include_str!("system.sql");
