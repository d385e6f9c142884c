//! The steps of a transaction.

use regex_lite::Regex;
use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

use crate::files::{Reader, as_number};

use super::read::{amount, path};
use super::scope::{Kind, Scope};
use super::{Act, Body, Call, Find, JsonPath, Part, Slot, Step, Take, Template, Workflow};

pub(super) struct Steps<'s, 'a> {
    pub(super) scope: &'s mut Scope<'a>,
    pub(super) workflow: &'s mut Workflow,
    /// Slots that stand in a template.
    pub(super) fed: Vec<Slot>,
}

const METHODS: [(&str, &str); 5] =
    [("get", "GET"), ("post", "POST"), ("put", "PUT"), ("delete", "DELETE"), ("options", "OPTIONS")];
const KEYS: [&str; 20] = [
    "get", "post", "put", "delete", "options", "label", "headers", "body", "raw", "expect", "refused",
    "take", "maybe", "find", "if", "think", "for", "in", "repeat", "steps",
];
const OF_CALLS: [&str; 9] = ["label", "headers", "body", "raw", "expect", "refused", "take", "maybe", "find"];

impl Steps<'_, '_> {
    pub(super) fn list(&mut self, table: Reader<'_>) -> Vec<Step> {
        if !table.has("steps") {
            table.problem("\"steps\" is missing");
        }
        let steps: Vec<Step> = table.tables("steps").into_iter().filter_map(|step| self.step(step)).collect();
        if steps.is_empty() && table.has("steps") {
            table.problem("there is nothing in steps");
        }
        steps
    }

    fn step(&mut self, table: Reader<'_>) -> Option<Step> {
        table.allow(&KEYS);
        // What is taken inside of an `if` may be missing after it.
        let entered = self.scope.enter();
        let asked = table.text("if").map(|name| self.scope.sure(name, table.line_of("if")));
        let act = self.act(table);
        if asked.is_some() {
            self.scope.leave(entered);
        }
        Some(Step { only_if: asked, act: act? })
    }

    fn act(&mut self, table: Reader<'_>) -> Option<Act> {
        let methods: Vec<_> = METHODS.iter().filter(|(key, _)| table.has(key)).collect();
        let kinds =
            ["think", "for", "repeat"].into_iter().filter(|key| table.has(key)).count() + methods.len();
        if kinds > 1 {
            table.problem("a step is one of get, post, put, delete, options, think, for and repeat, not two");
            return None;
        }
        if let [(key, method)] = methods.as_slice() {
            return Some(Act::Call(self.call(table, key, method)));
        }
        for key in OF_CALLS.into_iter().filter(|key| table.has(key)) {
            table.problem(format!("{key} belongs to a call: get, post, put, delete or options"));
        }
        if table.has("think") {
            let (from, to) = table.number_or_range("think")?;
            return Some(Act::Think(from, to));
        }
        if let Some(name) = table.text("for") {
            let list = table.needed_text("in").map(|list| self.scope.many(list, table.line_of("in")));
            let entered = self.scope.enter();
            let value = self.scope.add(name, Kind::One, table.line_of("for"), "the loop's value");
            let steps = self.list(table);
            self.scope.leave(entered);
            return Some(Act::Each { value, list: list?, steps });
        }
        let entered = self.scope.enter();
        let times = table.has("repeat").then(|| amount(table, "repeat", 1, self.scope));
        if times.is_none() && !table.has("steps") {
            table.problem("a step is one of get, post, put, delete, options, think, for and repeat");
            return None;
        }
        let steps = self.list(table);
        self.scope.leave(entered);
        Some(match times {
            Some(times) => Act::Repeat { times, steps },
            None => Act::Steps(steps),
        })
    }

    fn call(&mut self, table: Reader<'_>, key: &str, method: &'static str) -> usize {
        let written = table.text(key).unwrap_or_default();
        if !written.starts_with('/') {
            let line = table.line_of(key);
            table
                .problems
                .add(line, format!("{key} must begin with /: the server's address is not part of it"));
        }
        let target = self.template(written, table.line_of(key)).encoded();
        if method != "GET" && method != "OPTIONS" {
            self.workflow.writes |= !READS_BY_POST.iter().any(|path| written.starts_with(path));
        }
        let label = table.text("label").map_or_else(|| label(method, written), str::to_owned);
        let label = self.label(label);
        let headers = table.table("headers").map(|headers| self.headers(headers)).unwrap_or_default();
        let body = self.body_of(table);
        if body.is_some() && matches!(method, "GET" | "OPTIONS") {
            table.problem(format!("a {method} has no body"));
        }
        let statuses = |name: &str| -> Vec<u16> {
            let list = table.numbers(name).unwrap_or_default();
            if list.iter().any(|status| !(100.0..600.0).contains(status)) {
                table.problem(format!("{name} must be statuses such as [200, 201]"));
            }
            list.into_iter().map(|status| status as u16).collect()
        };
        let (expect, refused) = (statuses("expect"), statuses("refused"));
        if let Some(both) = expect.iter().find(|status| refused.contains(status)) {
            table.problem(format!("{both} is both expected and refused"));
        }
        let mut take = self.taken(table, "take", false);
        take.extend(self.taken(table, "maybe", true));
        let find = self.found(table);
        self.workflow.calls.push(Call { label, method, target, headers, body, expect, refused, take, find });
        self.workflow.calls.len() - 1
    }

