//! What must hold in every database of Octavo's, whatever its libraries do: the rules that modules declare, references that lead
//! somewhere, indexes that hold what their tables hold. It only reads; it changes nothing.

use anyhow::Result;
use octavo_modules::MODULES;
use octavo_pg::{Session, Sql, Statement};

/// How many records contradict each rule of the modules, a line for each tenant and rule; rules that hold are left out.
pub(crate) async fn contradictions(session: &mut Session) -> Result<Vec<String>> {
    let schemas: Vec<String> = session.read(Statement::new(SCHEMAS)).await?;
    let mut found = Vec::new();
    for schema in schemas {
        session.script(&format!("set search_path = {schema}, octavo")).await?;
        for invariant in MODULES.iter().flat_map(|module| module.invariants) {
            let count = counted(session, format!("select count(*) from ({}) w", invariant.find)).await?;
            if count > 0 {
                found.push(format!("{schema}: {}: {count}", invariant.wrong));
            }
        }
    }
    session.script("reset search_path").await?;
    Ok(found)
}

/// References that lead nowhere, by constraint. PostgreSQL lets none in: what is found here was damaged.
pub(crate) async fn dangling(session: &mut Session) -> Result<Vec<String>> {
    let constraints: Vec<(String, String)> = session.read(Statement::new(REFERENCES)).await?;
    let mut found = Vec::new();
    for (name, count) in constraints {
        let count = counted(session, count).await?;
        if count > 0 {
            found.push(format!("{name}: {count} references lead nowhere"));
        }
    }
    Ok(found)
}

/// Indexes that PostgreSQL's amcheck finds damaged; `None` where it is not installed. The session is the superuser's of a
/// database that may be changed.
pub(crate) async fn damaged_indexes(session: &mut Session) -> Result<Option<Vec<String>>> {
    if session.read::<Vec<i64>>(Statement::new(AMCHECK)).await?.is_empty() {
        return Ok(None);
    }
    session.script("create extension if not exists amcheck schema pg_catalog").await?;
    let indexes: Vec<(String, String)> = session.read(Statement::new(INDEXES)).await?;
    let mut found = Vec::new();
    for (name, check) in indexes {
        if let Err(error) = session.once(&Sql { text: check, params: Vec::new() }).await {
            found.push(format!("{name}: {error}"));
        }
    }
    Ok(Some(found))
}

async fn counted(session: &mut Session, text: String) -> Result<i64> {
    let count: Option<i64> = session.read_once(&Sql { text, params: Vec::new() }).await?;
    Ok(count.unwrap_or(0))
}

const SCHEMAS: &str = "\
select quote_ident(nspname)
from pg_namespace
where nspname like 'tenant\\_%'
order by 1";
const REFERENCES: &str = "\
select format('%s.%s', c.conrelid::regclass, c.conname), format(
  'select count(*) from %s a where a.%I is not null and not exists (select from %s b where b.%I = a.%I)',
  c.conrelid::regclass, own.attname, c.confrelid::regclass, far.attname, own.attname
)
from pg_constraint c
join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
join pg_attribute far on far.attrelid = c.confrelid and far.attnum = c.confkey[1]
where c.contype = 'f' and cardinality(c.conkey) = 1
order by 1";
const AMCHECK: &str = "select 1::int8 from pg_available_extensions where name = 'amcheck'";
const INDEXES: &str = "\
select c.oid::regclass::text, format('select bt_index_check(%s::regclass, true)::text', c.oid)
from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
where c.relkind = 'i' and a.amname = 'btree' and i.indisvalid and c.relpersistence = 'p'
order by 1";
