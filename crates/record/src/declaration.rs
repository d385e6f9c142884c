//! The declaration of a record type. Validation, table, indexes and searches are derived from it.

use octavo_kernel::{self as kernel, Outcome, Refusal};
use serde_json::Value;
use uuid::Uuid;

use crate::{Persons, Schema, Words};

/// A type of record: one table, one path, one schema.
///
/// Written as a `static` with `..RecordType::BASE`, so that only what differs is said.
#[derive(Debug)]
pub struct RecordType {
    /// One record in words: `user`, `loan policy`.
    pub name: &'static str,
    /// FOLIO's table, which its error messages name.
    pub table: &'static str,
    /// The path of the collection: `/users`.
    pub path: &'static str,
    /// The key of the array in a collection's answer: `users`.
    pub collection: &'static str,
    /// Collections carry FOLIO's older `resultInfo` beside `totalRecords`.
    pub result_info: bool,
    /// How many records a page has if the client does not say.
    pub default_limit: i64,
    /// The member by which a list comes in descending order if the query has no `sortBy`; `None` is the order of storage.
    pub newest_first: Option<&'static str>,
    /// The texts of this record type's 400, 404 and 422 answers.
    pub words: Words,
    /// The schema in the compact form of [`Schema::parse`].
    pub schema: &'static str,
    /// The document as clients see it, if that is more than what is stored: an SQL expression in which `{t}` is the row.
    pub shown: Option<&'static str>,
    /// Members of the document, such as a password, whose text no client is shown: [`HIDDEN`] stands in its place.
    pub secrets: &'static [&'static str],
    /// Fields that CQL may search by way of a column.
    pub fields: &'static [Field],
    /// Members whose values no two records share.
    pub unique: &'static [Unique],
    /// Members with ids of other records, which have to be there, and are not deleted while they are named.
    pub references: &'static [Reference],
    /// Members with lists of ids of other records.
    pub lists: &'static [ListReference],
    /// Other record types that a query on this one reaches.
    pub joins: &'static [Join],
    /// `_version` is kept and must be sent (RAML Module Builder's optimistic locking).
    pub locking: bool,
    /// Decisions read these records from the tenant's snapshot, so a change makes every process read the snapshot anew.
    pub snapshot: bool,
    /// The snapshot holds only the records in which one of these members has one of these texts: the others are nothing that
    /// Octavo itself reads, and change without telling anybody. Empty: it holds all.
    pub snapshot_only: &'static [(&'static str, &'static [&'static str])],
    /// A tenant has exactly one such record; a new one takes its place.
    pub single: bool,
    /// Every state of a record is kept, by this SQL beside the statement that writes it. In it stand `{written}`, whence
    /// it takes `id` and `doc` of what was written, and `{operation}`, `I` or `U`. What other statements write, where the
    /// column `filled` is 0, and what is deleted is for a trigger to keep.
    pub history: Option<&'static str>,
    /// Which members are about persons; `None` if no member can be.
    pub persons: Option<&'static Persons>,
    /// The member that names a patron, where decisions about that patron rest on the record: it changes under their lock.
    pub patron: Option<&'static str>,
    /// Whose remembered permissions a change of a record makes stale.
    pub grants: Grants,
    /// Which writes answer a constraint violation with 400 text instead of 422.
    pub plain_errors: Plain,
    pub hooks: Hooks,
}

/// The closed set of things that a record type may add to create and update.
#[derive(Debug)]
pub struct Hooks {
    /// Fills in what the client left out.
    pub default: Option<fn(&mut Value)>,
    /// Refuses what a schema cannot say.
    pub validate: Option<fn(&Value) -> Vec<Refusal>>,
    /// Refuses what does not agree with the tenant's snapshot: policies, locations, service points.
    pub agree: Option<Agree>,
    /// Refuses a change from the stored record (first) to the new one (second).
    pub transition: Option<fn(&Value, &Value) -> Outcome<()>>,
    /// Computes fields from the records that the references in `needs` name.
    pub derive: Option<fn(&mut Value, &Related<'_>)>,
    /// Reference fields whose records `derive` reads.
    pub needs: &'static [&'static str],
    /// The `hrid_settings` part that numbers these records: `instances`, `holdings`, `items`.
    pub numbered: Option<&'static str>,
    /// SQL that carries a change or deletion on to dependent records, in the same transaction. `$1` is the record's id.
    pub cascade: &'static [&'static str],
    /// Records with fields that are computed from this one, changed in the same transaction.
    pub dependents: Option<Dependents>,
}

