//! Samplers as calls.

use serde_json::Value;

use super::names::Names;
use super::pause;
use super::plan::{Element, OF_NO_MEANING};
use super::script::{Piece, puts};
use super::scripted::{script, script_of};
use super::taken;
use super::write::{Call, Step, inline, quoted};

/// Headers that the laboratory sends itself, or that a server does not look at.
const OF_THE_LABORATORY: [&str; 11] = [
    "x-okapi-tenant",
    "x-okapi-token",
    "content-type",
    "accept",
    "user-agent",
    "cookie",
    "connection",
    "referer",
    "accept-encoding",
    "accept-language",
    "cache-control",
];

/// The headers and pauses that hold for a sampler by where it stands in the plan.
#[derive(Clone, Default)]
pub(super) struct Around {
    headers: Vec<(String, String)>,
    /// Seconds before each call.
    pub(super) pause: (f64, f64),
}

impl Around {
    /// Managers and timers hold for everything beside and below them.
    pub(super) fn with(&self, elements: &[Element<'_>], names: &mut Names) -> Around {
        let mut around = self.clone();
        for element in elements {
            match element.kind() {
                "HeaderManager" => {
                    for (name, value) in headers(element) {
                        // The nearest manager counts.
                        around.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                        around.headers.push((name, value));
                    }
                }
                kind if kind.ends_with("Timer") => {
                    let (from, to) = pause::read(element, names);
                    around.pause = (around.pause.0 + from, around.pause.1 + to);
                }
                _ => {}
            }
        }
        around
    }
}

fn headers(element: &Element<'_>) -> Vec<(String, String)> {
    let all = element.parts("HeaderManager.headers").into_iter();
    let all = all.map(|part| (part.text("Header.name").to_owned(), part.text("Header.value").to_owned()));
    all.filter(|(name, value)| {
        let json = value.contains("json") || !name.eq_ignore_ascii_case("content-type");
        let ours = OF_THE_LABORATORY.contains(&name.to_ascii_lowercase().as_str())
            || name.to_ascii_lowercase().starts_with("sec-");
        !(name.is_empty() || ours && json)
    })
    .collect()
}

pub(super) fn is_call(element: &Element<'_>) -> bool {
    element.kind().starts_with("HTTPSampler") && !is_log_in(element)
}

/// Users log in by themselves.
fn is_log_in(element: &Element<'_>) -> bool {
    let path = element.text("HTTPSampler.path");
    path.contains("authn/login") || path.contains("bl-users/login")
}

pub(super) fn read(element: &Element<'_>, around: &Around, names: &mut Names) -> Vec<Step> {
    if is_log_in(element) {
        return Vec::new();
    }
    let around = around.with(&element.children, names);
    let key = match element.text("HTTPSampler.method").to_ascii_uppercase().as_str() {
        "GET" | "" => "get",
        "POST" => "post",
        "PUT" => "put",
        "DELETE" => "delete",
        "OPTIONS" => "options",
        other => {
            let told = format!("\"{}\": no workflow has a {other}; the call is left out", element.name());
            names.lack(element.line, told);
            return Vec::new();
        }
    };
    let mut steps = Vec::new();
    for child in element.children.iter().filter(|child| child.kind().ends_with("PreProcessor")) {
        steps.extend(script(child, names));
    }
    let (from, to) = around.pause;
    if to > 0.0 {
        steps.push(Step::Think(from, to));
    }
    let mut call = Call { key, label: names.label(element.name()), ..Call::default() };
    call.target = target(element, names);
    call.body = if matches!(key, "post" | "put" | "delete") { body(element, names) } else { None };
    for (name, value) in &around.headers {
        // Plans name some page of a FOLIO. A server lets its own pages in, and pages of others where it is told to.
        let value = match name.eq_ignore_ascii_case("origin") {
            true => "{server}".to_owned(),
            false => names.text(value, element.line),
        };
        call.headers.push((name.clone(), value));
    }
    // Items that rules don't lend, or that are lent already: the reports count them apart.
    if call.target.starts_with("/circulation/check-out-by-barcode") && key == "post" {
        call.refused = vec![422];
    }
    let mut sets = Vec::new();
    for child in &element.children {
        after(child, &mut call, &mut sets, names);
    }
    call.refused.retain(|status| !call.expect.contains(status));
    steps.push(Step::Call(Box::new(call)));
    steps.extend(sets);
    steps
}

fn target(element: &Element<'_>, names: &mut Names) -> String {
    let path = element.text("HTTPSampler.path");
    // If the path is a whole address, its path counts: the command line says which server is asked.
    let path = path.split_once("://").map_or(path, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    let mut target = names.text(&path.replace('+', " "), element.line);
    if !target.starts_with('/') {
        target.insert(0, '/');
    }
    let raw = element.is("HTTPSampler.postBodyRaw");
    if !raw && matches!(element.text("HTTPSampler.method"), "GET" | "DELETE" | "OPTIONS") {
        for part in element.parts("Arguments.arguments") {
            let joint = if target.contains('?') { '&' } else { '?' };
            let name = part.text("Argument.name");
            let value = names.text(&part.text("Argument.value").replace('+', " "), element.line);
            target.push_str(&format!("{joint}{name}={value}"));
        }
    }
    target
}

fn body(element: &Element<'_>, names: &mut Names) -> Option<String> {
    let parts = element.parts("Arguments.arguments");
    let line = element.line;
    if !element.parts("HTTPFileArgs.files").is_empty() {
        names.lack(line, format!("\"{}\": no workflow sends files", element.name()));
    }
    if parts.iter().any(|part| !part.text("Argument.name").is_empty()) {
        let pair = |part: &super::plan::Part<'_>| {
            format!("{}={}", part.text("Argument.name"), part.text("Argument.value"))
        };
        let text = parts.iter().map(pair).collect::<Vec<_>>().join("&");
        return Some(format!("raw = {}", quoted(&names.text(&text, line))));
    }
    let text: String = parts.iter().map(|part| part.text("Argument.value")).collect();
    if text.trim().is_empty() {
        return None;
    }
    let json = serde_json::from_str(&text).ok().map(|value| filled(value, line, names));
    if let Some(toml) =
        json.filter(|value| value.is_object() || value.is_array()).and_then(|value| inline(&value))
    {
        return Some(format!("body = {toml}"));
    }
    Some(format!("raw = {}", quoted(&names.text(&text, line))))
}

fn filled(value: Value, line: usize, names: &mut Names) -> Value {
    match value {
        Value::String(text) => Value::String(names.text(&text, line)),
        Value::Array(list) => {
            Value::Array(list.into_iter().map(|value| filled(value, line, names)).collect())
        }
        Value::Object(fields) => Value::Object(
            fields.into_iter().map(|(name, value)| (name, filled(value, line, names))).collect(),
        ),
        other => other,
    }
}

/// Reads an extractor, an assertion or a script that works on the answer of a call.
fn after(element: &Element<'_>, call: &mut Call, sets: &mut Vec<Step>, names: &mut Names) {
    match element.kind() {
        "JSONPostProcessor" => taken::paths(element, call, names),
        "RegexExtractor" => taken::pattern(element, call, names),
        "ResponseAssertion" if element.text("Assertion.test_field") == "Assertion.response_code" => {
            taken::statuses(element, call, names);
        }
        "JSR223PostProcessor" | "BeanShellPostProcessor" => {
            let whole = puts(script_of(element)).unwrap_or_default();
            match whole.as_slice() {
                [(name, pieces)] if *pieces == [Piece::Answer] => taken::whole(call, name, names),
                _ => sets.extend(script(element, names)),
            }
        }
        kind if OF_NO_MEANING.contains(&kind)
            || kind.ends_with("Timer")
            || kind.ends_with("PreProcessor") => {}
        // They are many, and a status says most of it.
        kind if kind.ends_with("Assertion") => {
            names.note(element.line, format!("{kind}: what an answer says is not checked, only its status"));
        }
        kind => {
            let told = format!("{kind}: this was not read");
            for name in [element.text("BoundaryExtractor.refname"), element.text("XPathExtractor.refname")] {
                names.unread.insert(name.to_owned(), (element.line, told.clone()));
            }
            names.note(element.line, told);
        }
    }
}
