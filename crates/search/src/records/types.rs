//! What the reference data of a tenant say about types: mod-search finds them by name, not by id.

use std::collections::{HashMap, HashSet};

/// Which standard number an identifier type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdentifierKind {
    Isbn,
    Issn,
    Oclc,
    Lccn,
}

/// The ids of those types of reference data that computed fields depend on.
#[derive(Clone, Debug, Default)]
pub struct ReferenceTypes {
    identifiers: HashMap<String, IdentifierKind>,
    uniform_titles: HashSet<String>,
    folio_call_numbers: HashSet<String>,
}

/// The names of the identifier types, in lower case: mod-inventory-storage compares names without regard to it.
///
/// FOLIO's own type of cancelled LCCNs is spelled `Cancelled`, which mod-search does not ask for, so their numbers are not found.
const IDENTIFIER_TYPES: [(&str, IdentifierKind); 9] = [
    ("isbn", IdentifierKind::Isbn),
    ("invalid isbn", IdentifierKind::Isbn),
    ("issn", IdentifierKind::Issn),
    ("invalid issn", IdentifierKind::Issn),
    ("linking issn", IdentifierKind::Issn),
    ("oclc", IdentifierKind::Oclc),
    ("cancelled oclc", IdentifierKind::Oclc),
    ("lccn", IdentifierKind::Lccn),
    ("canceled lccn", IdentifierKind::Lccn),
];

impl ReferenceTypes {
    /// Adds an identifier type.
    pub fn add_identifier_type(&mut self, id: &str, name: &str) {
        if let Some((_, number)) = IDENTIFIER_TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
        {
            self.identifiers.insert(id.to_owned(), *number);
        }
    }

    /// Adds an alternative title type.
    pub fn add_title_type(&mut self, id: &str, name: &str) {
        if name.eq_ignore_ascii_case("uniform title") {
            self.uniform_titles.insert(id.to_owned());
        }
    }

    /// Adds a call number type, whose source is `system`, `folio` or `local`.
    pub fn add_call_number_type(&mut self, id: &str, source: &str) {
        if source.eq_ignore_ascii_case("folio") {
            self.folio_call_numbers.insert(id.to_owned());
        }
    }

    pub(super) fn identifier_kind(&self, identifier_type: &str) -> Option<IdentifierKind> {
        self.identifiers.get(identifier_type).copied()
    }

    pub(super) fn is_uniform_title(&self, alternative_title_type: &str) -> bool {
        self.uniform_titles.contains(alternative_title_type)
    }

    /// Whether a call number type is one that FOLIO brings and that has no shelving order of its own.
    pub(super) fn is_folio_call_number(&self, call_number_type: &str) -> bool {
        self.folio_call_numbers.contains(call_number_type)
    }
}
