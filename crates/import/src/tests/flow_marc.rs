use serde_json::{Value, json};

use super::library::{Library, documents, id, log, marc_write, own_protections};
use super::profiles::{action, field, fields, job, matching, member};
use super::text::{assert_lines, marc};
use crate::{Entity, Format, Write};

pub(super) fn update(record: &str, details: &Value) -> Value {
    action(
        "UPDATE",
        record,
        json!({"mappingDetails": {"marcMappingOption": "UPDATE", "marcMappingDetails": details}}),
    )
}

pub(super) fn library() -> Library {
    let mut library = Library::default().with_instance(1, "in1", &json!({"tags": {"tagList": ["t"]}}));
    library = library.with_marc(
        11,
        1,
        marc(&format!(
            "001 in1\n035 __ $a(OCoLC)1\n245 10 $aOld\n500 __ $aN\n999 ff $i{}$s{}",
            id(1),
            id(11)
        )),
    );
    library.protections = own_protections();
    library
}

fn match_by_035(below: &[Value], other: &[Value]) -> Value {
    matching("MARC_BIBLIOGRAPHIC", &field("035  a"), &field("035  a"), below, other)
}

#[test]
fn a_stored_record_is_replaced_and_its_instance_follows() {
    let profile = job(&[match_by_035(&[update("MARC_BIBLIOGRAPHIC", &json!([]))], &[])]);
    let record = marc("001 ocn9\n003 OCoLC\n035 __ $a(OCoLC)1\n245 10 $aNew");
    let outcome = library().import(&profile, Format::Bibliographic, record);
    assert_eq!(log(&outcome), ["MARC_BIBLIOGRAPHIC UPDATE", "INSTANCE UPDATE"]);
    let stored = marc_write(&outcome);
    assert_lines(
        &stored.record,
        &format!(
            "001 in1\n005 20240517101112.3\n035 __ $a(OCoLC)1\n035 __ $a(OCoLC)ocn9\n245 10 $aNew\n999 ff $i{}$s{}",
            id(1),
            id(11)
        ),
        "the number that came is kept in 035",
    );
    assert_eq!(
        (stored.id, stored.matched, stored.generation, stored.describes),
        (id(77), id(11), 1, Some(id(1)))
    );
    let instance = documents(&outcome, Entity::Instance)[0];
    assert_eq!((&instance["title"], &instance["tags"]["tagList"][0]), (&json!("New"), &json!("t")));
}

#[test]
fn links_end_with_their_fields() {
    let link = |natural_id: &str| crate::marc::Link {
        rule: 1,
        tag: "700".to_owned(),
        authority: format!("uuid-{natural_id}"),
        natural_id: natural_id.to_owned(),
        controlled: vec!['a'],
    };
    let stored = format!(
        "001 in1\n035 __ $a(OCoLC)1\n245 10 $aOld\n700 1_ $aOne$0n1$9uuid-n1\n700 1_ $aTwo$0n2$9uuid-n2\n999 ff $i{}$s{}",
        id(1),
        id(11)
    );
    let instance = action("UPDATE", "INSTANCE", fields(json!([])));
    for change in [update("MARC_BIBLIOGRAPHIC", &json!([])), instance] {
        let mut library = Library { links: vec![link("n1"), link("n2")], ..library() };
        library.marc.clear();
        let library = library.with_marc(11, 1, marc(&stored));
        let incoming = marc("035 __ $a(OCoLC)1\n245 10 $aNew\n700 1_ $aOther$eauthor$0n2");
        let outcome = library.import(&job(&[match_by_035(&[change], &[])]), Format::Bibliographic, incoming);
        let names: Vec<&str> = marc_write(&outcome).record.values("700", 'a').collect();
        assert_eq!(names, ["Two"], "the authority rules its name");
        let kept = outcome.writes.iter().find_map(|write| match write {
            Write::KeepLinks { links, .. } => Some(links.clone()),
            _ => None,
        });
        assert_eq!(kept, Some(vec![link("n2")]));
    }
}

#[test]
fn selected_fields_are_replaced() {
    let details = json!([{"order": 0, "action": "EDIT", "field": {"field": "245", "indicator1": "*", "indicator2": "*",
        "subfields": [{"subfield": "*"}]}}]);
    let profile = job(&[match_by_035(&[update("MARC_BIBLIOGRAPHIC", &details)], &[])]);
    let outcome = library().import(&profile, Format::Bibliographic, marc("035 __ $a(OCoLC)1\n245 10 $aNew"));
    assert_lines(
        &marc_write(&outcome).record,
        &format!(
            "001 in1\n005 20240517101112.3\n035 __ $a(OCoLC)1\n245 10 $aNew\n500 __ $aN\n999 ff $i{}$s{}",
            id(1),
            id(11)
        ),
        "the note stays",
    );
}

