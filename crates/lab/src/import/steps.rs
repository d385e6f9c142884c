//! Controllers, samplers, extractors and timers as steps.

use serde_json::Value;

use crate::workflow::JsonPath;

use super::condition::asked;
use super::names::{Names, Origin};
use super::plan::Element;
use super::write::{Call, Step, Taken, inline, quoted};

/// What JMeter shows or keeps, and a load has no need of.
const OF_NO_MEANING: [&str; 11] = [
    "ResultCollector",
    "DebugSampler",
    "DebugPostProcessor",
    "CookieManager",
    "CacheManager",
    "BackendListener",
    "TestPlan",
    "ConfigTestElement",
    "Arguments",
    "HeaderManager",
    "CSVDataSet",
];
pub(super) const FRAGMENT: &str = "TestFragmentController";
/// Headers that the laboratory sends itself, or that a server does not look at.
const OF_THE_LABORATORY: [&str; 12] = [
    "x-okapi-tenant",
    "x-okapi-token",
    "content-type",
    "accept",
    "user-agent",
    "cookie",
    "connection",
    "origin",
    "referer",
    "accept-encoding",
    "accept-language",
    "cache-control",
];

/// What holds for a sampler by where it stands.
#[derive(Clone, Default)]
pub(super) struct Around {
    headers: Vec<(String, String)>,
    /// Seconds before each call.
    pause: (f64, f64),
}

pub(super) struct Reading<'n, 'd> {
    pub(super) names: &'n mut Names,
    /// All of the plan, in which module controllers find what they stand for.
    pub(super) plan: &'d [Element<'d>],
    /// Modules within modules.
    pub(super) depth: usize,
}

