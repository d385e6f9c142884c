//! Two readings of the counters, and what happened between them.

use std::collections::BTreeMap;

use anyhow::Result;
use octavo_pg::Session;

use super::ask::{ask, ask_of, one};
use super::views::{self, Text, Who};
use crate::collect::found::{DatabaseUse, StatementUse, TableUse};

/// Statements and tables that a report shows.
const MOST_STATEMENTS: usize = 25;
const MOST_TABLES: usize = 25;
/// Statements whose texts are asked for: those that are shown, and those that may lack an index.
const MOST_TEXTS: usize = 300;

#[derive(Default)]
pub(super) struct Reading {
    totals: DatabaseUse,
    tables: BTreeMap<u32, TableUse>,
    statements: BTreeMap<String, StatementUse>,
}

/// The changes of the counters between two readings, before the texts of the statements are known.
pub(super) struct Changes {
    pub(super) uses: DatabaseUse,
    /// The statements that ran, those that took most time first.
    pub(super) statements: Vec<StatementUse>,
}

impl Reading {
    pub(super) async fn take(session: &mut Session, who: &Who) -> Result<Reading> {
        let totals = one(session, views::TOTALS).await?;
        let tables: Vec<TableUse> = ask(session, views::TABLES).await?;
        let statements: Vec<StatementUse> = match &who.statements {
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
        let mut statements: Vec<StatementUse> = after
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
        let mut uses = grown!(after.totals, self.totals;
            commits, rollbacks, deadlocks, pages_hit, pages_read, temporary_mb, wal_mb);
        uses.size_mb.0 = self.totals.size_mb.0;
        uses.statements_ms = statements.iter().map(|counted| counted.total_ms).sum();
        uses.tables = tables;
        Changes { uses, statements }
    }
}

impl Changes {
    /// The statements that a report shows, of those whose texts are known.
    pub(super) fn put(&mut self, texts: &[StatementUse]) {
        let shown = texts.iter().filter(|one| !is_ours(&one.text)).take(MOST_STATEMENTS);
        let on_one_line = |one: &StatementUse| StatementUse { text: on_one_line(&one.text), ..one.clone() };
        self.uses.statements = shown.map(on_one_line).collect();
    }
}

/// White space of any kind as one space.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statements that took most time with their texts, in that order.
pub(super) async fn texts(
    session: &mut Session,
    who: &Who,
    statements: &[StatementUse],
) -> Result<Vec<StatementUse>> {
    let Some(schema) = who.statements.as_ref().filter(|_| who.loaded) else { return Ok(Vec::new()) };
    let wanted = &statements[..statements.len().min(MOST_TEXTS)];
    let ids: Vec<&str> = wanted.iter().map(|one| one.id.as_str()).collect();
    let texts: Vec<Text> = ask_of(session, &views::TEXTS.replace("SCHEMA", schema), &ids.join(",")).await?;
    let with_text = |one: &StatementUse| {
        let found = texts.iter().find(|text| text.id == one.id)?;
        Some(StatementUse { text: found.text.clone(), ..one.clone() })
    };
    Ok(wanted.iter().filter_map(with_text).collect())
}

/// Whether a statement is one of the laboratory's own questions.
fn is_ours(text: &str) -> bool {
    ["coalesce(json_agg(r)", "statement_timeout", "lock_timeout"].iter().any(|part| text.contains(part))
}

impl StatementUse {
    /// Counters that were reset within the run count from there.
    fn since(&self, before: Option<&StatementUse>) -> StatementUse {
        let Some(before) = before.filter(|before| before.calls <= self.calls) else { return self.clone() };
        grown!(self, before; calls, total_ms, rows, pages_hit, pages_read, wal_bytes)
    }
}

impl TableUse {
    /// Counters that were reset within the run count from there.
    fn since(&self, before: Option<&TableUse>) -> TableUse {
        let none = TableUse::default();
        let before = before.filter(|before| before.scans <= self.scans).unwrap_or(&none);
        let mut grown = grown!(self, before;
            scans, rows_scanned, index_scans, inserted, updated, updated_in_place, deleted);
        grown.size_mb.0 = before.size_mb.0;
        grown
    }

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
        let table = TableUse { id: 1, name: "t.loan".to_owned(), scans, rows_scanned, ..TableUse::default() };
        let idle = TableUse { id: 2, name: "t.idle".to_owned(), scans: 9.0, ..TableUse::default() };
        let total_ms = calls * 2.0;
        let counted = StatementUse { id: "7".to_owned(), calls, total_ms, ..StatementUse::default() };
        Reading {
            totals: DatabaseUse::default(),
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
