//! What stays of a stored record when its MARC record has changed.

use serde_json::{Map, Value};

/// Members of instances that the mapping rules fill: what a record no longer says goes.
const OF_INSTANCES: [&str; 26] = [
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

/// Members of which what is stored stays, whatever the rules say.
const KEPT: [&str; 6] =
    ["statisticalCodeIds", "natureOfContentTermIds", "administrativeNotes", "id", "hrid", "_version"];

const OF_HOLDINGS: [&str; 10] = [
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
    merged(stored, mapped, &OF_INSTANCES)
}

pub(super) fn holdings(stored: &Value, mapped: &Value) -> Map<String, Value> {
    merged(stored, mapped, &OF_HOLDINGS)
}

/// An authority is what its MARC record says and nothing else.
pub(super) fn authority(stored: &Value, mapped: &Value) -> Map<String, Value> {
    let mut merged = super::document::object(mapped);
    for name in ["id", "_version", "metadata"] {
        if let Some(value) = stored.get(name) {
            merged.insert(name.to_owned(), value.clone());
        }
    }
    merged
}

fn merged(stored: &Value, mapped: &Value, ruled: &[&str]) -> Map<String, Value> {
    let mut merged = super::document::object(stored);
    merged.retain(|name, _| !ruled.contains(&name.as_str()));
    for (name, value) in super::document::object(mapped) {
        let stays = KEPT.contains(&name.as_str()) && merged.contains_key(&name);
        if !value.is_null() && !stays {
            merged.insert(name, value);
        }
    }
    merged
}
