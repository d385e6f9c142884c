//! The shape of a record, read from a table with one line a field.
//!
//! Columns, separated by one tab, as FOLIO's JSON schemas flatten; those at the end of a line may be left out:
//! - `path`: dots for members, `[]` for the elements of an array, `{key}` for the values of a map. The line without a path is
//!   the record itself.
//! - `type`: `string`, `integer`, `number`, `boolean`, `array`, `object`, or `→ record NAME` for a record with a table of its own;
//!   anything else takes any value. `array|null`: an array that was not sent is absent, not empty.
//! - `format`: `date-time` is checked, others are not: what has to be an id is a [`crate::Field`] of that kind.
//! - `required`: `y` or `n`.
//! - `enum`: the texts that are allowed, with `|` between them. `pattern`: a regular expression that the whole text matches.
//! - `default`: the value where none was sent.
//! - `flags`: `readonly` (dropped from what clients send), `virtual` (the server's own), `closed` (no other members). Of the
//!   record itself also `drops`, `arrays` and `metadata`, see [`Schema`].
//! - `constraints`: `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, `uniqueItems`, as in `maxLength=255`.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, PoisonError, RwLock};

use regex_lite::Regex;
use serde_json::Value;

use crate::arrays::Place;

#[derive(Debug, Default)]
pub struct Schema {
    pub root: Node,
    /// Members that nothing is known of are dropped without a word, at any depth, as modules on folio-spring do.
    pub drops: bool,
    /// Arrays that were not sent are empty, as in RAML Module Builder, whose records are made with them. Where they are.
    pub arrays: Option<Place>,
    /// `metadata` is kept: who created and last changed the record, and when.
    pub metadata: bool,
}

#[derive(Debug, Default)]
pub struct Node {
    pub shape: Shape,
    /// Declared as `|null`: an array that was not sent is then absent, not empty.
    pub nullable: bool,
    pub required: bool,
    pub read_only: bool,
    pub default: Option<Value>,
    pub choices: Vec<String>,
    pub pattern: Option<Pattern>,
    pub date_time: bool,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    /// Least and most: characters of a string, elements of an array.
    pub size: (Option<usize>, Option<usize>),
    /// No two elements of an array are the same (they are stored once, as a Java set does).
    pub distinct: bool,
}

#[derive(Debug, Default)]
pub enum Shape {
    /// Any value: the schema says nothing of it.
    #[default]
    Any,
    String,
    Integer,
    Number,
    Boolean,
    /// A record of the same module with a table of its own, by name; any value fits.
    Record(String),
    Array(Box<Node>),
    Object {
        members: BTreeMap<String, Node>,
        /// The shape of members whose names are not known.
        others: Option<Box<Node>>,
        closed: bool,
    },
}

/// A pattern that a whole text must match, and the source of the pattern, which the message quotes.
#[derive(Debug)]
pub struct Pattern {
    pub text: String,
    pub regex: Regex,
}

impl Schema {
    /// The schema that a table of the program declares. Each table is parsed once.
    pub fn of(table: &'static str) -> &'static Schema {
        static KNOWN: LazyLock<RwLock<HashMap<usize, &'static Schema>>> = LazyLock::new(RwLock::default);
        let key = table.as_ptr().addr();
        if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known;
        }
        let schema: &'static Schema = Box::leak(Box::new(Schema::parse(table)));
        KNOWN.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(schema)
    }

    /// Panics on a malformed table: it is part of the program, and a test reads them all.
    pub fn parse(table: &str) -> Schema {
        let mut schema =
            Schema { root: Node { shape: Shape::object(false), ..Node::default() }, ..Schema::default() };
        let mut arrays = false;
        for line in table.lines().skip(1).filter(|line| !line.is_empty()) {
            let mut columns = line.split('\t');
            let path = columns.next().unwrap_or_default();
            let rest: Vec<&str> = columns.collect();
            if path.is_empty() {
                let flags = flags(&rest);
                schema.drops = flags.contains(&"drops");
                schema.metadata = flags.contains(&"metadata");
                arrays = flags.contains(&"arrays");
            }
            schema.root.insert(&steps(path), Node::read(&rest));
        }
        schema.arrays = Place::of(&schema.root).filter(|_| arrays);
        schema
    }
}

fn flags<'a>(columns: &[&'a str]) -> Vec<&'a str> {
    columns.get(6).copied().unwrap_or_default().split(',').collect()
}

/// `personal.addresses[].city` -> `personal`, `addresses`, `[]`, `city`.
fn steps(path: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches("[]");
        if !name.is_empty() {
            steps.push(name);
        }
        steps.extend((0..(part.len() - name.len()) / 2).map(|_| "[]"));
    }
    steps
}

impl Shape {
    fn object(closed: bool) -> Shape {
        Shape::Object { members: BTreeMap::new(), others: None, closed }
    }
}

