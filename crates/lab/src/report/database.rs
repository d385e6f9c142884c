//! The report's section on the database.

use regex_lite::Regex;

use crate::collect::{DatabaseUse, MissingIndex, StatementUse, TableUse};
use crate::table::{Table, grouped};

use super::table::{counted, millis as figure, percent};

/// The most characters of a statement in a table; the JSON results have all of it.
const MOST_TEXT: usize = 160;

pub(super) fn tables(database: &DatabaseUse) -> [Table; 5] {
    [facts(database), missing(database), statements(database), of_tables(database), unused(database)]
}

pub(super) fn sentence(missing: &MissingIndex) -> String {
    let MissingIndex { table, scans, rows_per_scan, .. } = missing;
    let scans = times(*scans);
    let mut told =
        format!("{table} was read from end to end {scans}, {} rows each time", figure(*rows_per_scan));
    if !missing.statement.is_empty() {
        told.push_str(&format!(", for {} rows of {}", counted(missing.rows_per_call), missing.filter));
    }
    if let Some(proposal) = &missing.proposal {
        told.push_str(&format!(": an index is missing, {proposal}"));
    }
    if let Some(proof) = &missing.proof {
        told.push_str(&format!(
            "; the planner's cost falls from {} to {}",
            figure(proof.cost_without),
            figure(proof.cost_with)
        ));
    }
    told + "."
}

fn times(count: f64) -> String {
    if count == 1.0 { "once".to_owned() } else { format!("{} times", grouped(count as u64)) }
}

