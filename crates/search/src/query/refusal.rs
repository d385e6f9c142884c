//! Why a query is not answered, in mod-search's words.

/// A query that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A value that is not allowed: `message`, the parameter's name and its value.
    Invalid { message: &'static str, key: String, value: String },
    /// Not a date, where one is compared.
    Date { field: String, value: String },
    /// A comparison that mod-search does not know.
    Unsupported(String),
    /// The term cannot be read.
    Malformed(String),
}

impl Refusal {
    pub(crate) fn field(name: &str) -> Refusal {
        let message = "Invalid search field provided in the CQL query";
        Refusal::Invalid { message, key: "field".to_owned(), value: name.to_owned() }
    }

    pub(crate) fn comparator(comparator: &str) -> Refusal {
        let comparator = comparator.to_lowercase();
        Refusal::Unsupported(format!(
            "Failed to parse CQL query. Comparator '{comparator}' is not supported."
        ))
    }
}
