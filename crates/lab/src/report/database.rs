//! The report's section on the database.

use regex_lite::Regex;

use crate::collect::{DatabaseUse, MissingIndex, StatementUse};
use crate::table::Table;

use super::table::{format_count, format_millis, format_percent, format_whole};

/// The most characters of a statement in a table; the JSON results have all of it.
const MOST_TEXT: usize = 160;

pub(super) fn tables(database: &DatabaseUse) -> [Table; 5] {
    [
        facts_table(database),
        missing_table(database),
        statements_table(database),
        tables_table(database),
        unused_table(database),
    ]
}

pub(super) fn missing_index_sentence(missing: &MissingIndex) -> String {
    let MissingIndex { table, scans, rows_per_scan, .. } = missing;
    let scans = times_text(*scans);
    let mut told =
        format!("{table} was read from end to end {scans}, {} rows each time", format_millis(*rows_per_scan));
    if !missing.statement.is_empty() {
        told.push_str(&format!(", for {} rows of {}", format_count(missing.rows_per_call), missing.filter));
    }
    if let Some(proposal) = &missing.proposal {
        told.push_str(&format!(": an index is missing, {proposal}"));
    }
    if let Some(proof) = &missing.proof {
        told.push_str(&format!(
            "; the planner's cost falls from {} to {}",
            format_millis(proof.cost_without),
            format_millis(proof.cost_with)
        ));
    }
    told + "."
}

fn times_text(count: f64) -> String {
    if count == 1.0 { "once".to_owned() } else { format!("{} times", format_whole(count)) }
}

fn facts_table(database: &DatabaseUse) -> Table {
    let mut rows = vec![
        ("version".to_owned(), database.version.clone()),
        ("size, MB".to_owned(), change_text(database.size_mb)),
        ("transactions".to_owned(), format_whole(database.commits + database.rollbacks)),
        ("of them rolled back".to_owned(), format_whole(database.rollbacks)),
        ("deadlocks".to_owned(), format_whole(database.deadlocks)),
        (
            "pages found in memory".to_owned(),
            format_percent(database.pages_hit, database.pages_hit + database.pages_read),
        ),
        ("pages asked of the system".to_owned(), format_whole(database.pages_read)),
        ("write-ahead log of the server, MB".to_owned(), format_millis(database.wal_mb)),
        ("temporary files, MB".to_owned(), format_millis(database.temporary_mb)),
    ];
    let waits = database.waits.iter().take(8);
    rows.extend(waits.map(|(what, sessions)| (wait_label(what), format!("{sessions:.2}"))));
    rows.extend(database.notes.iter().map(|note| (String::new(), note.clone())));
    Table::from_items(
        format!("Database: {}", database.name),
        rows,
        &[("", &|(name, _)| name.clone()), ("", &|(_, value)| value.clone())],
    )
}

/// The label for the event that sessions waited for.
fn wait_label(what: &str) -> String {
    match what {
        "at work" => "sessions at work, on average".to_owned(),
        what => format!("sessions that waited for {what}, on average"),
    }
}

fn missing_table(database: &DatabaseUse) -> Table {
    let proof = |missing: &MissingIndex| match &missing.proof {
        Some(proof) => format!("{} to {}", format_millis(proof.cost_without), format_millis(proof.cost_with)),
        None => "not proved".to_owned(),
    };
    let title = "Missing indexes: large tables that were read from end to end for few rows";
    Table::from_items(
        title,
        &database.missing,
        &[
            ("table", &|missing| missing.table.clone()),
            ("scans", &|missing| format_whole(missing.scans)),
            ("rows a scan", &|missing| format_millis(missing.rows_per_scan)),
            ("statement", &|missing| shorten_statement(&missing.statement)),
            ("calls", &|missing| format_whole(missing.calls)),
            ("ms", &|missing| format_millis(missing.mean_ms)),
            ("rows a call", &|missing| format_millis(missing.rows_per_call)),
            ("condition", &|missing| missing.filter.clone()),
            ("proposal", &|missing| {
                missing.proposal.clone().unwrap_or_else(|| "none can be named".to_owned())
            }),
            ("the planner's cost", &|missing| proof(missing)),
        ],
    )
}

fn statements_table(database: &DatabaseUse) -> Table {
    let each = |one: &StatementUse, value: f64| value / one.calls.max(1.0);
    let pages = |one: &StatementUse| one.pages_hit + one.pages_read;
    Table::from_items(
        "Statements that took most time",
        merge_alike_statements(&database.statements),
        &[
            ("", &|one| shorten_statement(&one.text)),
            ("calls", &|one| format_whole(one.calls)),
            ("ms in all", &|one| format_millis(one.total_ms)),
            ("share", &|one| format_percent(one.total_ms, database.statements_ms)),
            ("ms a call", &|one| format_millis(each(one, one.total_ms))),
            ("rows a call", &|one| format_count(each(one, one.rows))),
            ("pages a call", &|one| format_count(each(one, pages(one)))),
            ("in memory", &|one| format_percent(one.pages_hit, pages(one))),
            ("log, bytes a call", &|one| format_count(each(one, one.wal_bytes))),
        ],
    )
}

/// Merges statements that differ only in the length of a list. The statement that took most time comes first.
fn merge_alike_statements(statements: &[StatementUse]) -> Vec<StatementUse> {
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

fn tables_table(database: &DatabaseUse) -> Table {
    let title = "Tables, those first of which most was read from end to end";
    Table::from_items(
        title,
        &database.tables,
        &[
            ("", &|table| table.name.clone()),
            ("MB", &|table| change_text(table.size_mb)),
            ("rows", &|table| format_count(table.rows)),
            ("scans", &|table| format_whole(table.scans)),
            ("rows a scan", &|table| format_count(table.rows_scanned / table.scans.max(1.0))),
            ("by an index", &|table| format_whole(table.index_scans)),
            ("inserted", &|table| format_whole(table.inserted)),
            ("updated", &|table| format_whole(table.updated)),
            ("in place", &|table| format_percent(table.updated_in_place, table.updated)),
            ("deleted", &|table| format_whole(table.deleted)),
        ],
    )
}

fn unused_table(database: &DatabaseUse) -> Table {
    let title = "Indexes that nothing has used since PostgreSQL began to count";
    Table::from_items(
        title,
        &database.unused,
        &[
            ("", &|index| index.name.clone()),
            ("table", &|index| index.table.clone()),
            ("MB", &|index| format_millis(index.size_mb)),
        ],
    )
}

fn change_text((before, after): (f64, f64)) -> String {
    let (before, after) = (format_millis(before), format_millis(after));
    if before == after { after } else { format!("{before} to {after}") }
}

pub(super) fn shorten_statement(text: &str) -> String {
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
        let all = merge_alike_statements(&[
            one("select doc from item where id in ($1, $2)", 3.0),
            one("select doc\n from item where id in ($1, $2, $3, $4)", 2.0),
            one("select $1", 4.0),
        ]);
        let told: Vec<(&str, f64)> = all.iter().map(|one| (one.text.as_str(), one.calls)).collect();
        assert_eq!(told, [("select doc from item where id in ($1, …)", 5.0), ("select $1", 4.0)]);
    }
}
