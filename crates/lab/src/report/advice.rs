//! Writes the report's section *What to do next*. Each piece of advice follows from a figure and names the figure.

use crate::collect::DatabaseUse;
use crate::load::{CallTrace, TransactionTrace};
use crate::result::{Run, Summary};
use crate::table::group_thousands;

use super::database::shorten_statement;
use super::table::format_millis;

/// The least share of a transaction's time that makes a call the one to begin with.
const MOST_SHARE: f64 = 0.4;
/// The least share of a transaction's time from which making a call quicker is worth it.
const LEAST_SHARE: f64 = 0.1;
/// Calls that take fewer milliseconds get no advice.
const LEAST_CALL_MS: f64 = 1.0;
const LEAST_REPETITIONS: f64 = 3.0;
const MANY_TRIPS: f64 = 4.0;
const MANY_ROWS: f64 = 1000.0;
/// Samples below which the 99th percentile says nothing.
const LEAST_SAMPLES: u64 = 1000;
const LONG_TAIL_FACTOR: f64 = 10.0;
const LARGE_ANSWER_BYTES: u64 = 200_000;
/// The per cent of the database's time from which a single statement is named.
const DOMINANT_STATEMENT_PERCENT: f64 = 50.0;
/// The per cent of the run in which statements must run, all sessions together, for advice about the database.
const BUSY_DATABASE_PERCENT: f64 = 20.0;
/// The least average number of sessions that waited for the same lock.
const MANY_WAITING_SESSIONS: f64 = 0.5;

pub(super) fn advice(run: &Run) -> Vec<String> {
    let traced = run
        .traced
        .iter()
        .flat_map(|traced| traced.calls.iter().flat_map(|link| traced_call_advice(traced, link)));
    // Advice from the calls under load; the rest comes from the traced loops before it, or from the database.
    let measured = run.calls.iter().filter(|_| run.is_trusted()).flat_map(call_advice);
    let databases = run.collected.databases.iter().flat_map(|database| database_advice(run, database));
    let mut told: Vec<String> = traced.chain(measured).chain(databases).collect();
    // The same call may stand in two transactions.
    let mut seen = Vec::new();
    told.retain(|one| {
        !seen.contains(one) && {
            seen.push(one.clone());
            true
        }
    });
    told
}

fn traced_call_advice(traced: &TransactionTrace, link: &CallTrace) -> Vec<String> {
    let mut told = Vec::new();
    let whole = traced.millis();
    if link.millis < LEAST_CALL_MS || traced.calls.len() < 2 && link.told.is_none() {
        return told;
    }
    let (name, transaction, percent) = (&link.name, &traced.transaction, 100.0 * link.millis / whole);
    let longest = traced.calls.iter().all(|other| other.millis <= link.millis);
    if longest && link.millis > whole * MOST_SHARE && traced.calls.len() > 1 {
        told.push(format!(
            "Begin with {name}: it takes {percent:.0} % of {transaction} ({} of {} ms).",
            format_millis(link.millis),
            format_millis(whole)
        ));
    }
    // Only reads: a call that changes something is the purpose of the transaction.
    if link.times >= LEAST_REPETITIONS && name.starts_with("GET ") {
        told.push(format!(
            "Ask for {name} less often: {:.0} times in each {transaction}, together {} ms ({percent:.0} %).",
            link.times,
            format_millis(link.millis)
        ));
    }
    let Some(server) = &link.told else { return told };
    let times = link.times.max(1e-9);
    if link.millis / times < LEAST_CALL_MS || link.millis < whole * LEAST_SHARE {
        return told;
    }
    if server.unindexed > 0.0 {
        told.push(format!(
            "Give {name} an index: each time it searches {} without one, and takes {} ms.",
            count_with_noun(server.unindexed / times, "field"),
            format_millis(link.millis / times)
        ));
    }
    if server.round_trips / times > MANY_TRIPS {
        told.push(format!(
            "Send what {name} asks the database together: {:.0} round trips for {}, {} ms in the database.",
            server.round_trips / times,
            count_with_noun(server.statements / times, "statement"),
            format_millis(server.database_millis / times)
        ));
    }
    if server.rows / times > MANY_ROWS {
        told.push(format!(
            "Let the database count or choose for {name}: {} rows come back each time.",
            group_thousands((server.rows / times) as u64)
        ));
    }
    if server.database_millis > link.millis * 0.7 && server.statements > 0.0 {
        told.push(format!(
            "Look at the statements of {name}: {:.0} % of its time is the database's ({} of {} ms in {}).",
            100.0 * server.database_millis / link.millis,
            format_millis(server.database_millis / times),
            format_millis(link.millis / times),
            count_with_noun(server.statements / times, "statement")
        ));
    }
    told
}

