//! Reads the file of a workflow.

use anyhow::Result;

use crate::files::{Problems, Reader, Source, as_number};

use super::fields::{read_amount, read_path};
use super::scope::{Scope, ValueKind};
use super::steps::StepReader;
use super::{Feeder, Field, Having, JsonPath, Origin, Parameter, Transaction, Workflow};

const MOST_ROWS: usize = 100_000;

/// Reads a workflow. An error contains all problems of the file, each with its line.
pub(crate) fn read(name: &str, source: &Source) -> Result<Workflow> {
    let table = source.parse_toml()?;
    let problems = Problems::in_file(source);
    let workflow = read_workflow(name, Reader::new(&table, &problems), &problems);
    problems.into_result(workflow)
}

fn read_workflow(name: &str, file: Reader<'_>, problems: &Problems<'_>) -> Workflow {
    file.check_keys(&["about", "parameters", "feeder", "transaction"]);
    let mut scope = Scope::new(problems);
    let entered = scope.enter();
    let parameters =
        file.table("parameters").map(|table| read_parameters(table, &mut scope)).unwrap_or_default();
    let feeders: Vec<Feeder> = match file.table("feeder") {
        Some(table) => {
            let named = table.keys().filter_map(|(name, _)| Some((name, table.table(name)?)));
            named.map(|(name, table)| read_feeder(name, table, &mut scope)).collect()
        }
        None => Vec::new(),
    };
    let mut workflow = Workflow {
        name: name.to_owned(),
        about: file.required_text("about").unwrap_or_default().to_owned(),
        writes: false,
        parameters,
        feeders,
        transactions: Vec::new(),
        calls: Vec::new(),
        labels: Vec::new(),
        names: Vec::new(),
    };
    let written = file.tables("transaction");
    if written.is_empty() {
        file.problem("a workflow needs at least one [[transaction]] with steps");
    }
    for table in written {
        let transaction = read_transaction(table, &mut workflow, &mut scope);
        if workflow.transactions.iter().any(|other| other.name == transaction.name) {
            table.problem(format!("there are two transactions \"{}\"", transaction.name));
        }
        workflow.transactions.push(transaction);
    }
    if workflow.transactions.iter().all(|transaction| transaction.share <= 0.0) {
        file.problem("no transaction has a share above 0");
    }
    scope.leave(entered);
    workflow.names = scope.names;
    workflow
}

fn read_parameters(table: Reader<'_>, scope: &mut Scope<'_>) -> Vec<Parameter> {
    let read = table.keys().filter_map(|(name, line)| {
        let value = table.value(name)?.get_ref();
        let number = as_number(value).map(|number| number.to_string());
        let Some(value) = number.or_else(|| value.as_str().map(str::to_owned)) else {
            table.problems.add(line, format!("the parameter {name} must be a number or a text"));
            return None;
        };
        let slot = scope.add(name, ValueKind::Parameter, line, "the parameter");
        Some(Parameter { name: name.to_owned(), slot, value })
    });
    read.collect()
}

fn read_feeder(name: &str, table: Reader<'_>, scope: &mut Scope<'_>) -> Feeder {
    table.check_keys(&["use", "file", "get", "each", "most", "having", "fields", "columns"]);
    let once = table.text("use") == Some("once");
    match table.text("use") {
        Some("once" | "ring") => {}
        Some(other) => {
            table.problem_at("use", format!("use must be \"once\" or \"ring\", not \"{other}\""));
        }
        None => table.problem(format!("the feeder {name} lacks use = \"once\" or use = \"ring\"")),
    }
    let origin = read_origin(name, table, scope);
    let mut fields = Vec::new();
    let mut field = |field: &str, line: usize, path: Option<JsonPath>| {
        let slot = scope.add(&format!("{name}.{field}"), ValueKind::Single, line, "the feeder's field");
        fields.push(Field { name: field.to_owned(), slot, path });
    };
    if let Some(paths) = table.table("fields") {
        for (name, line) in paths.keys() {
            field(name, line, read_path(paths, name, false));
        }
    }
    for column in table.texts("columns").unwrap_or_default() {
        field(column, table.line_of("columns"), None);
    }
    if fields.is_empty() {
        table.problem(match origin {
            Origin::File(_) => format!("the feeder {name} lacks columns = [\"...\"]: those of the file that it uses"),
            Origin::Api { .. } => {
                format!("the feeder {name} lacks fields = {{ barcode = \"$.barcode\" }}: what it takes of a record")
            }
        });
    }
    Feeder { name: name.to_owned(), origin, once, fields }
}

fn read_origin(name: &str, table: Reader<'_>, scope: &mut Scope<'_>) -> Origin {
    match (table.text("file"), table.text("get")) {
        (Some(file), None) => {
            for key in ["each", "most", "having", "fields"].into_iter().filter(|key| table.has(key)) {
                table.problem(format!("{key} is for a feeder with get, not with file"));
            }
            Origin::File(file.to_owned())
        }
        (None, Some(target)) => {
            if !table.has("each") {
                table.problem(format!("the feeder {name} lacks each, as in each = \"$.users[*]\""));
            }
            if !target.starts_with('/') {
                table.problem("get must begin with /");
            }
            let target = scope.template(target, table.line_of("get")).url_encoded();
            let most = table.count("most").and_then(|most| usize::try_from(most).ok()).unwrap_or(MOST_ROWS);
            let having = table.table("having").and_then(|table| read_having(table, scope));
            let each = read_path(table, "each", true);
            Origin::Api { target, each: each.unwrap_or_else(any_path), most, having }
        }
        _ => {
            table.problem(format!("the feeder {name} needs either file = \"...\" or get = \"...\""));
            Origin::File(String::new())
        }
    }
}

fn read_having(table: Reader<'_>, scope: &mut Scope<'_>) -> Option<Having> {
    table.check_keys(&["field", "least", "most"]);
    if !table.has("field") {
        table.problem("having lacks field, the path of what is counted");
    }
    let mut amount = |name: &str, default: u64| read_amount(table, name, default, scope);
    let (least, most) = (amount("least", 1), amount("most", u64::MAX));
    Some(Having { field: read_path(table, "field", false)?, least, most })
}

fn any_path() -> JsonPath {
    JsonPath::parse("$").expect("the shortest path")
}

fn read_transaction(table: Reader<'_>, workflow: &mut Workflow, scope: &mut Scope<'_>) -> Transaction {
    table.check_keys(&["name", "share", "steps"]);
    let entered = scope.enter();
    let mut steps = StepReader { scope, workflow, used_slots: Vec::new() };
    let read = steps.read_steps(table);
    let fed = steps.used_slots;
    scope.leave(entered);
    Transaction {
        name: table.required_text("name").unwrap_or_default().to_owned(),
        share: table.number("share").unwrap_or(1.0),
        feeders: advancing_feeders(workflow, &fed),
        steps: read,
    }
}

/// The feeders of which a step uses a value. A feeder that only fills lists advances by itself.
fn advancing_feeders(workflow: &Workflow, fed: &[super::Slot]) -> Vec<usize> {
    let uses = |feeder: &Feeder| feeder.fields.iter().any(|field| fed.contains(&field.slot));
    (0..workflow.feeders.len()).filter(|at| uses(&workflow.feeders[*at])).collect()
}
