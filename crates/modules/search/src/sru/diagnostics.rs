//! SRU diagnostics: errors by their numbers in the protocol. Pure.

/// A diagnostic of `info:srw/diagnostic/1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagnostic {
    pub(super) number: u16,
    pub(super) details: String,
}

/// The numbers of the diagnostics that Octavo uses, with the protocol's messages.
const MESSAGES: &[(u16, &str)] = &[
    (1, "General system error"),
    (4, "Unsupported operation"),
    (5, "Unsupported version"),
    (6, "Unsupported parameter value"),
    (7, "Mandatory parameter not supplied"),
    (8, "Unsupported parameter"),
    (10, "Query syntax error"),
    (15, "Unsupported context set"),
    (16, "Unsupported index"),
    (19, "Unsupported relation"),
    (20, "Unsupported relation modifier"),
    (36, "Term in invalid format for index or relation"),
    (61, "First record position out of range"),
    (66, "Unknown schema for retrieval"),
    (71, "Unsupported recordPacking value"),
    (80, "Sort not supported"),
    (88, "Sort spec included unsupported path or index"),
];

pub(super) fn diagnostic(number: u16, details: impl Into<String>) -> Diagnostic {
    Diagnostic { number, details: details.into() }
}

impl Diagnostic {
    pub(super) fn uri(&self) -> String {
        format!("info:srw/diagnostic/1/{}", self.number)
    }

    pub(super) fn message(&self) -> &'static str {
        let known = MESSAGES.iter().find(|(number, _)| *number == self.number);
        known.map_or("General system error", |(_, message)| message)
    }
}
