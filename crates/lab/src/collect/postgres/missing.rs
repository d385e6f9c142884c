//! Finds missing indexes: a large table that is scanned for few rows, the statement that scans it, the filter condition in the statement's
//! plan, and an index that would serve the condition. With the extension hypopg, the planner's cost with that index proves it.

use anyhow::Result;
use octavo_pg::{Session, Sql};
use serde::Deserialize;
use serde_json::Value;

use super::ask::{query_json, query_one_json};
use super::changes::on_one_line;
use super::condition::index_columns;
use super::views::ServerInfo;
use crate::collect::found::{MissingIndex, Proof, StatementUse, TableUse};

/// The least rows of a scan. PostgreSQL reads smaller tables as quickly as their indexes.
const LEAST_ROWS_PER_SCAN: f64 = 1000.0;
/// The least rows that all scans of a table read in the run. Fewer rows, such as one look of a timer into a small table, cost nothing
/// noticeable.
const LEAST_ROWS_SCANNED: f64 = 10_000.0;
/// The most rows that a statement may return, as a share of the rows that a scan reads. Above this share no index helps.
const MOST_SHARE_RETURNED: f64 = 0.1;
const MOST_TABLES: usize = 5;
/// Statements of each table that are looked at.
const MOST_STATEMENTS: usize = 10;

fn worth_an_index(table: &TableUse) -> bool {
    table.scans >= 1.0
        && table.rows_scanned / table.scans >= LEAST_ROWS_PER_SCAN
        && table.rows_scanned >= LEAST_ROWS_SCANNED
}

pub(super) async fn find_missing_indexes(
    session: &mut Session,
    who: &ServerInfo,
    tables: &[TableUse],
    statements: &[StatementUse],
) -> Result<Vec<MissingIndex>> {
    let mut missing: Vec<MissingIndex> = Vec::new();
    for table in tables.iter().filter(|table| worth_an_index(table)).take(MOST_TABLES) {
        let rows_per_scan = table.rows_scanned / table.scans;
        let known = MissingIndex {
            table: table.name.clone(),
            scans: table.scans,
            rows_per_scan,
            ..MissingIndex::default()
        };
        let fitting = statements.iter().filter(|told| {
            told.calls > 0.0
                && told.rows / told.calls <= rows_per_scan * MOST_SHARE_RETURNED
                && mentions_table(&told.text, &table.name)
        });
        let mut found = Vec::new();
        for told in fitting.take(MOST_STATEMENTS) {
            found.extend(missing_for_statement(session, who, &known, told).await?);
        }
        if found.is_empty() {
            // Without statements nobody knows what it was for; with them, it was for many rows.
            found.extend((!who.has_statements()).then_some(known));
        }
        missing.extend(found);
    }
    Ok(missing)
}

/// Whether a statement's text contains the name of a table as a word. `table` has its schema, which is not looked for.
fn mentions_table(text: &str, table: &str) -> bool {
    let name = table.rsplit_once('.').map_or(table, |(_, name)| name).trim_matches('"');
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(inside)
            && !text[at + name.len()..].chars().next().is_some_and(inside)
    })
}

/// Asks for the plan of a statement in a read-only transaction, which is rolled back. Returns the missing index, if the plan shows one.
async fn missing_for_statement(
    session: &mut Session,
    who: &ServerInfo,
    known: &MissingIndex,
    told: &StatementUse,
) -> Result<Option<MissingIndex>> {
    let schema = known.table.rsplit_once('.').map_or("public", |(schema, _)| schema);
    session
        .script(&format!(
            "begin read only; set local plan_cache_mode = force_generic_plan; set local search_path = {schema}, octavo, public"
        ))
        .await?;
    let found = missing_by_plan(session, who, known, &told.text).await;
    session.rollback().await?;
    // Fails where it could not even be prepared.
    let _ = session.script("deallocate lab").await;
    let calls = told.calls;
    // A statement that cannot be planned alone, because nothing tells the types of its parameters, is passed over.
    Ok(found.ok().flatten().map(|found| MissingIndex {
        statement: on_one_line(&told.text),
        calls,
        mean_ms: told.total_ms / calls,
        rows_per_call: told.rows / calls,
        ..found
    }))
}

#[derive(Deserialize)]
struct Parameters {
    count: usize,
}

