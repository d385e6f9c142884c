//! No profile and no record makes a plan panic or go on without end.

use octavo_fuzz::Fuzzer;
use octavo_marc::{Field, Record, Subfield};
use serde_json::{Value, json};

use super::library::{Library, id, log};
use super::profiles::{action, field, fields, job, matching, member, text};
use super::text::marc;
use crate::{Format, Plan};

/// Bytes say what is done to a good profile and a good record: three for each change.
const SEEDS: &str =
    "\\x00\n\\x00\\x05\\x01\n\\x01\\x10\\x05\\x01\\x20\\x07\n\\x02\\x01\\x02\\x82\\x01\\x01\n\\x03\\x40\\x09";

/// What is put in the place of something in a profile.
fn replacements() -> Vec<Value> {
    let texts = [
        "",
        "*",
        "MATCH",
        "NON_MATCH",
        "MATCH_PROFILE",
        "ACTION_PROFILE",
        "MAPPING_PROFILE",
        "INSTANCE",
        "HOLDINGS",
        "ITEM",
        "AUTHORITY",
        "MARC_BIBLIOGRAPHIC",
        "CREATE",
        "UPDATE",
        "MODIFY",
        "DELETE",
        "945$h",
        "245$a \"-\" 300$a; else \"x\"",
        "\"",
        "\"text\"",
        "###REMOVE###",
        "###TODAY###",
        "LDR/6-7",
        "008/36-38",
        "008/0-9999999999999",
        "LDR/5",
        "001",
        "999",
        "item.x[].y",
        "instance.a.b.c[]",
        "holdings.",
        "instance.title",
        "item.status",
        "item.status.name.x",
        "é",
        "ff",
        "EXTEND_EXISTING",
        "EXCHANGE_EXISTING",
        "DELETE_EXISTING",
        "DELETE_INCOMING",
        "ALL_TRUE",
        "ADD",
        "EDIT",
        "MOVE",
        "INSERT",
        "REPLACE",
        "REMOVE",
        "NEW_SUBFIELD",
        "AFTER_STRING",
        "CREATE_NEW_FIELD",
        "ADD_TO_EXISTING_FIELD",
        "NUMERICS_ONLY",
        "STATIC_VALUE",
        "DATE_RANGE",
        "INCOMING_VALUE_CONTAINS_EXISTING_VALUE",
        "BEGINS_WITH",
    ];
    let others = [Value::Null, json!(true), json!(-1), json!([]), json!({}), json!([[]]), json!(1e300)];
    texts.into_iter().map(Value::from).chain(others).collect()
}

fn profile(which: u8) -> Value {
    let holdings = fields(json!([{"path": "holdings.permanentLocationId", "value": "945$h"},
        {"path": "holdings.formerIds[]", "value": "", "repeatableFieldAction": "EXCHANGE_EXISTING", "subfields": [
            {"order": 0, "path": "holdings.formerIds[]", "fields": [{"name": "f", "path": "holdings.formerIds[]", "value": "945$a"}]}]}]));
    let items = fields(
        json!([{"path": "item.materialType.id", "value": "\"book\"", "acceptedValues": {id(820).to_string(): "book (b)"}},
        {"path": "item.permanentLoanType.id", "value": "\"x\"", "acceptedValues": {id(822).to_string(): "x"}},
        {"path": "item.status.name", "value": "\"Available\""}, {"path": "item.barcode", "value": "945$b"},
        {"path": "item.notes[]", "value": "", "repeatableFieldAction": "EXTEND_EXISTING", "subfields": [
            {"order": 0, "path": "item.notes[]", "fields": [{"name": "note", "path": "item.notes[].note", "value": "945$a"},
                {"name": "staffOnly", "path": "item.notes[].staffOnly", "booleanFieldAction": "ALL_TRUE"}]}]}]),
    );
    let edit = |which: &str, subfields: Value| {
        json!({"order": 0, "action": which, "field": {"field": "245",
        "indicator1": "*", "indicator2": "*", "subfields": subfields}})
    };
    let details = json!([
        edit("ADD", json!([{"subfield": "a", "data": {"text": "x"}}])),
        edit(
            "EDIT",
            json!([{"subfield": "a", "subaction": "REPLACE", "data": {"find": "T", "replaceWith": "U"}}])
        ),
        edit(
            "MOVE",
            json!([{"subfield": "b", "subaction": "CREATE_NEW_FIELD", "data": {"marcField": {"field": "246"}}}])
        ),
        edit("DELETE", json!([{"subfield": "c"}]))
    ]);
    let modify = action(
        "MODIFY",
        "MARC_BIBLIOGRAPHIC",
        json!({"mappingDetails": {"marcMappingOption": "MODIFY", "marcMappingDetails": details}}),
    );
    let overlay = action(
        "UPDATE",
        "MARC_BIBLIOGRAPHIC",
        json!({"mappingDetails": {"marcMappingOption": "UPDATE", "marcMappingDetails": []}}),
    );
    let instance = fields(json!([{"path": "instance.statusId", "value": "\"Cataloged\""}]));
    match which % 4 {
        0 => job(&[
            action("CREATE", "INSTANCE", instance),
            action("CREATE", "HOLDINGS", holdings),
            action("CREATE", "ITEM", items),
            modify,
        ]),
        1 => job(&[matching(
            "MARC_BIBLIOGRAPHIC",
            &field("001"),
            &field("001"),
            &[overlay, action("UPDATE", "INSTANCE", instance), modify],
            &[action("CREATE", "INSTANCE", fields(json!([])))],
        )]),
        2 => job(&[matching(
            "HOLDINGS",
            &text("Annex"),
            &member("holdingsrecord.permanentLocationId"),
            &[
                action("UPDATE", "HOLDINGS", holdings),
                matching(
                    "ITEM",
                    &field("945**i"),
                    &member("item.hrid"),
                    &[action("UPDATE", "ITEM", items)],
                    &[],
                ),
            ],
            &[],
        )]),
        _ => job(&[matching(
            "INSTANCE",
            &field("245**a"),
            &member("instance.title"),
            &[matching(
                "INSTANCE",
                &field("001"),
                &member("instance.hrid"),
                &[action("UPDATE", "INSTANCE", instance)],
                &[],
            )],
            &[modify],
        )]),
    }
}

