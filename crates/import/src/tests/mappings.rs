use serde_json::{Value, json};

use super::text::marc;
use crate::journal::Entity;
use crate::mapping::{Mapping, MappingInput, apply, apply_each};
use crate::reference::Reference;
use crate::source::Source;

fn profile(fields: &Value) -> Value {
    json!({"mappingDetails": {"mappingFields": fields}})
}

fn reference() -> Reference {
    let mut reference = Reference::default();
    for (id, name, code) in
        [("id-annex", "Annex", "KU/A"), ("id-online", "Online", "E"), ("id-main", "Main", "M")]
    {
        reference.add("locations", &json!({"id": id, "name": name, "code": code}));
    }
    reference
}

fn apply_fields(entity: Entity, fields: &Value, record: &str, existing: Value) -> Value {
    let mapping = Mapping::compile(entity, &profile(fields)).unwrap();
    let (record, reference) = (marc(record), reference());
    let from = MappingInput {
        source: Source::from_record(&record),
        reference: &reference,
        today: jiff::civil::date(2024, 5, 17),
    };
    let Value::Object(mut document) = existing else { panic!("an object") };
    apply(&mapping, from, &mut document);
    Value::Object(document)
}

#[test]
fn fields_are_laid_over_a_record() {
    let record = "856 40 $uhttp://a$zone\n856 40 $uhttp://b\n901 __ $aText\n901 __ $ab";
    for (why, field, existing, expected) in [
        (
            "a text takes the place of another",
            json!({"path": "item.copyNumber", "value": "901$a"}),
            json!({"copyNumber": "1"}),
            json!({"copyNumber": "Text"}),
        ),
        (
            "nothing changes where the record says nothing",
            json!({"path": "item.copyNumber", "value": "902$a"}),
            json!({"copyNumber": "1"}),
            json!({"copyNumber": "1"}),
        ),
        (
            "a name becomes an id",
            json!({"path": "item.materialType.id", "value": "\"book\"", "acceptedValues": {"id1": "Book", "id2": "dvd"}}),
            json!({}),
            json!({"materialType": {"id": "id1"}}),
        ),
        (
            "a location is found by its code",
            json!({"path": "item.permanentLocation.id", "value": "\"ku/a\"", "acceptedValues": {"old": "x"}}),
            json!({}),
            json!({"permanentLocation": {"id": "id-annex"}}),
        ),
        (
            "what is removed goes with all of it",
            json!({"path": "item.temporaryLoanType.id", "value": "###REMOVE###"}),
            json!({"temporaryLoanType": {"id": "x"}, "a": 1}),
            json!({"a": 1}),
        ),
        (
            "flags are set",
            json!({"path": "item.discoverySuppress", "booleanFieldAction": "ALL_TRUE"}),
            json!({"discoverySuppress": false}),
            json!({"discoverySuppress": true}),
        ),
        (
            "or left as they are",
            json!({"path": "item.discoverySuppress", "booleanFieldAction": "AS_IS"}),
            json!({"discoverySuppress": true}),
            json!({"discoverySuppress": true}),
        ),
        (
            "fields that are not enabled are not mapped",
            json!({"path": "item.copyNumber", "value": "901$a", "enabled": "false"}),
            json!({}),
            json!({}),
        ),
    ] {
        let mut field = field;
        field["name"] = json!("x");
        if field["enabled"].is_null() {
            field["enabled"] = json!("true");
        }
        assert_eq!(apply_fields(Entity::Item, &json!([field]), record, existing), expected, "{why}");
    }
}

#[test]
fn lists_are_extended_exchanged_and_emptied() {
    let texts = |action: &str, values: &[&str]| {
        let subfields: Vec<Value> = values
            .iter()
            .enumerate()
            .map(|(order, value)| {
                json!({"order": order, "path": "holdings.formerIds[]", "fields": [
                    {"name": "formerId", "enabled": "true", "path": "holdings.formerIds[]", "value": value}]})
            })
            .collect();
        json!([{"name": "formerIds", "enabled": true, "path": "holdings.formerIds[]", "value": "",
            "subfields": subfields, "repeatableFieldAction": action}])
    };
    let record = "901 __ $aA\n901 __ $aB";
    for (action, values, expected) in [
        ("EXTEND_EXISTING", &["\"new\""][..], json!(["1", "2", "new"])),
        ("EXTEND_EXISTING", &["901$a"][..], json!(["1", "2", "A", "B"])),
        ("EXTEND_EXISTING", &["902$a"][..], json!(["1", "2"])),
        ("EXCHANGE_EXISTING", &["\"new\"", "901$a"][..], json!(["new", "A", "B"])),
        ("EXCHANGE_EXISTING", &["902$a"][..], json!(["1", "2"])),
        ("DELETE_INCOMING", &["\"1\""][..], json!(["2"])),
        ("DELETE_EXISTING", &[][..], Value::Null),
    ] {
        let existing = json!({"formerIds": ["1", "2"]});
        let document = apply_fields(Entity::Holdings, &texts(action, values), record, existing);
        assert_eq!(document["formerIds"], expected, "{action} {values:?}");
    }
}

