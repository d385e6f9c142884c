//! Reads the records of a resource from the database, for their entries in an index.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Row, Session, Statement, read_each};
use octavo_search::index::{Document, IndexingOptions, SearchIndex};
use octavo_search::names::Names;
use octavo_search::records::ReferenceTypes;
use octavo_search::text::Language;
use serde_json::Value;
use uuid::Uuid;

/// A resource that has an index: titles, or authorities.
pub(crate) struct Resource {
    /// mod-search's name for the resource in requests and messages: `instance`.
    pub(crate) name: &'static str,
    /// The name in Octavo's messages.
    pub(crate) plural: &'static str,
    /// The CQL indexes by which the resource is searched.
    pub(crate) names: &'static LazyLock<Names>,
    /// Increased in each release that makes entries in another way: indexes of earlier releases are then rebuilt.
    pub(super) entries_version: u32,
    /// The folder of the resource's indexes within the folder of the tenant.
    pub(super) folder: &'static str,
    /// The kinds of change, as triggers record them, that concern the resource.
    pub(super) kinds: &'static [&'static str],
    pub(super) table: &'static str,
    /// The SQL that counts the records.
    pub(super) count_sql: &'static str,
    /// The SQL that reads the records in blocks of their table, from a first block up to, but without, a last one.
    pub(super) in_blocks_sql: &'static str,
    /// The SQL that reads records by their ids.
    pub(super) by_ids_sql: &'static str,
    /// The SQL that reads related records by ids: for titles their holdings, their items, and which of them are bound with others.
    pub(super) related_sql: &'static [&'static str],
    /// Makes the index entries of a record.
    pub(super) entries_of: fn(&IndexingRules, &SearchIndex, &StoredRecord) -> Vec<Document>,
}

/// A record as it was read from the database, a title with its related records. The documents are not parsed yet.
pub(crate) struct StoredRecord {
    pub(crate) id: Uuid,
    pub(super) record: String,
    pub(super) holdings: Vec<String>,
    pub(super) items: Vec<String>,
    pub(super) bound_with: bool,
}

impl StoredRecord {
    /// A hash (FNV-1a) of all documents of the record: it changes with any of them.
    pub(super) fn content_hash(&self) -> u64 {
        let documents = self.holdings.iter().chain(&self.items).map(String::as_str);
        let bound_with = if self.bound_with { "bound" } else { "" };
        let texts = [self.record.as_str(), bound_with].into_iter().chain(documents);
        // The byte 0xff, which occurs in no UTF-8 text, separates the documents.
        let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
        bytes
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The record itself.
    pub(crate) fn parse_record(&self) -> Value {
        parse(&self.record)
    }
}

pub(super) fn parse(document: &str) -> Value {
    serde_json::from_str(document).unwrap_or_default()
}

/// What determines the index entries of a tenant's records.
pub(crate) struct IndexingRules {
    pub(super) tenant: String,
    pub(super) indexing: IndexingOptions,
    pub(super) types: ReferenceTypes,
}

impl IndexingRules {
    pub(super) async fn load(session: &mut Session, tenant: &TenantId) -> Outcome<IndexingRules> {
        let asked = [TYPES.as_slice(), &[LANGUAGES, FEATURES]].concat();
        let answers = session.batch(asked.into_iter().map(Statement::new).collect()).await?;
        let (types, others) = answers.split_at(TYPES.len());
        let (languages, features): (Vec<String>, Vec<String>) = read_each(others);
        let types = types_from_answers(types);
        let languages = languages.iter().filter_map(|code| Language::from_code(code)).collect();
        Ok(IndexingRules {
            tenant: tenant.as_str().to_owned(),
            indexing: IndexingOptions { languages, features },
            types,
        })
    }
}

/// The types in the tenant's reference data that searches depend on.
pub(crate) async fn load_types(session: &mut Session) -> Outcome<ReferenceTypes> {
    Ok(types_from_answers(&session.batch(TYPES.map(Statement::new).into()).await?))
}

/// The answers to [`TYPES`].
fn types_from_answers(answers: &[Vec<Row>]) -> ReferenceTypes {
    type Named = Vec<(String, String)>;
    let (identifiers, titles, call_numbers): (Named, Named, Named) = read_each(answers);
    let mut types = ReferenceTypes::default();
    identifiers.iter().for_each(|(id, name)| types.add_identifier_type(id, name));
    titles.iter().for_each(|(id, name)| types.add_title_type(id, name));
    call_numbers.iter().for_each(|(id, source)| types.add_call_number_type(id, source));
    types
}

const TYPES: [&str; 3] = [IDENTIFIER_TYPES, ALTERNATIVE_TITLE_TYPES, CALL_NUMBER_TYPES];

/// How many records are read at once on average, and the most blocks of the table that are read at once.
const RECORDS_AT_ONCE: u64 = 500;
const MOST_BLOCKS: u64 = 500;

impl Resource {
    /// Reads the records with these ids. Ids without a record are ignored.
    pub(crate) async fn load_by_ids(
        &self,
        session: &mut Session,
        ids: &[Uuid],
    ) -> Outcome<Vec<StoredRecord>> {
        let asked = [self.by_ids_sql].into_iter().chain(self.related_sql.iter().copied());
        let asked = asked.map(|sql| Statement::new(sql).uuids(ids.to_vec()));
        let answers = session.batch(asked.collect()).await?;
        let Some((records, belonging)) = answers.split_first() else { return Ok(Vec::new()) };
        Ok(join_documents(records.iter().map(Row::read).collect(), belonging))
    }

