//! A workflow: what one user does repeatedly, as calls, values taken from their answers, loops over these values, and pauses. Testers write
//! workflows as files; `docs/lab.md` describes the language.
//!
//! This module uses no clock and no network. A workflow that was read is complete: every name in it is replaced by the slot of a value.

mod fields;
mod path;
mod read;
mod scope;
mod steps;
mod template;
#[cfg(test)]
mod tests;

use regex_lite::Regex;
use serde_json::Value;

pub(crate) use path::{JsonPath, as_text};
pub(crate) use read::read;
pub use template::encode_value;
pub(crate) use template::{Part, Template};

/// The slot of a value: its index among the values of a virtual user.
pub(crate) type Slot = usize;

/// Names that every workflow knows. Their slots are the first ones, in this order.
pub(crate) const BUILT_IN: [(&str, &str); 5] = [
    ("now", "the time, as FOLIO writes it"),
    ("new-id", "a fresh UUID, another one at each use"),
    ("user", "the number of the virtual user, from 1"),
    ("loop", "how often this user has begun this transaction, from 0"),
    ("server", "the address of the server that is measured, without a path"),
];
pub(crate) const NOW: Slot = 0;
pub(crate) const NEW_ID: Slot = 1;
pub(crate) const USER: Slot = 2;
pub(crate) const LOOP: Slot = 3;
pub(crate) const SERVER: Slot = 4;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Workflow {
    pub(crate) name: String,
    pub(crate) about: String,
    /// Whether it changes anything on the server.
    pub(crate) writes: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) feeders: Vec<Feeder>,
    pub(crate) transactions: Vec<Transaction>,
    pub(crate) calls: Vec<Call>,
    /// The names of calls in reports; several calls may share one.
    pub(crate) labels: Vec<String>,
    /// The name of the value in each slot.
    pub(crate) names: Vec<String>,
}

/// A value that an experiment may set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) slot: Slot,
    pub(crate) value: String,
}

/// Rows of values that are handed out one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Feeder {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// True: each row is used at most once in a run. False: after the last row comes the first again.
    pub(crate) once: bool,
    pub(crate) fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) slot: Slot,
    /// The JSON path of the field in a record of the API. A file has a column of the field's name instead.
    pub(crate) path: Option<JsonPath>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// A file with commas and a first line of names, beside the workflow.
    File(String),
    /// Records that are read from the server before the run, page by page.
    Api { target: Template<Slot>, each: JsonPath, most: usize, having: Option<Having> },
}

/// Makes a row for each value of `field` that is in at least `least` and at most `most` records.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Having {
    pub(crate) field: JsonPath,
    pub(crate) least: Amount,
    pub(crate) most: Amount,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transaction {
    pub(crate) name: String,
    /// How often it is done, in proportion to the other transactions' shares.
    pub(crate) share: f64,
    /// The feeders of which each loop takes the next row.
    pub(crate) feeders: Vec<usize>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) only_if: Option<Condition>,
    pub(crate) action: Action,
}

/// A condition on a value, which must hold before a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    pub(crate) slot: Slot,
    pub(crate) test: ConditionTest,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConditionTest {
    Found,
    Is(Template<Slot>),
    IsNot(Template<Slot>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    Call(usize),
    /// Seconds, drawn evenly from the range.
    Think(f64, f64),
    Each {
        value: Slot,
        list: Slot,
        steps: Vec<Step>,
    },
    Repeat {
        times: Amount,
        steps: Vec<Step>,
    },
    Steps(Vec<Step>),
    /// One of the alternatives each time, drawn by their shares.
    Choice(Vec<Alternative>),
    Set(Slot, Template<Slot>),
    /// The row of a feeder that this transaction took becomes the last row of another feeder: the slots of its values, in the
    /// order of that feeder's fields.
    Move {
        to: usize,
        values: Vec<Slot>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alternative {
    pub(crate) share: f64,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) label: usize,
    pub(crate) method: &'static str,
    pub(crate) target: Template<Slot>,
    pub(crate) headers: Vec<(String, Template<Slot>)>,
    pub(crate) body: Option<Body>,
    /// Empty: any from 200 to 299.
    pub(crate) expect: Vec<u16>,
    /// Answers that are counted apart from errors, and end the transaction.
    pub(crate) refused: Vec<u16>,
    pub(crate) take: Vec<Take>,
    pub(crate) find: Vec<Find>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Take {
    pub(crate) slot: Slot,
    pub(crate) path: JsonPath,
    /// Whether one of all values that are found is drawn, each as often; else the first is taken.
    pub(crate) any: bool,
    pub(crate) when_missing: WhenMissing,
}

/// What happens if an answer lacks a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum WhenMissing {
    Error,
    /// The value stays unset, and steps with an `if` on it are left out.
    Nothing,
    /// This text is used instead.
    Text(String),
}

/// A value by a regular expression: the first group of its first match in the answer.
#[derive(Debug, Clone)]
pub(crate) struct Find {
    pub(crate) slot: Slot,
    pub(crate) pattern: Regex,
    /// The text that is used if there is no match.
    pub(crate) default_text: Option<String>,
}

impl PartialEq for Find {
    fn eq(&self, other: &Find) -> bool {
        self.slot == other.slot
            && self.pattern.as_str() == other.pattern.as_str()
            && self.default_text == other.default_text
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Object(Vec<(String, Body)>),
    List(Vec<Body>),
    Text(Template<Slot>),
    Plain(Value),
    /// A list of the next values of a feeder; more of them with each loop.
    Feed {
        feeder: usize,
        field: usize,
        count: Amount,
        grow: Amount,
        most: Amount,
    },
    /// No JSON: sent as it is.
    Raw(Template<Slot>),
}

/// A number in the file, or a parameter that holds one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Amount {
    Fixed(u64),
    Parameter(Slot),
}

impl Call {
    pub(crate) fn is_expected(&self, status: u16) -> bool {
        match self.expect.as_slice() {
            [] => (200..300).contains(&status),
            expect => expect.contains(&status),
        }
    }
}