impl Node {
    fn read(columns: &[&str]) -> Node {
        let column = |at: usize| columns.get(at).copied().unwrap_or_default();
        let flags = flags(columns);
        let kind = column(0).trim_end_matches("|null");
        let shape = match kind {
            "string" => Shape::String,
            "integer" => Shape::Integer,
            "number" => Shape::Number,
            "boolean" => Shape::Boolean,
            "array" => Shape::Array(Box::default()),
            "object" => Shape::object(flags.contains(&"closed")),
            _ => kind.strip_prefix("→ record ").map_or(Shape::Any, |name| Shape::Record(name.to_owned())),
        };
        let mut node = Node {
            nullable: kind.len() < column(0).len(),
            required: column(2) == "y",
            read_only: flags.contains(&"readonly"),
            default: read_default(column(5), &shape),
            choices: column(3).split('|').filter(|choice| !choice.is_empty()).map(String::from).collect(),
            pattern: Pattern::read(column(4)),
            date_time: column(1) == "date-time",
            shape,
            ..Node::default()
        };
        for constraint in column(7).split([' ', ',', ';']) {
            node.constrain(constraint);
        }
        node
    }

    fn constrain(&mut self, constraint: &str) {
        let Some((name, value)) = constraint.split_once('=') else { return };
        match name {
            "minimum" => self.minimum = value.parse().ok(),
            "maximum" => self.maximum = value.parse().ok(),
            "minLength" | "minItems" => self.size.0 = value.parse().ok(),
            "maxLength" | "maxItems" => self.size.1 = value.parse().ok(),
            "uniqueItems" => self.distinct = value == "true",
            _ => {}
        }
    }

    fn insert(&mut self, steps: &[&str], node: Node) {
        let Some((first, rest)) = steps.split_first() else {
            *self = node;
            return;
        };
        match (&mut self.shape, *first) {
            (Shape::Array(element), "[]") => element.insert(rest, node),
            (Shape::Object { others, .. }, "{key}") => others.get_or_insert_default().insert(rest, node),
            (Shape::Object { members, .. }, name) => {
                members.entry(name.to_owned()).or_default().insert(rest, node);
            }
            (shape, name) => {
                *shape = if name == "[]" { Shape::Array(Box::default()) } else { Shape::object(false) };
                self.insert(steps, node);
            }
        }
    }

    /// Whether this is an array that is empty, and not absent, if it was not sent.
    pub(crate) fn is_filled_array(&self) -> bool {
        matches!(self.shape, Shape::Array(_)) && !self.nullable
    }

    /// The value without members that the schema does not know, for interfaces that drop them without a word.
    pub fn known(&self, value: Value) -> Value {
        match (&self.shape, value) {
            (Shape::Array(element), Value::Array(values)) => {
                values.into_iter().map(|value| element.known(value)).collect()
            }
            (Shape::Object { members, others: None, .. }, Value::Object(sent)) if !members.is_empty() => sent
                .into_iter()
                .filter_map(|(name, value)| {
                    let value = members.get(&name)?.known(value);
                    Some((name, value))
                })
                .collect(),
            (_, value) => value,
        }
    }

    /// The node at a path, as a query or a column names it; elements of arrays are looked through.
    pub fn at(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, name| {
            let node = match &node.shape {
                Shape::Array(element) => element,
                _ => node,
            };
            match &node.shape {
                Shape::Object { members, .. } => members.get(name),
                _ => None,
            }
        })
    }
}

fn read_default(text: &str, shape: &Shape) -> Option<Value> {
    match shape {
        _ if text.is_empty() => None,
        Shape::String => Some(Value::String(text.to_owned())),
        _ => serde_json::from_str(text).ok(),
    }
}

impl Pattern {
    fn read(text: &str) -> Option<Pattern> {
        if text.is_empty() {
            return None;
        }
        let regex = Regex::new(&format!("^(?:{text})$")).unwrap_or_else(|e| panic!("pattern {text}: {e}"));
        Some(Pattern { text: text.to_owned(), regex })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_fields_becomes_a_tree() {
        let table = "path\ttype\tformat\trequired\tenum\tpattern\tdefault\tflags\tconstraints\n\
            tags.tagList\tarray\t\tn\t\t\t\t\tuniqueItems=true\n\
            tags.tagList[]\tstring\t\tn\ta|b\n\
            active\tboolean\t\ty\t\t\ttrue\n\
            map.{key}\tinteger\t\tn";
        let schema = Schema::parse(table);
        let list = schema.root.at("tags.tagList").unwrap();
        assert!(list.distinct);
        let Shape::Array(element) = &list.shape else { panic!("{list:?}") };
        assert_eq!(element.choices, ["a", "b"]);
        assert_eq!(schema.root.at("active").unwrap().default, Some(Value::Bool(true)));
        assert!(matches!(&schema.root.at("map").unwrap().shape, Shape::Object { others: Some(_), .. }));
    }

    #[test]
    fn what_is_not_part_of_a_record_can_be_left_out() {
        let table = "path\ttype\nlist[].name\tstring\nfree\tobject\nmap.{key}\tstring";
        let schema = Schema::parse(table);
        let sent = serde_json::json!({"list": [{"name": "a", "more": 1}], "free": {"b": 1}, "map": {"c": "d"}, "x": 1});
        let known = serde_json::json!({"list": [{"name": "a"}], "free": {"b": 1}, "map": {"c": "d"}});
        assert_eq!(schema.root.known(sent), known);
    }
}