    /// The current size of the table.
    pub(super) async fn load_extent(&self, session: &mut Session) -> Outcome<Extent> {
        let answers = session
            .batch(vec![Statement::new(self.count_sql), Statement::new(BLOCKS).text(self.table)])
            .await?;
        let (records, table): (Vec<i64>, Vec<(i64, i64)>) = read_each(&answers);
        let (blocks, file) = table.first().copied().unwrap_or_default();
        let records = records.first().copied().unwrap_or_default();
        Ok(Extent { records: records.unsigned_abs(), blocks: blocks.unsigned_abs(), file })
    }

    /// Fails if records may have moved to other blocks without being changed, because PostgreSQL has rewritten the table since `extent` was
    /// read.
    pub(super) async fn check_not_rewritten(&self, session: &mut Session, extent: Extent) -> Outcome<()> {
        let table: Option<(i64, i64)> = session.read(Statement::new(BLOCKS).text(self.table)).await?;
        if table.is_some_and(|(_, file)| file == extent.file) {
            return Ok(());
        }
        Err(Fault::internal(format!("the table {} was rewritten while it was read", self.table)))
    }

    /// Reads the records in these blocks of their table, in the order in which they are stored. Records that are written meanwhile may be
    /// read twice, or not at all: the caller has to take in the changes since it began.
    pub(super) async fn load_blocks(
        &self,
        session: &mut Session,
        blocks: Range<u64>,
    ) -> Outcome<Vec<StoredRecord>> {
        let place = |block: u64| format!("({block},0)");
        let asked = Statement::new(self.in_blocks_sql).text(place(blocks.start)).text(place(blocks.end));
        let records: Vec<(Uuid, String)> = session.read(asked).await?;
        let ids: Vec<Uuid> = records.iter().map(|(id, _)| *id).collect();
        let asked = self.related_sql.iter().map(|sql| Statement::new(*sql).uuids(ids.clone()));
        Ok(join_documents(records, &session.batch(asked.collect()).await?))
    }
}

/// Joins records with their related records.
fn join_documents(records: Vec<(Uuid, String)>, belonging: &[Vec<Row>]) -> Vec<StoredRecord> {
    type Documents = Vec<(Uuid, String)>;
    let (mut holdings, mut items, mut bound) = (HashMap::new(), HashMap::new(), Vec::new());
    if !belonging.is_empty() {
        let read: (Documents, Documents, Vec<Uuid>) = read_each(belonging);
        (holdings, items, bound) = (by_record(read.0), by_record(read.1), read.2);
    }
    let stored = |(id, record)| StoredRecord {
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
    /// PostgreSQL's number of the table's file. It changes with `VACUUM FULL` and `CLUSTER`.
    file: i64,
}

impl Extent {
    /// Divides a range of blocks into ranges that are read at once.
    pub(super) fn pieces(self, blocks: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let step = (RECORDS_AT_ONCE * self.blocks / self.records.max(1)).clamp(1, MOST_BLOCKS);
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
