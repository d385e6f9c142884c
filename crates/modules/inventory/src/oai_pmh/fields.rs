//! Makes MARC fields. Pure.

use octavo_marc::{Field, Subfield};

pub(super) fn control_field(tag: &str, value: impl Into<String>) -> Field {
    Field::Control { tag: tag.to_owned(), value: value.into() }
}

/// A data field with the subfields that have a text. `None` if no subfield has one.
pub(super) fn data_field<'a>(
    tag: &str,
    indicators: [char; 2],
    subfields: impl IntoIterator<Item = (char, Option<&'a str>)>,
) -> Option<Field> {
    let there = subfields.into_iter().filter_map(|(code, value)| Some((code, value?)));
    let subfields: Vec<Subfield> = there
        .filter(|(_, value)| !value.is_empty())
        .map(|(code, value)| Subfield { code, value: value.to_owned() })
        .collect();
    (!subfields.is_empty()).then(|| Field::Data { tag: tag.to_owned(), indicators, subfields })
}

/// The second indicator of an 856 by the name of the relationship.
pub(super) fn relationship_indicator(name: Option<&str>) -> char {
    match name.unwrap_or_default() {
        "Resource" => '0',
        "Version of resource" => '1',
        "Related resource" => '2',
        "Component part(s) of resource" => '3',
        "Version of component part(s) of resource" => '4',
        "No display constant generated" => '8',
        _ => ' ',
    }
}
