//! What was read of a plan, as a workflow's file.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::names::{Names, called};

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
    pub(super) taken: Vec<Taken>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Taken {
    pub(super) number: usize,
    /// `take`, `any` or `find`.
    pub(super) key: &'static str,
    pub(super) name: String,
    pub(super) from: String,
    /// The text in place of the value, if the answer lacks it.
    pub(super) otherwise: Option<String>,
}

/// A transaction, or an alternative within one, that is drawn by its share.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Transaction {
    pub(super) name: String,
    pub(super) share: f64,
    pub(super) steps: Vec<Step>,
}

/// The names that the steps give a value, as the workflow calls them.
pub(super) fn given(steps: &[Step], into: &mut BTreeSet<String>) {
    for step in steps {
        match step {
            Step::Call(call) => into.extend(call.taken.iter().map(|taken| called(&taken.name).to_owned())),
            Step::Set { name, .. } => {
                into.insert(called(name).to_owned());
            }
            Step::Choice(alternatives) => alternatives.iter().for_each(|one| given(&one.steps, into)),
            Step::Repeat(_, steps) | Step::Each { steps, .. } | Step::If { steps, .. } => given(steps, into),
            Step::Think(..) => {}
        }
    }
}

pub(super) fn calls(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Call(_) => true,
        Step::Choice(alternatives) => alternatives.iter().any(|one| calls(&one.steps)),
        Step::Repeat(_, steps) | Step::Each { steps, .. } | Step::If { steps, .. } => calls(steps),
        Step::Think(..) | Step::Set { .. } => false,
    })
}

pub(super) fn workflow(about: &str, names: &Names, transactions: &[Transaction]) -> String {
    let mut text = format!("about = {}\n", quoted(about));
    if !names.parameters.is_empty() {
        text.push_str("\n[parameters]\n");
        for (name, value) in &names.parameters {
            let _ = writeln!(text, "{} = {}", key(name), quoted(value));
        }
    }
    for csv in names.csv.iter().filter(|csv| !csv.used.is_empty()) {
        let columns: Vec<String> = csv.used.iter().map(|column| quoted(column)).collect();
        let _ = write!(
            text,
            "\n[feeder.{}]\nuse = \"{}\"\nfile = {}\ncolumns = [{}]\n",
            key(&csv.feeder),
            if csv.once { "once" } else { "ring" },
            quoted(&csv.file),
            columns.join(", ")
        );
    }
    for one in transactions {
        let _ = write!(text, "\n[[transaction]]\nname = {}\n", quoted(&one.name));
        if transactions.len() > 1 {
            let _ = writeln!(text, "share = {}", one.share);
        }
        text.push_str("steps = [\n");
        steps(&mut text, &one.steps, 1, names);
        text.push_str("]\n");
    }
    text
}

fn steps(text: &mut String, list: &[Step], depth: usize, names: &Names) {
    let indent = "  ".repeat(depth);
    for step in list {
        let (head, inner) = match step {
            Step::Set { number, name, .. } if !names.is_used(*number, name) => continue,
            Step::Set { name, text, .. } => {
                (format!("set = {{ {} = {} }}", key(called(name)), quoted(text)), None)
            }
            Step::Think(from, to) if from == to => (format!("think = {from}"), None),
            Step::Think(from, to) => (format!("think = [{from}, {to}]"), None),
            Step::Call(one) => (call(one, names), None),
            Step::Repeat(times, steps) => (format!("repeat = {times}"), Some(steps)),
            Step::Each { value, list, steps } => {
                (format!("for = {}, in = {}", quoted(called(value)), quoted(called(list))), Some(steps))
            }
            Step::If { name, is, text, steps } => {
                let word = if *is { "is" } else { "not" };
                (format!("if = {}, {word} = {}", quoted(name), quoted(text)), Some(steps))
            }
            Step::Choice(alternatives) => {
                choice(text, alternatives, depth, names);
                continue;
            }
        };
        match inner {
            None => {
                let _ = writeln!(text, "{indent}{{ {head} }},");
            }
            Some(inner) => {
                let _ = writeln!(text, "{indent}{{ {head}, steps = [");
                steps(text, inner, depth + 1, names);
                let _ = writeln!(text, "{indent}] }},");
            }
        }
    }
}

fn choice(text: &mut String, alternatives: &[Transaction], depth: usize, names: &Names) {
    let indent = "  ".repeat(depth);
    let _ = writeln!(text, "{indent}{{ choice = [");
    for one in alternatives {
        let name = one.name.replace(char::is_control, " ");
        let _ = writeln!(text, "{indent}  # {name}");
        let _ = writeln!(text, "{indent}  {{ share = {}, steps = [", one.share);
        steps(text, &one.steps, depth + 2, names);
        let _ = writeln!(text, "{indent}  ] }},");
    }
    let _ = writeln!(text, "{indent}] }},");
}

fn call(one: &Call, names: &Names) -> String {
    let mut text = format!("{} = {}", one.key, quoted(&one.target));
    if !one.label.is_empty() {
        let _ = write!(text, ", label = {}", quoted(&one.label));
    }
    let table = |rows: Vec<String>| format!("{{ {} }}", rows.join(", "));
    if !one.headers.is_empty() {
        let rows = one.headers.iter().map(|(name, value)| format!("{} = {}", key(name), quoted(value)));
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
    let row = |name: &str, value: &str| format!("{} = {}", key(called(name)), quoted(value));
    for kind in ["take", "any", "find"] {
        let taken = used().filter(|taken| taken.key == kind);
        let rows: Vec<String> = taken.map(|taken| row(&taken.name, &taken.from)).collect();
        if !rows.is_empty() {
            let _ = write!(text, ", {kind} = {}", table(rows));
        }
    }
    let replaced = used().filter_map(|taken| Some(row(&taken.name, taken.otherwise.as_ref()?)));
    let replaced: Vec<String> = replaced.collect();
    if !replaced.is_empty() {
        let _ = write!(text, ", else = {}", table(replaced));
    }
    text
}

/// JSON as TOML; None where it holds what TOML has no word for.
pub(super) fn inline(value: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    Some(match value {
        Value::Null => return None,
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(inline).collect::<Option<Vec<_>>>()?.join(", "))
        }
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let rows = fields.iter().map(|(name, value)| Some(format!("{} = {}", key(name), inline(value)?)));
            format!("{{ {} }}", rows.collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// A text as TOML has it, which is as JSON has it but for one character.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if bare { name.to_owned() } else { quoted(name) }
}
