//! Validates a body against the schema: refuses it with all errors at once, or returns it in the form that is stored.
//!
//! The rules are those by which RAML Module Builder reads a body with Jackson: `null` counts as absent, a number becomes text where the
//! schema asks for text, read-only members are dropped, times get FOLIO's one form. The two kinds of messages are RAML Module Builder's:
//! code `-1` if Jackson could not read a value, `jakarta.validation.constraints.*` if a constraint is broken.

use octavo_kernel::{Refusal, folio_time, parse_time};
use serde_json::{Map, Value, json};

use crate::Schema;
use crate::node::{Node, Shape};

/// A record that satisfies its schema.
#[derive(Debug)]
pub struct Checked(pub Value);

/// Where a body comes from: only what the server itself writes keeps its read-only members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    FromClient,
    FromServer,
}

impl Schema {
    /// The body in the form that is stored, or all reasons why it is refused.
    pub fn check(&self, body: Value, reading: Reading) -> Result<Checked, Vec<Refusal>> {
        let mut check = Check {
            refusals: Vec::new(),
            reading,
            drops_unknown: self.drops_unknown,
            arrays: self.arrays.is_some(),
        };
        let mut path = String::new();
        // A body of `null` is no record: only members of a record may be null.
        let value = match body {
            Value::Null => check.refuse_type(&self.root, &body, &path),
            body => check.value(&self.root, body, &mut path),
        };
        if check.refusals.is_empty() { Ok(Checked(value.unwrap_or(json!({})))) } else { Err(check.refusals) }
    }
}

struct Check {
    refusals: Vec<Refusal>,
    reading: Reading,
    /// Whether members that the schema does not declare are dropped.
    drops_unknown: bool,
    arrays: bool,
}

/// Runs `then` with `path` lengthened by `step`.
fn with_path_step<T>(path: &mut String, step: &str, then: impl FnOnce(&mut String) -> T) -> T {
    let length = path.len();
    if length > 0 && !step.starts_with('[') {
        path.push('.');
    }
    path.push_str(step);
    let result = then(path);
    path.truncate(length);
    result
}

impl Check {
    fn value(&mut self, node: &Node, value: Value, path: &mut String) -> Option<Value> {
        match (&node.shape, value) {
            (_, Value::Null) => None,
            (Shape::Any | Shape::Record(_), value) => Some(value),
            (Shape::String, value) => self.string(node, value, path),
            (Shape::Integer | Shape::Number, value) => self.number(node, &value, path),
            (Shape::Boolean, Value::Bool(truth)) => Some(Value::Bool(truth)),
            (Shape::Boolean, Value::String(text)) if text == "true" || text == "false" => {
                Some(Value::Bool(text == "true"))
            }
            (Shape::Array(element), Value::Array(values)) => self.array(node, element, values, path),
            (Shape::Object { .. }, Value::Object(members)) => self.object(node, members, path),
            (_, value) => self.refuse_type(node, &value, path),
        }
    }

