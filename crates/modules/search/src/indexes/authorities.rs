//! Authorities. Each heading of one has an entry of its own, because each is found, sorted and browsed by itself.

use octavo_search::index::{Document, SearchIndex};
use octavo_search::names::AUTHORITY;
use octavo_search::records::{Heading, heading_values, headings};

use super::read::{IndexingRules, Resource, StoredRecord};
use crate::browse::headings::authority_heading_entry;

pub(crate) static AUTHORITIES: Resource = Resource {
    name: "authority",
    plural: "authorities",
    names: &AUTHORITY,
    entries_version: 1,
    folder: "authorities",
    kinds: &["a"],
    table: "authority",
    count_sql: COUNT,
    in_blocks_sql: IN_BLOCKS,
    by_ids_sql: BY_IDS,
    related_sql: &[],
    entries_of: authority_entries,
};

fn authority_entries(rules: &IndexingRules, index: &SearchIndex, stored: &StoredRecord) -> Vec<Document> {
    let authority = stored.parse_record();
    let content = stored.content_hash();
    let entry = |heading: Heading<'_>| {
        let mut entry = index.entry(&rules.indexing, stored.id, []);
        let take = &mut |number, kind, value: &str| entry.add(number, kind, value);
        heading_values(&authority, &heading, (&rules.tenant, false), &rules.types, take);
        if let Some(term) = authority_heading_entry(&heading, stored.id) {
            entry.add_heading(term);
        }
        entry.set_part(heading.part_number());
        entry.set_content(content);
        entry.finish()
    };
    headings(&authority).into_iter().map(entry).collect()
}

const COUNT: &str = "select count(*) from authority";
const IN_BLOCKS: &str = "\
select t.id, t.doc::text
from authority t
where t.ctid >= $1::text::tid and t.ctid < $2::text::tid";
const BY_IDS: &str = "select t.id, t.doc::text from authority t where t.id = any($1)";

octavo_pg::statements! {
    hot = [BY_IDS],
    other = [COUNT, IN_BLOCKS],
}
