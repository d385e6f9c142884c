//! Budgets as a file: `lab/budgets-*.toml`, or one of a tester's own.

use std::fmt;

use anyhow::Result;

use crate::files::{Problems, Reader, Source, or_one_of};
use crate::load::Told;
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
    /// A figure that the server reports for each call.
    Told { of: fn(&Told) -> Option<f64>, what: &'static str, most: f64 },
    /// How many times as long as another call, or a transaction of pgbench, the call may take.
    Ratio { to: Yardstick, most: f64 },
    /// The share of all loops of the workflow that did not come to their end.
    Failed { most: f64 },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Yardstick {
    Call(String),
    /// A transaction of PostgreSQL's own benchmark, by the name of its script.
    Pgbench(&'static str),
}

/// `pgbench -b`.
const SCRIPTS: [&str; 3] = ["tpcb-like", "simple-update", "select-only"];

impl Yardstick {
    fn read(text: &str) -> Yardstick {
        let script =
            text.strip_prefix("pgbench ").and_then(|name| SCRIPTS.into_iter().find(|known| *known == name));
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

type Counted = (&'static str, &'static str, fn(&Told) -> Option<f64>);

const COUNTED: [Counted; 5] = [
    ("round-trips", "round trips to the database", |told| Some(told.round_trips)),
    ("statements", "statements", |told| Some(told.statements)),
    ("rows", "rows of the database", |told| Some(told.rows)),
    ("unindexed", "searches without an index", |told| Some(told.unindexed)),
    ("allocations", "allocations of memory", |told| told.allocations),
];

pub(super) fn read(source: &Source, workflows: &[Workflow]) -> Result<Vec<Budget>> {
    let table = source.table()?;
    let problems = Problems::in_file(source);
    let file = Reader::new(&table, &problems);
    file.allow(&["budget"]);
    let written = file.tables("budget");
    if written.is_empty() {
        file.problem("there is no [[budget]] here");
    }
    let budgets = written.into_iter().filter_map(|table| budget(table, workflows)).collect();
    problems.or(budgets)
}

fn budget(table: Reader<'_>, workflows: &[Workflow]) -> Option<Budget> {
    table.allow(
        &[&["name", "workflow", "call", "ratio", "failed"][..], &COUNTED.map(|(key, ..)| key)].concat(),
    );
    let (name, workflow, call) =
        (table.needed_text("name"), table.needed_text("workflow"), table.needed_text("call"));
    let (name, workflow, call) = (name?, workflow?, call?);
    let Some(known) = workflows.iter().find(|known| known.name == workflow) else {
        let meant = or_one_of(workflow, workflows.iter().map(|known| known.name.as_str()));
        table.problem_at("workflow", format!("there is no workflow \"{workflow}\"; {meant}"));
        return None;
    };
    let labels = || workflows.iter().flat_map(|known| known.labels.iter().map(String::as_str));
    if !known.labels.iter().any(|label| label == call) {
        let meant = or_one_of(call, known.labels.iter().map(String::as_str));
        table.problem_at("call", format!("{workflow} has no call \"{call}\"; {meant}"));
    }
    let mut limits: Vec<Limit> = COUNTED
        .into_iter()
        .filter_map(|(key, what, of)| table.number(key).map(|most| Limit::Told { of, what, most }))
        .collect();
    limits.extend(table.number("failed").map(|most| Limit::Failed { most }));
    if let Some(ratio) = table.table("ratio") {
        ratio.allow(&["to", "most"]);
        let text = ratio.needed_text("to").unwrap_or_default();
        let to = Yardstick::read(text);
        if matches!(to, Yardstick::Call(_)) && !labels().any(|label| label == text) {
            let scripts = SCRIPTS.map(|script| format!("pgbench {script}"));
            let known = labels().chain(scripts.iter().map(String::as_str));
            ratio.problem_at("to", format!("no workflow has a call \"{text}\"; {}", or_one_of(text, known)));
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