    fn string(&mut self, node: &Node, value: Value, path: &mut String) -> Option<Value> {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            other => return self.refuse_type(node, &other, path),
        };
        if text.contains('\0') {
            return self.refuse_unreadable(format!("{path} contains the character U+0000"), path, &text);
        }
        if node.date_time {
            return match parse_time(&text) {
                Some(at) => Some(Value::String(folio_time(at))),
                None => self.refuse_unreadable(
                    format!("Cannot deserialize value of type `java.util.Date` from String \"{text}\""),
                    path,
                    &text,
                ),
            };
        }
        if !node.choices.is_empty() && !node.choices.contains(&text) {
            return self.refuse_unreadable(
                format!("{path}: \"{text}\" is not one of {}", node.choices.join(", ")),
                path,
                &text,
            );
        }
        if let Some(pattern) = &node.pattern
            && !pattern.regex.is_match(&text)
        {
            self.refuse_constraint("Pattern", format!("must match \"{}\"", pattern.text), path, &text);
        }
        self.check_size(node, text.chars().count(), path, &text);
        Some(Value::String(text))
    }

    fn number(&mut self, node: &Node, value: &Value, path: &str) -> Option<Value> {
        let read = match value {
            Value::Number(number) => Some(number.clone()),
            Value::String(text) => serde_json::from_str(text.trim()).ok(),
            _ => None,
        };
        let integer = matches!(node.shape, Shape::Integer);
        let Some(number) = read.filter(|number| !integer || number.is_i64() || is_whole_number(number))
        else {
            return self.refuse_type(node, value, path);
        };
        let number = if integer && !number.is_i64() {
            json!(number.as_f64().unwrap_or_default() as i64)
        } else {
            Value::Number(number)
        };
        let size = number.as_f64().unwrap_or_default();
        if let Some(minimum) = node.minimum.filter(|minimum| size < *minimum) {
            self.refuse_constraint(
                "DecimalMin",
                format!("must be greater than or equal to {minimum}"),
                path,
                &number,
            );
        }
        if let Some(maximum) = node.maximum.filter(|maximum| size > *maximum) {
            self.refuse_constraint(
                "DecimalMax",
                format!("must be less than or equal to {maximum}"),
                path,
                &number,
            );
        }
        Some(number)
    }

    fn array(&mut self, node: &Node, element: &Node, values: Vec<Value>, path: &mut String) -> Option<Value> {
        let mut kept: Vec<Value> = Vec::with_capacity(values.len());
        for (at, value) in values.into_iter().enumerate() {
            let read = with_path_step(path, &format!("[{at}]"), |path| self.value(element, value, path));
            if let Some(value) = read {
                kept.push(value);
            }
        }
        if node.distinct {
            let mut seen = std::collections::HashSet::new();
            kept.retain(|value| seen.insert(value.to_string()));
        }
        self.check_size(node, kept.len(), path, &"[]");
        Some(Value::Array(kept))
    }

    fn object(&mut self, node: &Node, mut sent: Map<String, Value>, path: &mut String) -> Option<Value> {
        let Shape::Object { members, others, closed } = &node.shape else { return None };
        let mut kept = Map::new();
        for (name, member) in members {
            let value =
                sent.remove(name).filter(|_| !(member.read_only && self.reading == Reading::FromClient));
            let value = value.filter(|value| !(member.date_time && is_blank(value)));
            let value = value.or_else(|| self.empty_array(member)).unwrap_or(Value::Null);
            let absent = value.is_null();
            let read = with_path_step(path, name, |path| self.value(member, value, path))
                .or_else(|| member.default.clone());
            match read.or_else(|| self.empty_array(member).filter(|_| !member.required)) {
                Some(value) => {
                    kept.insert(name.clone(), value);
                }
                None if absent && member.required && !member.read_only => {
                    with_path_step(path, name, |path| {
                        self.refuse_constraint("NotNull", "must not be null", path, &"null");
                    });
                }
                None => {}
            }
        }
        for (name, value) in sent {
            let read = match others {
                Some(node) => with_path_step(path, &name, |path| self.value(node, value, path)),
                // An object for which the schema declares no member accepts any member.
                None if self.drops_unknown && !members.is_empty() => None,
                None if *closed => with_path_step(path, &name, |path| {
                    self.refuse_unreadable(format!("Unrecognized field \"{name}\""), path, &value)
                }),
                None => Some(value).filter(|value| !value.is_null()),
            };
            if let Some(value) = read {
                kept.insert(name, value);
            }
        }
        Some(Value::Object(kept))
    }

    /// The value of an array that was not sent; `None` if it stays absent.
    fn empty_array(&self, node: &Node) -> Option<Value> {
        (self.arrays && node.defaults_to_empty_array()).then(|| json!([]))
    }

    fn check_size(&mut self, node: &Node, length: usize, path: &str, value: &dyn std::fmt::Display) {
        let (least, most) =
            (node.size_limits.0.unwrap_or(0), node.size_limits.1.unwrap_or(i32::MAX as usize));
        if length < least || length > most {
            self.refuse_constraint("Size", format!("size must be between {least} and {most}"), path, value);
        }
    }

    fn refuse_type(&mut self, node: &Node, value: &Value, path: &str) -> Option<Value> {
        let wanted = match &node.shape {
            Shape::String => "string",
            Shape::Integer => "integer",
            Shape::Number => "number",
            Shape::Boolean => "boolean",
            Shape::Array(_) => "array",
            Shape::Object { .. } | Shape::Any | Shape::Record(_) => "object",
        };
        let found = match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        };
        let place = if path.is_empty() { "the body" } else { path };
        self.refuse_unreadable(
            format!("Cannot deserialize value of type `{wanted}` from {found} at {place}"),
            path,
            value,
        )
    }

    /// Adds a refusal for a value that Jackson could not read.
    fn refuse_unreadable(
        &mut self,
        message: String,
        path: &str,
        value: &dyn std::fmt::Display,
    ) -> Option<Value> {
        self.refusals.push(Refusal::new(message).kind("1").code("-1").about(path, value.to_string()));
        None
    }

    /// Adds a refusal for a value that can be read, but breaks a constraint.
    fn refuse_constraint(
        &mut self,
        kind: &str,
        message: impl Into<String>,
        path: &str,
        value: &dyn std::fmt::Display,
    ) {
        self.refusals.push(
            Refusal::new(message)
                .kind("1")
                .code(format!("jakarta.validation.constraints.{kind}.message"))
                .about(path, value.to_string()),
        );
    }
}

