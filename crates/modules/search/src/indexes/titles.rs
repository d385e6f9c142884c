//! Titles: instances with their holdings and items.

use octavo_search::index::{Document, SearchIndex};
use octavo_search::names::INSTANCE;
use octavo_search::records::{Instance, values};
use serde_json::Value;

use super::read::{Manner, Resource, Stored, parse};
use crate::browse::headings::{call_numbers, headings};

pub(crate) static TITLES: Resource = Resource {
    name: "instance",
    plural: "titles",
    names: &INSTANCE,
    entries: 4,
    folder: "",
    kinds: &["i", "h"],
    table: "instance",
    count: COUNT,
    in_blocks: IN_BLOCKS,
    by_ids: BY_IDS,
    belonging: &[HOLDINGS, ITEMS, BOUND],
    entries_of: |manner, index, stored| vec![entry(manner, index, stored)],
};

/// A title with its documents.
pub(crate) struct Title {
    instance: Value,
    holdings: Vec<Value>,
    items: Vec<Value>,
    bound_with: bool,
}

impl Title {
    pub(crate) fn of(stored: &Stored) -> Title {
        Title {
            instance: stored.parsed(),
            holdings: stored.holdings.iter().map(|one| parse(one)).collect(),
            items: stored.items.iter().map(|one| parse(one)).collect(),
            bound_with: stored.bound_with,
        }
    }

    /// Leaves the other items out.
    pub(crate) fn keep_items(&mut self, keeps: impl Fn(&Value) -> bool) {
        self.items.retain(keeps);
    }

    pub(crate) fn record(&self) -> Instance<'_> {
        let (instance, holdings, items) = (&self.instance, &self.holdings[..], &self.items[..]);
        Instance { instance, holdings, items, tenant: None, shared: false, bound_with: self.bound_with }
    }
}

fn entry(manner: &Manner, index: &SearchIndex, stored: &Stored) -> Document {
    let title = Title::of(stored);
    let codes = title.instance["languages"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut entry = index.entry(&manner.indexing, stored.id, codes);
    values(&title.record(), &manner.types, &mut |number, kind, value| entry.add(number, kind, value));
    headings(&title.instance, &manner.indexing.features, |term| entry.add_heading(term));
    call_numbers(&title.items, &manner.types, |term| entry.add_heading(term));
    entry.set_content(stored.content());
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
