//! Reads the steps of a transaction.

use regex_lite::Regex;
use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

use crate::files::{Reader, as_number, suggestion};

use super::fields::{read_amount, read_path};
use super::scope::{Scope, ValueKind};
use super::{
    Action, Alternative, Body, Call, Condition, ConditionTest, Field, Find, JsonPath, Part, Slot, Step, Take,
    Template, WhenMissing, Workflow,
};

pub(super) struct StepReader<'s, 'a> {
    pub(super) scope: &'s mut Scope<'a>,
    pub(super) workflow: &'s mut Workflow,
    /// The slots that templates use.
    pub(super) used_slots: Vec<Slot>,
}

const METHODS: [(&str, &str); 5] =
    [("get", "GET"), ("post", "POST"), ("put", "PUT"), ("delete", "DELETE"), ("options", "OPTIONS")];
const STEP_KEYS: [&str; 28] = [
    "get", "post", "put", "delete", "options", "label", "headers", "body", "raw", "expect", "refused",
    "take", "maybe", "any", "find", "else", "if", "is", "not", "think", "for", "in", "repeat", "choice",
    "set", "steps", "move", "to",
];
const CALL_KEYS: [&str; 11] =
    ["label", "headers", "body", "raw", "expect", "refused", "take", "maybe", "any", "find", "else"];
/// The keys that name the action of a step that is no call.
const ACTION_KEYS: [&str; 6] = ["think", "for", "repeat", "choice", "set", "move"];

impl StepReader<'_, '_> {
    pub(super) fn read_steps(&mut self, table: Reader<'_>) -> Vec<Step> {
        if !table.has("steps") {
            table.problem("\"steps\" is missing");
        }
        let steps: Vec<Step> =
            table.tables("steps").into_iter().filter_map(|step| self.read_step(step)).collect();
        if steps.is_empty() && table.has("steps") {
            table.problem("there is nothing in steps");
        }
        steps
    }

    fn read_step(&mut self, table: Reader<'_>) -> Option<Step> {
        table.check_keys(&STEP_KEYS);
        // A value that is taken inside of an `if` may be missing after it.
        let entered = self.scope.enter();
        let asked = self.read_condition(table);
        let act = self.read_action(table);
        if asked.is_some() {
            self.scope.leave(entered);
        }
        Some(Step { only_if: asked, action: act? })
    }

    fn read_condition(&mut self, table: Reader<'_>) -> Option<Condition> {
        let Some(name) = table.text("if") else {
            for key in ["is", "not"].into_iter().filter(|key| table.has(key)) {
                table.problem(format!("{key} belongs to an if, which names the value"));
            }
            return None;
        };
        let line = table.line_of("if");
        let wanted = match (table.text("is"), table.text("not")) {
            (Some(_), Some(_)) => {
                table.problem("an if has either is or not");
                return None;
            }
            (Some(text), None) => ConditionTest::Is(self.read_template(text, table.line_of("is"))),
            (None, Some(text)) => ConditionTest::IsNot(self.read_template(text, table.line_of("not"))),
            (None, None) => {
                return Some(Condition {
                    slot: self.scope.checked_optional(name, line),
                    test: ConditionTest::Found,
                });
            }
        };
        let slot = self.scope.compared_value(name, line);
        self.used_slots.push(slot);
        Some(Condition { slot, test: wanted })
    }

    fn read_choice(&mut self, table: Reader<'_>) -> Action {
        let mut alternatives = Vec::new();
        for one in table.tables("choice") {
            one.check_keys(&["share", "steps"]);
            let entered = self.scope.enter();
            let steps = one.tables("steps").into_iter().filter_map(|step| self.read_step(step)).collect();
            self.scope.leave(entered);
            if !one.has("share") {
                one.problem("\"share\" is missing");
            }
            alternatives.push(Alternative { share: one.number("share").unwrap_or(0.0), steps });
        }
        if alternatives.iter().all(|one| one.share <= 0.0) {
            table.problem("a choice needs a share above 0");
        }
        Action::Choice(alternatives)
    }

    fn read_set(&mut self, table: Reader<'_>) -> Option<Action> {
        let named = table.table("set")?;
        let mut names = named.keys();
        let (Some((name, line)), None) = (names.next(), names.next()) else {
            table.problem("set gives one value its text, as in set = { list = \"{list},{id}\" }");
            return None;
        };
        let text = self.read_template(named.text(name)?, line);
        Some(Action::Set(self.scope.assign(name, line), text))
    }

    /// `{ move = "on-shelf", to = "on-loan" }`
    fn read_move(&mut self, table: Reader<'_>) -> Option<Action> {
        let from = self.find_movable_feeder(table, "move")?;
        let to = self.find_movable_feeder(table, "to")?;
        let [from, other] = [from, to].map(|at| self.workflow.feeders[at].clone());
        let mut values = Vec::new();
        for Field { name, .. } in &other.fields {
            if !from.fields.iter().any(|field| field.name == *name) {
                table.problem(format!("{} has the field {name}, which {} lacks", other.name, from.name));
                return None;
            }
            values.push(self.scope.single_value(&format!("{}.{name}", from.name), table.line_of("move")));
        }
        self.used_slots.extend(&values);
        Some(Action::Move { to, values })
    }

