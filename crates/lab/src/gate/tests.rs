use crate::files::Source;
use crate::load::{CallTrace, ServerTrace, TransactionTrace};
use crate::shelf::Shelf;

use super::budget::{Budget, read};
use super::{GateMeasurements, judge, pgbench_scripts};

fn budgets(text: &str) -> anyhow::Result<Vec<Budget>> {
    let workflows = Shelf::new(None).workflows().unwrap();
    read(
        &Source::new("b.toml", format!("[[budget]]\nname = 'n'\nworkflow = 'configuration-entries'\n{text}")),
        &workflows,
    )
}

const READ: &str = "call = 'GET /configurations/entries/{id}'\n";

fn measured(round_trips: f64) -> GateMeasurements {
    let told = ServerTrace { round_trips, statements: 4.0, ..ServerTrace::default() };
    let link = |name: &str, millis: f64, told: Option<ServerTrace>| CallTrace {
        name: name.to_owned(),
        times: 1.0,
        millis,
        told,
    };
    let calls = vec![
        link("GET /configurations/entries/{id}", 2.0, Some(told)),
        link("POST /configurations/entries", 6.0, None),
    ];
    let traced = vec![TransactionTrace { transaction: "T".to_owned(), loops: 20, failed: 1, calls }];
    GateMeasurements {
        workflows: vec![("configuration-entries".to_owned(), traced)],
        scripts: vec![("select-only", 0.5)],
    }
}

#[test]
fn a_budget_that_is_exceeded_is_named_with_both_figures() {
    let kept = budgets(&format!("{READ}round-trips = 2\nstatements = 4")).unwrap();
    assert_eq!(
        judge(&kept, &measured(2.0)).unwrap(),
        "kept: n: GET /configurations/entries/{id}: 2 round trips to the database; 2 allowed\n\
         kept: n: GET /configurations/entries/{id}: 4 statements; 4 allowed\n"
    );
    let error = judge(&kept, &measured(3.0)).unwrap_err().to_string();
    assert_eq!(
        error,
        "1 budget is exceeded:\n  n: GET /configurations/entries/{id}: 3 round trips to the database; 2 allowed"
    );
}

#[test]
fn times_are_held_to_those_of_another_call_and_failures_to_a_share() {
    let of = |most: f64| {
        let text = format!(
            "call = 'POST /configurations/entries'\nfailed = 0.1\nratio = {{ to = 'GET /configurations/entries/{{id}}', most = {most:?} }}"
        );
        judge(&budgets(&text).unwrap(), &measured(1.0))
    };
    assert!(of(3.0).is_ok());
    assert!(
        of(2.5)
            .unwrap_err()
            .to_string()
            .contains("3 times as long as GET /configurations/entries/{id}; 2.50 allowed")
    );
    let none =
        judge(&budgets(&format!("{READ}failed = 0")).unwrap(), &measured(1.0)).unwrap_err().to_string();
    assert!(none.contains("0.05 of its transactions failed"), "{none}");
}

#[test]
fn times_are_held_to_those_of_a_transaction_of_pgbench() {
    let of = |script: &str, most: f64| {
        let text = format!("{READ}ratio = {{ to = 'pgbench {script}', most = {most:?} }}");
        let budgets = budgets(&text).unwrap();
        assert_eq!(pgbench_scripts(&budgets), [script]);
        judge(&budgets, &measured(1.0)).map_err(|error| error.to_string())
    };
    assert!(of("select-only", 4.0).unwrap().contains("4 times as long as pgbench select-only; 4 allowed"));
    assert!(
        of("select-only", 3.5).unwrap_err().contains("4 times as long as pgbench select-only; 3.50 allowed")
    );
    assert!(of("tpcb-like", 1.0).unwrap_err().contains("was never answered"));
}

#[test]
fn allocations_are_counted_where_the_server_counts_them() {
    let limited = budgets(&format!("{READ}allocations = 60")).unwrap();
    let untold = judge(&limited, &measured(1.0)).unwrap_err().to_string();
    assert!(untold.contains("does not tell its allocations of memory"), "{untold}");
    let mut told = measured(1.0);
    told.workflows[0].1[0].calls[0].told =
        Some(ServerTrace { allocations: Some(61.0), ..ServerTrace::default() });
    let error = judge(&limited, &told).unwrap_err().to_string();
    assert!(error.contains("61 allocations of memory; 60 allowed"), "{error}");
}

#[test]
fn what_the_server_does_not_tell_or_was_not_asked_exceeds_a_budget() {
    let untold = budgets("call = 'POST /configurations/entries'\nround-trips = 1").unwrap();
    assert!(
        judge(&untold, &measured(1.0)).unwrap_err().to_string().contains("does not tell its round trips")
    );
    let deleted = budgets("call = 'DELETE /configurations/entries/{id}'\nround-trips = 1").unwrap();
    assert!(judge(&deleted, &measured(1.0)).unwrap_err().to_string().contains("was never answered"));
}

#[test]
fn mistakes_are_told_with_line_and_suggestion() {
    for (text, told) in [
        (
            "call = 'GET /configuration/entries'\nstatements = 1",
            "b.toml:4: configuration-entries has no call",
        ),
        (
            &format!("{READ}statement = 1"),
            "b.toml:5: there is no \"statement\" here; did you mean statements?",
        ),
        (READ, "limits nothing"),
        (&format!("{READ}ratio = {{ to = 'GET /x', most = 1 }}"), "no workflow has a call \"GET /x\""),
        (
            &format!("{READ}ratio = {{ to = 'pgbench selectonly', most = 1 }}"),
            "did you mean pgbench select-only?",
        ),
        ("statements = 1", "\"call\" is missing"),
    ] {
        let error = budgets(text).unwrap_err().to_string();
        assert!(error.contains(told), "{text}\n{error}");
    }
}

#[test]
fn the_budgets_inside_the_program_can_be_read() {
    let shelf = Shelf::new(None);
    let workflows = shelf.workflows().unwrap();
    for name in ["entries", "desk"] {
        assert!(!read(&shelf.budgets(name).unwrap(), &workflows).unwrap().is_empty());
    }
}
