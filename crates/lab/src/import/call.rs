//! Translates JMeter's HTTP samplers to calls of a workflow.

use serde_json::Value;

use super::names::Names;
use super::pause;
use super::plan::{Element, IGNORED_KINDS};
use super::script::{Piece, parse_assignments};
use super::scripted::{read_script, script_text};
use super::taken;
use super::write::{Call, Step, json_to_toml, quote_toml};

/// Headers of a plan that are not imported: the laboratory sends them itself, or servers ignore them.
const OMITTED_HEADERS: [&str; 11] = [
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

/// The headers and pauses that apply to a sampler because of its place in the plan.
#[derive(Clone, Default)]
pub(super) struct SamplerContext {
    headers: Vec<(String, String)>,
    /// Seconds before each call.
    pub(super) pause: (f64, f64),
}

impl SamplerContext {
    /// Adds the header managers and timers among `elements`. They apply to everything beside and below them.
    pub(super) fn with_elements(&self, elements: &[Element<'_>], names: &mut Names) -> SamplerContext {
        let mut around = self.clone();
        for element in elements {
            match element.kind() {
                "HeaderManager" => {
                    for (name, value) in read_headers(element) {
                        // The nearest manager counts.
                        around.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                        around.headers.push((name, value));
                    }
                }
                kind if kind.ends_with("Timer") => {
                    let (from, to) = pause::read_pause(element, names);
                    around.pause = (around.pause.0 + from, around.pause.1 + to);
                }
                _ => {}
            }
        }
        around
    }
}

fn read_headers(element: &Element<'_>) -> Vec<(String, String)> {
    let all = element.parts("HeaderManager.headers").into_iter();
    let all = all.map(|part| (part.text("Header.name").to_owned(), part.text("Header.value").to_owned()));
    all.filter(|(name, value)| {
        let json = value.contains("json") || !name.eq_ignore_ascii_case("content-type");
        let ours = OMITTED_HEADERS.contains(&name.to_ascii_lowercase().as_str())
            || name.to_ascii_lowercase().starts_with("sec-");
        !(name.is_empty() || ours && json)
    })
    .collect()
}

pub(super) fn is_call(element: &Element<'_>) -> bool {
    element.kind().starts_with("HTTPSampler") && !is_log_in(element)
}

/// Whether the sampler is a log-in. It is not imported, because virtual users log in by themselves.
fn is_log_in(element: &Element<'_>) -> bool {
    let path = element.text("HTTPSampler.path");
    path.contains("authn/login") || path.contains("bl-users/login")
}

pub(super) fn read_sampler(element: &Element<'_>, around: &SamplerContext, names: &mut Names) -> Vec<Step> {
    if is_log_in(element) {
        return Vec::new();
    }
    let around = around.with_elements(&element.children, names);
    let key = match element.text("HTTPSampler.method").to_ascii_uppercase().as_str() {
        "GET" | "" => "get",
        "POST" => "post",
        "PUT" => "put",
        "DELETE" => "delete",
        "OPTIONS" => "options",
        other => {
            let told = format!("\"{}\": no workflow has a {other}; the call is left out", element.name());
            names.note_missing(element.line, told);
            return Vec::new();
        }
    };
    let mut steps = Vec::new();
    for child in element.children.iter().filter(|child| child.kind().ends_with("PreProcessor")) {
        steps.extend(read_script(child, names));
    }
    let (from, to) = around.pause;
    if to > 0.0 {
        steps.push(Step::Think(from, to));
    }
    let mut call = Call { key, label: names.call_label(element.name()), ..Call::default() };
    call.target = read_target(element, names);
    call.body = if matches!(key, "post" | "put" | "delete") { read_body(element, names) } else { None };
    for (name, value) in &around.headers {
        // Plans name some page of a FOLIO. A server lets its own pages in, and pages of others where it is told to.
        let value = match name.eq_ignore_ascii_case("origin") {
            true => "{server}".to_owned(),
            false => names.translate_text(value, element.line),
        };
        call.headers.push((name.clone(), value));
    }
    // Items that rules don't lend, or that are lent already: the reports count them apart.
    if call.target.starts_with("/circulation/check-out-by-barcode") && key == "post" {
        call.refused = vec![422];
    }
    let mut sets = Vec::new();
    for child in &element.children {
        read_child(child, &mut call, &mut sets, names);
    }
    call.refused.retain(|status| !call.expect.contains(status));
    steps.push(Step::Call(Box::new(call)));
    steps.extend(sets);
    steps
}

fn read_target(element: &Element<'_>, names: &mut Names) -> String {
    let path = element.text("HTTPSampler.path");
    // If the path is a whole address, its path counts: the command line says which server is asked.
    let path = path.split_once("://").map_or(path, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    let mut target = names.translate_text(&path.replace('+', " "), element.line);
    if !target.starts_with('/') {
        target.insert(0, '/');
    }
    let raw = element.is_true("HTTPSampler.postBodyRaw");
    if !raw && matches!(element.text("HTTPSampler.method"), "GET" | "DELETE" | "OPTIONS") {
        for part in element.parts("Arguments.arguments") {
            let joint = if target.contains('?') { '&' } else { '?' };
            let name = part.text("Argument.name");
            let value = names.translate_text(&part.text("Argument.value").replace('+', " "), element.line);
            target.push_str(&format!("{joint}{name}={value}"));
        }
    }
    target
}

fn read_body(element: &Element<'_>, names: &mut Names) -> Option<String> {
    let parts = element.parts("Arguments.arguments");
    let line = element.line;
    if !element.parts("HTTPFileArgs.files").is_empty() {
        names.note_missing(line, format!("\"{}\": no workflow sends files", element.name()));
    }
    if parts.iter().any(|part| !part.text("Argument.name").is_empty()) {
        let pair = |part: &super::plan::Part<'_>| {
            format!("{}={}", part.text("Argument.name"), part.text("Argument.value"))
        };
        let text = parts.iter().map(pair).collect::<Vec<_>>().join("&");
        return Some(format!("raw = {}", quote_toml(&names.translate_text(&text, line))));
    }
    let text: String = parts.iter().map(|part| part.text("Argument.value")).collect();
    if text.trim().is_empty() {
        return None;
    }
    let json = serde_json::from_str(&text).ok().map(|value| translate_json(value, line, names));
    if let Some(toml) =
        json.filter(|value| value.is_object() || value.is_array()).and_then(|value| json_to_toml(&value))
    {
        return Some(format!("body = {toml}"));
    }
    Some(format!("raw = {}", quote_toml(&names.translate_text(&text, line))))
}

fn translate_json(value: Value, line: usize, names: &mut Names) -> Value {
    match value {
        Value::String(text) => Value::String(names.translate_text(&text, line)),
        Value::Array(list) => {
            Value::Array(list.into_iter().map(|value| translate_json(value, line, names)).collect())
        }
        Value::Object(fields) => Value::Object(
            fields.into_iter().map(|(name, value)| (name, translate_json(value, line, names))).collect(),
        ),
        other => other,
    }
}

/// Reads an extractor, an assertion or a script that belongs to a sampler and processes its answer.
fn read_child(element: &Element<'_>, call: &mut Call, sets: &mut Vec<Step>, names: &mut Names) {
    match element.kind() {
        "JSONPostProcessor" => taken::read_json_paths(element, call, names),
        "RegexExtractor" => taken::read_pattern(element, call, names),
        "ResponseAssertion" if element.text("Assertion.test_field") == "Assertion.response_code" => {
            taken::read_statuses(element, call, names);
        }
        "JSR223PostProcessor" | "BeanShellPostProcessor" => {
            let whole = parse_assignments(script_text(element)).unwrap_or_default();
            match whole.as_slice() {
                [(name, pieces)] if *pieces == [Piece::Answer] => taken::take_whole_answer(call, name, names),
                _ => sets.extend(read_script(element, names)),
            }
        }
        kind if IGNORED_KINDS.contains(&kind)
            || kind.ends_with("Timer")
            || kind.ends_with("PreProcessor") => {}
        // They are many, and a status says most of it.
        kind if kind.ends_with("Assertion") => {
            names.note(element.line, format!("{kind}: what an answer says is not checked, only its status"));
        }
        kind => {
            let told = format!("{kind}: this was not read");
            for name in [element.text("BoundaryExtractor.refname"), element.text("XPathExtractor.refname")] {
                names.unread_sources.insert(name.to_owned(), (element.line, told.clone()));
            }
            names.note(element.line, told);
        }
    }
}
