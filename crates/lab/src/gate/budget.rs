//! Budgets as a file: `lab/budgets-*.toml`, or one of a tester's own.

use std::fmt;

use anyhow::Result;

use crate::files::{Problems, Reader, Source, suggestion};
use crate::load::ServerTrace;
use crate::workflow::Workflow;

#[derive(Debug, Clone)]
pub(super) struct Budget {
    pub(super) name: String,
    pub(super) workflow: String,
    pub(super) call: String,
    pub(super) limits: Vec<Limit>,
}

#[derive(Debug, Clone)]
pub(super) enum Limit {
    /// A limit for a figure that the server reports for each call in `x-octavo-trace`.
    Reported { of: fn(&ServerTrace) -> Option<f64>, what: &'static str, most: f64 },
    /// How many times as long as another call, or a transaction of pgbench, the call may take.
    Ratio { to: Yardstick, most: f64 },
    /// The most failed loops of the workflow, as a share of all its loops.
    Failed { most: f64 },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Yardstick {
    Call(String),
    /// A transaction of PostgreSQL's own benchmark, by the name of its script.
    Pgbench(&'static str),
}

/// The scripts that pgbench contains (`pgbench -b`).
const PGBENCH_SCRIPTS: [&str; 3] = ["tpcb-like", "simple-update", "select-only"];

impl Yardstick {
    fn parse(text: &str) -> Yardstick {
        let script = text
            .strip_prefix("pgbench ")
            .and_then(|name| PGBENCH_SCRIPTS.into_iter().find(|known| *known == name));
        script.map_or_else(|| Yardstick::Call(text.to_owned()), Yardstick::Pgbench)
    }
}

impl fmt::Display for Yardstick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Yardstick::Call(call) => f.write_str(call),
            Yardstick::Pgbench(script) => write!(f, "pgbench {script}"),
        }
    }
}

type CountedFigure = (&'static str, &'static str, fn(&ServerTrace) -> Option<f64>);

const COUNTED_FIGURES: [CountedFigure; 5] = [
    ("round-trips", "round trips to the database", |told| Some(told.round_trips)),
    ("statements", "statements", |told| Some(told.statements)),
    ("rows", "rows of the database", |told| Some(told.rows)),
    ("unindexed", "searches without an index", |told| Some(told.unindexed)),
    ("allocations", "allocations of memory", |told| told.allocations),
];

pub(super) fn read(source: &Source, workflows: &[Workflow]) -> Result<Vec<Budget>> {
    let table = source.parse_toml()?;
    let problems = Problems::in_file(source);
    let file = Reader::new(&table, &problems);
    file.check_keys(&["budget"]);
    let written = file.tables("budget");
    if written.is_empty() {
        file.problem("there is no [[budget]] here");
    }
    let budgets = written.into_iter().filter_map(|table| read_budget(table, workflows)).collect();
    problems.into_result(budgets)
}

fn read_budget(table: Reader<'_>, workflows: &[Workflow]) -> Option<Budget> {
    table.check_keys(
        &[&["name", "workflow", "call", "ratio", "failed"][..], &COUNTED_FIGURES.map(|(key, ..)| key)]
            .concat(),
    );
    let (name, workflow, call) =
        (table.required_text("name"), table.required_text("workflow"), table.required_text("call"));
    let (name, workflow, call) = (name?, workflow?, call?);
    let Some(known) = workflows.iter().find(|known| known.name == workflow) else {
        let meant = suggestion(workflow, workflows.iter().map(|known| known.name.as_str()));
        table.problem_at("workflow", format!("there is no workflow \"{workflow}\"; {meant}"));
        return None;
    };
    let labels = || workflows.iter().flat_map(|known| known.labels.iter().map(String::as_str));
    if !known.labels.iter().any(|label| label == call) {
        let meant = suggestion(call, known.labels.iter().map(String::as_str));
        table.problem_at("call", format!("{workflow} has no call \"{call}\"; {meant}"));
    }
    let mut limits: Vec<Limit> = COUNTED_FIGURES
        .into_iter()
        .filter_map(|(key, what, of)| table.number(key).map(|most| Limit::Reported { of, what, most }))
        .collect();
    limits.extend(table.number("failed").map(|most| Limit::Failed { most }));
    if let Some(ratio) = table.table("ratio") {
        ratio.check_keys(&["to", "most"]);
        let text = ratio.required_text("to").unwrap_or_default();
        let to = Yardstick::parse(text);
        if matches!(to, Yardstick::Call(_)) && !labels().any(|label| label == text) {
            let scripts = PGBENCH_SCRIPTS.map(|script| format!("pgbench {script}"));
            let known = labels().chain(scripts.iter().map(String::as_str));
            ratio.problem_at("to", format!("no workflow has a call \"{text}\"; {}", suggestion(text, known)));
        }
        if !ratio.has("most") {
            ratio.problem("\"most\" is missing");
        }
        limits.extend(ratio.number("most").map(|most| Limit::Ratio { to: to.clone(), most }));
    }
    if limits.is_empty() {
        table.problem(format!("the budget \"{name}\" limits nothing; write round-trips = 2, statements = 9, ratio = {{ ... }} or failed = 0"));
    }
    Some(Budget { name: name.to_owned(), workflow: workflow.to_owned(), call: call.to_owned(), limits })
}
