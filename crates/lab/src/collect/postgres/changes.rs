//! Two readings of the counters, and what happened between them.

use std::collections::BTreeMap;

use anyhow::Result;
use octavo_pg::Session;

use super::ask::{ask, ask_of, one};
use super::views::{self, Counted, Table, Text, Totals, Who};
use crate::collect::found::{DatabaseUse, StatementUse, TableUse};

/// Statements and tables that a report shows.
const MOST_STATEMENTS: usize = 25;
const MOST_TABLES: usize = 25;
/// Whose texts are looked at for missing indexes, beside those that are shown.
const MOST_TEXTS: usize = 300;

#[derive(Default)]
pub(super) struct Reading {
    totals: Totals,
    tables: BTreeMap<u32, Table>,
    statements: BTreeMap<String, Counted>,
}

/// What happened, while the texts of its statements are not known yet.
pub(super) struct Changes {
    pub(super) uses: DatabaseUse,
    /// Those that took most time first.
    pub(super) statements: Vec<Counted>,
}

/// The text of a statement, with what was counted of it.
pub(super) struct Told {
    pub(super) text: String,
    pub(super) counted: Counted,
}

impl Reading {
    pub(super) async fn take(session: &mut Session, who: &Who) -> Result<Reading> {
        let totals: Totals = one(session, views::TOTALS).await?;
        let tables: Vec<Table> = ask(session, views::TABLES).await?;
        let statements: Vec<Counted> = match &who.statements {
            Some(schema) if who.loaded => ask(session, &views::STATEMENTS.replace("SCHEMA", schema)).await?,
            _ => Vec::new(),
        };
        Ok(Reading {
            totals,
            tables: tables.into_iter().map(|table| (table.id, table)).collect(),
            statements: statements.into_iter().map(|counted| (counted.id.clone(), counted)).collect(),
        })
    }

    pub(super) fn to(&self, after: &Reading) -> Changes {
        let (before, now) = (&self.totals, &after.totals);
        let mut statements: Vec<Counted> = after
            .statements
            .values()
            .map(|counted| counted.since(self.statements.get(&counted.id)))
            .filter(|counted| counted.calls > 0.0 || counted.total_ms > 0.0)
            .collect();
        statements.sort_by(|one, other| other.total_ms.total_cmp(&one.total_ms));
        let mut tables: Vec<TableUse> =
            after.tables.values().map(|table| table.since(self.tables.get(&table.id))).collect();
        tables.retain(TableUse::was_used);
        tables.sort_by(|one, other| {
            other.rows_scanned.total_cmp(&one.rows_scanned).then(other.work().total_cmp(&one.work()))
        });
        tables.truncate(MOST_TABLES);
        let uses = DatabaseUse {
            size_mb: (before.size_mb, now.size_mb),
            commits: now.commits - before.commits,
            rollbacks: now.rollbacks - before.rollbacks,
            deadlocks: now.deadlocks - before.deadlocks,
            pages_hit: now.pages_hit - before.pages_hit,
            pages_read: now.pages_read - before.pages_read,
            temporary_mb: now.temporary_mb - before.temporary_mb,
            wal_mb: now.wal_mb - before.wal_mb,
            statements_ms: statements.iter().map(|counted| counted.total_ms).sum(),
            tables,
            ..DatabaseUse::default()
        };
        Changes { uses, statements }
    }
}

impl Changes {
    pub(super) fn put(&mut self, texts: &[Told]) {
        let shown = texts.iter().filter(|told| !is_ours(&told.text)).take(MOST_STATEMENTS);
        self.uses.statements = shown.map(Told::shown).collect();
    }
}

