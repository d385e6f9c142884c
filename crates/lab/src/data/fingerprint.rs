//! The fingerprint of the data that a run found: the numbers of records and, if the database may be read, hashes of its 12 largest tables.
//! It shows whether two runs had the same records. Of tables above 64 MB only the first 10,000 rows are hashed.

use std::sync::Arc;

use anyhow::Result;
use octavo_pg::{Database, Session, Statement, Usage};
use serde::{Deserialize, Serialize};

use crate::load;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Fingerprint {
    /// The number of records of each kind, as the server reports it; large numbers may be estimates.
    pub(crate) records: Vec<(String, u64)>,
    pub(crate) tables: Vec<TableHash>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TableHash {
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) hash: String,
    /// Whether only the first rows by id are in the hash, and their number is an estimate.
    pub(crate) in_part: bool,
}

/// Kinds of records and the paths at which FOLIO's interface counts them; a kind that a server does not count for us is left out.
const RECORD_COUNT_PATHS: [(&str, &str); 8] = [
    ("instances", "/instance-storage/instances?limit=0"),
    ("holdings", "/holdings-storage/holdings?limit=0"),
    ("items", "/item-storage/items?limit=0"),
    ("users", "/users?limit=0"),
    ("loans", "/loan-storage/loans?limit=0"),
    ("open loans", "/loan-storage/loans?limit=0&query=status.name==Open"),
    ("requests", "/request-storage/requests?limit=0"),
    ("fees and fines", "/accounts?limit=0"),
];

/// Takes the fingerprint of a tenant. `database` is the address of the server's database, if it is known.
pub(crate) async fn take_fingerprint(
    session: &mut load::Session,
    tenant: &str,
    database: Option<&str>,
) -> (Fingerprint, Vec<String>) {
    let (mut fingerprint, mut notes) = (Fingerprint::default(), Vec::new());
    for (name, path) in RECORD_COUNT_PATHS {
        if let Ok(answer) = session.get(path).await
            && let Some(count) = answer["totalRecords"].as_u64()
        {
            fingerprint.records.push((name.to_owned(), count));
        }
    }
    if let Some(url) = database {
        match hash_largest_tables(url, tenant).await {
            Ok(tables) => fingerprint.tables = tables,
            Err(error) => notes.push(format!("the tables could not be hashed: {error:#}")),
        }
    }
    (fingerprint, notes)
}

/// Tables beyond this are counted by PostgreSQL's estimate, and hashed in part.
const LARGE_BYTES: i64 = 64 << 20;
const MOST_TABLES: usize = 12;

async fn hash_largest_tables(url: &str, tenant: &str) -> Result<Vec<TableHash>> {
    let database = Database::for_visitor(url, "octavo lab", None)?;
    let mut session = database.system_session(Arc::<Usage>::default()).await?;
    session.script("set statement_timeout = '20s'").await?;
    let mut hashed = Vec::new();
    let largest = Statement::new(LARGEST_TABLES_SQL).text(tenant).long(MOST_TABLES as i64);
    for (name, bytes, estimate) in session.read::<Vec<(String, i64, i64)>>(largest).await? {
        let in_part = bytes > LARGE_BYTES;
        let (rows, hash) = hash_rows(&mut session, &name, in_part).await?;
        let rows = u64::try_from(if in_part { estimate } else { rows }).unwrap_or(0);
        hashed.push(TableHash { name, rows, hash, in_part });
    }
    Ok(hashed)
}

/// Counts the rows and sums up their hashes; in a sum the order of the rows does not matter.
async fn hash_rows(session: &mut Session, table: &str, in_part: bool) -> Result<(i64, String)> {
    let some = if in_part { "order by 1 limit 10000" } else { "" };
    let sql = format!(
        "select count(*), to_hex((coalesce(sum(hashtextextended(r::text, 0)::numeric), 0) % 9223372036854775807)::int8) \
         from (select * from {table} {some}) r"
    );
    Ok(session.read::<Option<_>>(Statement::new(sql)).await?.unwrap_or_default())
}

/// The largest tables of a tenant, by the names that Octavo and FOLIO give to a tenant's schemas.
const LARGEST_TABLES_SQL: &str = "\
select
  format('%I.%I', n.nspname, c.relname),
  pg_table_size(c.oid),
  greatest(c.reltuples, 0)::int8
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where
  c.relkind = 'r'
  and (n.nspname = 'tenant_' || $1 or starts_with(n.nspname::text, $1 || '_mod_'))
  and pg_relation_size(c.oid) > 0
order by pg_table_size(c.oid) desc, 1
limit $2::int8";
