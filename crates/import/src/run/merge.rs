//! Which members of a stored record remain after its MARC record has changed.

use serde_json::{Map, Value};

/// Members of instances that the mapping rules fill: they are removed if the MARC record does not give them any more.
const MAPPED_INSTANCE_MEMBERS: [&str; 26] = [
    "title",
    "indexTitle",
    "alternativeTitles",
    "editions",
    "series",
    "identifiers",
    "contributors",
    "subjects",
    "classifications",
    "publication",
    "publicationFrequency",
    "publicationRange",
    "publicationPeriod",
    "electronicAccess",
    "instanceTypeId",
    "instanceFormatIds",
    "instanceFormats",
    "physicalDescriptions",
    "languages",
    "notes",
    "modeOfIssuanceId",
    "dates",
    "matchKey",
    "format",
    "precedingTitles",
    "succeedingTitles",
];

/// Members that keep their stored value, whatever the mapping rules give.
const KEPT_MEMBERS: [&str; 6] =
    ["statisticalCodeIds", "natureOfContentTermIds", "administrativeNotes", "id", "hrid", "_version"];

const MAPPED_HOLDINGS_MEMBERS: [&str; 10] = [
    "callNumber",
    "callNumberPrefix",
    "callNumberSuffix",
    "electronicAccess",
    "formerIds",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "notes",
    "copyNumber",
];

pub(super) fn instance(stored: &Value, mapped: &Value) -> Map<String, Value> {
    merge_members(stored, mapped, &MAPPED_INSTANCE_MEMBERS)
}

pub(super) fn holdings(stored: &Value, mapped: &Value) -> Map<String, Value> {
    merge_members(stored, mapped, &MAPPED_HOLDINGS_MEMBERS)
}

/// An authority has only the members that its MARC record gives.
pub(super) fn authority(stored: &Value, mapped: &Value) -> Map<String, Value> {
    let mut merged = super::document::object(mapped);
    for name in ["id", "_version", "metadata"] {
        if let Some(value) = stored.get(name) {
            merged.insert(name.to_owned(), value.clone());
        }
    }
    merged
}

fn merge_members(stored: &Value, mapped: &Value, ruled: &[&str]) -> Map<String, Value> {
    let mut merged = super::document::object(stored);
    merged.retain(|name, _| !ruled.contains(&name.as_str()));
    for (name, value) in super::document::object(mapped) {
        let stays = KEPT_MEMBERS.contains(&name.as_str()) && merged.contains_key(&name);
        if !value.is_null() && !stays {
            merged.insert(name, value);
        }
    }
    merged
}
