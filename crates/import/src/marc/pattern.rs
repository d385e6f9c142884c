//! Patterns that select the fields and subfields of an operation.

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
        let indicator = |name: &str| first_char(&field[name]).unwrap_or(' ');
        let code = first_char(&field["subfields"][0]["subfield"]).unwrap_or(ANY);
        Pattern { tag, indicators: [indicator("indicator1"), indicator("indicator2")], code }
    }

    /// Whether tag and indicators are those of the field.
    pub(super) fn matches_tag_and_indicators(&self, field: &Field) -> bool {
        let Field::Data { tag, indicators, .. } = field else {
            return false;
        };
        let one = |wanted: char, found: char| wanted == ANY || wanted == found;
        (self.tag == "*" || self.tag == *tag)
            && one(self.indicators[0], indicators[0])
            && one(self.indicators[1], indicators[1])
    }

    /// Whether tag and indicators match, and the field has a subfield with the code.
    pub(super) fn matches(&self, field: &Field) -> bool {
        self.matches_tag_and_indicators(field) && (self.code == ANY || has_code(field, self.code))
    }
}

pub(super) fn first_char(value: &Value) -> Option<char> {
    value.as_str()?.chars().next()
}