async fn missing_by_plan(
    session: &mut Session,
    who: &ServerInfo,
    known: &MissingIndex,
    text: &str,
) -> Result<Option<MissingIndex>> {
    // The protocol takes one statement alone here: a text that holds several is refused.
    session.rows_once(&sql_without_parameters(format!("prepare lab as {text}"))).await?;
    let Parameters { count } = query_one_json(
        session,
        "select coalesce(cardinality(parameter_types), 0) as count from pg_prepared_statements where name = 'lab'",
    )
    .await?;
    let values = if count == 0 { String::new() } else { format!("({})", vec!["null"; count].join(", ")) };
    let explain = format!("explain (verbose, format json) execute lab{values}");
    let plan = fetch_plan(session, &explain).await?;
    let Some((filter, alias)) = plan.as_ref().and_then(|plan| filtered_scan(&plan[0]["Plan"], &known.table))
    else {
        return Ok(None);
    };
    let mut found = MissingIndex { filter: filter.to_owned(), ..known.clone() };
    if let Some(columns) = index_columns(filter, alias) {
        let proposal = format!("create index on {} ({})", known.table, columns.join(", "));
        if who.hypopg {
            let cost_without = total_cost(plan.as_ref());
            found.proof = cost_with_index(session, &proposal, &explain)
                .await
                .ok()
                .map(|cost_with| Proof { cost_without, cost_with });
        }
        found.proposal = Some(proposal);
    }
    Ok(Some(found))
}

/// The planner's cost of the statement if the proposed index existed (hypothetical index of hypopg).
async fn cost_with_index(session: &mut Session, proposal: &str, explain: &str) -> Result<f64> {
    let quoted = proposal.replace('\'', "''");
    let _: Vec<Value> =
        query_json(session, &format!("select * from hypopg_create_index('{quoted}')")).await?;
    let plan = fetch_plan(session, explain).await?;
    let _: Vec<Value> = query_json(session, "select hypopg_reset()").await?;
    Ok(total_cost(plan.as_ref()))
}

async fn fetch_plan(session: &mut Session, explain: &str) -> Result<Option<Value>> {
    let rows = session.rows_once(&sql_without_parameters(explain.to_owned())).await?;
    Ok(rows.first().and_then(|row| row.json(0)))
}

fn sql_without_parameters(text: String) -> Sql {
    Sql { text, params: Vec::new() }
}

fn total_cost(plan: Option<&Value>) -> f64 {
    plan.and_then(|plan| plan[0]["Plan"]["Total Cost"].as_f64()).unwrap_or(0.0)
}

/// The filter condition of a sequential scan of the table in the plan, and the alias that the table has there.
fn filtered_scan<'a>(plan: &'a Value, table: &str) -> Option<(&'a str, &'a str)> {
    let text = |name: &str| plan[name].as_str().unwrap_or_default();
    let plain = |name: &str| name.replace('"', "");
    let named = format!("{}.{}", text("Schema"), text("Relation Name"));
    if text("Node Type") == "Seq Scan" && plain(&named) == plain(table) && !text("Filter").is_empty() {
        return Some((plan["Filter"].as_str()?, plan["Alias"].as_str()?));
    }
    plan["Plans"].as_array()?.iter().find_map(|part| filtered_scan(part, table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_small_table_that_was_read_once_is_worth_no_index() {
        let read = |scans: f64, rows_scanned: f64| {
            worth_an_index(&TableUse { scans, rows_scanned, ..TableUse::default() })
        };
        assert!(read(1.0, 50_000.0) && read(10.0, 30_000.0));
        assert!(!read(1.0, 3_000.0) && !read(1_000.0, 50_000.0) && !read(0.0, 0.0));
    }

    #[test]
    fn a_table_is_named_as_a_word() {
        for (text, expected) in [
            ("select doc from loan where id = $1", true),
            ("select doc from tenant_a.\"loan\" l", true),
            ("select doc from loan_history", false),
            ("select doc from old_loan", false),
        ] {
            assert_eq!(mentions_table(text, "tenant_a.loan"), expected, "{text}");
        }
    }

    #[test]
    fn the_scan_is_found_wherever_it_stands_in_the_plan() {
        let seq = |table: &str| json!({"Node Type": "Seq Scan", "Schema": "t", "Relation Name": table, "Alias": "l", "Filter": "(l.item_id = $1)"});
        let plan = json!({"Node Type": "Limit", "Plans": [{"Node Type": "Nested Loop", "Plans": [
            {"Node Type": "Index Scan", "Schema": "t", "Relation Name": "loan"}, seq("loan")]}]});
        assert_eq!(filtered_scan(&plan, "t.loan"), Some(("(l.item_id = $1)", "l")));
        assert_eq!(filtered_scan(&plan, "t.item"), None);
    }
}