/// Jackson reads a blank text as no instant at all.
fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn is_whole_number(number: &serde_json::Number) -> bool {
    number.as_f64().is_some_and(|size| size.fract() == 0.0 && size.abs() < 9e15)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "path\ttype\tformat\trequired\tenum\tpattern\tdefault\tflags\tconstraints\n\
        \tobject\t\t\t\t\t\tclosed\n\
        id\tstring\t\tn\t\t[0-9a-f]+\n\
        name\tstring\t\ty\n\
        age\tinteger\t\tn\t\t\t\t\tminimum=0\n\
        due\tstring\tdate-time\tn\n\
        active\tboolean\t\tn\t\t\ttrue\n\
        kind\tstring\t\tn\tbook|dvd\n\
        computed\tstring\t\tn\t\t\t\treadonly\n\
        tags\tobject\t\tn\t\t\t\tclosed\n\
        tags.list\tarray\t\tn\t\t\t\t\tuniqueItems=true\n\
        tags.list[]\tstring\t\tn\n\
        free\tobject\t\tn";

    fn check(body: Value) -> Result<Value, Vec<(String, String)>> {
        Schema::parse(TABLE).check(body, Reading::FromClient).map(|checked| checked.0).map_err(|refusals| {
            refusals.into_iter().map(|r| (r.message.clone(), r.parameters[0].0.clone())).collect()
        })
    }

    #[test]
    fn a_good_body_takes_the_stored_form() {
        let sent = json!({"name": 7, "age": "30", "due": "2026-11-21T10:00:00+01:00", "kind": null, "computed": "x",
            "tags": {"list": ["a", "a", "b"]}, "free": {"any": [1]}});
        let stored = json!({"name": "7", "age": 30, "due": "2026-11-21T09:00:00.000+00:00", "active": true,
            "tags": {"list": ["a", "b"]}, "free": {"any": [1]}});
        assert_eq!(check(sent), Ok(stored));
    }

    #[test]
    fn an_empty_text_is_no_instant() {
        for blank in ["", " "] {
            assert_eq!(
                check(json!({"name": "a", "due": blank, "tags": {}})),
                Ok(json!({"name": "a", "active": true, "tags": {}}))
            );
        }
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let faults =
            check(json!({"id": "X", "age": -1, "due": "soon", "active": "perhaps", "kind": "scroll",
            "tags": {"list": [{}], "more": 1}, "unknown": 1}))
            .unwrap_err();
        let expected = [
            ("Cannot deserialize value of type `boolean` from a string at active", "active"),
            ("must be greater than or equal to 0", "age"),
            ("Cannot deserialize value of type `java.util.Date` from String \"soon\"", "due"),
            ("must match \"[0-9a-f]+\"", "id"),
            ("kind: \"scroll\" is not one of book, dvd", "kind"),
            ("must not be null", "name"),
            ("Cannot deserialize value of type `string` from an object at tags.list[0]", "tags.list[0]"),
            ("Unrecognized field \"more\"", "tags.more"),
            ("Unrecognized field \"unknown\"", "unknown"),
        ];
        assert_eq!(faults, expected.map(|(m, p)| (m.to_owned(), p.to_owned())));
    }

    /// The same members under a root with these flags.
    fn rooted(flags: &str, body: Value) -> Result<Value, Vec<(String, String)>> {
        let lists = "\nlist\tarray\t\ty\nnames\tarray\t\tn\t\t\t\treadonly\nnames[]\tstring\t\tn\n\
            parts\tarray\t\tn\nparts[].list\tarray\t\tn\nparts[].name\tstring\t\tn\n\
            rare\tarray|null\t\tn\t\t\t\t\tminItems=1";
        let table = TABLE.replace("closed\nid", &format!("{flags}\nid")) + lists;
        let schema: &'static Schema = Schema::parse_cached(Box::leak(table.into_boxed_str()));
        schema.check(body, Reading::FromClient).map(|checked| checked.0).map_err(|refusals| {
            refusals.into_iter().map(|r| (r.message.clone(), r.parameters[0].0.clone())).collect()
        })
    }

    #[test]
    fn members_that_the_schema_does_not_name_are_refused_kept_or_dropped() {
        let sent =
            json!({"name": "a", "list": [], "more": {"deep": [1]}, "tags": {}, "parts": [{"other": 1}]});
        let refused = rooted("closed", sent.clone()).unwrap_err();
        assert_eq!(refused, [("Unrecognized field \"more\"".to_owned(), "more".to_owned())]);
        assert_eq!(rooted("", sent.clone()).unwrap()["more"], json!({"deep": [1]}));
        let dropped = rooted("drops", sent).unwrap();
        assert_eq!((dropped.get("more"), &dropped["parts"]), (None, &json!([{}])));
        assert_eq!(
            rooted("drops", json!({"name": "a", "list": [], "free": {"any": 1}})).unwrap()["free"]["any"],
            1
        );
    }

    #[test]
    fn arrays_that_were_not_sent_are_empty_and_not_missing() {
        let sent =
            json!({"name": "a", "names": ["dropped"], "tags": {}, "parts": [{"name": "p"}, {"list": null}]});
        let stored = json!({"name": "a", "active": true, "tags": {"list": []}, "list": [], "names": [],
            "parts": [{"name": "p", "list": []}, {"list": []}]});
        assert_eq!(rooted("arrays", sent.clone()), Ok(stored));
        assert_eq!(rooted("", sent).unwrap_err(), [("must not be null".to_owned(), "list".to_owned())]);
        let null = rooted("arrays", json!({"name": "a", "list": null})).unwrap_err();
        assert_eq!(
            null,
            [("must not be null".to_owned(), "list".to_owned())],
            "null is not the same as nothing"
        );
    }

    #[test]
    fn a_body_that_is_no_object_is_refused() {
        assert_eq!(
            check(json!([1])).unwrap_err()[0].0,
            "Cannot deserialize value of type `object` from an array at the body"
        );
        assert_eq!(
            check(json!(null)).unwrap_err()[0].0,
            "Cannot deserialize value of type `object` from null at the body"
        );
    }
}
