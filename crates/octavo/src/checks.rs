//! Checks that must succeed in every database of Octavo, whatever its libraries do: the invariants that modules declare hold, foreign
//! keys have their targets, and indexes agree with their tables. They change no data; the check of indexes creates the extension amcheck.

use anyhow::Result;
use octavo_modules::MODULES;
use octavo_pg::{Session, Sql, Statement};

/// A line for each tenant and invariant of the modules that is broken, with the number of records that break it.
pub(crate) async fn find_contradictions(session: &mut Session) -> Result<Vec<String>> {
    let schemas: Vec<String> = session.read(Statement::new(SCHEMAS)).await?;
    let mut found = Vec::new();
    for schema in schemas {
        session.script(&format!("set search_path = {schema}, octavo")).await?;
        for invariant in MODULES.iter().flat_map(|module| module.invariants) {
            let count =
                count_rows(session, format!("select count(*) from ({}) w", invariant.find_sql)).await?;
            if count > 0 {
                found.push(format!("{schema}: {}: {count}", invariant.violation));
            }
        }
    }
    session.script("reset search_path").await?;
    Ok(found)
}

/// Foreign keys (of one column) whose target does not exist, by constraint. PostgreSQL allows none, so a hit means that the database is
/// damaged.
pub(crate) async fn find_dangling_references(session: &mut Session) -> Result<Vec<String>> {
    let constraints: Vec<(String, String)> = session.read(Statement::new(REFERENCES)).await?;
    let mut found = Vec::new();
    for (name, count) in constraints {
        let count = count_rows(session, count).await?;
        if count > 0 {
            found.push(format!("{name}: {count} references lead nowhere"));
        }
    }
    Ok(found)
}

/// Indexes that PostgreSQL's amcheck finds damaged; `None` where it is not installed. The session is the superuser's of a
/// database that may be changed.
pub(crate) async fn find_damaged_indexes(session: &mut Session) -> Result<Option<Vec<String>>> {
    if session.read::<Vec<i64>>(Statement::new(AMCHECK)).await?.is_empty() {
        return Ok(None);
    }
    session.script("create extension if not exists amcheck schema pg_catalog").await?;
    let indexes: Vec<(String, String)> = session.read(Statement::new(INDEXES)).await?;
    let mut found = Vec::new();
    for (name, check) in indexes {
        if let Err(error) = session.rows_once(&Sql { text: check, params: Vec::new() }).await {
            found.push(format!("{name}: {error}"));
        }
    }
    Ok(Some(found))
}

async fn count_rows(session: &mut Session, text: String) -> Result<i64> {
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
