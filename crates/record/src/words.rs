//! In which words faults about a record are told, where a module has others than RAML Module Builder.

/// In the texts, `{}` is the id.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// Of an id without a record that is read, replaced, deleted.
    pub read: &'static str,
    pub replaced: &'static str,
    pub deleted: &'static str,
    /// Of an id in the path that is no UUID.
    pub no_uuid: NoUuid,
    /// Whether an id that is taken is told as a taken value of the first unique key is.
    pub id_as_value: bool,
    /// Status and text where a replaced record comes with another id than the path's; else the path counts.
    pub another_id: Option<(u16, &'static str)>,
    /// Of a query that cannot be read, which stands for `{query}`, and what is wrong with it for `{message}`.
    pub query: Option<&'static str>,
    /// Of deleting all that a query finds where there is none.
    pub no_query: &'static str,
    /// Of a constraint that stands against creating, replacing, deleting a record. A key with a message of its own keeps it when
    /// a record is created.
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
    /// RAML Module Builder's words for the constraint.
    Named,
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
