//! Mapping profiles of inventory records: the rule for each field, parsed once and applied to each record.

mod accepted;
mod apply;
mod profile;
mod read;
mod write;

pub(crate) use apply::{MappingInput, apply, apply_each};

use crate::expression::Expression;
use accepted::AcceptedValues;

/// Objects that one field makes at most.
pub(crate) const MOST_OBJECTS: usize = 1_000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Mapping {
    fields: Vec<Rule>,
    /// The tag of the MARC fields each of which makes a record of its own.
    split: Option<String>,
}

/// One field of the record.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    path: Path,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Flag(bool),
    Single(SingleValue),
    Repeatable { action: RepeatAction, groups: Vec<Group> },
}

#[derive(Debug, Clone)]
struct SingleValue {
    expression: Expression,
    accepted: AcceptedValues,
}

/// What makes one element of a list: an object, or a text.
#[derive(Debug, Clone)]
enum Group {
    Text(SingleValue),
    Object(Vec<Member>),
}

#[derive(Debug, Clone)]
struct Member {
    name: String,
    list: bool,
    required: bool,
    value: MemberValue,
}

#[derive(Debug, Clone)]
enum MemberValue {
    Flag(bool),
    Nothing,
    Single(SingleValue),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RepeatAction {
    Extend,
    Exchange,
    DeleteExisting,
    DeleteIncoming,
}

/// The path of a field in the record: the names from the outermost to the innermost member, and whether the last one is a list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    names: Vec<String>,
    list: bool,
}

impl Mapping {
    pub(crate) fn split_tag(&self) -> Option<&str> {
        self.split.as_deref()
    }
}