    fn label(&mut self, label: String) -> usize {
        let labels = &mut self.workflow.labels;
        labels.iter().position(|known| *known == label).unwrap_or_else(|| {
            labels.push(label);
            labels.len() - 1
        })
    }

    fn headers(&mut self, table: Reader<'_>) -> Vec<(String, Template<Slot>)> {
        let named = table.keys().filter_map(|(name, line)| Some((name.to_owned(), table.text(name)?, line)));
        named.map(|(name, text, line)| (name, self.template(text, line))).collect()
    }

    fn body_of(&mut self, table: Reader<'_>) -> Option<Body> {
        if table.has("body") && table.has("raw") {
            table.problem("a call has either body (JSON) or raw (a text), not both");
        }
        if let Some(text) = table.text("raw") {
            return Some(Body::Raw(self.template(text, table.line_of("raw"))));
        }
        Some(self.body(table.value("body")?, table))
    }

    fn body(&mut self, value: &Spanned<DeValue<'_>>, within: Reader<'_>) -> Body {
        let line = within.problems.line(value.span().start);
        match value.get_ref() {
            DeValue::String(text) => match self.template(text, line) {
                Template(parts) if parts.iter().all(|part| matches!(part, Part::Text(_))) => {
                    let text = parts.into_iter().map(|part| match part {
                        Part::Text(text) => text,
                        Part::Value(_) => String::new(),
                    });
                    Body::Plain(Value::String(text.collect()))
                }
                template => Body::Text(template),
            },
            DeValue::Boolean(truth) => Body::Plain(Value::Bool(*truth)),
            DeValue::Array(list) => Body::List(list.iter().map(|value| self.body(value, within)).collect()),
            DeValue::Table(_) => {
                let Some(table) = Reader::of(value, within.problems) else { return Body::Plain(Value::Null) };
                if table.has("feed") {
                    return self.feed(table);
                }
                let named = table.keys().filter_map(|(name, _)| Some((name, table.value(name)?)));
                Body::Object(named.map(|(name, value)| (name.to_owned(), self.body(value, within))).collect())
            }
            number => match as_number(number) {
                Some(number) if number.fract() == 0.0 => Body::Plain(Value::from(number as i64)),
                Some(number) => Body::Plain(Value::from(number)),
                None => {
                    within.problems.add(line, "a body holds texts, numbers, truths, lists and tables");
                    Body::Plain(Value::Null)
                }
            },
        }
    }

    fn feed(&mut self, table: Reader<'_>) -> Body {
        table.allow(&["feed", "count", "grow", "most"]);
        let name = table.text("feed").unwrap_or_default();
        // Marks the field as used; what it stands for is found by its slot.
        let slot = self.scope.one(name, table.line_of("feed"));
        let mut amount = |name: &str, default: u64| amount(table, name, default, self.scope);
        let (count, grow, most) = (amount("count", 1), amount("grow", 0), amount("most", u64::MAX));
        for (feeder, declared) in self.workflow.feeders.iter().enumerate() {
            if let Some(field) = declared.fields.iter().position(|field| field.slot == slot) {
                return Body::Feed { feeder, field, count, grow, most };
            }
        }
        table.problem(format!("feed must be a feeder's field, as in \"instance.id\", not \"{name}\""));
        Body::Plain(Value::Null)
    }

    fn taken(&mut self, table: Reader<'_>, key: &str, maybe: bool) -> Vec<Take> {
        let Some(paths) = table.table(key) else { return Vec::new() };
        let mut taken = Vec::new();
        for (name, line) in paths.keys() {
            let many =
                paths.text(name).is_some_and(|text| JsonPath::parse(text).is_ok_and(|path| path.is_many()));
            let kind = match (many, maybe) {
                (true, _) => Kind::Many,
                (false, true) => Kind::Maybe,
                (false, false) => Kind::One,
            };
            let slot = self.scope.add(name, kind, line, "the value");
            if let Some(path) = path(paths, name, many) {
                taken.push(Take { slot, path, maybe });
            }
        }
        taken
    }

    fn found(&mut self, table: Reader<'_>) -> Vec<Find> {
        let Some(patterns) = table.table("find") else { return Vec::new() };
        let mut found = Vec::new();
        for (name, line) in patterns.keys() {
            let slot = self.scope.add(name, Kind::One, line, "the value");
            match patterns.text(name).map(Regex::new) {
                Some(Ok(pattern)) if pattern.captures_len() > 1 => found.push(Find { slot, pattern }),
                Some(Ok(_)) => {
                    table
                        .problems
                        .add(line, format!("{name}: the expression has no group (...) for the value"));
                }
                Some(Err(error)) => {
                    table.problems.add(line, format!("{name} is no regular expression: {error}"));
                }
                None => {}
            }
        }
        found
    }

    fn template(&mut self, text: &str, line: usize) -> Template<Slot> {
        let template = self.scope.template(text, line);
        self.fed.extend(template.0.iter().filter_map(|part| match part {
            Part::Value(slot) => Some(*slot),
            Part::Text(_) => None,
        }));
        template
    }
}

/// POSTs that only ask.
const READS_BY_POST: [&str; 4] =
    ["/rtac-batch", "/inventory-hierarchy/items-and-holdings", "/authn/login", "/octavo/rules/simulate"];

/// As the reports call a call: its method and its path, without what varies.
fn label(method: &str, target: &str) -> String {
    let path = target.split('?').next().unwrap_or_default();
    format!("{method} {path}")
}
