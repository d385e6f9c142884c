//! Records of a resource as they stand in the database, and what an index holds of them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use octavo_kernel::{Fault, Outcome, TenantId};
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
    pub(super) table: &'static str,
    /// Counts the records.
    pub(super) count: &'static str,
    /// Reads the records in some blocks of their table, from the first up to the second, without it.
    pub(super) in_blocks: &'static str,
    /// Reads records by their ids.
    pub(super) by_ids: &'static str,
    /// Read what belongs to records, by their ids: of titles the holdings, the items, and which are bound with others.
    pub(super) belonging: &'static [&'static str],
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

/// So many records are read at a time, on average, and so many blocks of their table at most.
const AT_ONCE: u64 = 500;
const MOST_BLOCKS: u64 = 500;

impl Resource {
    /// The records with these ids, as many of them as there are.
    pub(crate) async fn stored(&self, session: &mut Session, ids: &[Uuid]) -> Outcome<Vec<Stored>> {
        let asked = [self.by_ids].into_iter().chain(self.belonging.iter().copied());
        let asked = asked.map(|sql| Statement::new(sql).uuids(ids.to_vec()));
        let answers = session.batch(asked.collect()).await?;
        let Some((records, belonging)) = answers.split_first() else { return Ok(Vec::new()) };
        Ok(joined(records.iter().map(Row::read).collect(), belonging))
    }

    /// The table as it is now.
    pub(super) async fn extent(&self, session: &mut Session) -> Outcome<Extent> {
        let answers =
            session.batch(vec![Statement::new(self.count), Statement::new(BLOCKS).text(self.table)]).await?;
        let (records, table): (Vec<i64>, Vec<(i64, i64)>) = read_each(&answers);
        let (blocks, file) = table.first().copied().unwrap_or_default();
        let records = records.first().copied().unwrap_or_default();
        Ok(Extent { records: records.unsigned_abs(), blocks: blocks.unsigned_abs(), file })
    }

    /// Fails if the records of a table may have moved to other blocks without being changed since it was looked at.
    pub(super) async fn is_still(&self, session: &mut Session, extent: Extent) -> Outcome<()> {
        let table: Option<(i64, i64)> = session.read(Statement::new(BLOCKS).text(self.table)).await?;
        if table.is_some_and(|(_, file)| file == extent.file) {
            return Ok(());
        }
        Err(Fault::internal(format!("the table {} was rewritten while it was read", self.table)))
    }

    /// The records in these blocks of their table, so that records are read in the order in which they lie. What is written meanwhile
    /// may be read twice, or not at all: those who ask look at the changes since they began.
    pub(super) async fn stored_in(&self, session: &mut Session, blocks: Range<u64>) -> Outcome<Vec<Stored>> {
        let place = |block: u64| format!("({block},0)");
        let asked = Statement::new(self.in_blocks).text(place(blocks.start)).text(place(blocks.end));
        let records: Vec<(Uuid, String)> = session.read(asked).await?;
        let ids: Vec<Uuid> = records.iter().map(|(id, _)| *id).collect();
        let asked = self.belonging.iter().map(|sql| Statement::new(*sql).uuids(ids.clone()));
        Ok(joined(records, &session.batch(asked.collect()).await?))
    }
}

/// The records with what belongs to them.
fn joined(records: Vec<(Uuid, String)>, belonging: &[Vec<Row>]) -> Vec<Stored> {
    type Documents = Vec<(Uuid, String)>;
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

/// The extent of a table.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) records: u64,
    pub(super) blocks: u64,
    /// PostgreSQL's number of the file, which is another after `VACUUM FULL` or `CLUSTER`.
    file: i64,
}

impl Extent {
    /// The blocks between two in pieces that are read at a time.
    pub(super) fn pieces(self, blocks: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let step = (AT_ONCE * self.blocks / self.records.max(1)).clamp(1, MOST_BLOCKS);
        let end = blocks.end;
        blocks.step_by(step as usize).map(move |first| first..end.min(first + step))
    }
}

fn by_record(documents: Vec<(Uuid, String)>) -> HashMap<Uuid, Vec<String>> {
    let mut by_record: HashMap<Uuid, Vec<String>> = HashMap::new();
    for (id, document) in documents {
        by_record.entry(id).or_default().push(document);
    }
    by_record
}

const BLOCKS: &str = "\
select pg_relation_size($1::text::regclass) / current_setting('block_size')::int8,
  pg_relation_filenode($1::text::regclass)::int8";
const IDENTIFIER_TYPES: &str = "select id::text, coalesce(doc ->> 'name', '') from identifier_type";
const ALTERNATIVE_TITLE_TYPES: &str =
    "select id::text, coalesce(doc ->> 'name', '') from alternative_title_type";
const CALL_NUMBER_TYPES: &str = "select id::text, coalesce(doc ->> 'source', '') from call_number_type";
const FEATURES: &str = "select feature from search_feature where enabled order by feature";
const LANGUAGES: &str = "select code from search_language order by code";

octavo_pg::statements! {
    other = [BLOCKS, IDENTIFIER_TYPES, ALTERNATIVE_TITLE_TYPES, CALL_NUMBER_TYPES, FEATURES, LANGUAGES],
}
