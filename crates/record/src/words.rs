//! The texts of refusals about a record, for modules whose texts are not RAML Module Builder's.

use octavo_kernel::Kind;

/// The texts of the answers 400, 404 and 422 about a record. In them `{}` is the record's id.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// 404 if the record that is to be read, replaced or deleted does not exist.
    pub read: &'static str,
    pub replaced: &'static str,
    pub deleted: &'static str,
    /// The answer if the id in the path is no UUID.
    pub no_uuid: NoUuid,
    /// Whether an id that exists already is refused in the words of the first unique key.
    pub id_as_value: bool,
    /// Status and text if the body has another id than the path; `None` if the path's id is then taken without a word.
    pub another_id: Option<(Kind, &'static str)>,
    /// Whether a body without an id is refused as one with another id.
    pub id_required: bool,
    /// What stands between table and field in a 400 about a reference that leads nowhere.
    pub dot: &'static str,
    /// 400 for CQL that cannot be parsed: `{query}` is the query, `{message}` what is wrong with it.
    pub query: Option<&'static str>,
    /// 400 if all records that a query finds are to be deleted and no query is given.
    pub no_query: &'static str,
    /// The answer if a constraint of the database refuses to create, replace or delete a record. A unique key with a message of its
    /// own keeps that message when a record is created.
    pub creating: Violated,
    pub replacing: Violated,
    pub deleting: Violated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoUuid {
    /// 400 text about the form of ids.
    BadRequest,
    /// 404 with this text where the record is to be read; otherwise 400 text.
    Unknown(&'static str),
    /// 422 with this message, whatever is to be done with the record.
    Refused(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violated {
    /// RAML Module Builder's words for the constraint, but the message of a unique key that has one of its own.
    Named,
    /// RAML Module Builder's words for the constraint.
    General,
    /// PostgreSQL's message about FOLIO's index or foreign key, as 400 text.
    Database,
    /// This, as 400 text.
    Said(&'static str),
}

impl Words {
    /// RAML Module Builder's own.
    pub const RMB: Words = Words {
        read: "Not found",
        replaced: "Not found",
        deleted: "Not found",
        no_uuid: NoUuid::BadRequest,
        no_query: "query with CQL expression is required",
        id_as_value: false,
        another_id: None,
        id_required: false,
        dot: ".",
        query: None,
        creating: Violated::Named,
        replacing: Violated::Named,
        deleting: Violated::Named,
    };

    /// One text for a record that is not there, whether it was to be read, replaced or deleted.
    pub const fn unknown(text: &'static str) -> Words {
        Words { read: text, replaced: text, deleted: text, ..Words::RMB }
    }
}
