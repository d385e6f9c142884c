use serde_json::{Map, Value};

use super::Mapping;
pub(crate) use super::read::MappingInput;
use crate::source::Source;

/// Writes the values of all fields of the mapping into a record.
pub(crate) fn apply(mapping: &Mapping, from: MappingInput<'_>, record: &mut Map<String, Value>) {
    for rule in &mapping.fields {
        let said = rule.evaluate(from);
        rule.write(said, record);
    }
}

/// Makes new records, one for each MARC field with the tag; one record if no tag is given or no field has it.
pub(crate) fn apply_each(
    mapping: &Mapping,
    record: &octavo_marc::Record,
    tag: Option<&str>,
    from: MappingInput<'_>,
) -> Vec<Map<String, Value>> {
    let sources =
        tag.map_or_else(|| vec![Source::from_record(record)], |tag| Source::split_by_tag(record, tag));
    let sources = sources.into_iter().take(super::MOST_OBJECTS);
    sources
        .map(|source| {
            let mut made = Map::new();
            apply(mapping, MappingInput { source, ..from }, &mut made);
            made
        })
        .collect()
}