pub type Agree = fn(&Value, &dyn Known) -> Vec<Refusal>;

/// The tenant's snapshot, as far as a hook needs it.
pub trait Known {
    fn record(&self, table: &str, id: &str) -> Option<&Value>;
}

/// Records that name this one in `field` and hold values computed from it.
#[derive(Debug, Clone, Copy)]
pub struct Dependents {
    pub of: &'static RecordType,
    pub field: &'static str,
    /// Whether a change from the first to the second document concerns them.
    pub concerned: fn(&Value, &Value) -> bool,
    /// Computes a dependent record anew from this one.
    pub change: fn(&mut Value, &Value),
}

/// The records that a record refers to, by the name of the reference field; and what was stored before.
#[derive(Debug, Default)]
pub struct Related<'a> {
    pub records: Vec<(&'static str, Value)>,
    pub stored: Option<&'a Value>,
    /// The clock, in FOLIO's form.
    pub now: &'a str,
    /// Fresh ids for parts of the record.
    pub fresh_id: Option<fn() -> Uuid>,
}

impl Related<'_> {
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.records.iter().find(|(name, _)| *name == field).map(|(_, record)| record)
    }
}

/// Writes whose constraint violations are told as 400 text: those of which FOLIO's interface declares no 422.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plain {
    Deletes,
    /// Replacing and deleting.
    Changes,
    Everything,
}

/// Whose remembered permissions a change of a record makes stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grants {
    Nothing,
    /// The user with the record's own id.
    OneUser,
    Everybody,
}

/// A field that is searched: it gets a column of its own, generated from the document.
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
    /// Gives what `expression` gives, so that the engine's statements need no trigger.
    pub reckoned: Option<Reckoned>,
    /// How many characters of a text are searched; an index entry has no room for more.
    pub longest: Option<u32>,
    /// Not kept in a column but looked up at each search: an SQL expression in which `{t}` is the row.
    pub lookup: Option<&'static str>,
    /// The text begins with a number, which is searched without the blanks and hyphens in it. This other field has an index of its words, among
    /// which is one that begins with the number.
    pub number_within: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Uuid,
    /// Compared as text, in the one form in which the server writes instants.
    Time,
    /// Compared as `timestamptz`: for tables that records do not stand in as documents.
    Instant,
    Number,
    /// A list of whole numbers, written as PostgreSQL writes arrays. CQL does not reach it.
    Numbers,
}

/// The text of a column, of a document; `None` is null.
pub type Reckoned = fn(&Value) -> Option<String>;

/// How two texts are held to be the same.
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
    pub only: Option<&'static str>,
    /// What the client is told instead of RAML Module Builder's message; `{}` is the value.
    pub message: Option<Message>,
    /// What that message calls the fields, instead of the expression of FOLIO's index.
    pub called: Option<&'static str>,
    /// The module's script makes the constraint, under this one's name.
    pub elsewhere: bool,
}

/// A message of FOLIO's own for a constraint.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub text: &'static str,
    /// Empty where FOLIO names no field.
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
    /// The table that the field points into.
    pub table: &'static str,
    /// What the client is told instead of RAML Module Builder's message when nothing is there; `{}` is the value.
    pub message: Option<Missing>,
}

/// A member with a list of ids of other records, which are not deleted while they are named.
#[derive(Debug, Clone, Copy)]
pub struct ListReference {
    pub field: &'static str,
    /// The table that the ids point into.
    pub table: &'static str,
    /// What the client is told that newly names what is not there, which otherwise is taken. `{}` is the value, `{id}` the record's own id.
    pub absent: Option<Missing>,
}

/// A module's own words for a reference that leads nowhere.
#[derive(Debug, Clone, Copy)]
pub struct Missing {
    /// The message of a 422, whose key is the field.
    pub refusal: &'static str,
    /// The text of a 400.
    pub plain: &'static str,
    /// The code of the 422, which then names no field.
    pub code: Option<&'static str>,
}

/// A name under which a query reaches another record type: `holdingsRecords.permanentLocationId`.
#[derive(Debug)]
pub struct Join {
    pub alias: &'static str,
    pub hops: &'static [Hop],
}

#[derive(Debug)]
pub enum Hop {
    /// To the record that `field` of this one names.
    Parent { field: &'static str, to: &'static RecordType },
    /// To the records whose `field` names this one.
    Children { field: &'static str, of: &'static RecordType },
}

