//! Tenants of the first release, brought up to date: what they get and what a new tenant has is the same.

use std::sync::Arc;

use octavo_engine::catalogue::catalogue;
use octavo_engine::migrations::{migrate_tenant, tenant_migrations};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Database, Sql, Statement};
use octavo_testkit::{Library, octavo, on_runtime};

/// A tenant's tables as the first release made them.
const FIRST_RELEASE: &str = include_str!("first_release.sql");

#[tokio::test]
async fn a_tenant_of_the_first_release_gets_what_a_new_one_has() {
    let library = Library::bare().await;
    let new = library.tenant.clone();
    let database = octavo().await.platform.database.clone();
    on_runtime(async move {
        let old = create_first_release_tenant(&database, "firstrelease").await;
        let migrations = tenant_migrations(MODULES);
        for round in ["the first time", "again"] {
            migrate_tenant(&database, &old, &migrations).await.unwrap();
            let (old, new) =
                (schema_catalogue(&database, &old).await, schema_catalogue(&database, &new).await);
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

async fn create_first_release_tenant(database: &Database, id: &str) -> TenantId {
    let tenant = TenantId::parse(id).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let make = format!(
        "create schema {schema:?}; set local search_path = {schema:?}, octavo; {FIRST_RELEASE};
         insert into octavo.tenants (id, schema_version) values ('{tenant}', 1)",
        schema = tenant.schema()
    );
    session.script(&make).await.unwrap();
    tenant
}

/// Records that the first release wrote are, after all migrations, what this program would have written: documents, and what columns
/// hold of them.
#[tokio::test]
async fn the_records_of_the_first_release_are_kept() {
    let library = Library::with_samples().await;
    let new = library.tenant.clone();
    let database = octavo().await.platform.database.clone();
    library.script(SOME_RECORDS).await;
    on_runtime(async move {
        let old = create_first_release_tenant(&database, "firstrecords").await;
        let mut session = database.system_session(Arc::default()).await.unwrap();
        let both = Statement::new(TABLES_OF_BOTH).text(old.schema()).text(new.schema());
        let mut tables: Vec<String> = session.read(both).await.unwrap();
        assert!(tables.len() > 90, "{tables:?}");
        let all = tables.clone();
        let copy = |table: &str| {
            let (of_old, of_new) = (old.schema(), new.schema());
            format!(
                "set local search_path = {of_old:?}, octavo;
                 insert into {table:?} (id, doc) select id, doc from {of_new:?}.{table:?}"
            )
        };
        // What was done to records is noted when they are copied, too.
        let logs: Vec<String> = tables.extract_if(.., |table| table.starts_with("audit_")).collect();
        // In an order that the references allow.
        while !tables.is_empty() {
            let mut waiting = Vec::new();
            let before = tables.len();
            for table in tables {
                if session.script(&copy(&table)).await.is_err() {
                    waiting.push(table);
                }
            }
            tables = waiting;
            assert!(tables.len() < before, "they refer to each other: {tables:?}");
        }
        for log in logs {
            session.script(&format!("delete from {:?}.{log:?}; {}", old.schema(), copy(&log))).await.unwrap();
        }
        migrate_tenant(&database, &old, &tenant_migrations(MODULES)).await.unwrap();
        for table in all {
            let rows =
                format!("select t.id::text, (to_jsonb(t) - 'filled')::text from %.{table:?} t order by t.id");
            let mut of = async |tenant: &TenantId| -> Vec<(String, String)> {
                let text = rows.replace('%', &format!("{:?}", tenant.schema()));
                session.read_once(&Sql { text, params: Vec::new() }).await.unwrap()
            };
            let (kept, written) = (of(&old).await, of(&new).await);
            let differs = kept.iter().zip(&written).find(|(kept, written)| kept != written);
            assert!(differs.is_none(), "{table}: {differs:#?}");
            assert_eq!(kept.len(), written.len(), "{table}");
        }
    })
    .await;
}

/// Beside FOLIO's samples of titles, holdings and items.
const SOME_RECORDS: &str = "\
insert into users (id, doc) values ('00000000-0000-4000-8000-000000000001',
  '{\"id\": \"00000000-0000-4000-8000-000000000001\", \"username\": \"ada\", \"active\": true, \"personal\": {\"lastName\": \"L\\u00f6wel\\u00e4ce\", \"email\": \"Ada@example.org\"}}');
insert into loan (id, doc) select '00000000-0000-4000-8000-000000000002', jsonb_build_object(
  'id', '00000000-0000-4000-8000-000000000002', 'itemId', i.id,
  'userId', '00000000-0000-4000-8000-000000000001', 'status', '{\"name\": \"Open\"}'::jsonb, 'action', 'checkedout',
  'loanDate', '2026-01-05T10:00:00.000+00:00', 'dueDate', '2026-02-05T10:00:00.000+00:00') from item i order by i.id limit 1;
insert into accounts (id, doc) values ('00000000-0000-4000-8000-000000000003',
  '{\"id\": \"00000000-0000-4000-8000-000000000003\", \"amount\": 10, \"remaining\": 10, \"status\": {\"name\": \"Open\"}, \"userId\": \"00000000-0000-4000-8000-000000000001\"}');
insert into feefineactions (id, doc) values ('00000000-0000-4000-8000-000000000004',
  '{\"id\": \"00000000-0000-4000-8000-000000000004\", \"accountId\": \"00000000-0000-4000-8000-000000000003\", \"amountAction\": 10, \"typeAction\": \"Lost\"}')";

/// Tables of records, in which the first release had all columns that it did not fill itself.
const TABLES_OF_BOTH: &str = "\
select o.relname::text
from pg_class o
join pg_class n on n.relname = o.relname and n.relnamespace = $2::text::regnamespace
where o.relnamespace = $1::text::regnamespace
  and o.relkind = 'r'
  and (select count(*) from pg_attribute a where a.attrelid = o.oid and a.attname in ('id', 'doc')) = 2
order by 1";

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
async fn schema_catalogue(database: &Database, tenant: &TenantId) -> Vec<String> {
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let lines = catalogue(&mut session, tenant.schema()).await.unwrap();
    assert!(lines.len() > 1000, "{} lines of {tenant}", lines.len());
    lines
}
