//! What must hold in every database of Octavo's, whatever its libraries do: references lead somewhere, loans and items agree, what
//! is paid is paid, indexes hold what their tables hold. It only reads; it changes nothing.

use std::collections::BTreeMap;

use anyhow::Result;
use octavo_pg::{Session, Sql, Statement};

/// A rule of a tenant's records: how many contradict it. `S` stands for the schema.
struct Rule {
    name: &'static str,
    /// The tables that it reads; without them there is nothing to contradict.
    tables: &'static [&'static str],
    count: &'static str,
    depth: Depth,
}

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// What can be asked of a library at work: indexes, and the documents of few.
    Quick,
    /// The document of every item, too.
    Thorough,
}

const RULES: &[Rule] = &[
    Rule {
        name: "items with more than one open loan",
        tables: &["loan"],
        count: "select count(*) from (select from S.loan where \"status.name\" = 'open' \
                group by \"itemId\" having count(*) > 1) twice",
        depth: Depth::Quick,
    },
    Rule {
        name: "open loans of items that the library has",
        tables: &["loan", "item"],
        count: "select count(*) from S.loan l join S.item i on i.id = l.\"itemId\" \
                where l.\"status.name\" = 'open' and i.doc #>> '{status,name}' in \
                ('Available', 'Awaiting pickup', 'Awaiting delivery', 'In transit', 'Paged', 'On order')",
        depth: Depth::Quick,
    },
    Rule {
        name: "items checked out without an open loan",
        tables: &["loan", "item"],
        count: "select count(*) from S.item i where i.doc #>> '{status,name}' = 'Checked out' and not exists \
                (select from S.loan l where l.\"itemId\" = i.id and l.\"status.name\" = 'open')",
        depth: Depth::Thorough,
    },
    Rule {
        name: "closed accounts with something to pay",
        tables: &["accounts"],
        count: "select count(*) from S.accounts where \"status.name\" = 'closed' \
                and octavo.number(doc ->> 'remaining') > 0",
        depth: Depth::Quick,
    },
    Rule {
        name: "places in queues of requests that are not there",
        tables: &["queue_place", "request"],
        count: "select count(*) from S.queue_place p where not exists (select from S.request r where r.id = p.id)",
        depth: Depth::Quick,
    },
];

/// How many records contradict each rule, by schema and rule; rules that hold are left out.
pub(crate) async fn contradictions(session: &mut Session, depth: Depth) -> Result<BTreeMap<String, i64>> {
    let schemas: Vec<(String, String)> = session.read(Statement::new(SCHEMAS)).await?;
    let mut found = BTreeMap::new();
    for (schema, tables) in schemas {
        let there: Vec<&str> = tables.split(' ').collect();
        let quoted = format!("\"{}\".", schema.replace('"', "\"\""));
        for rule in RULES
            .iter()
            .filter(|rule| rule.depth <= depth && rule.tables.iter().all(|table| there.contains(table)))
        {
            let count = counted(session, rule.count.replace("S.", &quoted)).await?;
            if count > 0 {
                found.insert(format!("{schema}: {}", rule.name), count);
            }
        }
    }
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
select n.nspname::text, string_agg(c.relname::text, ' ')
from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relkind = 'r'
where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'octavo')
group by n.nspname order by 1";
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
