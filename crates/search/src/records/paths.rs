//! The declared paths of a record type as a tree, so that one walk over a record meets the values of all fields.

use serde_json::Value;

use super::{TakeValue, ValueKind};
use crate::fields::{Field, Fields, Index};

/// A member of a record, or the record itself, in the tree of declared paths.
#[derive(Debug, Default)]
pub(super) struct PathNode {
    key: &'static str,
    /// The number of the field whose values are at this path; `None` if they are not searched.
    field: Option<usize>,
    /// Whether the values here are searched by words and as a whole. Only these give words to `cql.all`.
    words: bool,
    /// The members of the objects here, sorted by key.
    children: Vec<PathNode>,
    /// Members that count as present in each object here: key, field and value.
    defaults: Vec<(&'static str, usize, &'static str)>,
}

impl PathNode {
    /// The tree of the fields for which `wanted` returns the path below the root. It returns `None` for a field that is not below it.
    pub(super) fn tree(fields: &Fields, wanted: impl Fn(&Field) -> Option<&'static str>) -> PathNode {
        let mut root = PathNode::default();
        for (number, field) in fields.list().iter().enumerate() {
            if let (Some(path), None) = (wanted(field), field.processor) {
                root.add(path, number, field);
            }
        }
        root
    }

    fn add(&mut self, path: &'static str, number: usize, field: &Field) {
        let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
        let at = match self.children.binary_search_by(|place| place.key.cmp(key)) {
            Ok(at) => at,
            Err(at) => {
                self.children.insert(at, PathNode { key, ..PathNode::default() });
                at
            }
        };
        if let Some(rest) = rest {
            return self.children[at].add(rest, number, field);
        }
        if let Some(default) = field.default {
            self.defaults.push((key, number, default));
        }
        self.children[at].field = Some(number).filter(|_| field.index != Index::Source);
        let by_words = matches!(field.index, Index::Multilang | Index::Standard | Index::Whitespace);
        self.children[at].words = by_words && !field.words_only;
    }

    fn member(&self, key: &str) -> Option<&PathNode> {
        let at = self.children.binary_search_by(|place| place.key.cmp(key)).ok()?;
        self.children.get(at)
    }
}

/// The field that contains all text of a part of the record, and which members it takes.
#[derive(Clone, Copy)]
pub(super) struct AllText {
    pub(super) field: usize,
    pub(super) takes: fn(&str) -> bool,
}

/// Passes the values at and below a path to `take`. The recursion is as deep as the record, which the JSON parser limits.
pub(super) fn walk(value: &Value, place: Option<&PathNode>, all: Option<AllText>, take: TakeValue<'_>) {
    match value {
        Value::Null => {}
        Value::String(text) => {
            if let Some(field) = place.and_then(|place| place.field) {
                take(field, ValueKind::Value, text);
            }
            if let Some(all) = all {
                let words = place.is_some_and(|place| place.words);
                let text = text.trim();
                if !text.is_empty() {
                    take(all.field, if words { ValueKind::Value } else { ValueKind::Whole }, text);
                }
            }
        }
        Value::Bool(truth) => {
            if let Some(field) = place.and_then(|place| place.field) {
                take(field, ValueKind::Value, if *truth { "true" } else { "false" });
            }
        }
        Value::Number(number) => {
            if let Some(field) = place.and_then(|place| place.field) {
                take(field, ValueKind::Value, &number.to_string());
            }
        }
        Value::Array(list) => {
            for member in list {
                walk(member, place, all, take);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let inner = place.and_then(|place| place.member(key));
                let all = all.filter(|all| (all.takes)(key));
                if inner.is_some() || all.is_some() {
                    walk(member, inner, all, take);
                }
            }
            for &(key, field, default) in place.map_or(&[][..], |place| &place.defaults) {
                if members.get(key).is_none_or(Value::is_null) {
                    take(field, ValueKind::Value, default);
                }
            }
        }
    }
}
