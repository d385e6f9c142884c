//! Lists what a schema consists of: as it is in the database, and as this program would create it.

use octavo_pg::{DbError, Session, Statement};

use super::migrations::sql::single_script;
use super::migrations::{SYSTEM, SYSTEM_MIGRATIONS, tenant_schema_sql};
use crate::Module;

/// The text that replaces the name of the schema in a catalogue.
pub const SCHEMA_PLACEHOLDER: &str = "the_schema";

/// The schema in which the program creates what it expects, in a transaction that is rolled back.
const TRIAL_SCHEMA: &str = "octavo_expected";

/// Everything that a schema consists of, one line each, sorted.
pub async fn catalogue(session: &mut Session, schema: &str) -> Result<Vec<String>, DbError> {
    // Of what is on the search path, PostgreSQL would not tell the schema.
    let answers = session.batch(vec![Statement::new(PATH), Statement::new(CATALOGUE).text(schema)]).await?;
    let rows = answers.iter().skip(1).flatten();
    let mut lines: Vec<String> = rows.map(|row| row.text(0).replace(schema, SCHEMA_PLACEHOLDER)).collect();
    lines.sort();
    Ok(lines)
}

/// What a new tenant's schema would consist of.
pub async fn new_tenant_catalogue(
    session: &mut Session,
    modules: &[&'static Module],
) -> Result<Vec<String>, DbError> {
    let make = format!("set local search_path = {TRIAL_SCHEMA}, octavo; {}", tenant_schema_sql(modules));
    trial_catalogue(session, &make).await
}

/// What the schema `octavo` would consist of if it were made now.
pub async fn new_system_catalogue(session: &mut Session) -> Result<Vec<String>, DbError> {
    let migrations = SYSTEM_MIGRATIONS.iter().map(|migration| single_script(migration.sql));
    let scripts: Vec<String> = std::iter::once(SYSTEM.to_owned()).chain(migrations).collect();
    let make = format!("set local search_path = {TRIAL_SCHEMA}, octavo;\n{}", scripts.join(";\n"));
    // The extensions are there, in the schema that is there.
    let own = |line: &&str| !line.starts_with("create extension") && !line.starts_with("create schema");
    let make: Vec<&str> = make.lines().filter(own).collect();
    let make = make.join("\n").replace("octavo.", &format!("{TRIAL_SCHEMA}."));
    let make = make.replace(&format!("{TRIAL_SCHEMA}.unaccent"), "octavo.unaccent");
    let lines = trial_catalogue(session, &make).await?;
    Ok(lines.into_iter().map(|line| line.replace("octavo", SCHEMA_PLACEHOLDER)).collect())
}

async fn trial_catalogue(session: &mut Session, make: &str) -> Result<Vec<String>, DbError> {
    session.begin(Vec::new()).await?;
    let found = match session.script(&format!("create schema {TRIAL_SCHEMA}; {make}")).await {
        Ok(()) => catalogue(session, TRIAL_SCHEMA).await,
        Err(error) => Err(error),
    };
    session.rollback().await?;
    found
}

const PATH: &str = "select set_config('search_path', 'pg_catalog', true)";
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
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
union all
select 'trigger ' || pg_get_triggerdef(t.oid)
from pg_trigger t
join pg_class c on c.oid = t.tgrelid and c.relnamespace = $1::text::regnamespace
where not t.tgisinternal
union all
select 'sequence ' || (to_jsonb(s) - 'schemaname' - 'last_value')::text
from pg_sequences s
where s.schemaname = $1::text";

octavo_pg::statements!(other = [PATH, CATALOGUE]);