/// The texts of those that took most time, in that order.
pub(super) async fn texts(session: &mut Session, who: &Who, statements: &[Counted]) -> Result<Vec<Told>> {
    let Some(schema) = who.statements.as_ref().filter(|_| who.loaded) else { return Ok(Vec::new()) };
    let wanted = &statements[..statements.len().min(MOST_TEXTS)];
    let ids: Vec<&str> = wanted.iter().map(|counted| counted.id.as_str()).collect();
    let texts: Vec<Text> = ask_of(session, &views::TEXTS.replace("SCHEMA", schema), &ids.join(",")).await?;
    let told = |counted: &Counted| {
        let text = texts.iter().find(|text| text.id == counted.id)?;
        Some(Told { text: text.text.clone(), counted: counted.clone() })
    };
    Ok(wanted.iter().filter_map(told).collect())
}

/// What the laboratory itself asks.
fn is_ours(text: &str) -> bool {
    ["coalesce(json_agg(r)", "statement_timeout", "lock_timeout"].iter().any(|part| text.contains(part))
}

impl Told {
    fn shown(&self) -> StatementUse {
        let Counted { calls, total_ms, rows, pages_hit, pages_read, wal_bytes, .. } = self.counted;
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        StatementUse { text, calls, total_ms, rows, pages_hit, pages_read, wal_bytes }
    }
}

impl Counted {
    /// Counters that were reset within the run count from there.
    fn since(&self, before: Option<&Counted>) -> Counted {
        let Some(before) = before.filter(|before| before.calls <= self.calls) else { return self.clone() };
        Counted {
            id: self.id.clone(),
            calls: self.calls - before.calls,
            total_ms: self.total_ms - before.total_ms,
            rows: self.rows - before.rows,
            pages_hit: self.pages_hit - before.pages_hit,
            pages_read: self.pages_read - before.pages_read,
            wal_bytes: self.wal_bytes - before.wal_bytes,
        }
    }
}

impl Table {
    fn since(&self, before: Option<&Table>) -> TableUse {
        let none = Table::default();
        let before = before.filter(|before| before.scans <= self.scans).unwrap_or(&none);
        TableUse {
            name: self.name.clone(),
            size_mb: (before.size_mb, self.size_mb),
            rows: self.rows,
            scans: self.scans - before.scans,
            rows_scanned: self.rows_scanned - before.rows_scanned,
            index_scans: self.index_scans - before.index_scans,
            inserted: self.inserted - before.inserted,
            updated: self.updated - before.updated,
            updated_in_place: self.updated_in_place - before.updated_in_place,
            deleted: self.deleted - before.deleted,
        }
    }
}

impl TableUse {
    fn work(&self) -> f64 {
        self.scans + self.index_scans + self.inserted + self.updated + self.deleted
    }

    fn was_used(&self) -> bool {
        self.work() > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(scans: f64, rows_scanned: f64, calls: f64) -> Reading {
        let table = Table { id: 1, name: "t.loan".to_owned(), scans, rows_scanned, ..Table::default() };
        let idle = Table { id: 2, name: "t.idle".to_owned(), scans: 9.0, ..Table::default() };
        let counted = Counted { id: "7".to_owned(), calls, total_ms: calls * 2.0, ..Counted::default() };
        Reading {
            totals: Totals::default(),
            tables: [(1, table), (2, idle)].into(),
            statements: [("7".to_owned(), counted)].into(),
        }
    }

    #[test]
    fn what_happened_is_the_difference_and_what_did_not_is_left_out() {
        let changes = reading(10.0, 1e6, 100.0).to(&reading(15.0, 1.5e6, 160.0));
        assert_eq!(changes.uses.tables.len(), 1, "{:?}", changes.uses.tables);
        let table = &changes.uses.tables[0];
        assert_eq!((table.name.as_str(), table.scans, table.rows_scanned), ("t.loan", 5.0, 5e5));
        assert_eq!((changes.statements[0].calls, changes.uses.statements_ms), (60.0, 120.0));
    }

    #[test]
    fn counters_that_were_reset_count_from_there() {
        let changes = reading(10.0, 1e6, 100.0).to(&reading(3.0, 2e5, 40.0));
        assert_eq!((changes.uses.tables[0].rows_scanned, changes.statements[0].calls), (2e5, 40.0));
        assert_eq!(reading(1.0, 1.0, 1.0).to(&reading(1.0, 1.0, 1.0)).statements.len(), 0);
    }
}
