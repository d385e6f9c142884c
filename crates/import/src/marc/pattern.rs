//! Which fields of a record an operation is about.

use octavo_marc::Field;
use serde_json::Value;

use super::edit::has_code;

/// A tag, two indicators and a subfield's code, each of which may be any (`*`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(super) tag: String,
    pub(super) indicators: [char; 2],
    pub(super) code: char,
}

pub(super) const ANY: char = '*';

impl Pattern {
    pub(super) fn read(field: &Value, tag: String) -> Pattern {
        let indicator = |name: &str| first(&field[name]).unwrap_or(' ');
        let code = first(&field["subfields"][0]["subfield"]).unwrap_or(ANY);
        Pattern { tag, indicators: [indicator("indicator1"), indicator("indicator2")], code }
    }

    /// Whether tag and indicators are those of the field.
    pub(super) fn names(&self, field: &Field) -> bool {
        let Field::Data { tag, indicators, .. } = field else {
            return false;
        };
        let one = |wanted: char, found: char| wanted == ANY || wanted == found;
        (self.tag == "*" || self.tag == *tag)
            && one(self.indicators[0], indicators[0])
            && one(self.indicators[1], indicators[1])
    }

    /// And whether the field has the subfield.
    pub(super) fn matches(&self, field: &Field) -> bool {
        self.names(field) && (self.code == ANY || has_code(field, self.code))
    }
}

pub(super) fn first(value: &Value) -> Option<char> {
    value.as_str()?.chars().next()
}
