//! Records of a resource as they stand in the database, and what an index holds of them.

use std::collections::HashMap;
use std::sync::LazyLock;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Row, Session, Statement, read_each};
use octavo_search::index::{Document, Indexing, SearchIndex};
use octavo_search::names::Names;
use octavo_search::records::Types;
use octavo_search::text::Language;
use serde_json::Value;
use uuid::Uuid;

/// What there are indexes of: titles, authorities.
pub(crate) struct Resource {
    /// The name that mod-search has for it in requests and messages: `instance`.
    pub(crate) name: &'static str,
    /// The name in Octavo's messages.
    pub(crate) plural: &'static str,
    /// The names under which it is searched.
    pub(crate) names: &'static LazyLock<Names>,
    /// Raised when entries are made in another way than before: indexes of earlier releases are then made anew.
    pub(super) entries: u32,
    /// The folder of its indexes in that of the tenant.
    pub(super) folder: &'static str,
    /// The kinds of change that concern it, as triggers leave them.
    pub(super) kinds: &'static [&'static str],
    /// Counts the records.
    pub(super) count: &'static str,
    /// Read records by their ids: the record itself, and for titles holdings, items and the titles that are bound with others.
    pub(super) by_ids: &'static [&'static str],
    /// Read the same of the next 500 after an id.
    pub(super) after: &'static [&'static str],
    /// Makes what an index holds of a record.
    pub(super) entries_of: fn(&Manner, &SearchIndex, &Stored) -> Vec<Document>,
}

/// A record as it was read, a title with what belongs to it; its documents are not parsed yet.
pub(crate) struct Stored {
    pub(crate) id: Uuid,
    pub(super) record: String,
    pub(super) holdings: Vec<String>,
    pub(super) items: Vec<String>,
    pub(super) bound_with: bool,
}

impl Stored {
    /// A number that changes with any of the documents (FNV-1a).
    pub(super) fn content(&self) -> u64 {
        let documents = self.holdings.iter().chain(&self.items).map(String::as_str);
        let bound_with = if self.bound_with { "bound" } else { "" };
        let texts = [self.record.as_str(), bound_with].into_iter().chain(documents);
        // A byte that no text has stands between two of them.
        let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
        bytes
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The record itself.
    pub(crate) fn parsed(&self) -> Value {
        parse(&self.record)
    }
}

pub(super) fn parse(document: &str) -> Value {
    serde_json::from_str(document).unwrap_or_default()
}

/// How the records of a tenant are indexed.
pub(crate) struct Manner {
    pub(super) tenant: String,
    pub(super) indexing: Indexing,
    pub(super) types: Types,
}

impl Manner {
    pub(super) async fn read(session: &mut Session, tenant: &TenantId) -> Outcome<Manner> {
        let asked = [TYPES.as_slice(), &[LANGUAGES, FEATURES]].concat();
        let answers = session.batch(asked.into_iter().map(Statement::new).collect()).await?;
        let (types, others) = answers.split_at(TYPES.len());
        let (languages, features): (Vec<String>, Vec<String>) = read_each(others);
        let types = types_of(types);
        let languages = languages.iter().filter_map(|code| Language::of_code(code)).collect();
        Ok(Manner { tenant: tenant.as_str().to_owned(), indexing: Indexing { languages, features }, types })
    }
}

/// What the tenant's reference data say about types.
pub(crate) async fn types(session: &mut Session) -> Outcome<Types> {
    Ok(types_of(&session.batch(TYPES.map(Statement::new).into()).await?))
}

/// The answers to [`TYPES`].
fn types_of(answers: &[Vec<Row>]) -> Types {
    type Named = Vec<(String, String)>;
    let (identifiers, titles, call_numbers): (Named, Named, Named) = read_each(answers);
    let mut types = Types::default();
    identifiers.iter().for_each(|(id, name)| types.identifier(id, name));
    titles.iter().for_each(|(id, name)| types.alternative_title(id, name));
    call_numbers.iter().for_each(|(id, source)| types.call_number(id, source));
    types
}

const TYPES: [&str; 3] = [IDENTIFIER_TYPES, ALTERNATIVE_TITLE_TYPES, CALL_NUMBER_TYPES];

impl Resource {
    /// The records with these ids, as many of them as there are.
    pub(crate) async fn stored(&self, session: &mut Session, ids: &[Uuid]) -> Outcome<Vec<Stored>> {
        let asked = self.by_ids.iter().map(|sql| Statement::new(*sql).uuids(ids.to_vec()));
        Ok(joined(&session.batch(asked.collect()).await?))
    }

    /// The next records after an id, in the order of ids.
    pub(super) async fn stored_after(&self, session: &mut Session, id: Uuid) -> Outcome<Vec<Stored>> {
        let asked = self.after.iter().map(|sql| Statement::new(*sql).uuid(id));
        Ok(joined(&session.batch(asked.collect()).await?))
    }
}

fn joined(answers: &[Vec<Row>]) -> Vec<Stored> {
    type Documents = Vec<(Uuid, String)>;
    let Some((records, belonging)) = answers.split_first() else { return Vec::new() };
    let records: Vec<(Uuid, String)> = records.iter().map(Row::read).collect();
    let (mut holdings, mut items, mut bound) = (HashMap::new(), HashMap::new(), Vec::new());
    if !belonging.is_empty() {
        let read: (Documents, Documents, Vec<Uuid>) = read_each(belonging);
        (holdings, items, bound) = (by_record(read.0), by_record(read.1), read.2);
    }
    let stored = |(id, record)| Stored {
        id,
        record,
        holdings: holdings.remove(&id).unwrap_or_default(),
        items: items.remove(&id).unwrap_or_default(),
        bound_with: bound.contains(&id),
    };
    records.into_iter().map(stored).collect()
}

fn by_record(documents: Vec<(Uuid, String)>) -> HashMap<Uuid, Vec<String>> {
    let mut by_record: HashMap<Uuid, Vec<String>> = HashMap::new();
    for (id, document) in documents {
        by_record.entry(id).or_default().push(document);
    }
    by_record
}

const IDENTIFIER_TYPES: &str = "select id::text, coalesce(doc ->> 'name', '') from identifier_type";
const ALTERNATIVE_TITLE_TYPES: &str =
    "select id::text, coalesce(doc ->> 'name', '') from alternative_title_type";
const CALL_NUMBER_TYPES: &str = "select id::text, coalesce(doc ->> 'source', '') from call_number_type";
const FEATURES: &str = "select feature from search_feature where enabled order by feature";
const LANGUAGES: &str = "select code from search_language order by code";

octavo_pg::statements! {
    other = [IDENTIFIER_TYPES, ALTERNATIVE_TITLE_TYPES, CALL_NUMBER_TYPES, FEATURES, LANGUAGES],
}
