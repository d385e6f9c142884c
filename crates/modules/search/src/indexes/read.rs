//! Titles as they stand in the database: instances with their holdings and items.

use std::collections::HashMap;

use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement, read_each};
use octavo_search::index::{Document, Indexing, SearchIndex};
use octavo_search::records::{Instance, Types, values};
use octavo_search::text::Language;
use serde_json::Value;
use uuid::Uuid;

use crate::browse::headings;

/// A title as it was read; its documents are not parsed yet.
pub(crate) struct Stored {
    pub(crate) id: Uuid,
    instance: String,
    holdings: Vec<String>,
    items: Vec<String>,
    bound_with: bool,
}

/// A title with its documents.
pub(crate) struct Title {
    pub(crate) instance: Value,
    pub(crate) holdings: Vec<Value>,
    pub(crate) items: Vec<Value>,
    pub(crate) bound_with: bool,
}

impl Stored {
    /// A number that changes with any of the documents (FNV-1a).
    pub(super) fn content(&self) -> u64 {
        let documents = self.holdings.iter().chain(&self.items).map(String::as_str);
        let bound_with = if self.bound_with { "bound" } else { "" };
        let texts = [self.instance.as_str(), bound_with].into_iter().chain(documents);
        // A byte that no text has stands between two of them.
        let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
        bytes
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    pub(crate) fn parsed(&self) -> Title {
        let parse = |text: &String| serde_json::from_str(text).unwrap_or_default();
        Title {
            instance: parse(&self.instance),
            holdings: self.holdings.iter().map(parse).collect(),
            items: self.items.iter().map(parse).collect(),
            bound_with: self.bound_with,
        }
    }
}

impl Title {
    pub(crate) fn record(&self) -> Instance<'_> {
        let (instance, holdings, items) = (&self.instance, &self.holdings[..], &self.items[..]);
        Instance { instance, holdings, items, tenant: None, shared: false, bound_with: self.bound_with }
    }
}

/// How the titles of a tenant are indexed.
pub(crate) struct Manner {
    pub(crate) indexing: Indexing,
    types: Types,
}