    fn find_movable_feeder(&self, table: Reader<'_>, key: &str) -> Option<usize> {
        let name = table.required_text(key)?;
        let feeders = &self.workflow.feeders;
        let Some(at) = feeders.iter().position(|feeder| feeder.name == name) else {
            let meant = suggestion(name, feeders.iter().map(|feeder| feeder.name.as_str()));
            table.problem_at(key, format!("there is no feeder \"{name}\"; {meant}"));
            return None;
        };
        if !feeders[at].once {
            let told = "go round; rows are moved between feeders with use = \"once\"";
            table.problem_at(key, format!("the rows of {name} {told}"));
            return None;
        }
        Some(at)
    }

    fn read_action(&mut self, table: Reader<'_>) -> Option<Action> {
        let methods: Vec<_> = METHODS.iter().filter(|(key, _)| table.has(key)).collect();
        let kinds = ACTION_KEYS.into_iter().filter(|key| table.has(key)).count() + methods.len();
        if kinds > 1 {
            table.problem(format!("a step is one of {ACTION_KEYS_TEXT}, not two"));
            return None;
        }
        if let [(key, method)] = methods.as_slice() {
            return Some(Action::Call(self.read_call(table, key, method)));
        }
        for key in CALL_KEYS.into_iter().filter(|key| table.has(key)) {
            table.problem(format!("{key} belongs to a call: get, post, put, delete or options"));
        }
        if table.has("think") {
            let (from, to) = table.number_or_range("think")?;
            return Some(Action::Think(from, to));
        }
        if table.has("choice") {
            return Some(self.read_choice(table));
        }
        if table.has("set") {
            return self.read_set(table);
        }
        if table.has("move") {
            return self.read_move(table);
        }
        if let Some(name) = table.text("for") {
            let list = table.required_text("in").map(|list| self.scope.list_value(list, table.line_of("in")));
            let entered = self.scope.enter();
            let value = self.scope.add(name, ValueKind::Single, table.line_of("for"), "the loop's value");
            let steps = self.read_steps(table);
            self.scope.leave(entered);
            return Some(Action::Each { value, list: list?, steps });
        }
        let entered = self.scope.enter();
        let times = table.has("repeat").then(|| read_amount(table, "repeat", 1, self.scope));
        if times.is_none() && !table.has("steps") {
            table.problem(format!("a step is one of {ACTION_KEYS_TEXT}"));
            return None;
        }
        let steps = self.read_steps(table);
        self.scope.leave(entered);
        Some(match times {
            Some(times) => Action::Repeat { times, steps },
            None => Action::Steps(steps),
        })
    }

    fn read_call(&mut self, table: Reader<'_>, key: &str, method: &'static str) -> usize {
        let written = table.text(key).unwrap_or_default();
        if !written.starts_with('/') {
            table.problem_at(key, format!("{key} must begin with /: the server's address is not part of it"));
        }
        let target = self.read_template(written, table.line_of(key)).url_encoded();
        if method != "GET" && method != "OPTIONS" {
            self.workflow.writes |= !READS_BY_POST.iter().any(|path| written.starts_with(path));
        }
        let label = table.text("label").map_or_else(|| default_label(method, written), str::to_owned);
        let label = self.label_index(label);
        let headers = table.table("headers").map(|headers| self.read_headers(headers)).unwrap_or_default();
        let body = self.read_body(table);
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
        let mut take = self.read_takes(table, "take");
        take.extend(self.read_takes(table, "maybe"));
        take.extend(self.read_takes(table, "any"));
        let find = self.read_finds(table);
        self.check_else(table);
        self.workflow.calls.push(Call { label, method, target, headers, body, expect, refused, take, find });
        self.workflow.calls.len() - 1
    }

    fn label_index(&mut self, label: String) -> usize {
        let labels = &mut self.workflow.labels;
        labels.iter().position(|known| *known == label).unwrap_or_else(|| {
            labels.push(label);
            labels.len() - 1
        })
    }

    fn read_headers(&mut self, table: Reader<'_>) -> Vec<(String, Template<Slot>)> {
        let named = table.keys().filter_map(|(name, line)| Some((name.to_owned(), table.text(name)?, line)));
        named.map(|(name, text, line)| (name, self.read_template(text, line))).collect()
    }

    fn read_body(&mut self, table: Reader<'_>) -> Option<Body> {
        if table.has("body") && table.has("raw") {
            table.problem("a call has either body (JSON) or raw (a text), not both");
        }
        if let Some(text) = table.text("raw") {
            return Some(Body::Raw(self.read_template(text, table.line_of("raw"))));
        }
        Some(self.body_from_value(table.value("body")?, table))
    }