#[test]
fn one_record_is_stored_once_whatever_changes_it() {
    let details = json!([{"order": 0, "action": "ADD", "field": {"field": "590", "indicator1": "", "indicator2": "",
        "subfields": [{"subfield": "a", "data": {"text": "L"}}]}}]);
    let modify = action(
        "MODIFY",
        "MARC_BIBLIOGRAPHIC",
        json!({"mappingDetails": {"marcMappingOption": "MODIFY", "marcMappingDetails": details}}),
    );
    let instance = action(
        "UPDATE",
        "INSTANCE",
        fields(json!([{"path": "instance.staffSuppress", "booleanFieldAction": "ALL_TRUE"}])),
    );
    let profile = job(&[match_by_035(&[update("MARC_BIBLIOGRAPHIC", &json!([])), instance, modify], &[])]);
    let outcome = library().import(&profile, Format::Bibliographic, marc("035 __ $a(OCoLC)1\n245 10 $aNew"));
    let marcs = outcome.writes.iter().filter(|write| matches!(write, Write::Marc(_))).count();
    assert_eq!((marcs, documents(&outcome, Entity::Instance).len()), (1, 1));
    let stored = marc_write(&outcome);
    assert_eq!(stored.generation, 1);
    assert!(stored.record.values("590", 'a').any(|value| value == "L"));
    assert_eq!(stored.before.as_ref().unwrap().values("245", 'a').next(), Some("Old"));
    assert_eq!(documents(&outcome, Entity::Instance)[0]["staffSuppress"], true);
    assert_eq!(
        log(&outcome),
        [
            "MARC_BIBLIOGRAPHIC UPDATE",
            "INSTANCE UPDATE",
            "INSTANCE UPDATE",
            "MARC_BIBLIOGRAPHIC UPDATE",
            "MARC_BIBLIOGRAPHIC MODIFY"
        ]
    );
}

#[test]
fn a_record_modified_first_is_made_as_it_was_modified() {
    let details = json!([{"order": 0, "action": "DELETE", "field": {"field": "245", "indicator1": "1", "indicator2": "0",
        "subfields": [{"subfield": "b"}]}}]);
    let modify = action(
        "MODIFY",
        "MARC_BIBLIOGRAPHIC",
        json!({"mappingDetails": {"marcMappingOption": "MODIFY", "marcMappingDetails": details}}),
    );
    let create = action("CREATE", "INSTANCE", fields(json!([])));
    let outcome =
        Library::default().import(&job(&[modify, create]), Format::Bibliographic, marc("245 10 $aT$bsub"));
    assert_eq!(log(&outcome), ["MARC_BIBLIOGRAPHIC MODIFY", "INSTANCE CREATE", "MARC_BIBLIOGRAPHIC CREATE"]);
    assert_eq!(marc_write(&outcome).record.values("245", 'b').count(), 0);
}

#[test]
fn matches_of_marc_records_lead_on() {
    let create = action("CREATE", "INSTANCE", fields(json!([])));
    let update = || action("UPDATE", "INSTANCE", fields(json!([])));
    let two = || {
        let mut library = library().with_instance(2, "in2", &json!({}));
        library = library.with_marc(
            12,
            2,
            marc(&format!("001 in2\n035 __ $a(OCoLC)1\n245 10 $aO\n999 ff $i{}$s{}", id(2), id(12))),
        );
        library
    };
    let narrow = |existing: &str| {
        let by = if existing == "INSTANCE" { member("instance.hrid") } else { field("001") };
        matching(existing, &field("001"), &by, &[update()], &[])
    };
    let incoming = "001 in2\n035 __ $a(OCoLC)1\n245 10 $aNew";
    let several = format!(
        "Found multiple records corresponding to match profile criteria, incomingRecordId: '{}', jobExecutionId: '{}'",
        id(77),
        id(2)
    );
    for (why, library, profile, record, expected) in [
        (
            "an instance is changed by its record",
            library(),
            match_by_035(&[update()], std::slice::from_ref(&create)),
            "035 __ $a(OCoLC)1\n245 10 $aNew",
            vec!["INSTANCE UPDATE".to_owned(), "MARC_BIBLIOGRAPHIC UPDATE".to_owned()],
        ),
        (
            "what is not found is made",
            library(),
            match_by_035(&[update()], std::slice::from_ref(&create)),
            "035 __ $a(OCoLC)2\n245 10 $aNew",
            [
                "MARC_BIBLIOGRAPHIC NON_MATCH",
                "INSTANCE NON_MATCH",
                "INSTANCE CREATE",
                "MARC_BIBLIOGRAPHIC CREATE",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
        (
            "several are an error",
            two(),
            match_by_035(&[update()], &[]),
            incoming,
            vec![
                format!("MARC_BIBLIOGRAPHIC NON_MATCH: {several}"),
                format!("INSTANCE NON_MATCH: {several}"),
            ],
        ),
        (
            "or left to a match of instances",
            two(),
            match_by_035(&[narrow("INSTANCE")], &[]),
            incoming,
            ["INSTANCE MATCH", "MARC_BIBLIOGRAPHIC MATCH", "INSTANCE UPDATE", "MARC_BIBLIOGRAPHIC UPDATE"]
                .map(str::to_owned)
                .to_vec(),
        ),
        (
            "or of MARC records",
            two(),
            match_by_035(&[narrow("MARC_BIBLIOGRAPHIC")], &[]),
            incoming,
            ["INSTANCE UPDATE", "MARC_BIBLIOGRAPHIC UPDATE"].map(str::to_owned).to_vec(),
        ),
        (
            "the last match is told",
            library(),
            match_by_035(&[], &[]),
            "035 __ $a(OCoLC)1",
            ["MARC_BIBLIOGRAPHIC MATCH", "INSTANCE MATCH"].map(str::to_owned).to_vec(),
        ),
    ] {
        let outcome = library.import(&job(&[profile]), Format::Bibliographic, marc(record));
        assert_eq!(log(&outcome), expected, "{why}");
    }
}

#[test]
fn a_record_of_another_kind_is_refused() {
    let profile = job(&[match_by_035(&[], &[])]);
    let outcome = library().import(&profile, Format::Authority, marc("001 n1"));
    assert_eq!(log(&outcome)[0], "MARC_BIBLIOGRAPHIC NON_MATCH: Match detail is invalid");
    let profile = job(&[action("CREATE", "INSTANCE", fields(json!([])))]);
    let outcome = library().import(&profile, Format::Holdings, marc("001 n1"));
    assert!(log(&outcome)[0].starts_with("INSTANCE CREATE: Failed to handle event payload"));
}
