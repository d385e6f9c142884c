//! The declaration of a record type. Validation, table, indexes and searches are derived from it.

use octavo_kernel::{self as kernel, Outcome, Refusal};
use serde_json::Value;
use uuid::Uuid;

use crate::{Persons, RecordMessages, Schema};

/// The declaration of a record type: one table, one path, one schema.
///
/// It is written as a `static` that ends with `..RecordType::BASE`, so that only members that differ from `BASE` are written.
#[derive(Debug)]
pub struct RecordType {
    /// What messages call one record: `user`, `loan policy`.
    pub name: &'static str,
    /// The name of FOLIO's table, which FOLIO's error messages contain.
    pub table: &'static str,
    /// The path of the collection in the HTTP interface: `/users`.
    pub path: &'static str,
    /// The JSON member that holds the array of records in the response of a list: `users`.
    pub collection: &'static str,
    /// Whether the response of a list has FOLIO's older `resultInfo` beside `totalRecords`.
    pub result_info: bool,
    /// How many records a page of a list has if the request has no `limit`.
    pub default_limit: i64,
    /// The member by which a list is sorted in descending order if the query has no `sortBy`; `None` for the order of storage.
    pub newest_first: Option<&'static str>,
    /// The messages of this record type's responses with status 400, 404 and 422.
    pub messages: RecordMessages,
    /// The schema in the compact form of [`Schema::parse`].
    pub schema: &'static str,
    /// An SQL expression for the document in a response, if a response contains more than the stored document. `{t}` stands for the row.
    pub response_expression: Option<&'static str>,
    /// Members of the document, such as a password, whose text is never sent to a client: [`SECRET_PLACEHOLDER`] is sent instead.
    pub secrets: &'static [&'static str],
    /// Fields that CQL may search by way of a column.
    pub fields: &'static [Field],
    /// Keys: members whose values must differ between any two records.
    pub unique: &'static [Unique],
    /// Members that hold the id of another record. That record must exist, and cannot be deleted while it is referred to.
    pub references: &'static [Reference],
    /// Members that hold a list of ids of other records.
    pub list_references: &'static [ListReference],
    /// Other record types whose members a query on this record type can name.
    pub joins: &'static [Join],
    /// Whether the record has a `_version`, which a client must send back (RAML Module Builder's optimistic locking).
    pub locking: bool,
    /// Whether decisions, such as that on a check-out, read these records from the tenant's snapshot. After a change every process
    /// reads the snapshot again.
    pub snapshot: bool,
    /// If not empty, the snapshot holds only the records in which one of these members has one of these texts. Octavo itself does not
    /// read the other records, and a change of one notifies no process. If empty, the snapshot holds all records.
    pub snapshot_only: &'static [(&'static str, &'static [&'static str])],
    /// Whether a tenant has exactly one such record. Creating one replaces the record that exists.
    pub single: bool,
    /// SQL that stores every state of a record in a history. It runs in the same statement as the write of the record. `{written}` stands
    /// for the rows that were written, with `id` and `doc`; `{operation}` for `I` (insert) or `U` (update). A trigger stores what other
    /// statements write, where the column `filled` is 0, and what is deleted.
    pub history: Option<&'static str>,
    /// Which members are about persons; `None` if no member can be about a person.
    pub persons: Option<&'static Persons>,
    /// The member with the id of the patron, if decisions about the patron depend on the record. The record is then changed under the
    /// patron's lock.
    pub patron_lock_member: Option<&'static str>,
    /// Whose cached permissions become stale when a record of this type changes.
    pub stale_permissions: StalePermissions,
    /// Which writes answer a constraint violation with status 400 and text instead of status 422.
    pub plain_errors: PlainErrors,
    /// What a request does that is to replace a record which does not exist.
    pub replace_of_unknown: ReplaceOfUnknown,
    pub hooks: Hooks,
}

