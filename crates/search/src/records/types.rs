//! What the reference data of a tenant say about types: mod-search finds them by name, not by id.

use std::collections::{HashMap, HashSet};

/// The number that identifiers of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Isbn,
    Issn,
    Oclc,
    Lccn,
}

/// The types that processors ask for, by id.
#[derive(Clone, Debug, Default)]
pub struct Types {
    identifiers: HashMap<String, Number>,
    uniform_titles: HashSet<String>,
    folio_call_numbers: HashSet<String>,
}

/// The names of the identifier types, in lower case: mod-inventory-storage compares names without regard to it.
///
/// FOLIO's own type of cancelled LCCNs is spelled `Cancelled`, which mod-search does not ask for, so their numbers are not found.
const NUMBERS: [(&str, Number); 9] = [
    ("isbn", Number::Isbn),
    ("invalid isbn", Number::Isbn),
    ("issn", Number::Issn),
    ("invalid issn", Number::Issn),
    ("linking issn", Number::Issn),
    ("oclc", Number::Oclc),
    ("cancelled oclc", Number::Oclc),
    ("lccn", Number::Lccn),
    ("canceled lccn", Number::Lccn),
];

impl Types {
    /// Notes an identifier type.
    pub fn identifier(&mut self, id: &str, name: &str) {
        if let Some((_, number)) = NUMBERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            self.identifiers.insert(id.to_owned(), *number);
        }
    }

    /// Notes an alternative title type.
    pub fn alternative_title(&mut self, id: &str, name: &str) {
        if name.eq_ignore_ascii_case("uniform title") {
            self.uniform_titles.insert(id.to_owned());
        }
    }

    /// Notes a call number type, whose source is `system`, `folio` or `local`.
    pub fn call_number(&mut self, id: &str, source: &str) {
        if source.eq_ignore_ascii_case("folio") {
            self.folio_call_numbers.insert(id.to_owned());
        }
    }

    pub(super) fn number(&self, identifier_type: &str) -> Option<Number> {
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