impl Hop {
    pub fn target(&self) -> &'static RecordType {
        match self {
            Hop::Parent { to, .. } => to,
            Hop::Children { of, .. } => of,
        }
    }
}

impl Hooks {
    pub const NONE: Hooks = Hooks {
        default: None,
        validate: None,
        agree: None,
        transition: None,
        derive: None,
        needs: &[],
        numbered: None,
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
        words: Words::RMB,
        schema: "",
        shown: None,
        secrets: &[],
        fields: &[],
        unique: &[],
        references: &[],
        lists: &[],
        joins: &[],
        locking: false,
        snapshot: false,
        snapshot_only: &[],
        single: false,
        history: None,
        persons: None,
        patron: None,
        grants: Grants::Nothing,
        plain_errors: Plain::Deletes,
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
        Schema::of(self.schema)
    }

    /// A record from its stored text; `None` if there is no text, or it is no JSON.
    pub fn read(&self, text: Option<&str>) -> Option<Value> {
        serde_json::from_str(&self.schema().with_arrays(text?)).ok()
    }

    /// SQL for the document as clients see it, of a row under an alias.
    pub fn document(&self, alias: &str) -> String {
        let shown = self.shown.unwrap_or("{t}.doc").replace("{t}", alias);
        self.secrets.iter().fold(shown, |shown, member| {
            format!(
                "case when coalesce(({shown})::jsonb ->> '{member}', '') = '' then ({shown})::jsonb \
                 else jsonb_set(({shown})::jsonb, '{{{member}}}', '\"{HIDDEN}\"') end"
            )
        })
    }

    /// Whether clients see the document as it is stored.
    pub fn is_shown_as_stored(&self) -> bool {
        self.shown.is_none() && self.secrets.is_empty()
    }

    /// A document that a client is shown, as far as its secrets go.
    pub fn hide_secrets(&self, document: &mut Value) {
        for member in self.secrets {
            if document[*member].as_str().is_some_and(|text| !text.is_empty()) {
                document[*member] = HIDDEN.into();
            }
        }
    }

    /// Puts the stored secrets where a client has sent back what it was shown.
    pub fn keep_secrets(&self, document: &mut Value, stored: Option<&Value>) {
        for member in self.secrets {
            if document[*member] == HIDDEN {
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

/// What clients are shown in the place of a secret.
pub const HIDDEN: &str = "(secret, not shown)";

/// The table's name, quoted.
pub fn table_name(record: &RecordType) -> String {
    format!("{:?}", record.table)
}

impl Unique {
    pub const fn of(fields: &'static [&'static str]) -> Unique {
        Unique { fields, only: None, message: None, called: None, elsewhere: false }
    }

    pub const fn only(mut self, condition: &'static str) -> Unique {
        self.only = Some(condition);
        self
    }

    pub const fn elsewhere(mut self) -> Unique {
        self.elsewhere = true;
        self
    }

    pub const fn called(mut self, name: &'static str) -> Unique {
        self.called = Some(name);
        self
    }

    /// 422 with a message of the module's own.
    pub const fn says(mut self, text: &'static str, key: &'static str) -> Unique {
        self.message = Some(Message::new(kernel::Kind::Refused, text, key));
        self
    }

    pub const fn message(mut self, message: Message) -> Unique {
        self.message = Some(message);
        self
    }

    /// `users_username_unique`; the name is how a violation finds its way back to this declaration.
    pub fn constraint(&self, table: &str) -> String {
        let fields: Vec<String> = self.fields.iter().map(|field| field.replace('.', "_")).collect();
        format!("{table}_{}_unique", fields.join("_"))
    }
}

impl Reference {
    pub const fn new(field: &'static str, table: &'static str) -> Reference {
        Reference { field, table, message: None }
    }

    pub const fn says(mut self, refusal: &'static str, plain: &'static str) -> Reference {
        self.message = Some(Missing { refusal, plain, code: None });
        self
    }

    /// The same words under 422 with a code, and under 400.
    pub const fn says_with_code(mut self, text: &'static str, code: &'static str) -> Reference {
        self.message = Some(Missing { refusal: text, plain: text, code: Some(code) });
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
            reckoned: None,
            longest: None,
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

    pub const fn up_to(mut self, characters: u32) -> Field {
        self.longest = Some(characters);
        self
    }

    pub const fn computed(mut self, expression: &'static str) -> Field {
        self.expression = Some(expression);
        self
    }

    pub const fn reckoned(mut self, by: Reckoned) -> Field {
        self.reckoned = Some(by);
        self
    }
}