/// Functions of a record type that run when a record is created or updated. There are no others.
#[derive(Debug)]
pub struct Hooks {
    /// Sets members that the client did not send.
    pub default: Option<fn(&mut Value)>,
    /// Returns refusals for a document that satisfies the schema but breaks a rule that the schema cannot express.
    pub validate: Option<fn(&Value) -> Vec<Refusal>>,
    /// The same for rules about which FOLIO's module answers with status 400: returns the text of the answer.
    pub refuse_as_text: Option<fn(&Value) -> Option<String>>,
    /// Returns refusals for a document that contradicts the tenant's snapshot: policies, locations, service points.
    pub validate_with_snapshot: Option<SnapshotValidation>,
    /// Refuses a change from the stored record (first argument) to the new one (second argument).
    pub validate_change: Option<fn(&Value, &Value) -> Outcome<()>>,
    /// Computes members from the records that the reference fields in `derive_references` point to.
    pub derive: Option<fn(&mut Value, &Related<'_>)>,
    /// The reference fields whose records are read, and locked against changes, for `derive`.
    pub derive_references: &'static [&'static str],
    /// The JSON pointer of an instant that the server sets, but that a client may set in new records if it sends many of them at once.
    pub batch_instant: Option<&'static str>,
    /// The part of `hrid_settings` by which new records get a human-readable number: `instances`, `holdings`, `items`.
    pub hrid_setting: Option<&'static str>,
    /// SQL statements that update other records after a change or deletion, in the same transaction. `$1` is the id of the record.
    pub cascade: &'static [&'static str],
    /// Records with members that are computed from this record. They are updated in the same transaction.
    pub dependents: Option<Dependents>,
}

pub type SnapshotValidation = fn(&Value, &dyn SnapshotRecords) -> Vec<Refusal>;

/// The part of the tenant's snapshot that a hook can read.
pub trait SnapshotRecords {
    fn record(&self, table: &str, id: &str) -> Option<&Value>;
}

/// Records that hold the id of this record in `field`, and other members that are computed from this record.
#[derive(Debug, Clone, Copy)]
pub struct Dependents {
    pub record_type: &'static RecordType,
    pub field: &'static str,
    /// Whether a change from the first document to the second requires that the dependent records are computed again.
    pub is_affected: fn(&Value, &Value) -> bool,
    /// Computes the members of a dependent record (first argument) from this record (second argument).
    pub change: fn(&mut Value, &Value),
}

/// The records that a record refers to, each with the name of its reference field, and the record as it was stored before the change.
#[derive(Debug, Default)]
pub struct Related<'a> {
    pub records: Vec<(&'static str, Value)>,
    pub stored: Option<&'a Value>,
    /// The time of the request, in the form in which FOLIO writes times.
    pub now: &'a str,
    /// Makes a new id for a part of the record.
    pub fresh_id: Option<fn() -> Uuid>,
    pub in_batch: bool,
}

impl Related<'_> {
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.records.iter().find(|(name, _)| *name == field).map(|(_, record)| record)
    }
}

/// Writes that answer a constraint violation with status 400 and text: FOLIO's interface declares no 422 for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlainErrors {
    Deletes,
    /// Replacing and deleting.
    Changes,
    Everything,
}

/// What a request does that is to replace a record which does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplaceOfUnknown {
    /// It is answered with 404.
    Refused,
    /// It creates the record with the id in the path. The answers, also to what is refused, are those of a replacement.
    Creates,
    /// It creates the record with the id in the path. A refusal is answered as that of a creation, a success as that of a
    /// replacement.
    CreatesCheckedAsNew,
    /// It creates the record with the id in the path, and is answered as a creation is: with 201 and the record.
    CreatesAndShows,
}

/// Whose cached permissions a change of a record makes stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StalePermissions {
    Nothing,
    /// The user whose id is the id of the record.
    OneUser,
    Everybody,
}

/// A field that queries can search. The table has a column for it, which is filled from the document.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The path in the document, which is also the name of the column.
    pub path: &'static str,
    pub kind: Kind,
    pub folding: Folding,
    pub indexes: &'static [Index],
    pub array: Option<Array>,
    /// The text of the column if it is not simply the value at `path`: an SQL expression over `doc`.
    pub expression: Option<&'static str>,
    /// A Rust function that computes the same text as `expression`, so that Octavo's own statements do not need the trigger.
    pub compute: Option<ComputeText>,
    /// How many characters of a text are searched. An index entry of PostgreSQL has a limited size.
    pub max_characters: Option<u32>,
    /// An SQL expression that is evaluated at each search instead of a column. `{t}` stands for the row.
    pub lookup: Option<&'static str>,
    /// For a text that begins with a number, such as an ISBN: blanks and hyphens in the number are ignored by searches. The value is the
    /// name of another field with an index of words, in which one word begins with the same number.
    pub number_within: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Uuid,
    /// Compared as text, in the one form in which the server writes instants.
    Time,
    /// Compared as `timestamptz`: for tables whose rows are not stored as JSON documents.
    Instant,
    Number,
    /// A list of whole numbers, written as PostgreSQL writes arrays. CQL cannot search it.
    Numbers,
}

