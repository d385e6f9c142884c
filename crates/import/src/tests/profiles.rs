//! Profiles put together, and plans that can't be made.

use serde_json::{Value, json};

use crate::{Format, Plan};

pub(super) fn job(children: &[Value]) -> Value {
    json!({"contentType": "JOB_PROFILE", "content": {"name": "Job"}, "childSnapshotWrappers": in_order(children)})
}

fn in_order(children: &[Value]) -> Vec<Value> {
    let ordered = children.iter().enumerate().map(|(order, child)| {
        let mut child = child.clone();
        child["order"] = json!(order);
        child
    });
    // In any order but that of their numbers.
    ordered.rev().collect()
}

pub(super) fn action(action: &str, record: &str, mapping: Value) -> Value {
    let mut mapping = mapping;
    mapping["name"] = json!(format!("{action} {record} mapping"));
    let mapping = json!({"contentType": "MAPPING_PROFILE", "content": mapping, "order": 0});
    json!({"contentType": "ACTION_PROFILE", "content": {"name": format!("{action} {record}"), "action": action,
        "folioRecord": record}, "childSnapshotWrappers": [mapping]})
}

pub(super) fn fields(fields: Value) -> Value {
    let mut fields = fields;
    for field in fields.as_array_mut().unwrap() {
        field["enabled"] = json!("true");
        if field["name"].is_null() {
            let path = field["path"].as_str().unwrap();
            field["name"] = json!(path.split_once('.').map_or(path, |(_, name)| name));
        }
    }
    json!({"incomingRecordType": "MARC_BIBLIOGRAPHIC", "mappingDetails": {"mappingFields": fields}})
}

pub(super) fn matching(
    existing: &str,
    incoming: &Value,
    by: &Value,
    matched: &[Value],
    other: &[Value],
) -> Value {
    let branch = |children: &[Value], branch: &str| -> Vec<Value> {
        let children = in_order(children).into_iter().map(|mut child| {
            child["reactTo"] = json!(branch);
            child
        });
        children.collect()
    };
    let children: Vec<Value> =
        branch(matched, "MATCH").into_iter().chain(branch(other, "NON_MATCH")).collect();
    json!({"contentType": "MATCH_PROFILE", "content": {"name": format!("Match {existing}"),
        "existingRecordType": existing, "matchDetails": [{"incomingMatchExpression": incoming,
        "matchCriterion": "EXACTLY_MATCHES", "existingMatchExpression": by}]}, "childSnapshotWrappers": children})
}

/// A field of the incoming record, or of a stored MARC record: `035  a`.
pub(super) fn field(path: &str) -> Value {
    let part = |from: usize, to: usize| path.get(from..to).unwrap_or("").trim().to_owned();
    json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [{"label": "field", "value": part(0, 3)},
        {"label": "indicator1", "value": part(3, 4)}, {"label": "indicator2", "value": part(4, 5)},
        {"label": "recordSubfield", "value": part(5, 6)}]})
}

pub(super) fn member(path: &str) -> Value {
    json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [{"label": "field", "value": path}]})
}

pub(super) fn text(text: &str) -> Value {
    json!({"dataValueType": "STATIC_VALUE", "staticValueDetails": {"staticValueType": "TEXT", "text": text}})
}

#[test]
fn what_cannot_be_read_is_told_with_its_profile() {
    let wrong_field = fields(json!([{"path": "instance.statusId", "value": "\"open"}]));
    let mut wrong_match = matching("INSTANCE", &field("001"), &member("instance.hrid"), &[], &[]);
    wrong_match["content"]["matchDetails"][0]["matchCriterion"] = json!("ALMOST");
    let orders = action("CREATE", "ORDER", fields(json!([])));
    for (snapshot, expected) in [
        (
            job(&[action("CREATE", "INSTANCE", wrong_field)]),
            "Mapping profile CREATE INSTANCE mapping of action profile CREATE INSTANCE: field statusId: a quotation mark is not closed: \"open",
        ),
        (job(&[wrong_match]), "Match profile Match INSTANCE: matchCriterion ALMOST is not known"),
        (
            job(&[matching("MARC_BIBLIOGRAPHIC", &field("001"), &member("instance.hrid"), &[], &[])]),
            "Match profile Match MARC_BIBLIOGRAPHIC: Match detail is invalid",
        ),
        (
            job(&[matching("ORDER", &field("001"), &member("order.x"), &[], &[])]),
            "Match profile Match ORDER: records of the type ORDER are not matched",
        ),
        (
            job(&[action(
                "UPDATE",
                "MARC_BIBLIOGRAPHIC",
                json!({"mappingDetails": {"marcMappingOption": "MODIFY",
                "marcMappingDetails": [{"order": 0, "action": "X", "field": {"field": "500"}}]}}),
            )]),
            "Mapping profile UPDATE MARC_BIBLIOGRAPHIC mapping of action profile UPDATE MARC_BIBLIOGRAPHIC: field 500: action X is not known",
        ),
    ] {
        assert_eq!(Plan::compile(&snapshot).unwrap_err(), expected);
    }
    let plan = Plan::compile(&job(&[orders])).unwrap();
    let told: Vec<&str> = plan.not_built().collect();
    assert_eq!(told, ["Action profile CREATE ORDER: CREATE of ORDER is not built"]);
    assert!(Plan::compile(&job(&[])).unwrap().is_empty());
}

#[test]
fn a_profile_without_end_is_refused() {
    let mut nested = matching("INSTANCE", &field("001"), &member("instance.hrid"), &[], &[]);
    for _ in 0..60 {
        nested = matching("INSTANCE", &field("001"), &member("instance.hrid"), &[nested], &[]);
    }
    assert!(Plan::compile(&job(&[nested])).unwrap_err().contains("more than 50 levels"));
}

#[test]
fn a_profile_is_for_one_kind_of_record() {
    let from = |action_of: &str, record: &str, incoming: &str| {
        let mut mapping = fields(json!([]));
        mapping["incomingRecordType"] = json!(incoming);
        action(action_of, record, mapping)
    };
    for (children, expected) in [
        (
            vec![
                from("CREATE", "INSTANCE", "MARC_BIBLIOGRAPHIC"),
                from("CREATE", "ITEM", "MARC_BIBLIOGRAPHIC"),
            ],
            [true, false, false],
        ),
        (vec![from("CREATE", "HOLDINGS", "MARC_HOLDINGS")], [false, true, false]),
        (vec![from("CREATE", "HOLDINGS", "MARC_BIBLIOGRAPHIC")], [true, false, false]),
        (vec![from("CREATE", "AUTHORITY", "MARC_AUTHORITY")], [false, false, true]),
        (
            vec![from("CREATE", "AUTHORITY", "MARC_AUTHORITY"), from("CREATE", "ITEM", "MARC_BIBLIOGRAPHIC")],
            [false; 3],
        ),
        (vec![from("CREATE", "INVOICE", "EDIFACT_INVOICE")], [false; 3]),
    ] {
        let plan = Plan::compile(&job(&children)).unwrap();
        let formats = [Format::Bibliographic, Format::Holdings, Format::Authority];
        assert_eq!(formats.map(|format| plan.supports(format)), expected);
    }
}
