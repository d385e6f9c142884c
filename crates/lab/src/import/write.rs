//! What was read of a plan, as a workflow's file.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::names::Names;

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
    If(String, Vec<Step>),
    /// From here on everything needs this value; becomes an `If` around it.
    From(String),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Call {
    /// `get`, `post`.
    pub(super) key: &'static str,
    pub(super) target: String,
    pub(super) label: String,
    pub(super) headers: Vec<(String, String)>,
    /// As TOML: `body = ...` or `raw = ...`.
    pub(super) body: Option<String>,
    pub(super) expect: Vec<u16>,
    pub(super) taken: Vec<Taken>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Taken {
    pub(super) number: usize,
    /// `take`, `maybe` or `find`.
    pub(super) key: &'static str,
    pub(super) name: String,
    pub(super) from: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Transaction {
    pub(super) name: String,
    pub(super) share: f64,
    pub(super) steps: Vec<Step>,
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
        steps(&mut text, &one.steps, 1, &names.used);
        text.push_str("]\n");
    }
    text
}

fn steps(text: &mut String, list: &[Step], depth: usize, used: &BTreeSet<usize>) {
    let indent = "  ".repeat(depth);
    for step in list {
        let (head, inner) = match step {
            Step::From(_) => continue,
            Step::Think(from, to) if from == to => (format!("think = {from}"), None),
            Step::Think(from, to) => (format!("think = [{from}, {to}]"), None),
            Step::Call(one) => (call(one, used), None),
            Step::Repeat(times, steps) => (format!("repeat = {times}"), Some(steps)),
            Step::Each { value, list, steps } => {
                (format!("for = {}, in = {}", quoted(value), quoted(list)), Some(steps))
            }
            Step::If(name, steps) => (format!("if = {}", quoted(name)), Some(steps)),
        };
        match inner {
            None => {
                let _ = writeln!(text, "{indent}{{ {head} }},");
            }
            Some(inner) => {
                let _ = writeln!(text, "{indent}{{ {head}, steps = [");
                steps(text, inner, depth + 1, used);
                let _ = writeln!(text, "{indent}] }},");
            }
        }
    }
}

fn call(one: &Call, used: &BTreeSet<usize>) -> String {
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
    if !one.expect.is_empty() {
        let _ = write!(text, ", expect = {:?}", one.expect);
    }
    for kind in ["take", "maybe", "find"] {
        // What nothing uses would be a mistake.
        let taken = one.taken.iter().filter(|taken| taken.key == kind && used.contains(&taken.number));
        let rows: Vec<String> =
            taken.map(|taken| format!("{} = {}", key(&taken.name), quoted(&taken.from))).collect();
        if !rows.is_empty() {
            let _ = write!(text, ", {kind} = {}", table(rows));
        }
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

pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn key(name: &str) -> String {
    let bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if bare { name.to_owned() } else { quoted(name) }
}