fn facts(database: &DatabaseUse) -> Table {
    let mut rows: Vec<(String, String)> = [
        ("version", database.version.clone()),
        ("size, MB", change(database.size_mb)),
        ("transactions", grouped((database.commits + database.rollbacks) as u64)),
        ("of them rolled back", grouped(database.rollbacks as u64)),
        ("deadlocks", grouped(database.deadlocks as u64)),
        ("pages found in memory", percent(database.pages_hit, database.pages_hit + database.pages_read)),
        ("pages asked of the system", grouped(database.pages_read as u64)),
        ("write-ahead log of the server, MB", figure(database.wal_mb)),
        ("temporary files, MB", figure(database.temporary_mb)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    for (what, sessions) in database.waits.iter().take(8) {
        rows.push((waiting(what), format!("{sessions:.2}")));
    }
    rows.extend(database.notes.iter().map(|note| (String::new(), note.clone())));
    Table {
        title: format!("Database: {}", database.name),
        head: vec!["", ""],
        rows: rows.into_iter().map(|(name, value)| vec![name, value]).collect(),
    }
}

/// The report's words for what sessions waited for.
fn waiting(what: &str) -> String {
    match what {
        "at work" => "sessions at work, on average".to_owned(),
        what => format!("sessions that waited for {what}, on average"),
    }
}

fn missing(database: &DatabaseUse) -> Table {
    let row = |missing: &MissingIndex| {
        let proof = missing.proof.as_ref();
        let proof =
            proof.map(|proof| format!("{} to {}", figure(proof.cost_without), figure(proof.cost_with)));
        vec![
            missing.table.clone(),
            grouped(missing.scans as u64),
            figure(missing.rows_per_scan),
            short(&missing.statement),
            grouped(missing.calls as u64),
            figure(missing.mean_ms),
            figure(missing.rows_per_call),
            missing.filter.clone(),
            missing.proposal.clone().unwrap_or_else(|| "none can be named".to_owned()),
            proof.unwrap_or_else(|| "not proved".to_owned()),
        ]
    };
    Table {
        title: "Missing indexes: large tables that were read from end to end for few rows".to_owned(),
        head: vec![
            "table",
            "scans",
            "rows a scan",
            "statement",
            "calls",
            "ms",
            "rows a call",
            "condition",
            "proposal",
            "the planner's cost",
        ],
        rows: database.missing.iter().map(row).collect(),
    }
}

fn statements(database: &DatabaseUse) -> Table {
    let row = |statement: &StatementUse| {
        let each = |value: f64| figure(value / statement.calls.max(1.0));
        let counted_each = |value: f64| counted(value / statement.calls.max(1.0));
        vec![
            short(&statement.text),
            grouped(statement.calls as u64),
            figure(statement.total_ms),
            percent(statement.total_ms, database.statements_ms),
            each(statement.total_ms),
            counted_each(statement.rows),
            counted_each(statement.pages_hit + statement.pages_read),
            percent(statement.pages_hit, statement.pages_hit + statement.pages_read),
            counted_each(statement.wal_bytes),
        ]
    };
    Table {
        title: "Statements that took most time".to_owned(),
        head: vec![
            "",
            "calls",
            "ms in all",
            "share",
            "ms a call",
            "rows a call",
            "pages a call",
            "in memory",
            "log, bytes a call",
        ],
        rows: alike(&database.statements).iter().map(row).collect(),
    }
}

/// Statements that differ in the length of a list alone, counted together; the one that took most time first.
fn alike(statements: &[StatementUse]) -> Vec<StatementUse> {
    let mut all: Vec<StatementUse> = Vec::new();
    for one in statements {
        let text = without_lists(&one.text);
        match all.iter_mut().find(|other| other.text == text) {
            Some(other) => {
                other.calls += one.calls;
                other.total_ms += one.total_ms;
                other.rows += one.rows;
                other.pages_hit += one.pages_hit;
                other.pages_read += one.pages_read;
                other.wal_bytes += one.wal_bytes;
            }
            None => all.push(StatementUse { text, ..one.clone() }),
        }
    }
    all.sort_by(|one, other| other.total_ms.total_cmp(&one.total_ms));
    all
}

/// `in ($1, $2, $3)` as `in ($1, …)`; white space of any kind as one space.
fn without_lists(text: &str) -> String {
    let list = Regex::new(r"(\$\d+)(?:, ?\$\d+)+").expect("an expression");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    list.replace_all(&text, "$1, …").into_owned()
}

fn of_tables(database: &DatabaseUse) -> Table {
    let row = |table: &TableUse| {
        vec![
            table.name.clone(),
            change(table.size_mb),
            counted(table.rows),
            grouped(table.scans as u64),
            counted(table.rows_scanned / table.scans.max(1.0)),
            grouped(table.index_scans as u64),
            grouped(table.inserted as u64),
            grouped(table.updated as u64),
            percent(table.updated_in_place, table.updated),
            grouped(table.deleted as u64),
        ]
    };
    Table {
        title: "Tables, those first of which most was read from end to end".to_owned(),
        head: vec![
            "",
            "MB",
            "rows",
            "scans",
            "rows a scan",
            "by an index",
            "inserted",
            "updated",
            "in place",
            "deleted",
        ],
        rows: database.tables.iter().map(row).collect(),
    }
}

fn unused(database: &DatabaseUse) -> Table {
    let rows = database.unused.iter();
    Table {
        title: "Indexes that nothing has used since PostgreSQL began to count".to_owned(),
        head: vec!["", "table", "MB"],
        rows: rows.map(|one| vec![one.name.clone(), one.table.clone(), figure(one.size_mb)]).collect(),
    }
}

fn change((before, after): (f64, f64)) -> String {
    let (before, after) = (figure(before), figure(after));
    if before == after { after } else { format!("{before} to {after}") }
}

pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_differ_in_the_length_of_a_list_are_counted_together() {
        let one = |text: &str, calls: f64| StatementUse {
            text: text.to_owned(),
            calls,
            total_ms: calls,
            ..StatementUse::default()
        };
        let all = alike(&[
            one("select doc from item where id in ($1, $2)", 3.0),
            one("select doc\n from item where id in ($1, $2, $3, $4)", 2.0),
            one("select $1", 4.0),
        ]);
        let told: Vec<(&str, f64)> = all.iter().map(|one| (one.text.as_str(), one.calls)).collect();
        assert_eq!(told, [("select doc from item where id in ($1, …)", 5.0), ("select $1", 4.0)]);
    }
}