impl<'d> Reading<'_, 'd> {
    pub(super) fn list(&mut self, elements: &'d [Element<'d>], around: &Around) -> Vec<Step> {
        let around = self.around(elements, around);
        // Fragments are done where a module controller names them.
        let done = elements.iter().filter(|element| element.kind() != FRAGMENT);
        done.flat_map(|element| self.one(element, &around)).collect()
    }

    /// Managers and timers hold for everything beside and below them.
    pub(super) fn around(&mut self, elements: &[Element<'_>], outer: &Around) -> Around {
        let mut around = outer.clone();
        for element in elements {
            match element.kind() {
                "HeaderManager" => around.headers.extend(headers(element)),
                kind if kind.ends_with("Timer") => {
                    let (from, to) = self.pause(element);
                    around.pause = (around.pause.0 + from, around.pause.1 + to);
                }
                _ => {}
            }
        }
        around
    }

    fn one(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let line = element.line;
        match element.kind() {
            "HTTPSamplerProxy" | "HTTPSampler" | "HTTPSampler2" => self.call(element, around),
            "TransactionController" | "GenericController" => self.list(&element.children, around),
            "LoopController" => {
                let times = self.names.number(element.text("LoopController.loops"));
                match times {
                    _ if element.is("LoopController.continue_forever") => {
                        self.list(&element.children, around)
                    }
                    Some(times) if times <= 1.0 => self.list(&element.children, around),
                    Some(times) => vec![Step::Repeat(times as u64, self.within(element, around))],
                    None => {
                        self.names.note(
                            line,
                            format!("the loops of \"{}\" are no number; it runs once", element.name()),
                        );
                        self.list(&element.children, around)
                    }
                }
            }
            "ForeachController" => self.each(element, around),
            "IfController" => self.only_if(element, around),
            "WhileController"
            | "SwitchController"
            | "OnceOnlyController"
            | "ThroughputController"
            | "ParallelSampler"
            | "RandomController" => {
                let kind = element.kind();
                self.names.note(
                    line,
                    format!("{kind} \"{}\": what stands in it is done each time, once", element.name()),
                );
                self.list(&element.children, around)
            }
            "ModuleController" => self.module(element, around),
            "TestAction" => match self.names.number(element.text("ActionProcessor.duration")) {
                Some(millis) if element.text("ActionProcessor.action") == "1" && millis > 0.0 => {
                    vec![Step::Think(millis / 1e3, millis / 1e3)]
                }
                // Timers that stand under a pause of nothing are the pause.
                _ => {
                    let (from, to) = self.around(&element.children, &Around::default()).pause;
                    if to > 0.0 { vec![Step::Think(from, to)] } else { Vec::new() }
                }
            },
            kind if OF_NO_MEANING.contains(&kind) || kind.ends_with("Timer") => Vec::new(),
            kind => {
                self.names.note(line, format!("{kind}: this was not read"));
                self.list(&element.children, around)
            }
        }
    }

    /// Values that are taken inside are not known after it.
    fn within(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let entered = self.names.enter();
        let steps = nested(self.list(&element.children, around));
        self.names.leave(entered);
        steps
    }

    fn each(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let (list, value) =
            (element.text("ForeachController.inputVal"), element.text("ForeachController.returnVal"));
        let Some(Origin::List(number)) = self.names.find(list) else {
            self.names.note(
                element.line,
                format!(
                    "ForeachController \"{}\": no list {list} was read; its steps are left out",
                    element.name()
                ),
            );
            return Vec::new();
        };
        self.names.used.insert(number);
        let entered = self.names.enter();
        self.names.add(value, Origin::Sure);
        let steps = nested(self.list(&element.children, around));
        self.names.leave(entered);
        if steps.is_empty() {
            Vec::new()
        } else {
            vec![Step::Each { value: value.to_owned(), list: list.to_owned(), steps }]
        }
    }

    fn only_if(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let condition = element.text("IfController.condition");
        let name = asked(condition).filter(|name| matches!(self.names.find(name), Some(Origin::Maybe(_))));
        let Some(name) = name else {
            let told = condition.split_whitespace().collect::<Vec<_>>().join(" ");
            self.names.note(
                element.line,
                format!("IfController \"{}\": {told}: what stands in it is done each time", element.name()),
            );
            return self.list(&element.children, around);
        };
        if let Some(Origin::Maybe(number)) = self.names.find(&name) {
            self.names.used.insert(number);
        }
        let entered = self.names.enter();
        self.names.add(&name, Origin::Sure);
        let steps = nested(self.list(&element.children, around));
        self.names.leave(entered);
        if steps.is_empty() { Vec::new() } else { vec![Step::If(name, steps)] }
    }

    fn module(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let path = element.parts("ModuleController.node_path");
        let wanted = path.last().map(super::plan::Part::value).unwrap_or_default();
        let all = self.plan.iter().flat_map(Element::all);
        let found = all.filter(|other| other.kind() != "ModuleController" && !other.children.is_empty());
        let Some(found) = found.into_iter().find(|other| other.name() == wanted) else {
            self.names.note(
                element.line,
                format!("ModuleController \"{}\": there is no \"{wanted}\"", element.name()),
            );
            return Vec::new();
        };
        if self.depth > 8 {
            return Vec::new();
        }
        self.depth += 1;
        let steps = match found.kind() {
            FRAGMENT => self.list(&found.children, around),
            _ => self.one(found, around),
        };
        self.depth -= 1;
        steps
    }

    fn call(&mut self, element: &'d Element<'d>, around: &Around) -> Vec<Step> {
        let around = self.around(&element.children, around);
        let path = element.text("HTTPSampler.path");
        if path.contains("/authn/login") {
            return Vec::new();
        }
        let key = match element.text("HTTPSampler.method").to_ascii_uppercase().as_str() {
            "GET" | "" => "get",
            "POST" => "post",
            "PUT" => "put",
            "DELETE" => "delete",
            "OPTIONS" => "options",
            other => {
                self.names.note(
                    element.line,
                    format!("\"{}\": no workflow has a {other}; the call is left out", element.name()),
                );
                return Vec::new();
            }
        };
        self.names.unsure.clear();
        let mut call = Call { key, label: element.name().to_owned(), ..Call::default() };
        call.target = self.target(element, path);
        call.body = if matches!(key, "post" | "put" | "delete") { self.body(element) } else { None };
        for (name, value) in &around.headers {
            let value = self.names.text(value, element.line);
            call.headers.push((name.clone(), value));
        }
        let mut unsure = std::mem::take(&mut self.names.unsure);
        unsure.sort_unstable();
        unsure.dedup();
        for child in &element.children {
            self.after(child, &mut call);
        }
        let (from, to) = around.pause;
        let mut steps = if to > 0.0 { vec![Step::Think(from, to)] } else { Vec::new() };
        let (alone, told) = (call.taken.is_empty(), element.name());
        let mut step = Step::Call(Box::new(call));
        for name in unsure {
            if alone {
                self.names.note(element.line, format!("\"{told}\" is left out where {name} was not found"));
                step = Step::If(name, vec![step]);
            } else {
                // What it takes is wanted later, so that everything from here on rests on it.
                let text = format!("\"{told}\" and what follows it is left out where {name} was not found");
                self.names.note(element.line, text);
                self.names.add(&name, Origin::Sure);
                steps.push(Step::From(name));
            }
        }
        steps.push(step);
        steps
    }

    fn target(&mut self, element: &Element<'_>, path: &str) -> String {
        // Of a whole address the path counts: which server is asked, is said elsewhere.
        let path =
            path.split_once("://").map_or(path, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        let mut target = self.names.text(&path.replace('+', " "), element.line);
        if !target.starts_with('/') {
            target.insert(0, '/');
        }
        let raw = element.is("HTTPSampler.postBodyRaw");
        if !raw && matches!(element.text("HTTPSampler.method"), "GET" | "DELETE" | "OPTIONS") {
            for part in element.parts("Arguments.arguments") {
                let joint = if target.contains('?') { '&' } else { '?' };
                let name = part.text("Argument.name");
                let value = self.names.text(&part.text("Argument.value").replace('+', " "), element.line);
                target.push_str(&format!("{joint}{name}={value}"));
            }
        }
        target
    }

    fn body(&mut self, element: &Element<'_>) -> Option<String> {
        let parts = element.parts("Arguments.arguments");
        let line = element.line;
        if !element.parts("HTTPFileArgs.files").is_empty() {
            self.names.note(line, format!("\"{}\": files that are sent were not read", element.name()));
        }
        if parts.iter().any(|part| !part.text("Argument.name").is_empty()) {
            let pair = |part: &super::plan::Part<'_>| {
                format!("{}={}", part.text("Argument.name"), part.text("Argument.value"))
            };
            let text = parts.iter().map(pair).collect::<Vec<_>>().join("&");
            return Some(format!("raw = {}", quoted(&self.names.text(&text, line))));
        }
        let text: String = parts.iter().map(|part| part.text("Argument.value")).collect();
        if text.trim().is_empty() {
            return None;
        }
        let json = serde_json::from_str(&text).ok().map(|value| self.filled(value, line));
        if let Some(toml) =
            json.filter(|value| value.is_object() || value.is_array()).and_then(|value| inline(&value))
        {
            return Some(format!("body = {toml}"));
        }
        Some(format!("raw = {}", quoted(&self.names.text(&text, line))))
    }

    fn filled(&mut self, value: Value, line: usize) -> Value {
        match value {
            Value::String(text) => Value::String(self.names.text(&text, line)),
            Value::Array(list) => {
                Value::Array(list.into_iter().map(|value| self.filled(value, line)).collect())
            }
            Value::Object(fields) => Value::Object(
                fields.into_iter().map(|(name, value)| (name, self.filled(value, line))).collect(),
            ),
            other => other,
        }
    }

    /// What is done with an answer.
    fn after(&mut self, element: &Element<'_>, call: &mut Call) {
        match element.kind() {
            "JSONPostProcessor" => self.paths(element, call),
            "RegexExtractor" => self.pattern(element, call),
            "ResponseAssertion" if element.text("Assertion.test_field") == "Assertion.response_code" => {
                let wanted = element.parts("Asserion.test_strings");
                let codes: Option<Vec<u16>> = wanted.iter().map(|part| part.value().parse().ok()).collect();
                match codes {
                    Some(codes) => call.expect = codes,
                    None => self.names.note(element.line, "ResponseAssertion: the statuses were not read"),
                }
            }
            kind if OF_NO_MEANING.contains(&kind) || kind.ends_with("Timer") => {}
            // They are many, and a status says most of it.
            kind if kind.ends_with("Assertion") => self
                .names
                .note(element.line, format!("{kind}: what an answer says is not checked, only its status")),
            kind => self.names.note(element.line, format!("{kind}: this was not read")),
        }
    }

    fn paths(&mut self, element: &Element<'_>, call: &mut Call) {
        let of = |name: &str| -> Vec<&str> { element.text(name).split(';').map(str::trim).collect() };
        let (names, paths) = (of("JSONPostProcessor.referenceNames"), of("JSONPostProcessor.jsonPathExprs"));
        let (numbers, defaults) =
            (of("JSONPostProcessor.match_numbers"), of("JSONPostProcessor.defaultValues"));
        for (at, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let path = paths.get(at).copied().unwrap_or_default();
            let number = numbers.get(at).or(numbers.first()).and_then(|text| text.parse().ok()).unwrap_or(1);
            let Some((path, many)) = path_of(path, number) else {
                self.names.note(element.line, format!("{name}: the path {path} was not read"));
                continue;
            };
            if number == 0 {
                self.names.note(element.line, format!("{name}: the first that is found, not any of them"));
            }
            let missing = defaults.get(at).is_some_and(|default| !default.is_empty());
            self.take(call, name, path, if missing && !many { "maybe" } else { "take" }, many);
        }
    }

    fn take(&mut self, call: &mut Call, name: &str, from: String, key: &'static str, many: bool) {
        let number = self.names.taken;
        self.names.taken += 1;
        call.taken.push(Taken { number, key, name: name.to_owned(), from });
        let from = match (many, key) {
            (true, _) => Origin::List(number),
            (false, "maybe") => Origin::Maybe(number),
            (false, _) => Origin::Taken(number),
        };
        self.names.add(name, from);
    }

    fn pattern(&mut self, element: &Element<'_>, call: &mut Call) {
        let (name, pattern) = (element.text("RegexExtractor.refname"), element.text("RegexExtractor.regex"));
        // Tokens are the laboratory's own affair.
        if pattern.to_ascii_lowercase().contains("token: ") || pattern.contains("Token=") {
            return;
        }
        let body = matches!(element.text("RegexExtractor.useHeaders"), "" | "false");
        let simple = matches!(element.text("RegexExtractor.template"), "" | "$1$");
        let known = regex_lite::Regex::new(pattern).is_ok_and(|pattern| pattern.captures_len() > 1);
        if !(body && simple && known) {
            self.names.note(element.line, format!("{name}: the expression {pattern} was not read"));
            return;
        }
        self.take(call, name, pattern.to_owned(), "find", false);
    }

    fn pause(&mut self, element: &Element<'_>) -> (f64, f64) {
        let number = |name: &str| self.names.number(element.text(name));
        let delay = number("ConstantTimer.delay");
        let range = number("RandomTimer.range");
        match (element.kind(), delay, range) {
            ("ConstantTimer", Some(delay), _) => (delay / 1e3, delay / 1e3),
            ("UniformRandomTimer", Some(delay), Some(range)) => (delay / 1e3, (delay + range) / 1e3),
            ("GaussianRandomTimer", Some(delay), Some(range)) => {
                ((delay - range).max(0.0) / 1e3, (delay + range) / 1e3)
            }
            ("ConstantThroughputTimer", ..) => {
                let rate = element.text("throughput");
                self.names.note(element.line, format!("ConstantThroughputTimer: {rate} a minute; write rate = ... in the experiment, in transactions a second"));
                (0.0, 0.0)
            }
            (kind, ..) => {
                self.names.note(element.line, format!("{kind}: the pause was not read"));
                (0.0, 0.0)
            }
        }
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

/// What stands after a `From`, inside an `if`.
pub(super) fn nested(steps: Vec<Step>) -> Vec<Step> {
    let (mut done, mut rest) = (Vec::new(), steps.into_iter());
    while let Some(step) = rest.next() {
        match step {
            Step::From(name) => {
                done.push(Step::If(name, nested(rest.collect())));
                return done;
            }
            other => done.push(other),
        }
    }
    done
}

/// As the laboratory writes it, and whether it stands for a list. A match of -1 is all that is found, else one of them.
fn path_of(path: &str, number: i64) -> Option<(String, bool)> {
    let path = if path.starts_with('$') { path.to_owned() } else { format!("$.{path}") };
    let path = path.replace(".[", "[").replace(".*", "[*]");
    let many = JsonPath::parse(&path).ok()?.is_many();
    // Of what is found however deep there is only the first.
    if path.contains("..") && (many || !(0..=1).contains(&number)) {
        return None;
    }
    if !many || number < 0 {
        return Some((path, many));
    }
    // JMeter counts from 1; 0 is any.
    let at = format!("[{}]", (number - 1).max(0));
    (path.matches("[*]").count() == 1).then(|| (path.replace("[*]", &at), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_the_laboratory_reads_them() {
        let of = |path: &str, number: i64| path_of(path, number);
        assert_eq!(of("$.id", 1), Some(("$.id".to_owned(), false)));
        assert_eq!(of("invoices.*.id", 0), Some(("$.invoices[0].id".to_owned(), false)));
        assert_eq!(of("$.loans[*].id", 2), Some(("$.loans[1].id".to_owned(), false)));
        assert_eq!(of("$.loans[*].id", -1), Some(("$.loans[*].id".to_owned(), true)));
        assert_eq!(of("$..id", 1), Some(("$..id".to_owned(), false)));
        assert_eq!(of("$..id", -1), None);
        assert_eq!(of("$.a[?(@.id == 'x')].b", 1), None);
    }
}
