//! The statements that are written by hand, all of them asked of the database: it takes each, and finds a way by an index for
//! those that the desk waits for.

use std::collections::BTreeSet;

use octavo_pg::{Registered, Session, Sql};
use octavo_testkit::{Library, on_runtime};
use serde_json::Value;

/// Tables that have about the same size in every library, in addition to those in the snapshot.
const SMALL_TABLES: &[(&str, &str)] = &[
    ("snapshot_count", "sixteen rows"),
    ("mapping_count", "sixteen rows"),
    ("tenants", "a row for each tenant"),
    ("pg_namespace", "a row for each tenant"),
    ("pg_class", "some hundred rows for each tenant"),
    ("enabled_modules", "a row for each module of a tenant"),
    ("enabled_user_interfaces", "a row for each app of a tenant"),
    ("timers", "a row for each timer of a tenant"),
    ("hrid_settings", "one row"),
    ("permissions", "what modules declare"),
];

/// Statements that may read a table, or an index of a part of it, from end to end.
const MAY_READ_WHOLE: &[(&str, &str)] = &[(
    "requests/in_transit.rs ON_THEIR_WAY",
    "the index is of items in transit, and all of them are asked for",
)];

struct HandWrittenStatement {
    name: String,
    is_hot: bool,
    sql: String,
}

fn all_statements() -> Vec<HandWrittenStatement> {
    let lists = std::iter::once(octavo_engine::registered()).chain(octavo_modules::registered());
    let lists = lists.flat_map(Registered::all);
    let statements = lists.flat_map(|list| list.own.iter().map(move |statement| (list.file, statement)));
    let each = statements.flat_map(|(file, statement)| {
        let text = move |sql| HandWrittenStatement {
            name: format!("{file} {}", statement.name),
            is_hot: statement.hot,
            sql,
        };
        (statement.texts)().into_iter().map(text)
    });
    each.collect()
}

/// Makes PostgreSQL read the statement, and plan it for whatever values.
async fn prepare(session: &mut Session, sql: &str) -> Result<(), octavo_pg::DbError> {
    session.script("deallocate all").await?;
    // PREPARE takes no LOCK.
    if sql.starts_with("lock ") {
        return session.script(&format!("begin; {sql}; rollback")).await;
    }
    session.script(&format!("prepare one as {sql}")).await
}

async fn plan(session: &mut Session, sql: &str) -> Value {
    let parameters = (1..20).take_while(|number| sql.contains(&format!("${number}"))).count();
    let nulls = match parameters {
        0 => String::new(),
        _ => format!("({})", vec!["null"; parameters].join(", ")),
    };
    let text = format!("explain (format json) execute one{nulls}");
    let rows = session.rows_once(&Sql { text, params: Vec::new() }).await.unwrap();
    rows[0].json(0).unwrap()[0]["Plan"].take()
}

/// A connection that is left inside a transaction is lent to nobody else: this one has other settings.
async fn drop_connection(mut session: Session) {
    session.script("begin").await.unwrap();
}

/// Tables that a plan reads from their first row to their last, directly or in the order of an index.
fn tables_read_whole(plan: &Value, limited: bool, found: &mut BTreeSet<String>) {
    let kind = plan["Node Type"].as_str().unwrap_or_default();
    let by_key = !plan["Index Cond"].is_null();
    let whole = match kind {
        "Seq Scan" => true,
        "Index Scan" | "Index Only Scan" => !by_key && !limited,
        _ => false,
    };
    found.extend(plan["Relation Name"].as_str().filter(|_| whole).map(str::to_owned));
    for below in plan["Plans"].as_array().into_iter().flatten() {
        tables_read_whole(below, limited || kind == "Limit", found);
    }
}

#[tokio::test]
async fn every_statement_is_one_that_the_database_takes() {
    let context = Library::open().await.context().await;
    let refused = on_runtime(async move {
        let mut session = context.session().await.unwrap();
        let mut refused = Vec::new();
        for text in all_statements() {
            if let Err(error) = prepare(&mut session, &text.sql).await {
                refused.push(format!("{}: {error}", text.name));
                session.script("rollback").await.unwrap();
            }
        }
        drop_connection(session).await;
        refused
    })
    .await;
    assert_eq!(refused, [""; 0]);
}

#[tokio::test]
async fn no_statement_that_the_desk_waits_for_reads_a_whole_table_that_grows() {
    let library = Library::open().await;
    let in_memory = library.octavo.platform.record_types();
    let in_memory = in_memory.filter(|record| record.snapshot && record.snapshot_only.is_empty());
    let mut small: BTreeSet<&str> = in_memory.map(|record| record.table).collect();
    small.extend(SMALL_TABLES.iter().map(|(table, _)| *table));
    let context = library.context().await;
    let slow = on_runtime(async move {
        let mut session = context.session().await.unwrap();
        // In empty tables it would never use an index of its own accord.
        session.script("set enable_seqscan = off; set plan_cache_mode = force_generic_plan").await.unwrap();
        let mut slow = Vec::new();
        let whole =
            |text: &&HandWrittenStatement| MAY_READ_WHOLE.iter().any(|(name, _)| text.name.ends_with(name));
        for text in all_statements().iter().filter(|text| text.is_hot && !whole(text)) {
            prepare(&mut session, &text.sql).await.unwrap();
            let mut found = BTreeSet::new();
            tables_read_whole(&plan(&mut session, &text.sql).await, false, &mut found);
            found.retain(|table| !small.contains(table.as_str()));
            slow.extend(found.iter().map(|table| format!("{}: {table}", text.name)));
        }
        drop_connection(session).await;
        slow
    })
    .await;
    assert_eq!(slow, [""; 0]);
}

#[test]
fn several_hundred_statements_are_listed() {
    let names: BTreeSet<String> = all_statements().into_iter().map(|text| text.name).collect();
    assert!(names.len() > 200, "{}", names.len());
}
