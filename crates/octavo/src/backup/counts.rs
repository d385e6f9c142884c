//! Counts the rows of all tables, of every tenant and of the common schema `octavo`.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, anyhow};
use octavo_pg::{Session, Sql, Statement};

use super::manifest::RowCounts;
use super::plan::Lsn;
use crate::start::clock;

/// How often a moment without changes is looked for. On a busy server such moments are rare.
const ATTEMPTS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// Counts all rows as they are at one position of the log. The session belongs to the superuser and has no open transaction.
pub(crate) async fn count_at_lsn(session: &mut Session) -> Result<RowCounts> {
    let mut attempts = 0;
    let (place, exact) = loop {
        let before = read_lsn(session).await?;
        let nothing_runs: Option<bool> = session.read(Statement::new(NOTHING_RUNS)).await?;
        session.script("begin isolation level repeatable read read only").await?;
        // The count uses one processor only, and leaves the others to the libraries.
        session.script("set local max_parallel_workers_per_gather = 0").await?;
        // PostgreSQL takes the transaction's snapshot with the second look at the log. If the log has not grown between both looks, and
        // no transaction was about to commit at the first one, the snapshot shows the database exactly as it is at that log position.
        let after = read_lsn(session).await?;
        attempts += 1;
        match nothing_runs == Some(true) && before == after {
            true => break (after, true),
            false if attempts == ATTEMPTS => break (after, false),
            false => session.rollback().await?,
        }
        tokio::time::sleep(PAUSE).await;
    };
    let at = clock();
    let rows = count_rows(session).await?;
    session.rollback().await?;
    Ok(RowCounts { at, place, exact, rows })
}

async fn read_lsn(session: &mut Session) -> Result<Lsn> {
    let place: Option<String> = session.read(Statement::new(CURRENT_LSN)).await?;
    place.unwrap_or_default().parse().map_err(|why: String| anyhow!(why))
}

/// The rows of each table, by schema and table.
pub(crate) async fn count_rows(session: &mut Session) -> Result<BTreeMap<String, i64>> {
    let tables: Vec<(String, String)> = session.read(Statement::new(TABLES)).await?;
    let mut rows = BTreeMap::new();
    for (name, quoted) in tables {
        let count = Sql { text: format!("select count(*) from {quoted}"), params: Vec::new() };
        let counted: Option<i64> = session.read_once(&count).await?;
        rows.insert(name, counted.unwrap_or(0));
    }
    Ok(rows)
}

/// Where two counts differ: a line for each table.
pub(crate) fn differences(expected: &BTreeMap<String, i64>, found: &BTreeMap<String, i64>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    let words = |count: Option<&i64>| count.map_or("no such table".to_owned(), ToString::to_string);
    names
        .into_iter()
        .filter(|name| expected.get(*name) != found.get(*name))
        .map(|name| format!("{name}: {} instead of {}", words(found.get(name)), words(expected.get(name))))
        .collect()
}

const CURRENT_LSN: &str = "select pg_current_wal_insert_lsn()::text";
/// Whether no transaction that has changed anything is open. PostgreSQL's snapshots do not list transactions that began after the last
/// commit.
const NOTHING_RUNS: &str = "select not exists (select from pg_stat_activity where backend_xid is not null)";
const TABLES: &str = "\
select n.nspname || '.' || c.relname, format('%I.%I', n.nspname, c.relname)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relpersistence = 'p'
order by 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_said_by_table() {
        let counts =
            |pairs: &[(&str, i64)]| pairs.iter().map(|(name, rows)| ((*name).to_owned(), *rows)).collect();
        let expected: BTreeMap<String, i64> = counts(&[("a.x", 3), ("a.y", 4)]);
        assert_eq!(differences(&expected, &expected), [""; 0]);
        let found = counts(&[("a.x", 2), ("b.z", 1)]);
        assert_eq!(
            differences(&expected, &found),
            ["a.x: 2 instead of 3", "a.y: no such table instead of 4", "b.z: 1 instead of no such table"]
        );
    }
}
