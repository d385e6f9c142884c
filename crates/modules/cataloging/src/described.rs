//! Changes an instance, holdings or authority record when its MARC record has changed. Pure.

use octavo_marc::Kind;
use serde_json::{Map, Value};

/// Members of an instance that no MARC record has values for.
const KEPT_OF_INSTANCES: &[&str] = &[
    "id",
    "_version",
    "hrid",
    "matchKey",
    "staffSuppress",
    "discoverySuppress",
    "previouslyHeld",
    "catalogedDate",
    "statusId",
    "statusUpdatedDate",
    "statisticalCodeIds",
    "natureOfContentTermIds",
    "administrativeNotes",
    "tags",
    "publicationPeriod",
    "sourceRecordFormat",
    "metadata",
];

/// Members of a holdings record that are taken from the MARC record, and removed if it does not have them.
const MAPPED_OF_HOLDINGS: &[&str] = &[
    "formerIds",
    "callNumber",
    "callNumberPrefix",
    "callNumberSuffix",
    "callNumberTypeId",
    "copyNumber",
    "shelvingTitle",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "electronicAccess",
    "notes",
];

const KEPT_OF_AUTHORITIES: &[&str] = &["id", "_version", "metadata"];

/// The stored record, with the values that the mapping of its MARC record gives.
pub(crate) fn merge_mapped(kind: Kind, stored: &Value, mapped: Value) -> Value {
    let mut kept: Map<String, Value> = stored.as_object().cloned().unwrap_or_default();
    match kind {
        Kind::Bibliographic => kept.retain(|name, _| KEPT_OF_INSTANCES.contains(&name.as_str())),
        Kind::Authority => kept.retain(|name, _| KEPT_OF_AUTHORITIES.contains(&name.as_str())),
        Kind::Holdings => kept.retain(|name, _| !MAPPED_OF_HOLDINGS.contains(&name.as_str())),
    }
    let Value::Object(mapped) = mapped else { return Value::Object(kept) };
    let own = |name: &str| match kind {
        Kind::Bibliographic => KEPT_OF_INSTANCES.contains(&name),
        Kind::Authority => KEPT_OF_AUTHORITIES.contains(&name),
        Kind::Holdings => ["id", "_version", "hrid", "instanceId", "metadata"].contains(&name),
    };
    for (name, value) in mapped {
        if !own(&name) || !kept.contains_key(&name) {
            kept.insert(name, value);
        }
    }
    // A list whose elements are all gone stays as an empty list, as in FOLIO; for authorities mod-entities-links leaves it out.
    for (name, value) in stored.as_object().into_iter().flatten() {
        if value.is_array() && kind != Kind::Authority && !kept.contains_key(name) {
            kept.insert(name.clone(), Value::Array(Vec::new()));
        }
    }
    Value::Object(kept)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_keeps_what_marc_says_nothing_of() {
        let cases = [
            (
                Kind::Bibliographic,
                json!({"id": "i", "hrid": "in1", "tags": {}, "title": "old", "editions": ["1st"]}),
                json!({"title": "new", "hrid": "x"}),
                json!({"id": "i", "hrid": "in1", "tags": {}, "title": "new", "editions": []}),
            ),
            (
                Kind::Holdings,
                json!({"instanceId": "i", "callNumber": "A", "permanentLocationId": "l", "tags": {}, "notes": [{}]}),
                json!({"instanceId": "other", "sourceId": "marc", "notes": []}),
                json!({"instanceId": "i", "permanentLocationId": "l", "tags": {}, "sourceId": "marc", "notes": []}),
            ),
            (
                Kind::Authority,
                json!({"id": "a", "personalName": "old", "sourceFileId": "f", "saftGeographicName": ["Rome"]}),
                json!({"corporateName": "new"}),
                json!({"id": "a", "corporateName": "new"}),
            ),
        ];
        for (kind, stored, mapped, expected) in cases {
            assert_eq!(merge_mapped(kind, &stored, mapped), expected, "{kind:?}");
        }
    }
}