/// Computes the text of a column from a document; `None` for SQL null.
pub type ComputeText = fn(&Value) -> Option<String>;

/// How two texts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folding {
    /// Compared character by character.
    Exact,
    /// Without regard to case.
    Lower,
    /// Without regard to case and accents.
    Loose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// For equality, order and right truncation.
    Order,
    /// Like `Order`, and for an order by these other fields among records with the same value.
    OrderWithin(&'static [&'static str]),
    /// For `=`, `all`, `any`, `adj`: words.
    Words,
    /// For masks that begin with a wildcard.
    Anywhere,
}

/// An array of objects searched by one of their members, others narrowing it: `/@identifierTypeId=...`.
#[derive(Debug, Clone, Copy)]
pub struct Array {
    pub member: &'static str,
    pub modifiers: &'static [&'static str],
}

#[derive(Debug, Clone, Copy)]
pub struct Unique {
    pub fields: &'static [&'static str],
    /// An SQL condition over columns: only such records are compared.
    pub condition: Option<&'static str>,
    /// The message for the client if a value exists already, instead of RAML Module Builder's message. `{}` stands for the value.
    pub message: Option<Message>,
    /// The name of the fields in RAML Module Builder's message, instead of the expression of FOLIO's index.
    pub fields_label: Option<&'static str>,
    /// Whether the module's SQL script creates the constraint, under the name of this declaration.
    pub created_by_script: bool,
}

/// A message of a FOLIO module for a violated constraint.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub text: &'static str,
    /// The parameter that the message names; empty if FOLIO's module names none.
    pub key: &'static str,
    pub code: Option<&'static str>,
    pub kind: kernel::Kind,
}

impl Message {
    pub const fn new(kind: kernel::Kind, text: &'static str, key: &'static str) -> Message {
        Message { text, key, code: None, kind }
    }

    pub const fn code(self, code: &'static str) -> Message {
        Message { code: Some(code), ..self }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Reference {
    pub field: &'static str,
    /// The table of the record that the field refers to.
    pub table: &'static str,
    /// The messages for the client if that record does not exist, instead of RAML Module Builder's. `{}` stands for the value.
    pub message: Option<MissingMessages>,
}

/// A member with a list of ids of other records. Such a record cannot be deleted while its id is in a list.
#[derive(Debug, Clone, Copy)]
pub struct ListReference {
    pub field: &'static str,
    /// The table of the records that the ids refer to.
    pub table: &'static str,
    /// The messages for a client that adds an id to the list to which there is no record; `None` if such an id is accepted. `{}` stands
    /// for the id, `{id}` for the id of the record that has the list.
    pub message: Option<MissingMessages>,
    /// The text with status 400 for a client that deletes a record whose id is in a list. `{}` stands for the id, `{name}` for the name of
    /// the record type that has the list.
    pub still_listed: &'static str,
}

/// The messages of a FOLIO module for a reference to a record that does not exist.
#[derive(Debug, Clone, Copy)]
pub struct MissingMessages {
    /// The message with status 422; its parameter is the name of the field.
    pub refusal: &'static str,
    /// The text with status 400.
    pub plain: &'static str,
    /// The error code with status 422; with a code, the message has no parameter.
    pub code: Option<&'static str>,
}

/// A prefix under which a query names members of another record type: `holdingsRecords.permanentLocationId`.
#[derive(Debug)]
pub struct Join {
    pub alias: &'static str,
    pub hops: &'static [Hop],
}

#[derive(Debug)]
pub enum Hop {
    /// To the record whose id is in `field` of this record.
    Parent { field: &'static str, record_type: &'static RecordType },
    /// To the records whose `field` holds the id of this record.
    Children { field: &'static str, record_type: &'static RecordType },
}

impl Hop {
    pub fn target(&self) -> &'static RecordType {
        match self {
            Hop::Parent { record_type: to, .. } => to,
            Hop::Children { record_type: of, .. } => of,
        }
    }
}

impl Hooks {
    pub const NONE: Hooks = Hooks {
        default: None,
        validate: None,
        refuse_as_text: None,
        validate_with_snapshot: None,
        validate_change: None,
        derive: None,
        derive_references: &[],
        batch_instant: None,
        hrid_setting: None,
        cascade: &[],
        dependents: None,
    };
}

impl RecordType {
    pub const BASE: RecordType = RecordType {
        name: "",
        table: "",
        path: "",
        collection: "",
        result_info: false,
        default_limit: 10,
        newest_first: None,
        messages: RecordMessages::RMB,
        schema: "",
        response_expression: None,
        secrets: &[],
        fields: &[],
        unique: &[],
        references: &[],
        list_references: &[],
        joins: &[],
        locking: false,
        snapshot: false,
        snapshot_only: &[],
        single: false,
        history: None,
        persons: None,
        patron_lock_member: None,
        stale_permissions: StalePermissions::Nothing,
        plain_errors: PlainErrors::Deletes,
        replace_of_unknown: ReplaceOfUnknown::Refused,
        hooks: Hooks::NONE,
    };