impl Manner {
    /// What an index holds of a title.
    pub(crate) fn entry(&self, index: &SearchIndex, title: &Stored) -> Document {
        let parsed = title.parsed();
        let codes = parsed.instance["languages"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut entry = index.entry(&self.indexing, title.id, codes);
        values(&parsed.record(), &self.types, &mut |number, kind, value| entry.add(number, kind, value));
        headings(&parsed.instance, |term| entry.add_heading(term));
        entry.set_content(title.content());
        entry.finish()
    }

    pub(crate) async fn read(session: &mut Session) -> Outcome<Manner> {
        let asked = [IDENTIFIER_TYPES, ALTERNATIVE_TITLE_TYPES, CALL_NUMBER_TYPES, LANGUAGES, FEATURES]
            .map(Statement::new);
        let answers = session.batch(asked.into()).await?;
        let (identifiers, titles, call_numbers): (Named, Named, Named) = read_each(&answers[..3]);
        let (languages, features): (Vec<String>, Vec<String>) = read_each(&answers[3..]);
        let mut types = Types::default();
        identifiers.iter().for_each(|(id, name)| types.identifier(id, name));
        titles.iter().for_each(|(id, name)| types.alternative_title(id, name));
        call_numbers.iter().for_each(|(id, source)| types.call_number(id, source));
        let languages = languages.iter().filter_map(|code| Language::of_code(code)).collect();
        Ok(Manner { indexing: Indexing { languages, features }, types })
    }
}

type Named = Vec<(String, String)>;

/// The titles with these ids, as many of them as there are.
pub(crate) async fn titles(session: &mut Session, ids: &[Uuid]) -> Outcome<Vec<Stored>> {
    let asked = [TITLES, HOLDINGS, ITEMS, BOUND].map(|sql| Statement::new(sql).uuids(ids.to_vec()));
    Ok(joined(&session.batch(asked.into()).await?))
}

/// The next titles after an id, in the order of ids.
pub(crate) async fn titles_after(session: &mut Session, id: Uuid) -> Outcome<Vec<Stored>> {
    let asked = [NEXT_TITLES, NEXT_HOLDINGS, NEXT_ITEMS, NEXT_BOUND].map(|sql| Statement::new(sql).uuid(id));
    Ok(joined(&session.batch(asked.into()).await?))
}

fn joined(answers: &[Vec<Row>]) -> Vec<Stored> {
    type Copies = Vec<(Uuid, String)>;
    let (titles, holdings, items, bound): (Copies, Copies, Copies, Vec<Uuid>) = read_each(answers);
    let by_title = |copies: Copies| {
        let mut by_title: HashMap<Uuid, Vec<String>> = HashMap::new();
        for (id, document) in copies {
            by_title.entry(id).or_default().push(document);
        }
        by_title
    };
    let (mut holdings, mut items) = (by_title(holdings), by_title(items));
    let stored = |(id, instance)| Stored {
        id,
        instance,
        holdings: holdings.remove(&id).unwrap_or_default(),
        items: items.remove(&id).unwrap_or_default(),
        bound_with: bound.contains(&id),
    };
    titles.into_iter().map(stored).collect()
}

const IDENTIFIER_TYPES: &str = "select id::text, coalesce(doc ->> 'name', '') from identifier_type";
const ALTERNATIVE_TITLE_TYPES: &str =
    "select id::text, coalesce(doc ->> 'name', '') from alternative_title_type";
const CALL_NUMBER_TYPES: &str = "select id::text, coalesce(doc ->> 'source', '') from call_number_type";

const TITLES: &str = "select t.id, t.doc::text from instance t where t.id = any($1)";
const HOLDINGS: &str = "\
select h.\"instanceId\", h.doc::text
from holdings_record h
where h.\"instanceId\" = any($1)
order by h.id";
const ITEMS: &str = "\
select h.\"instanceId\", i.doc::text
from holdings_record h
join item i on i.\"holdingsRecordId\" = h.id
where h.\"instanceId\" = any($1)
order by i.id";
const BOUND: &str = "\
select distinct h.\"instanceId\"
from holdings_record h
join bound_with_part b on b.\"holdingsRecordId\" = h.id
where h.\"instanceId\" = any($1)";

const NEXT_TITLES: &str = "select t.id, t.doc::text from instance t where t.id > $1 order by t.id limit 500";
const NEXT_HOLDINGS: &str = "\
select h.\"instanceId\", h.doc::text
from (select t.id from instance t where t.id > $1 order by t.id limit 500) t
join holdings_record h on h.\"instanceId\" = t.id
order by h.id";
const NEXT_ITEMS: &str = "\
select h.\"instanceId\", i.doc::text
from (select t.id from instance t where t.id > $1 order by t.id limit 500) t
join holdings_record h on h.\"instanceId\" = t.id
join item i on i.\"holdingsRecordId\" = h.id
order by i.id";
const NEXT_BOUND: &str = "\
select distinct h.\"instanceId\"
from (select t.id from instance t where t.id > $1 order by t.id limit 500) t
join holdings_record h on h.\"instanceId\" = t.id
join bound_with_part b on b.\"holdingsRecordId\" = h.id";

const FEATURES: &str = "select feature from search_feature where enabled order by feature";
const LANGUAGES: &str = "select code from search_language order by code";

octavo_pg::statements! {
    hot = [TITLES, HOLDINGS, ITEMS],
    other = [
        BOUND, NEXT_TITLES, NEXT_HOLDINGS, NEXT_ITEMS, NEXT_BOUND, IDENTIFIER_TYPES, ALTERNATIVE_TITLE_TYPES,
        CALL_NUMBER_TYPES, FEATURES, LANGUAGES,
    ],
}
