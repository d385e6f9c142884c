//! Writes the translated plan as the TOML file of a workflow.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::names::{Names, workflow_name};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Call(Box<Call>),
    Think(f64, f64),
    Repeat(u64, Vec<Step>),
    Each {
        value: String,
        list: String,
        steps: Vec<Step>,
    },
    If {
        name: String,
        is: bool,
        text: String,
        steps: Vec<Step>,
    },
    /// One of the alternatives each time.
    Choice(Vec<Transaction>),
    Set {
        number: usize,
        name: String,
        text: String,
    },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Call {
    /// `get`, `post`.
    pub(super) key: &'static str,
    pub(super) target: String,
    pub(super) label: String,
    pub(super) headers: Vec<(String, String)>,
    /// The body in TOML: `body = ...` or `raw = ...`.
    pub(super) body: Option<String>,
    pub(super) expect: Vec<u16>,
    pub(super) refused: Vec<u16>,
    pub(super) taken: Vec<TakenValue>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TakenValue {
    pub(super) number: usize,
    /// `take`, `any` or `find`.
    pub(super) key: &'static str,
    pub(super) name: String,
    pub(super) from: String,
    /// The text that is used if the answer lacks the value.
    pub(super) default_text: Option<String>,
}

/// A transaction, or an alternative within one, that is drawn by its share.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Transaction {
    pub(super) name: String,
    pub(super) share: f64,
    pub(super) steps: Vec<Step>,
}

/// Collects the names of all values that the steps assign, as the workflow calls them.
pub(super) fn collect_assigned_names(steps: &[Step], into: &mut BTreeSet<String>) {
    for step in steps {
        match step {
            Step::Call(call) => {
                into.extend(call.taken.iter().map(|taken| workflow_name(&taken.name).to_owned()));
            }
            Step::Set { name, .. } => {
                into.insert(workflow_name(name).to_owned());
            }
            Step::Choice(alternatives) => {
                alternatives.iter().for_each(|one| collect_assigned_names(&one.steps, into));
            }
            Step::Repeat(_, steps) | Step::Each { steps, .. } | Step::If { steps, .. } => {
                collect_assigned_names(steps, into);
            }
            Step::Think(..) => {}
        }
    }
}

pub(super) fn has_calls(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Call(_) => true,
        Step::Choice(alternatives) => alternatives.iter().any(|one| has_calls(&one.steps)),
        Step::Repeat(_, steps) | Step::Each { steps, .. } | Step::If { steps, .. } => has_calls(steps),
        Step::Think(..) | Step::Set { .. } => false,
    })
}

pub(super) fn workflow_toml(about: &str, names: &Names, transactions: &[Transaction]) -> String {
    let mut text = format!("about = {}\n", quote_toml(about));
    if !names.parameters.is_empty() {
        text.push_str("\n[parameters]\n");
        for (name, value) in &names.parameters {
            let _ = writeln!(text, "{} = {}", toml_key(name), quote_toml(value));
        }
    }
    for csv in names.csv.iter().filter(|csv| !csv.used_columns.is_empty()) {
        let columns: Vec<String> = csv.used_columns.iter().map(|column| quote_toml(column)).collect();
        let _ = write!(
            text,
            "\n[feeder.{}]\nuse = \"{}\"\nfile = {}\ncolumns = [{}]\n",
            toml_key(&csv.feeder),
            if csv.once { "once" } else { "ring" },
            quote_toml(&csv.file),
            columns.join(", ")
        );
    }
    for one in transactions {
        let _ = write!(text, "\n[[transaction]]\nname = {}\n", quote_toml(&one.name));
        if transactions.len() > 1 {
            let _ = writeln!(text, "share = {}", one.share);
        }
        text.push_str("steps = [\n");
        write_steps(&mut text, &one.steps, 1, names);
        text.push_str("]\n");
    }
    text
}

