//! The syntax of values in the fields of a mapping profile: `"text"`, `945$a`, `980$b " " 980$c`, `945$a; else "x"`,
//! `008/36-38`, `LDR/7`, `###TODAY###`, `###REMOVE###`.

mod dates;
mod parse;
mod read;

pub(crate) use read::{Reading, Value};

/// The most values that one part of an expression gives.
pub(crate) const MOST_VALUES: usize = 1_000;

/// Alternatives; the first that gives a value is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    alternatives: Vec<Vec<Part>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A subfield of every field with this tag; the text of a control field if there is no code.
    Field {
        tag: String,
        code: Option<char>,
    },
    /// Characters of a control field, or of the leader, from the first to before the second, counted from 0.
    Positions {
        tag: Option<String>,
        from: usize,
        to: usize,
    },
    Today,
    Remove,
}

impl Expression {
    /// The tag of the field that the value comes from, if the first alternative begins with a field.
    pub(crate) fn first_tag(&self) -> Option<&str> {
        match self.alternatives.first().map(Vec::as_slice) {
            Some([Part::Field { tag, .. }]) => Some(tag),
            _ => None,
        }
    }
}