    /// Whether the tenant's snapshot holds this record.
    pub fn is_in_snapshot(&self, document: &Value) -> bool {
        let has = |(member, texts): &(&str, &[&str])| {
            document[*member].as_str().is_some_and(|text| texts.contains(&text))
        };
        self.snapshot && (self.snapshot_only.is_empty() || self.snapshot_only.iter().any(has))
    }

    /// The SQL condition on `doc` for the records that the tenant's snapshot holds.
    pub fn snapshot_condition(&self) -> String {
        let has =
            |(member, texts): &(&str, &[&str])| format!("doc ->> '{member}' in ('{}')", texts.join("', '"));
        match self.snapshot_only {
            [] => self.snapshot.to_string(),
            members => members.iter().map(has).collect::<Vec<_>>().join(" or "),
        }
    }

    /// The schema, parsed at first use.
    pub fn schema(&self) -> &'static Schema {
        Schema::parse_cached(self.schema)
    }

    /// A record from its stored text; `None` if there is no text, or it is no JSON.
    pub fn parse_stored(&self, text: Option<&str>) -> Option<Value> {
        serde_json::from_str(&self.schema().with_arrays(text?)).ok()
    }

    /// SQL for the document in a response, of a row with this alias.
    pub fn response_document_sql(&self, alias: &str) -> String {
        let shown = self.response_expression.unwrap_or("{t}.doc").replace("{t}", alias);
        self.secrets.iter().fold(shown, |shown, member| {
            format!(
                "case when coalesce(({shown})::jsonb ->> '{member}', '') = '' then ({shown})::jsonb \
                 else jsonb_set(({shown})::jsonb, '{{{member}}}', '\"{SECRET_PLACEHOLDER}\"') end"
            )
        })
    }

    /// Whether a response contains the document exactly as it is stored.
    pub fn is_shown_as_stored(&self) -> bool {
        self.response_expression.is_none() && self.secrets.is_empty()
    }

    /// Replaces the secrets in a document that is sent to a client by [`SECRET_PLACEHOLDER`].
    pub fn hide_secrets(&self, document: &mut Value) {
        for member in self.secrets {
            if document[*member].as_str().is_some_and(|text| !text.is_empty()) {
                document[*member] = SECRET_PLACEHOLDER.into();
            }
        }
    }

    /// Puts the stored secrets into a document in which the client has sent back [`SECRET_PLACEHOLDER`].
    pub fn restore_secrets(&self, document: &mut Value, stored: Option<&Value>) {
        for member in self.secrets {
            if document[*member] == SECRET_PLACEHOLDER {
                let kept = stored.and_then(|stored| stored[*member].as_str());
                document[*member] = kept.unwrap_or_default().into();
            }
        }
    }

    /// The field as declared, or `None` where CQL has to look into the document.
    pub fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.path == path)
    }
}

/// The text that clients receive instead of a secret.
pub const SECRET_PLACEHOLDER: &str = "(secret, not shown)";

/// The table's name, quoted.
pub fn table_name(record: &RecordType) -> String {
    format!("{:?}", record.table)
}