fn write_steps(text: &mut String, list: &[Step], depth: usize, names: &Names) {
    let indent = "  ".repeat(depth);
    for step in list {
        let (head, inner) = match step {
            Step::Set { number, name, .. } if !names.is_used(*number, name) => continue,
            Step::Set { name, text, .. } => {
                (format!("set = {{ {} = {} }}", toml_key(workflow_name(name)), quote_toml(text)), None)
            }
            Step::Think(from, to) if from == to => (format!("think = {from}"), None),
            Step::Think(from, to) => (format!("think = [{from}, {to}]"), None),
            Step::Call(one) => (call_toml(one, names), None),
            Step::Repeat(times, steps) => (format!("repeat = {times}"), Some(steps)),
            Step::Each { value, list, steps } => (
                format!(
                    "for = {}, in = {}",
                    quote_toml(workflow_name(value)),
                    quote_toml(workflow_name(list))
                ),
                Some(steps),
            ),
            Step::If { name, is, text, steps } => {
                let word = if *is { "is" } else { "not" };
                (format!("if = {}, {word} = {}", quote_toml(name), quote_toml(text)), Some(steps))
            }
            Step::Choice(alternatives) => {
                write_choice(text, alternatives, depth, names);
                continue;
            }
        };
        match inner {
            None => {
                let _ = writeln!(text, "{indent}{{ {head} }},");
            }
            Some(inner) => {
                let _ = writeln!(text, "{indent}{{ {head}, steps = [");
                write_steps(text, inner, depth + 1, names);
                let _ = writeln!(text, "{indent}] }},");
            }
        }
    }
}

fn write_choice(text: &mut String, alternatives: &[Transaction], depth: usize, names: &Names) {
    let indent = "  ".repeat(depth);
    let _ = writeln!(text, "{indent}{{ choice = [");
    for one in alternatives {
        let name = one.name.replace(char::is_control, " ");
        let _ = writeln!(text, "{indent}  # {name}");
        let _ = writeln!(text, "{indent}  {{ share = {}, steps = [", one.share);
        write_steps(text, &one.steps, depth + 2, names);
        let _ = writeln!(text, "{indent}  ] }},");
    }
    let _ = writeln!(text, "{indent}] }},");
}

fn call_toml(one: &Call, names: &Names) -> String {
    let mut text = format!("{} = {}", one.key, quote_toml(&one.target));
    if !one.label.is_empty() {
        let _ = write!(text, ", label = {}", quote_toml(&one.label));
    }
    let table = |rows: Vec<String>| format!("{{ {} }}", rows.join(", "));
    if !one.headers.is_empty() {
        let rows =
            one.headers.iter().map(|(name, value)| format!("{} = {}", toml_key(name), quote_toml(value)));
        let _ = write!(text, ", headers = {}", table(rows.collect()));
    }
    if let Some(body) = &one.body {
        let _ = write!(text, ", {body}");
    }
    for (word, statuses) in [("expect", &one.expect), ("refused", &one.refused)] {
        if !statuses.is_empty() {
            let _ = write!(text, ", {word} = {statuses:?}");
        }
    }
    let used = || one.taken.iter().filter(|taken| names.is_used(taken.number, &taken.name));
    let row = |name: &str, value: &str| format!("{} = {}", toml_key(workflow_name(name)), quote_toml(value));
    for kind in ["take", "any", "find"] {
        let taken = used().filter(|taken| taken.key == kind);
        let rows: Vec<String> = taken.map(|taken| row(&taken.name, &taken.from)).collect();
        if !rows.is_empty() {
            let _ = write!(text, ", {kind} = {}", table(rows));
        }
    }
    let replaced = used().filter_map(|taken| Some(row(&taken.name, taken.default_text.as_ref()?)));
    let replaced: Vec<String> = replaced.collect();
    if !replaced.is_empty() {
        let _ = write!(text, ", else = {}", table(replaced));
    }
    text
}

/// JSON as TOML; None where it holds what TOML has no word for.
pub(super) fn json_to_toml(value: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    Some(match value {
        Value::Null => return None,
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quote_toml(text),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(json_to_toml).collect::<Option<Vec<_>>>()?.join(", "))
        }
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let rows = fields
                .iter()
                .map(|(name, value)| Some(format!("{} = {}", toml_key(name), json_to_toml(value)?)));
            format!("{{ {} }}", rows.collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// A text in quotes as TOML writes it: as JSON, except for one control character.
pub(super) fn quote_toml(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn toml_key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if bare { name.to_owned() } else { quote_toml(name) }
}
