//! Reads PostgreSQL's counters before and after a run, and calculates the differences.

use std::collections::BTreeMap;

use anyhow::Result;
use octavo_pg::Session;

use super::ask::{query_json, query_json_with_text, query_one_json};
use super::views::{self, ServerInfo, StatementText};
use crate::collect::found::{DatabaseUse, StatementUse, TableUse};

/// The most statements, and (next constant) tables, that a report shows.
const MOST_STATEMENTS: usize = 25;
const MOST_TABLES: usize = 25;
/// Statements whose texts are asked for: those that are shown, and those that may lack an index.
const MOST_TEXTS: usize = 300;

#[derive(Default)]
pub(super) struct CounterReading {
    totals: DatabaseUse,
    tables: BTreeMap<u32, TableUse>,
    statements: BTreeMap<String, StatementUse>,
}

/// The changes of the counters between two readings, before the texts of the statements are known.
pub(super) struct CounterChanges {
    pub(super) database_use: DatabaseUse,
    /// The statements that ran, those that took most time first.
    pub(super) statements: Vec<StatementUse>,
}

impl CounterReading {
    pub(super) async fn take(session: &mut Session, who: &ServerInfo) -> Result<CounterReading> {
        let totals = query_one_json(session, views::TOTALS_SQL).await?;
        let tables: Vec<TableUse> = query_json(session, views::TABLES_SQL).await?;
        let statements: Vec<StatementUse> = match &who.statements {
            Some(schema) if who.loaded => {
                query_json(session, &views::STATEMENTS_SQL.replace("SCHEMA", schema)).await?
            }
            _ => Vec::new(),
        };
        Ok(CounterReading {
            totals,
            tables: tables.into_iter().map(|table| (table.id, table)).collect(),
            statements: statements.into_iter().map(|counted| (counted.id.clone(), counted)).collect(),
        })
    }

    pub(super) fn changes_until(&self, after: &CounterReading) -> CounterChanges {
        let mut statements: Vec<StatementUse> = after
            .statements
            .values()
            .map(|counted| counted.growth_since(self.statements.get(&counted.id)))
            .filter(|counted| counted.calls > 0.0 || counted.total_ms > 0.0)
            .collect();
        statements.sort_by(|one, other| other.total_ms.total_cmp(&one.total_ms));
        let mut tables: Vec<TableUse> =
            after.tables.values().map(|table| table.growth_since(self.tables.get(&table.id))).collect();
        tables.retain(TableUse::was_used);
        tables.sort_by(|one, other| {
            other
                .rows_scanned
                .total_cmp(&one.rows_scanned)
                .then(other.count_operations().total_cmp(&one.count_operations()))
        });
        tables.truncate(MOST_TABLES);
        let mut uses = grown!(after.totals, self.totals;
            commits, rollbacks, deadlocks, pages_hit, pages_read, temporary_mb, wal_mb);
        uses.size_mb.0 = self.totals.size_mb.0;
        uses.statements_ms = statements.iter().map(|counted| counted.total_ms).sum();
        uses.tables = tables;
        CounterChanges { database_use: uses, statements }
    }
}

impl CounterChanges {
    /// Sets the statements that the report shows, from those whose texts are known. The laboratory's own queries are left out.
    pub(super) fn set_statements(&mut self, texts: &[StatementUse]) {
        let shown = texts.iter().filter(|one| !is_lab_statement(&one.text)).take(MOST_STATEMENTS);
        let on_one_line = |one: &StatementUse| StatementUse { text: on_one_line(&one.text), ..one.clone() };
        self.database_use.statements = shown.map(on_one_line).collect();
    }
}

/// White space of any kind as one space.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statements that took most time with their texts, in that order.
pub(super) async fn load_statement_texts(
    session: &mut Session,
    who: &ServerInfo,
    statements: &[StatementUse],
) -> Result<Vec<StatementUse>> {
    let Some(schema) = who.statements.as_ref().filter(|_| who.loaded) else { return Ok(Vec::new()) };
    let wanted = &statements[..statements.len().min(MOST_TEXTS)];
    let ids: Vec<&str> = wanted.iter().map(|one| one.id.as_str()).collect();
    let texts: Vec<StatementText> =
        query_json_with_text(session, &views::STATEMENT_TEXTS_SQL.replace("SCHEMA", schema), &ids.join(","))
            .await?;
    let with_text = |one: &StatementUse| {
        let found = texts.iter().find(|text| text.id == one.id)?;
        Some(StatementUse { text: found.text.clone(), ..one.clone() })
    };
    Ok(wanted.iter().filter_map(with_text).collect())
}

/// Whether a statement was sent by the laboratory itself.
fn is_lab_statement(text: &str) -> bool {
    ["coalesce(json_agg(r)", "statement_timeout", "lock_timeout"].iter().any(|part| text.contains(part))
}

impl StatementUse {
    /// Counters that were reset within the run count from there.
    fn growth_since(&self, before: Option<&StatementUse>) -> StatementUse {
        let Some(before) = before.filter(|before| before.calls <= self.calls) else { return self.clone() };
        grown!(self, before; calls, total_ms, rows, pages_hit, pages_read, wal_bytes)
    }
}

impl TableUse {
    /// Counters that were reset within the run count from there.
    fn growth_since(&self, before: Option<&TableUse>) -> TableUse {
        let none = TableUse::default();
        let before = before.filter(|before| before.scans <= self.scans).unwrap_or(&none);
        let mut grown = grown!(self, before;
            scans, rows_scanned, index_scans, inserted, updated, updated_in_place, deleted);
        grown.size_mb.0 = before.size_mb.0;
        grown
    }

    fn count_operations(&self) -> f64 {
        self.scans + self.index_scans + self.inserted + self.updated + self.deleted
    }

    fn was_used(&self) -> bool {
        self.count_operations() > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(scans: f64, rows_scanned: f64, calls: f64) -> CounterReading {
        let table = TableUse { id: 1, name: "t.loan".to_owned(), scans, rows_scanned, ..TableUse::default() };
        let idle = TableUse { id: 2, name: "t.idle".to_owned(), scans: 9.0, ..TableUse::default() };
        let total_ms = calls * 2.0;
        let counted = StatementUse { id: "7".to_owned(), calls, total_ms, ..StatementUse::default() };
        CounterReading {
            totals: DatabaseUse::default(),
            tables: [(1, table), (2, idle)].into(),
            statements: [("7".to_owned(), counted)].into(),
        }
    }

    #[test]
    fn what_happened_is_the_difference_and_what_did_not_is_left_out() {
        let changes = reading(10.0, 1e6, 100.0).changes_until(&reading(15.0, 1.5e6, 160.0));
        assert_eq!(changes.database_use.tables.len(), 1, "{:?}", changes.database_use.tables);
        let table = &changes.database_use.tables[0];
        assert_eq!((table.name.as_str(), table.scans, table.rows_scanned), ("t.loan", 5.0, 5e5));
        assert_eq!((changes.statements[0].calls, changes.database_use.statements_ms), (60.0, 120.0));
    }

    #[test]
    fn counters_that_were_reset_count_from_there() {
        let changes = reading(10.0, 1e6, 100.0).changes_until(&reading(3.0, 2e5, 40.0));
        assert_eq!((changes.database_use.tables[0].rows_scanned, changes.statements[0].calls), (2e5, 40.0));
        assert_eq!(reading(1.0, 1.0, 1.0).changes_until(&reading(1.0, 1.0, 1.0)).statements.len(), 0);
    }
}
