//! Match profiles: which values of the incoming record are compared with which values of stored records, and how.

mod compile;
mod incoming;
mod lookup;
mod paths;
mod takes;

pub use lookup::{
    Comparison, Existing, Lookup, Number, Part, Qualifier, QualifierKind, Shape, Values, Within,
};

use std::sync::Arc;

/// A match profile, read once.
#[derive(Debug, Clone)]
pub(crate) struct Matching {
    incoming: Incoming,
    pub(crate) shape: Arc<Shape>,
    /// The list of types, if the incoming value is the name of a type and the stored value its id.
    type_list: Option<&'static str>,
}

#[derive(Debug, Clone)]
enum Incoming {
    Marc {
        tag: String,
        indicators: [Indicator; 2],
        code: Option<char>,
        qualifier: Option<Qualifier>,
        part: Option<Part>,
    },
    Text(String),
    Dates {
        from: String,
        to: String,
    },
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Indicator {
    Any,
    Is(char),
}

impl Indicator {
    fn read(text: &str) -> Indicator {
        match text.chars().next() {
            Some('*') => Indicator::Any,
            Some(character) => Indicator::Is(character),
            None => Indicator::Is(' '),
        }
    }

    pub(crate) fn matches(self, found: char) -> bool {
        match self {
            Indicator::Any => true,
            Indicator::Is(wanted) => wanted == found,
        }
    }
}
