//! Titles: instances with their holdings and items.

use octavo_search::index::{Document, SearchIndex};
use octavo_search::names::INSTANCE;
use octavo_search::records::{Instance, values};
use serde_json::Value;

use super::read::{IndexingRules, Resource, StoredRecord, parse};
use crate::browse::headings::{call_number_entries, heading_entries};

pub(crate) static TITLES: Resource = Resource {
    name: "instance",
    plural: "titles",
    names: &INSTANCE,
    entries_version: 4,
    folder: "",
    kinds: &["i", "h"],
    table: "instance",
    count_sql: COUNT,
    in_blocks_sql: IN_BLOCKS,
    by_ids_sql: BY_IDS,
    related_sql: &[HOLDINGS, ITEMS, BOUND],
    entries_of: |rules, index, stored| vec![title_entry(rules, index, stored)],
};

/// A title with its documents.
pub(crate) struct Title {
    instance: Value,
    holdings: Vec<Value>,
    items: Vec<Value>,
    bound_with: bool,
}

impl Title {
    pub(crate) fn from_stored(stored: &StoredRecord) -> Title {
        Title {
            instance: stored.parse_record(),
            holdings: stored.holdings.iter().map(|one| parse(one)).collect(),
            items: stored.items.iter().map(|one| parse(one)).collect(),
            bound_with: stored.bound_with,
        }
    }

    /// Removes the items for which `keeps` returns `false`.
    pub(crate) fn keep_items(&mut self, keeps: impl Fn(&Value) -> bool) {
        self.items.retain(keeps);
    }

    pub(crate) fn as_instance(&self) -> Instance<'_> {
        let (instance, holdings, items) = (&self.instance, &self.holdings[..], &self.items[..]);
        Instance { instance, holdings, items, tenant: None, shared: false, bound_with: self.bound_with }
    }
}

fn title_entry(rules: &IndexingRules, index: &SearchIndex, stored: &StoredRecord) -> Document {
    let title = Title::from_stored(stored);
    let codes = title.instance["languages"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut entry = index.entry(&rules.indexing, stored.id, codes);
    values(&title.as_instance(), &rules.types, &mut |number, kind, value| entry.add(number, kind, value));
    heading_entries(&title.instance, &rules.indexing.features, |term| entry.add_heading(term));
    call_number_entries(&title.items, &rules.types, |term| entry.add_heading(term));
    entry.set_content(stored.content_hash());
    entry.finish()
}

const COUNT: &str = "select count(*) from instance";
const IN_BLOCKS: &str = "\
select t.id, t.doc::text
from instance t
where t.ctid >= $1::text::tid and t.ctid < $2::text::tid";
const BY_IDS: &str = "select t.id, t.doc::text from instance t where t.id = any($1)";
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

octavo_pg::statements! {
    hot = [BY_IDS, HOLDINGS, ITEMS],
    other = [COUNT, IN_BLOCKS, BOUND],
}