/// The values in a profile, from the outside in.
fn change_nth_value(value: &mut Value, place: &mut usize, change: &mut dyn FnMut(&mut Value)) -> bool {
    if *place == 0 {
        change(value);
        return true;
    }
    *place -= 1;
    match value {
        Value::Object(members) => members.values_mut().any(|member| change_nth_value(member, place, change)),
        Value::Array(items) => items.iter_mut().any(|item| change_nth_value(item, place, change)),
        _ => false,
    }
}

fn change_record(record: &mut Record, place: u8, how: u8) {
    let tags = ["001", "008", "245", "650", "945", "999", "", "é"];
    let tag = tags[usize::from(how) % tags.len()].to_owned();
    let at = usize::from(place) % record.fields.len().max(1);
    match how >> 4 {
        0..4 => record.fields.push(Field::Control { tag, value: "é".repeat(usize::from(place)) }),
        4..8 => {
            let subfields = vec![Subfield { code: 'a', value: String::new() }; usize::from(place % 4)];
            record
                .fields
                .insert(at.min(record.fields.len()), Field::Data { tag, indicators: ['f', 'f'], subfields });
        }
        8..12 if !record.fields.is_empty() => {
            record.fields.remove(at);
        }
        _ if !record.fields.is_empty() => {
            let copy = record.fields[at].clone();
            record.fields.extend(std::iter::repeat_n(copy, usize::from(place)));
        }
        _ => {}
    }
}

fn library() -> Library {
    let mut library = Library::default().with_instance(1, "in1", &json!({"title": "T"}));
    library =
        library.with_marc(11, 1, marc(&format!("001 in1\n245 10 $aT\n700 1_ $ax$9y\n999 ff $i{}", id(1))));
    library.holdings = vec![json!({"id": id(21).to_string(), "hrid": "ho1", "instanceId": id(1).to_string(),
        "permanentLocationId": id(800).to_string()})];
    library.items = vec![
        json!({"id": id(31).to_string(), "hrid": "it1", "holdingsRecordId": id(21).to_string(),
        "status": {"name": "Available"}, "materialTypeId": id(820).to_string(), "permanentLoanTypeId": id(822).to_string()}),
    ];
    library
}

fn check(bytes: &[u8]) -> String {
    let (which, changes) = bytes.split_first().map_or((0, &[][..]), |(which, changes)| (*which, changes));
    let mut snapshot = profile(which);
    let mut record = marc(
        "001 in1\n008 120329s2011    sz a    ob    001 0 eng d\n245 10 $aT$bs$cc\n945 __ $hAnnex$a1$b2$iit1\n945 __ $hE$a3$iit9",
    );
    let replacements = replacements();
    for change in changes.chunks_exact(3).take(12) {
        let [high, low, how] = *change else { continue };
        if high & 0x80 != 0 {
            change_record(&mut record, low, how);
            continue;
        }
        let mut place = usize::from(high) * 4 + usize::from(low);
        let with = replacements[usize::from(how) % replacements.len()].clone();
        change_nth_value(&mut snapshot, &mut place, &mut |value| *value = with.clone());
    }
    match Plan::compile(&snapshot) {
        Err(error) => error.chars().take(60).collect(),
        Ok(_) => {
            let outcome = library().import(&snapshot, Format::Bibliographic, record);
            log(&outcome).join(";").chars().take(120).collect()
        }
    }
}

#[test]
fn damaged_profiles_and_records_end() {
    Fuzzer { seeds: SEEDS, words: &[b"\x80\x01\x20", b"\x02"], check }.run_briefly(2_000);
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn damaged_profiles_and_records_end_at_length() {
    Fuzzer { seeds: SEEDS, words: &[b"\x80\x01\x20", b"\x02"], check }.run_at_length();
}