#[test]
fn objects_are_made_of_their_members() {
    let notes = |action: &str, note: &str| {
        json!([{"name": "notes", "enabled": true, "path": "item.notes[]", "value": "", "repeatableFieldAction": action,
            "subfields": [{"order": 0, "path": "item.notes[]", "fields": [
                {"name": "itemNoteTypeId", "enabled": "true", "required": true, "path": "item.notes[].itemNoteTypeId",
                    "value": "\"Binding\"", "acceptedValues": {"id-binding": "Binding", "id-note": "Note"}},
                {"name": "note", "enabled": "true", "required": true, "path": "item.notes[].note", "value": note},
                {"name": "staffOnly", "enabled": "true", "required": true, "path": "item.notes[].staffOnly",
                    "booleanFieldAction": "ALL_TRUE"}]}]}])
    };
    let note = |text: &str| json!({"itemNoteTypeId": "id-binding", "note": text, "staffOnly": true});
    let there = || json!({"notes": [{"itemNoteTypeId": "id-binding", "note": "A", "staffOnly": true, "id": "x"}, {"note": "b"}]});
    let record = "901 __ $aA\n901 __ $aB";
    for (action, value, existing, expected) in [
        ("EXTEND_EXISTING", "\"text\"", json!({}), json!([note("text")])),
        ("EXTEND_EXISTING", "901$a", json!({}), json!([note("A"), note("B")])),
        ("EXTEND_EXISTING", "902$a", json!({}), Value::Null),
        ("EXCHANGE_EXISTING", "\"text\"", there(), json!([note("text")])),
        ("EXCHANGE_EXISTING", "902$a", there(), there()["notes"].clone()),
        ("DELETE_INCOMING", "\"A\"", there(), json!([{"note": "b"}])),
    ] {
        let document = apply_fields(Entity::Item, &notes(action, value), record, existing);
        assert_eq!(document["notes"], expected, "{action} {value}");
    }
}

#[test]
fn each_field_of_a_tag_gives_a_record() {
    let fields = json!([{"name": "permanentLocationId", "enabled": "true", "path": "holdings.permanentLocationId",
        "value": "945$h"}, {"name": "callNumber", "enabled": true, "path": "holdings.callNumber", "value": "050$a"},
        {"name": "copyNumber", "enabled": true, "path": "holdings.copyNumber", "value": "945$c; else \"none\""}]);
    let mapping = Mapping::compile(Entity::Holdings, &profile(&fields)).unwrap();
    assert_eq!(mapping.split_tag(), Some("945"));
    let record = marc("050 __ $aQA1\n945 __ $hOnline$c1\n945 __ $hE\n945 __ $hAnnex (KU/A)$c3");
    let reference = reference();
    let from = MappingInput {
        source: Source::from_record(&record),
        reference: &reference,
        today: jiff::civil::date(2024, 5, 17),
    };
    let made: Vec<Value> =
        apply_each(&mapping, &record, Some("945"), from).into_iter().map(Value::Object).collect();
    assert_eq!(
        Value::Array(made),
        json!([
            {"permanentLocationId": "id-online", "callNumber": "QA1", "copyNumber": "1"},
            {"permanentLocationId": "id-online", "callNumber": "QA1", "copyNumber": "none"},
            {"permanentLocationId": "id-annex", "callNumber": "QA1", "copyNumber": "3"},
        ])
    );
    let without = marc("050 __ $aQA1");
    let from = MappingInput { source: Source::from_record(&without), ..from };
    assert_eq!(
        apply_each(&mapping, &without, Some("945"), from).len(),
        1,
        "one record where no field has the tag"
    );
}

#[test]
fn errors_name_the_field() {
    for (field, expected) in [
        (json!({"path": "item.x", "value": "\"open"}), "field x: a quotation mark is not closed: \"open"),
        (
            json!({"path": "holdings.x", "value": "\"a\""}),
            "field x: its path holdings.x does not begin with item.",
        ),
        (json!({"path": "item", "value": "\"a\""}), "field x: its path item names no member"),
        (
            json!({"path": "item.x", "booleanFieldAction": "MAYBE"}),
            "field x: booleanFieldAction MAYBE is not known",
        ),
        (
            json!({"path": "item.x[]", "repeatableFieldAction": "X"}),
            "field x: repeatableFieldAction X is not known",
        ),
    ] {
        let mut field = field;
        field["name"] = json!("x");
        field["enabled"] = json!("true");
        let error = Mapping::compile(Entity::Item, &profile(&json!([field]))).unwrap_err();
        assert_eq!(error, expected);
    }
}
