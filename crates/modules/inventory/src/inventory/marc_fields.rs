//! Members of instances and holdings that come from the MARC record. If there is a MARC record, they can be changed only there. Facts:
//! mod-inventory 20.2.6.

use octavo_engine::Response;
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::inventory_records::{HOLDINGS, INSTANCE};
use octavo_record::RecordType;
use serde_json::{Value, json};

/// The id of the holdings source `MARC`.
const MARC_HOLDINGS: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

/// In the order of the Java set in which FOLIO keeps them. Its message names them in this order.
pub(super) const INSTANCE_FIELDS: &[&str] = &[
    "physicalDescriptions",
    "notes",
    "languages",
    "precedingTitles",
    "identifiers",
    "instanceTypeId",
    "modeOfIssuanceId",
    "subjects",
    "source",
    "title",
    "indexTitle",
    "publicationFrequency",
    "electronicAccess",
    "publicationRange",
    "classifications",
    "succeedingTitles",
    "editions",
    "hrid",
    "series",
    "instanceFormatIds",
    "publication",
    "contributors",
    "alternativeTitles",
];

/// In FOLIO's order, too.
pub(super) const HOLDINGS_FIELDS: &[&str] = &[
    "callNumberPrefix",
    "notes",
    "callNumberTypeId",
    "holdingsStatements",
    "electronicAccess",
    "shelvingTitle",
    "callNumber",
    "formerIds",
    "holdingsTypeId",
    "permanentLocationId",
    "copyNumber",
    "callNumberSuffix",
    "holdingsStatementsForSupplements",
    "holdingsStatementsForIndexes",
];

pub(super) async fn list(fields: &'static [&'static str]) -> Outcome<Response> {
    Ok(Response::json(200, &json!({"blockedFields": fields})))
}

/// The members that mod-inventory knows of a preceding or succeeding title.
const RELATED_TITLE_FIELDS: [&str; 6] =
    ["id", "precedingInstanceId", "succeedingInstanceId", "title", "hrid", "identifiers"];

/// Refuses changes of members that come from the MARC record. Both instances are in mod-inventory's form.
pub(super) fn refuse_instance_change(stored: &Value, new: &Value) -> Outcome<()> {
    if stored["source"] != "MARC" || !has_changes(&INSTANCE, INSTANCE_FIELDS, stored, new) {
        return Ok(());
    }
    Err(blocked_fields_fault("Instance", INSTANCE_FIELDS))
}

pub(super) fn refuse_holdings_change(stored: &Value, new: &Value) -> Outcome<()> {
    let changed = || {
        has_changes(
            &HOLDINGS,
            HOLDINGS_FIELDS,
            &with_staff_only_default(stored),
            &with_staff_only_default(new),
        )
    };
    if stored["sourceId"] != MARC_HOLDINGS || !changed() {
        return Ok(());
    }
    Err(blocked_fields_fault("Holdings", HOLDINGS_FIELDS))
}

/// The holdings record with `staffOnly` false in all notes that do not have this member.
fn with_staff_only_default(holdings: &Value) -> Value {
    let mut holdings = holdings.clone();
    let notes = holdings.get_mut("notes").and_then(Value::as_array_mut).into_iter().flatten();
    for note in notes.filter_map(Value::as_object_mut) {
        note.entry("staffOnly").or_insert(json!(false));
    }
    holdings
}

/// Compares members as FOLIO compares its typed objects: null and an empty list count as missing, and members that the type does not have
/// are ignored.
fn has_changes(record: &RecordType, fields: &[&str], stored: &Value, new: &Value) -> bool {
    let typed = |document: &Value, field: &str| {
        let value = document[field].clone();
        let known = match record.schema().root.at_path(field) {
            Some(node) => node.without_unknown_members(value),
            None => keep_members(&RELATED_TITLE_FIELDS, value),
        };
        without_empty_members(known)
    };
    fields.iter().any(|field| typed(stored, field) != typed(new, field))
}

/// Removes all other members from the objects of a list.
fn keep_members(members: &[&str], mut list: Value) -> Value {
    for object in list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        object.retain(|name, _| members.contains(&name.as_str()));
    }
    list
}

/// Removes members that are null or empty lists from a value. `None` if the value itself is null or an empty list.
fn without_empty_members(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Array(list) if list.is_empty() => None,
        Value::Array(list) => Some(list.into_iter().map(without_empty_members).collect()),
        Value::Object(object) => Some(Value::Object(
            object
                .into_iter()
                .filter_map(|(name, member)| Some((name, without_empty_members(member)?)))
                .collect(),
        )),
        other => Some(other),
    }
}

fn blocked_fields_fault(what: &str, fields: &[&str]) -> Fault {
    let message = format!(
        "{what} is controlled by MARC record, these fields are blocked and can not be updated: {}",
        fields.join(",")
    );
    Refusal::new(message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_marc_is_changed_only_there() {
        let stored = json!({"source": "MARC", "title": "A", "notes": []});
        let accepted = json!({"source": "MARC", "title": "A", "staffSuppress": true});
        assert!(refuse_instance_change(&stored, &accepted).is_ok());
        assert!(refuse_instance_change(&stored, &json!({"source": "MARC", "title": "B"})).is_err());
        let folio = json!({"source": "FOLIO", "title": "A"});
        assert!(refuse_instance_change(&folio, &json!({"source": "FOLIO", "title": "B"})).is_ok());
        let holdings = json!({"sourceId": MARC_HOLDINGS, "callNumber": "A"});
        assert!(refuse_holdings_change(&holdings, &json!({"callNumber": "B"})).is_err());
    }

    #[test]
    fn what_says_the_same_is_no_change() {
        let stored = json!({
            "source": "MARC", "title": "A", "contributors": [{"name": "C"}],
            "precedingTitles": [{"id": "p", "title": "before", "identifiers": []}],
        });
        let instance = |more: Value| {
            let mut new = stored.clone();
            new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            refuse_instance_change(&stored, &new).is_ok()
        };
        assert!(instance(
            json!({"indexTitle": null, "editions": [], "contributors": [{"name": "C", "primary": null, "more": 1}]})
        ));
        assert!(instance(json!({"precedingTitles": [{"id": "p", "title": "before", "metadata": {}}]})));
        assert!(!instance(json!({"contributors": [{"name": "C", "primary": false}]})));
        assert!(!instance(json!({"precedingTitles": [{"id": "p", "title": "after"}]})));
        let note = |staff_only: Value| json!({"note": "n", "staffOnly": staff_only});
        let holdings = json!({"sourceId": MARC_HOLDINGS, "notes": [note(json!(false))]});
        for (notes, same) in [(json!([{"note": "n"}]), true), (json!([note(json!(true))]), false)] {
            assert_eq!(refuse_holdings_change(&holdings, &json!({"notes": notes})).is_ok(), same, "{notes}");
        }
    }
}
