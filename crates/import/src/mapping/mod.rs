//! Mapping profiles of inventory records: what each field becomes, read once and laid over a record.

mod accepted;
mod apply;
mod profile;
mod read;
mod write;

pub(crate) use apply::{From, apply, apply_each};

use crate::expression::Expression;
use accepted::Accepted;

/// Objects that one field makes at most.
pub(crate) const MOST_OBJECTS: usize = 1_000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Mapping {
    fields: Vec<Rule>,
    /// The tag of the fields that each stand for a record of their own.
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
    Single(Single),
    Repeatable { action: Repeat, groups: Vec<Group> },
}

#[derive(Debug, Clone)]
struct Single {
    expression: Expression,
    accepted: Accepted,
}

/// What becomes one object, or one text, of a list.
#[derive(Debug, Clone)]
enum Group {
    Text(Single),
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
    Single(Single),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Extend,
    Exchange,
    DeleteExisting,
    DeleteIncoming,
}

/// Where the field is in the record: names from the outside in, and whether the last is a list.
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
