use serde_json::{Map, Value};

use super::Mapping;
pub(crate) use super::read::From;
use crate::source::Source;

/// Lays what the profile says over a record.
pub(crate) fn apply(mapping: &Mapping, from: From<'_>, record: &mut Map<String, Value>) {
    for rule in &mapping.fields {
        let said = rule.read(from);
        rule.write(said, record);
    }
}

/// Records made of nothing, one for each field with the tag; one if no tag is given or no field has it.
pub(crate) fn apply_each(
    mapping: &Mapping,
    record: &octavo_marc::Record,
    tag: Option<&str>,
    from: From<'_>,
) -> Vec<Map<String, Value>> {
    let sources = tag.map_or_else(|| vec![Source::whole(record)], |tag| Source::split(record, tag));
    let sources = sources.into_iter().take(super::MOST_OBJECTS);
    sources
        .map(|source| {
            let mut made = Map::new();
            apply(mapping, From { source, ..from }, &mut made);
            made
        })
        .collect()
}
