//! Lookups: which stored records have a value of the incoming record.

use std::sync::Arc;

use uuid::Uuid;

use super::Indicator;
use crate::journal::Entity;

/// What is compared. It is the same for every record that reaches a match profile, so one SQL statement serves a whole chunk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    pub entity: Entity,
    pub existing: Existing,
    pub comparison: Comparison,
    /// If set, only these characters of the stored value and of the incoming value are compared.
    pub part: Option<Part>,
    /// If set, only stored values that satisfy this condition are compared.
    pub qualifier: Option<Qualifier>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Existing {
    /// A member of an inventory record as it is stored: `hrid`, `identifiers[].value`, `status.name`. `only` restricts the objects of a
    /// list: `("identifierTypeId", id)`.
    Member { path: String, only: Option<(String, String)> },
    /// A subfield of a MARC record; the text of a control field if there is no code. 999 ff `s` is the id of the MARC record,
    /// 999 ff `i` that of what it describes, and 001 its number.
    Field { tag: String, indicators: [Option<char>; 2], code: Option<char> },
    /// A number of an order line. The records that match are the instance, holdings or items that the line is for.
    OrderLine(Number),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// `purchaseOrderLineNumber`
    OrderLine,
    /// `vendorReferenceNumber`
    VendorReference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    Exactly,
    /// The stored value has the words of the incoming one, one after the other: `9780000000002 (pbk.)` has `9780000000002`.
    Words,
    ExistingContainsIncoming,
    IncomingContainsExisting,
    ExistingBeginsWithIncoming,
    IncomingBeginsWithExisting,
    ExistingEndsWithIncoming,
    IncomingEndsWithExisting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Numerics,
    Alphanumerics,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Qualifier {
    pub kind: QualifierKind,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QualifierKind {
    BeginsWith,
    EndsWith,
    Contains,
}

/// The lookup of one incoming record.
#[derive(Debug, Clone, PartialEq)]
pub struct Lookup {
    pub shape: Arc<Shape>,
    pub values: Values,
    pub within: Within,
    /// The most records that are needed: if one is wanted, two show that there are several.
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// A stored value has to match one of these texts.
    Texts(Vec<String>),
    /// The stored value is a day between these two, both included: `2024-01-31`.
    Dates { from: String, to: String },
}

/// Restricts a lookup to the records that an earlier match has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Within {
    Any,
    /// Records with these ids; of MARC records, those that describe records with these ids.
    Ids(Vec<Uuid>),
    /// Holdings of these instances.
    Instances(Vec<Uuid>),
    /// Items of these holdings.
    Holdings(Vec<Uuid>),
}

impl Comparison {
    pub(super) fn read(text: &str) -> Option<Comparison> {
        Some(match text {
            "EXACTLY_MATCHES" => Comparison::Exactly,
            "EXISTING_VALUE_CONTAINS_INCOMING_VALUE" => Comparison::ExistingContainsIncoming,
            "INCOMING_VALUE_CONTAINS_EXISTING_VALUE" => Comparison::IncomingContainsExisting,
            "EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE" => Comparison::ExistingBeginsWithIncoming,
            "INCOMING_VALUE_BEGINS_WITH_EXISTING_VALUE" => Comparison::IncomingBeginsWithExisting,
            "EXISTING_VALUE_ENDS_WITH_INCOMING_VALUE" => Comparison::ExistingEndsWithIncoming,
            "INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE" => Comparison::IncomingEndsWithExisting,
            _ => return None,
        })
    }

    pub(super) fn holds(self, existing: &str, incoming: &str) -> bool {
        if existing.is_empty() || incoming.is_empty() {
            return false;
        }
        match self {
            Comparison::Exactly => existing == incoming,
            Comparison::Words => has_words(existing, incoming),
            Comparison::ExistingContainsIncoming => existing.contains(incoming),
            Comparison::IncomingContainsExisting => incoming.contains(existing),
            Comparison::ExistingBeginsWithIncoming => existing.starts_with(incoming),
            Comparison::IncomingBeginsWithExisting => incoming.starts_with(existing),
            Comparison::ExistingEndsWithIncoming => existing.ends_with(incoming),
            Comparison::IncomingEndsWithExisting => incoming.ends_with(existing),
        }
    }
}

/// Whether the text has the words of `wanted` one after the other. Words are separated by blanks; punctuation around them is ignored.
fn has_words(text: &str, wanted: &str) -> bool {
    fn split_words(text: &str) -> impl Iterator<Item = &str> + Clone {
        let trimmed = text
            .split_whitespace()
            .map(|word| word.trim_matches(|character: char| !character.is_alphanumeric()));
        trimmed.filter(|word| !word.is_empty())
    }
    if text == wanted {
        return true;
    }
    let count = split_words(wanted).count();
    let found: Vec<&str> = split_words(text).collect();
    count > 0 && found.windows(count).any(|some| some.iter().copied().eq(split_words(wanted)))
}

impl Part {
    pub(super) fn extract(self, text: &str) -> String {
        let kept = |character: &char| match self {
            Part::Numerics => character.is_numeric(),
            Part::Alphanumerics => character.is_alphanumeric(),
        };
        text.chars().filter(kept).collect()
    }
}

impl Qualifier {
    pub(super) fn holds(&self, text: &str) -> bool {
        match self.kind {
            QualifierKind::BeginsWith => text.starts_with(&self.text),
            QualifierKind::EndsWith => text.ends_with(&self.text),
            QualifierKind::Contains => text.contains(&self.text),
        }
    }
}

impl Existing {
    pub(super) fn field(tag: &str, indicators: [Indicator; 2], code: Option<char>) -> Existing {
        let indicators = indicators.map(|indicator| match indicator {
            Indicator::Any => None,
            Indicator::Is(character) => Some(character),
        });
        Existing::Field { tag: tag.to_owned(), indicators, code }
    }
}
