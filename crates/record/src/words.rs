//! Messages of responses that refuse a request about a record, for modules whose messages differ from RAML Module Builder's.

use octavo_kernel::Kind;

/// The messages of responses with status 400, 404 and 422 about a record. `{}` stands for the id of the record.
#[derive(Debug, Clone, Copy)]
pub struct RecordMessages {
    /// The message with status 404 if the record that a request reads, replaces or deletes does not exist.
    pub not_found_on_read: &'static str,
    pub not_found_on_replace: &'static str,
    pub not_found_on_delete: &'static str,
    /// The answer if the id in the path is no UUID.
    pub invalid_id: InvalidId,
    /// Whether an id that exists already is refused with the message of the first unique key.
    pub duplicate_id_as_unique_key: bool,
    /// Status and message if the id in the body differs from the id in the path; with `None` the id in the path is used.
    pub id_mismatch: Option<(Kind, &'static str)>,
    /// Whether a body without an id is refused as one with another id.
    pub id_required: bool,
    /// The text between table and field in a message with status 400 about a reference to a record that does not exist.
    pub reference_separator: &'static str,
    /// Whether the message with status 409 about another version has the severity and the code of PostgreSQL's error around it.
    pub conflict_of_database: bool,
    /// The message with status 400 for CQL that cannot be parsed: `{query}` stands for the query, `{message}` for the error.
    pub invalid_query: Option<&'static str>,
    /// The message with status 400 for a request that deletes all records of a query, but has no query.
    pub missing_query: &'static str,
    /// The response if a constraint of PostgreSQL refuses to create, replace or delete a record. When a record is created, the message of
    /// a unique key, if it has one, is always used.
    pub on_create: ConstraintMessage,
    pub on_replace: ConstraintMessage,
    pub on_delete: ConstraintMessage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidId {
    /// As RAML Module Builder's `PgUtil` answers: text about the form of ids, with status 404 where the record is to be read, otherwise 400.
    /// Modules that are not built on RAML Module Builder answer as with `BadRequest`.
    Rmb,
    /// 400 text about the form of ids.
    BadRequest,
    /// 404 with this text where the record is to be read; otherwise 400 text.
    NotFound(&'static str),
    /// 422 with this message, whatever is to be done with the record.
    Refused(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintMessage {
    /// The message of the unique key, if it has one; otherwise RAML Module Builder's message for the constraint.
    Declared,
    /// RAML Module Builder's message for the constraint.
    Rmb,
    /// PostgreSQL's message about FOLIO's index or foreign key, as text with status 400.
    Database,
    /// This text with status 400.
    Fixed(&'static str),
}

impl RecordMessages {
    /// The messages of RAML Module Builder.
    pub const RMB: RecordMessages = RecordMessages {
        not_found_on_read: "Not found",
        not_found_on_replace: "Not found",
        not_found_on_delete: "Not found",
        invalid_id: InvalidId::Rmb,
        missing_query: "query with CQL expression is required",
        duplicate_id_as_unique_key: false,
        id_mismatch: None,
        id_required: false,
        reference_separator: ".",
        conflict_of_database: true,
        invalid_query: None,
        on_create: ConstraintMessage::Declared,
        on_replace: ConstraintMessage::Declared,
        on_delete: ConstraintMessage::Declared,
    };

    /// One message for a record that does not exist, whether the request reads, replaces or deletes it. Modules with such messages do not
    /// read by `PgUtil`.
    pub const fn not_found(text: &'static str) -> RecordMessages {
        RecordMessages {
            not_found_on_read: text,
            not_found_on_replace: text,
            not_found_on_delete: text,
            invalid_id: InvalidId::BadRequest,
            ..RecordMessages::RMB
        }
    }
}
