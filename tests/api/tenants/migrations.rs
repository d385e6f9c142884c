//! Tenants of the first release, brought up to date: what they get and what a new tenant has is the same.

use std::sync::Arc;

use octavo_engine::catalogue::catalogue;
use octavo_engine::migrations::{migrate_tenant, tenant_migrations};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Database, Statement};
use octavo_testkit::{Library, octavo, on_runtime};

/// A tenant's tables as the first release made them.
const FIRST_RELEASE: &str = include_str!("first_release.sql");

#[tokio::test]
async fn a_tenant_of_the_first_release_gets_what_a_new_one_has() {
    let library = Library::bare().await;
    let new = library.tenant.clone();
    let database = octavo().await.platform.database.clone();
    on_runtime(async move {
        let old = TenantId::parse("firstrelease").unwrap();
        let mut session = database.system(Arc::default()).await.unwrap();
        let make = format!(
            "create schema {schema:?}; set local search_path = {schema:?}, octavo; {FIRST_RELEASE};
             insert into octavo.tenants (id, schema_version) values ('{old}', 1)",
            schema = old.schema()
        );
        session.script(&make).await.unwrap();
        drop(session);
        let migrations = tenant_migrations(MODULES);
        for round in ["the first time", "again"] {
            migrate_tenant(&database, &old, &migrations).await.unwrap();
            let (old, new) = (catalogue_of(&database, &old).await, catalogue_of(&database, &new).await);
            let missing: Vec<_> = new.iter().filter(|line| !old.contains(line)).collect();
            let left: Vec<_> = old.iter().filter(|line| !new.contains(line)).collect();
            assert!(
                missing.is_empty() && left.is_empty(),
                "{round}: missing {missing:#?}, left over {left:#?}"
            );
        }
        let mut session = database.session(&old, Arc::default()).await.unwrap();
        let own: Option<(i64, i64)> = session.read(Statement::new(OWN_PROFILES)).await.unwrap();
        assert_eq!(own, Some((59, 33)), "FOLIO's profiles of imports, and their associations");
    })
    .await;
}

const OWN_PROFILES: &str =
    "select (select count(*) from import_profile), (select count(*) from profile_associations)";

#[test]
fn migrations_are_numbered_from_two_without_a_gap() {
    let mut numbers: Vec<i64> =
        MODULES.iter().flat_map(|module| module.migrations).map(|migration| migration.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (2..).take(numbers.len()).collect::<Vec<_>>());
}

/// Everything that a tenant's schema consists of.
async fn catalogue_of(database: &Database, tenant: &TenantId) -> Vec<String> {
    let mut session = database.system(Arc::default()).await.unwrap();
    let lines = catalogue(&mut session, tenant.schema()).await.unwrap();
    assert!(lines.len() > 1000, "{} lines of {tenant}", lines.len());
    lines
}
