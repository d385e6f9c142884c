//! Tenants of the first release, brought up to date: what they get and what a new tenant has is the same.

use std::sync::Arc;

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
            let (old, new) = (catalogue(&database, &old).await, catalogue(&database, &new).await);
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

/// Everything that a schema consists of, a line each, whatever the schema is called.
async fn catalogue(database: &Database, tenant: &TenantId) -> Vec<String> {
    let mut session = database.system(Arc::default()).await.unwrap();
    let rows = session.rows(Statement::new(CATALOGUE).text(tenant.schema())).await.unwrap();
    let mut lines: Vec<String> =
        rows.iter().map(|row| row.text(0).replace(tenant.schema(), "the_tenant")).collect();
    lines.sort();
    assert!(lines.len() > 1000, "{} lines of {tenant}", lines.len());
    lines
}

const CATALOGUE: &str = "\
select concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), l.collname,
  case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid))
from pg_attribute a
join pg_class c on c.oid = a.attrelid and c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'v', 'S')
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_collation l on l.oid = a.attcollation
where a.attnum > 0 and not a.attisdropped
union all
select concat_ws(' ', 'table', c.relname, c.relkind, c.reloptions::text)
from pg_class c
where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'v', 'S')
union all
select 'index ' || pg_get_indexdef(i.indexrelid)
from pg_index i
join pg_class c on c.oid = i.indrelid and c.relnamespace = $1::text::regnamespace
union all
select concat_ws(' ', 'constraint', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
from pg_constraint k
where k.connamespace = $1::text::regnamespace
union all
select concat_ws(' ', 'view', v.viewname, v.definition)
from pg_views v
where v.schemaname = $1::text
union all
select 'rule ' || r.definition
from pg_rules r
where r.schemaname = $1::text
union all
select 'function ' || pg_get_functiondef(p.oid)
from pg_proc p
where p.pronamespace = $1::text::regnamespace
union all
select 'trigger ' || pg_get_triggerdef(t.oid)
from pg_trigger t
join pg_class c on c.oid = t.tgrelid and c.relnamespace = $1::text::regnamespace
where not t.tgisinternal
union all
select 'sequence ' || (to_jsonb(s) - 'schemaname' - 'last_value')::text
from pg_sequences s
where s.schemaname = $1::text";