impl Unique {
    pub const fn new(fields: &'static [&'static str]) -> Unique {
        Unique { fields, condition: None, message: None, fields_label: None, created_by_script: false }
    }

    pub const fn only_where(mut self, condition: &'static str) -> Unique {
        self.condition = Some(condition);
        self
    }

    pub const fn created_by_script(mut self) -> Unique {
        self.created_by_script = true;
        self
    }

    pub const fn fields_label(mut self, name: &'static str) -> Unique {
        self.fields_label = Some(name);
        self
    }

    /// Sets the message, with status 422, for a value that exists already. `key` is the parameter of the message.
    pub const fn with_refusal(mut self, text: &'static str, key: &'static str) -> Unique {
        self.message = Some(Message::new(kernel::Kind::Refused, text, key));
        self
    }

    pub const fn message(mut self, message: Message) -> Unique {
        self.message = Some(message);
        self
    }

    /// The name of the constraint, such as `users_username_unique`. PostgreSQL's error contains it, and it leads back to this declaration.
    pub fn constraint(&self, table: &str) -> String {
        let fields: Vec<String> = self.fields.iter().map(|field| field.replace('.', "_")).collect();
        format!("{table}_{}_unique", fields.join("_"))
    }
}

impl Reference {
    pub const fn new(field: &'static str, table: &'static str) -> Reference {
        Reference { field, table, message: None }
    }

    pub const fn with_messages(mut self, refusal: &'static str, plain: &'static str) -> Reference {
        self.message = Some(MissingMessages { refusal, plain, code: None });
        self
    }

    /// Sets one text for both statuses: with a code for 422, and as text for 400.
    pub const fn with_message_and_code(mut self, text: &'static str, code: &'static str) -> Reference {
        self.message = Some(MissingMessages { refusal: text, plain: text, code: Some(code) });
        self
    }

    pub fn constraint(&self, table: &str) -> String {
        format!("{table}_{}_fkey", self.field.replace('.', "_"))
    }
}

impl Field {
    const fn new(path: &'static str, kind: Kind, folding: Folding) -> Field {
        Field {
            path,
            kind,
            folding,
            indexes: &[],
            array: None,
            expression: None,
            compute: None,
            max_characters: None,
            lookup: None,
            number_within: None,
        }
    }

    /// Text compared without regard to case and accents, RAML Module Builder's default.
    pub const fn text(path: &'static str) -> Field {
        Field::new(path, Kind::Text, Folding::Loose)
    }

    pub const fn lower(path: &'static str) -> Field {
        Field::new(path, Kind::Text, Folding::Lower)
    }

    pub const fn exact(path: &'static str) -> Field {
        Field::new(path, Kind::Text, Folding::Exact)
    }

    pub const fn uuid(path: &'static str) -> Field {
        Field::new(path, Kind::Uuid, Folding::Exact)
    }

    pub const fn time(path: &'static str) -> Field {
        Field::new(path, Kind::Time, Folding::Exact)
    }

    pub const fn instant(path: &'static str) -> Field {
        Field::new(path, Kind::Instant, Folding::Exact)
    }

    pub const fn number(path: &'static str) -> Field {
        Field::new(path, Kind::Number, Folding::Exact)
    }

    pub const fn numbers(path: &'static str) -> Field {
        Field::new(path, Kind::Numbers, Folding::Exact)
    }

    /// Whether the records with a given value, or an order by it, are found by an index.
    pub(crate) fn is_ordered(&self) -> bool {
        self.indexes.iter().any(|index| matches!(index, Index::Order | Index::OrderWithin(_)))
    }

    pub const fn indexed(mut self, indexes: &'static [Index]) -> Field {
        self.indexes = indexes;
        self
    }

    pub const fn array(mut self, member: &'static str, modifiers: &'static [&'static str]) -> Field {
        self.array = Some(Array { member, modifiers });
        self
    }

    pub const fn looked_up(mut self, expression: &'static str) -> Field {
        self.lookup = Some(expression);
        self
    }

    pub const fn number_within(mut self, field: &'static str) -> Field {
        self.number_within = Some(field);
        self
    }

    pub const fn max_characters(mut self, characters: u32) -> Field {
        self.max_characters = Some(characters);
        self
    }

    pub const fn computed(mut self, expression: &'static str) -> Field {
        self.expression = Some(expression);
        self
    }

    pub const fn computed_by(mut self, by: ComputeText) -> Field {
        self.compute = Some(by);
        self
    }
}