    fn body_from_value(&mut self, value: &Spanned<DeValue<'_>>, within: Reader<'_>) -> Body {
        let line = within.problems.line_number(value.span().start);
        match value.get_ref() {
            DeValue::String(text) => match self.read_template(text, line) {
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
            DeValue::Array(list) => {
                Body::List(list.iter().map(|value| self.body_from_value(value, within)).collect())
            }
            DeValue::Table(_) => {
                let Some(table) = Reader::from_value(value, within.problems) else {
                    return Body::Plain(Value::Null);
                };
                if table.has("feed") {
                    return self.read_feed(table);
                }
                let named = table.keys().filter_map(|(name, _)| Some((name, table.value(name)?)));
                Body::Object(
                    named
                        .map(|(name, value)| (name.to_owned(), self.body_from_value(value, within)))
                        .collect(),
                )
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

    fn read_feed(&mut self, table: Reader<'_>) -> Body {
        table.check_keys(&["feed", "count", "grow", "most"]);
        let name = table.text("feed").unwrap_or_default();
        // Marks the field as used; what it stands for is found by its slot.
        let slot = self.scope.single_value(name, table.line_of("feed"));
        let mut amount = |name: &str, default: u64| read_amount(table, name, default, self.scope);
        let (count, grow, most) = (amount("count", 1), amount("grow", 0), amount("most", u64::MAX));
        for (feeder, declared) in self.workflow.feeders.iter().enumerate() {
            if let Some(field) = declared.fields.iter().position(|field| field.slot == slot) {
                return Body::Feed { feeder, field, count, grow, most };
            }
        }
        table.problem(format!("feed must be a feeder's field, as in \"instance.id\", not \"{name}\""));
        Body::Plain(Value::Null)
    }

    fn read_takes(&mut self, table: Reader<'_>, key: &str) -> Vec<Take> {
        let Some(paths) = table.table(key) else { return Vec::new() };
        let mut taken = Vec::new();
        for (name, line) in paths.keys() {
            let many =
                paths.text(name).is_some_and(|text| JsonPath::parse(text).is_ok_and(|path| path.is_many()));
            let slot = match (key, many) {
                ("take", true) | ("maybe", true) => self.scope.add(name, ValueKind::List, line, "the value"),
                ("maybe", false) => self.scope.add(name, ValueKind::Optional, line, "the value"),
                _ => self.scope.assign(name, line),
            };
            let lacking = match (key, else_text(table, name)) {
                (_, Some(text)) => WhenMissing::Text(text.to_owned()),
                ("maybe", None) => WhenMissing::Nothing,
                _ => WhenMissing::Error,
            };
            if let Some(path) = read_path(paths, name, many) {
                taken.push(Take { slot, path, any: key == "any", when_missing: lacking });
            }
        }
        taken
    }

    fn read_finds(&mut self, table: Reader<'_>) -> Vec<Find> {
        let Some(patterns) = table.table("find") else { return Vec::new() };
        let mut found = Vec::new();
        for (name, line) in patterns.keys() {
            let slot = self.scope.assign(name, line);
            let told = match patterns.text(name).map(Regex::new) {
                Some(Ok(pattern)) if pattern.captures_len() > 1 => {
                    found.push(Find {
                        slot,
                        pattern,
                        default_text: else_text(table, name).map(str::to_owned),
                    });
                    continue;
                }
                Some(Ok(_)) => format!("{name}: the expression has no group (...) for the value"),
                Some(Err(error)) => format!("{name} is no regular expression: {error}"),
                None => continue,
            };
            table.problems.add(line, told);
        }
        found
    }

    /// Checks that each text in `else` is for a value that the call takes.
    fn check_else(&mut self, table: Reader<'_>) {
        let Some(texts) = table.table("else") else { return };
        for (name, line) in texts.keys() {
            let taken = |key: &&str| table.table(key).is_some_and(|taken| taken.has(name));
            if !["take", "any", "find"].iter().any(taken) {
                table.problems.add(
                    line,
                    format!("else has a text for {name}, which this call does not take, find or draw (any)"),
                );
            }
        }
    }

    fn read_template(&mut self, text: &str, line: usize) -> Template<Slot> {
        let template = self.scope.template(text, line);
        self.used_slots.extend(template.0.iter().filter_map(|part| match part {
            Part::Value(slot) => Some(*slot),
            Part::Text(_) => None,
        }));
        template
    }
}

const ACTION_KEYS_TEXT: &str = "get, post, put, delete, options, think, for, repeat, choice, set and move";

/// The text in `else` that is used if the answer lacks a value.
fn else_text<'a>(table: Reader<'a>, name: &str) -> Option<&'a str> {
    table.table("else").filter(|texts| texts.has(name))?.text(name)
}

/// Paths whose POST requests change nothing.
const READS_BY_POST: [&str; 4] =
    ["/rtac-batch", "/inventory-hierarchy/items-and-holdings", "/authn/login", "/octavo/rules/simulate"];

/// The name of a call in reports: its method and its path, without the query.
fn default_label(method: &str, target: &str) -> String {
    let path = target.split('?').next().unwrap_or_default();
    format!("{method} {path}")
}