fn call_advice(one: &Summary) -> Vec<String> {
    let mut told = Vec::new();
    let name = &one.name;
    if one.count >= LEAST_SAMPLES && one.p99 > one.p50 * LONG_TAIL_FACTOR && one.p99 > LEAST_CALL_MS {
        told.push(format!(
            "Find what stalls {name}: half of its calls take {} ms, one in a hundred {} ms or more.",
            format_millis(one.p50),
            format_millis(one.p99)
        ));
    }
    let each = one.bytes / one.count.max(1);
    if each > LARGE_ANSWER_BYTES {
        told.push(format!("Ask {name} for less: its answers have {} kB each.", group_thousands(each / 1000)));
    }
    told
}

/// `1 statement`, `2 statements`; a mean that is no whole number keeps a digit.
fn count_with_noun(count: f64, what: &str) -> String {
    let number =
        if (count - count.round()).abs() < 0.05 { format!("{count:.0}") } else { format!("{count:.1}") };
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {what}{ending}")
}

fn database_advice(run: &Run, database: &DatabaseUse) -> Vec<String> {
    let mut told = Vec::new();
    let share = |part: f64, whole: f64| 100.0 * part / whole.max(1e-9);
    if let Some(first) = database.statements.first()
        && share(first.total_ms, database.statements_ms) > DOMINANT_STATEMENT_PERCENT
        && share(database.statements_ms, run.seconds * 1000.0) > BUSY_DATABASE_PERCENT
    {
        told.push(format!(
            "In the database begin with \"{}\": {:.0} % of the time of all statements is its own ({} calls of {} ms).",
            shorten_statement(&first.text),
            share(first.total_ms, database.statements_ms),
            group_thousands(first.calls as u64),
            format_millis(first.total_ms / first.calls.max(1.0))
        ));
    }
    for (what, sessions) in database.waits.iter().filter(|(what, _)| what.starts_with("Lock")) {
        if *sessions >= MANY_WAITING_SESSIONS {
            told.push(format!(
                "Find out what is locked: {sessions:.1} sessions on average waited for {what}, for others to end their transactions."
            ));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::{Collected, StatementUse};
    use crate::load::ServerTrace;

    fn link(name: &str, millis: f64, told: ServerTrace) -> CallTrace {
        CallTrace { name: name.to_owned(), times: 1.0, millis, told: Some(told) }
    }

    fn sentences(calls: Vec<CallTrace>, summary: Summary) -> String {
        let traced = TransactionTrace { transaction: "T".to_owned(), loops: 5, failed: 0, calls };
        advice(&Run { traced: vec![traced], calls: vec![summary], ..Run::default() }).join("\n")
    }

    #[test]
    fn a_missing_index_is_named_and_so_is_where_to_begin() {
        let search = ServerTrace {
            server_millis: 80.0,
            database_millis: 78.0,
            unindexed: 1.0,
            round_trips: 1.0,
            statements: 1.0,
            rows: 10.0,
            ..ServerTrace::default()
        };
        let told = sentences(
            vec![link("GET /items", 82.0, search), link("GET /users", 3.0, ServerTrace::default())],
            Summary::default(),
        );
        for part in [
            "Begin with GET /items: it takes 96 % of T (82.0 of 85.0 ms)",
            "Give GET /items an index: each time it searches 1 field without one, and takes 82.0 ms",
            "95 % of its time is the database's (78.0 of 82.0 ms in 1 statement)",
        ] {
            assert!(told.contains(part), "{part}\n{told}");
        }
        assert!(!told.contains("/users"), "{told}");
    }

    #[test]
    fn where_no_figure_stands_out_nothing_is_advised() {
        let fine = ServerTrace {
            server_millis: 1.0,
            database_millis: 0.6,
            round_trips: 2.0,
            statements: 9.0,
            ..ServerTrace::default()
        };
        let calls = ["GET /a", "GET /b", "GET /c"].map(|name| link(name, 1.5, fine));
        let summary = Summary {
            name: "GET /a".to_owned(),
            count: 5000,
            p50: 1.0,
            p99: 3.0,
            bytes: 5000,
            ..Summary::default()
        };
        assert_eq!(sentences(calls.to_vec(), summary), "");
    }

    #[test]
    fn there_is_one_place_to_begin_and_work_itself_is_not_to_be_done_less_often() {
        let mut renewals = link("POST /renew", 50.0, ServerTrace::default());
        renewals.times = 10.0;
        let told = sentences(
            vec![link("DELETE /entry", 45.0, ServerTrace::default()), renewals],
            Summary::default(),
        );
        assert_eq!(told, "Begin with POST /renew: it takes 53 % of T (50.0 of 95.0 ms).");
    }

    #[test]
    fn nothing_is_to_be_done_about_calls_that_are_quick_enough() {
        let unindexed = ServerTrace {
            server_millis: 1.0,
            database_millis: 0.9,
            unindexed: 3.0,
            statements: 3.0,
            ..ServerTrace::default()
        };
        let mut accounts = link("GET /accounts", 1.2, unindexed);
        accounts.times = 3.0;
        let advised =
            sentences(vec![accounts, link("GET /other", 2.0, ServerTrace::default())], Summary::default());
        assert!(!advised.contains("index") && !advised.contains("statements"), "{advised}");
        let advised = sentences(
            vec![link("GET /accounts", 2.0, unindexed), link("POST /work", 40.0, ServerTrace::default())],
            Summary::default(),
        );
        assert_eq!(advised, "Begin with POST /work: it takes 95 % of T (40.0 of 42.0 ms).");
    }

    #[test]
    fn a_statement_that_all_wait_for_is_named_with_the_lock() {
        let statement = |text: &str, calls: f64, total_ms: f64| StatementUse {
            text: text.to_owned(),
            calls,
            total_ms,
            ..StatementUse::default()
        };
        let database = DatabaseUse {
            statements_ms: 25_000.0,
            statements: vec![
                statement("update version set at = at + $1", 10_000.0, 24_000.0),
                statement("select 1", 9.0, 1.0),
            ],
            waits: vec![
                ("Lock: transactionid".to_owned(), 2.6),
                ("IO: WALSync".to_owned(), 0.8),
                ("Lock: tuple".to_owned(), 0.2),
            ],
            ..DatabaseUse::default()
        };
        let of = |seconds: f64| {
            let collected = Collected { databases: vec![database.clone()], ..Collected::default() };
            advice(&Run { seconds, collected, ..Run::default() })
        };
        let told = of(10.0);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(
            told[0].contains("begin with \"update version set at = at + $1\": 96 %")
                && told[0].contains("10,000 calls of 2.40 ms")
        );
        assert!(told[1].contains("2.6 sessions on average waited for Lock: transactionid"), "{told:?}");
        // The same work spread over an hour is too little for advice.
        assert_eq!(of(3600.0).len(), 1);
    }

    #[test]
    fn long_tails_repeated_calls_and_large_answers_are_named() {
        let mut often = link("GET /groups", 6.0, ServerTrace::default());
        often.times = 4.0;
        let summary = Summary {
            name: "GET /x".to_owned(),
            count: 2000,
            p50: 2.0,
            p99: 90.0,
            bytes: 2000 * 500_000,
            ..Summary::default()
        };
        let told = sentences(vec![often, link("GET /x", 5.0, ServerTrace::default())], summary);
        for part in [
            "Ask for GET /groups less often: 4 times in each T",
            "Find what stalls GET /x: half of its calls take 2.00 ms",
            "answers have 500 kB each",
        ] {
            assert!(told.contains(part), "{part}\n{told}");
        }
    }
}
