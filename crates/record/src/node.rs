//! The shape of a record and of each of its members, as the lines of a table describe them: see [`Schema`](crate::Schema).

use std::collections::BTreeMap;

use regex_lite::Regex;
use serde_json::Value;

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
    /// The least and the greatest size: characters of a string, elements of an array.
    pub size_limits: (Option<usize>, Option<usize>),
    /// Whether equal elements of an array are stored once, as in a Java set.
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
        /// The shape of members that the schema does not declare by name.
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

impl Shape {
    pub(crate) fn object(closed: bool) -> Shape {
        Shape::Object { members: BTreeMap::new(), others: None, closed }
    }
}

impl Node {
    pub(crate) fn from_columns(columns: &[&str]) -> Node {
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
            pattern: Pattern::parse(column(4)),
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
            "minLength" | "minItems" => self.size_limits.0 = value.parse().ok(),
            "maxLength" | "maxItems" => self.size_limits.1 = value.parse().ok(),
            "uniqueItems" => self.distinct = value == "true",
            _ => {}
        }
    }

    pub(crate) fn insert(&mut self, steps: &[&str], node: Node) {
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

    /// Whether this is an array that is stored as empty, and not left out, if it was not sent.
    pub(crate) fn defaults_to_empty_array(&self) -> bool {
        matches!(self.shape, Shape::Array(_)) && !self.nullable
    }

    /// The value without members that the schema does not declare, for interfaces that ignore such members.
    pub fn without_unknown_members(&self, value: Value) -> Value {
        match (&self.shape, value) {
            (Shape::Array(element), Value::Array(values)) => {
                values.into_iter().map(|value| element.without_unknown_members(value)).collect()
            }
            (Shape::Object { members, others: None, .. }, Value::Object(sent)) if !members.is_empty() => sent
                .into_iter()
                .filter_map(|(name, value)| {
                    let value = members.get(&name)?.without_unknown_members(value);
                    Some((name, value))
                })
                .collect(),
            (_, value) => value,
        }
    }

    /// The node at a path, as a query or a column names it. A path does not name the elements of arrays.
    pub fn at_path(&self, path: &str) -> Option<&Node> {
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
    fn parse(text: &str) -> Option<Pattern> {
        if text.is_empty() {
            return None;
        }
        let regex = Regex::new(&format!("^(?:{text})$")).unwrap_or_else(|e| panic!("pattern {text}: {e}"));
        Some(Pattern { text: text.to_owned(), regex })
    }
}

/// The flags of a line, given its columns behind the path.
pub(crate) fn flags<'a>(columns: &[&'a str]) -> Vec<&'a str> {
    columns.get(6).copied().unwrap_or_default().split(',').collect()
}
