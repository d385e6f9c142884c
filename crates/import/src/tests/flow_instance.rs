use serde_json::{Value, json};

use super::library::{Library, documents, id, log, marc_write, own_protections};
use super::profiles::{action, field, fields, job, matching, member, text as constant};
use super::text::{assert_lines, marc};
use crate::{Entity, Format, Write};

fn create() -> Value {
    action(
        "CREATE",
        "INSTANCE",
        fields(json!([
            {"path": "instance.statusId", "value": "\"Cataloged\"", "acceptedValues": {id(810).to_string(): "Cataloged"}},
            {"path": "instance.catalogedDate", "value": "###TODAY###"},
            {"path": "instance.discoverySuppress", "booleanFieldAction": "ALL_TRUE"},
        ])),
    )
}

fn update() -> Value {
    action(
        "UPDATE",
        "INSTANCE",
        fields(json!([{"path": "instance.catalogedDate", "value": "\"2024-01-01\""}])),
    )
}

const INCOMING: &str = "001 ocn1\n003 OCoLC\n245 10 $aNew title";

#[test]
fn an_instance_is_made_with_its_marc_record() {
    let outcome = Library::default().import(&job(&[create()]), Format::Bibliographic, marc(INCOMING));
    assert_eq!(log(&outcome), ["INSTANCE CREATE", "MARC_BIBLIOGRAPHIC CREATE"]);
    let instance = documents(&outcome, Entity::Instance)[0];
    let made = instance["id"].as_str().unwrap().to_owned();
    assert_eq!(
        *instance,
        json!({"id": made, "hrid": "instance1", "source": "MARC", "title": "New title", "discoverySuppress": true,
            "instanceTypeId": id(901).to_string(), "statusId": id(810).to_string(), "catalogedDate": "2024-05-17",
            "identifiers": [{"identifierTypeId": id(900).to_string(), "value": "(OCoLC)ocn1"}]})
    );
    let stored = marc_write(&outcome);
    assert_lines(
        &stored.record,
        &format!(
            "001 instance1\n005 20240517101112.3\n245 10 $aNew title\n035 __ $a(OCoLC)ocn1\n999 ff $i{made}$s{}",
            id(77)
        ),
        "the number and the ids are in the record",
    );
    assert_eq!((stored.id, stored.matched, stored.generation), (id(77), id(77), 0));
    assert!(stored.suppressed);
    assert_eq!(stored.number.as_deref(), Some("instance1"));

    let again = Library::default().import(&job(&[create()]), Format::Bibliographic, marc(INCOMING));
    assert_eq!(again, outcome, "the same record makes the same records");
}

#[test]
fn an_instance_that_is_not_one_is_refused() {
    let nothing = action("CREATE", "INSTANCE", fields(json!([])));
    let wrong = action(
        "CREATE",
        "INSTANCE",
        fields(json!([{"path": "instance.natureOfContentTermIds[]", "value": "\"novel\""}])),
    );
    let without = json!({"contentType": "ACTION_PROFILE", "content": {"name": "x", "action": "CREATE", "folioRecord": "INSTANCE"}});
    let without_mapping = format!(
        "Action profile to create an Instance requires a mapping profile by jobExecutionId: '{}' and recordId: '{}'",
        id(2),
        id(77)
    );
    for (profile, record, expected) in [
        (
            &nothing,
            "001 x",
            "Mapped Instance is invalid: [Field 'title' is a required field and can not be null], by jobExecutionId",
        ),
        (
            &nothing,
            "245 10 $aT\n999 ff $iabc",
            "A new Instance was not created because the incoming record already contained a 999ff$s or 999ff$i field",
        ),
        (
            &wrong,
            "245 10 $aT",
            "Mapped Instance is invalid: [Value 'novel' is not a UUID for natureOfContentTermIds field], by",
        ),
        (&without, "245 10 $aT", without_mapping.as_str()),
    ] {
        let outcome = Library::default().import(
            &job(std::slice::from_ref(profile)),
            Format::Bibliographic,
            marc(record),
        );
        let told = log(&outcome);
        assert!(told[0].starts_with(&format!("INSTANCE CREATE: {expected}")), "{told:?}");
        assert!(told[1].starts_with("MARC_BIBLIOGRAPHIC CREATE: "), "{told:?}");
        assert!(outcome.failed() && outcome.writes.is_empty(), "{expected}");
    }
    let outcome = Library::default().import(
        &job(&[action("CREATE", "ORDER", json!({}))]),
        Format::Bibliographic,
        marc(INCOMING),
    );
    assert_eq!(log(&outcome), ["ORDER CREATE: Action profile CREATE ORDER: CREATE of ORDER is not built"]);
}

fn library() -> Library {
    let mut library = Library::default().with_instance(
        1,
        "in1",
        &json!({"statisticalCodeIds": [id(830).to_string()], "tags": {"tagList": ["t"]}, "administrativeNotes": ["n"], "editions": ["gone"],
            "discoverySuppress": true, "staffSuppress": false, "metadata": {"createdDate": "x"}}),
    );
    library = library.with_marc(
        11,
        1,
        marc(&format!("001 in1\n245 10 $aOld\n500 __ $aN\n999 ff $i{}$s{}", id(1), id(11))),
    );
    library.protections = own_protections();
    library
}

#[test]
fn a_matched_instance_is_changed_with_its_marc_record() {
    let profile =
        job(&[matching("INSTANCE", &field("001"), &member("instance.hrid"), &[update()], &[create()])]);
    let outcome = library().import(&profile, Format::Bibliographic, marc("001 in1\n245 10 $aNew"));
    assert_eq!(
        log(&outcome),
        ["INSTANCE MATCH", "MARC_BIBLIOGRAPHIC MATCH", "INSTANCE UPDATE", "MARC_BIBLIOGRAPHIC UPDATE"]
    );
    let instance = documents(&outcome, Entity::Instance)[0];
    assert_eq!(
        *instance,
        json!({"id": id(1).to_string(), "hrid": "in1", "_version": 3, "source": "MARC", "title": "New",
            "instanceTypeId": id(901).to_string(), "identifiers": [], "catalogedDate": "2024-01-01",
            "statisticalCodeIds": [id(830).to_string()], "tags": {"tagList": ["t"]}, "administrativeNotes": ["n"],
            "discoverySuppress": true, "staffSuppress": false, "metadata": {"createdDate": "x"}}),
        "what MARC rules is new, the rest stays"
    );
    let stored = marc_write(&outcome);
    assert_lines(
        &stored.record,
        &format!("001 in1\n005 20240517101112.3\n245 10 $aNew\n999 ff $i{}$s{}", id(1), id(11)),
        "the incoming record is laid over the stored one",
    );
    assert_eq!((stored.id, stored.matched, stored.generation), (id(77), id(11), 1));
    let Write::Update { before, .. } = &outcome.writes[0] else { panic!("{:?}", outcome.writes) };
    assert_eq!(before["title"], "Old");

    let outcome = library().import(&profile, Format::Bibliographic, marc("001 other\n245 10 $aNew"));
    assert_eq!(
        log(&outcome),
        [
            "INSTANCE NON_MATCH",
            "MARC_BIBLIOGRAPHIC NON_MATCH",
            "INSTANCE CREATE",
            "MARC_BIBLIOGRAPHIC CREATE"
        ]
    );
}

#[test]
fn records_that_change_the_same_are_told() {
    let profile =
        job(&[matching("INSTANCE", &field("001"), &member("instance.hrid"), &[update()], &[create()])]);
    let library = library().with_instance(2, "in2", &json!({"source": "FOLIO"}));
    let numbers = ["in1", "new", "in2", "in1", "new", "in2"];
    let outcomes: Vec<crate::Outcome> = (0..)
        .zip(numbers)
        .map(|(place, number)| {
            let record = marc(&format!("001 {number}\n245 10 $aT"));
            library.import_as(&profile, Format::Bibliographic, record, 100 + place)
        })
        .collect();
    assert_eq!(crate::conflicting_outcomes(&outcomes), [3, 5]);
}

#[test]
fn an_instance_without_a_marc_record_gets_one() {
    let library = Library::default().with_instance(1, "in1", &json!({"source": "FOLIO"}));
    let profile = job(&[matching("INSTANCE", &field("245**a"), &member("instance.title"), &[update()], &[])]);
    let outcome = library.import(&profile, Format::Bibliographic, marc("001 ocn1\n245 10 $aOld"));
    assert_eq!(log(&outcome)[2..], ["INSTANCE UPDATE", "MARC_BIBLIOGRAPHIC CREATE"]);
    assert_eq!(documents(&outcome, Entity::Instance)[0]["source"], "MARC");
    let stored = marc_write(&outcome);
    assert_lines(
        &stored.record,
        &format!(
            "001 in1\n005 20240517101112.3\n035 __ $aocn1\n245 10 $aOld\n999 ff $i{}$s{}",
            id(1),
            id(77)
        ),
        "a first generation",
    );
}

#[test]
fn several_matches_are_an_error_or_left_to_the_next_match() {
    let library =
        || {
            Library::default()
                .with_instance(1, "in1", &json!({"statusId": id(810).to_string()}))
                .with_instance(2, "in2", &json!({}))
        };
    let by_title = |below: &[Value]| {
        matching("INSTANCE", &field("245**a"), &member("instance.title"), below, &[create()])
    };
    let outcome =
        library().import(&job(&[by_title(&[update()])]), Format::Bibliographic, marc("245 10 $aOld"));
    let expected = format!(
        "org.folio.processing.exceptions.MatchingException: Found multiple records matching specified conditions: {}, {}",
        id(1),
        id(2)
    );
    assert_eq!(
        log(&outcome),
        [format!("INSTANCE NON_MATCH: {expected}"), format!("MARC_BIBLIOGRAPHIC NON_MATCH: {expected}")]
    );
    assert!(outcome.writes.is_empty());

    let by_status =
        matching("INSTANCE", &constant("Cataloged"), &member("instance.statusId"), &[update()], &[]);
    let outcome =
        library().import(&job(&[by_title(&[by_status])]), Format::Bibliographic, marc("245 10 $aOld"));
    assert_eq!(documents(&outcome, Entity::Instance)[0]["hrid"], "in1", "{:?}", log(&outcome));
}

#[test]
fn what_is_beside_a_match_is_done_after_it() {
    let by_hrid = matching("INSTANCE", &field("001"), &member("instance.hrid"), &[], &[]);
    let nested = matching(
        "INSTANCE",
        &field("245**a"),
        &member("instance.title"),
        &[],
        std::slice::from_ref(&by_hrid),
    );
    for profile in [job(&[by_hrid, create()]), job(&[nested, create()])] {
        let outcome = Library::default().import(&profile, Format::Bibliographic, marc(INCOMING));
        assert!(log(&outcome).contains(&"INSTANCE CREATE".to_owned()), "{:?}", log(&outcome));
    }
}

#[test]
fn order_lines_lead_to_instances() {
    let mut library = Library::default().with_instance(1, "in1", &json!({}));
    library.order_lines = vec![json!({"poLineNumber": "10000-1", "instanceId": id(1).to_string()})];
    let profile = job(&[matching(
        "INSTANCE",
        &field("935**a"),
        &member("instance.purchaseOrderLineNumber"),
        &[update()],
        &[],
    )]);
    for (number, expected) in [("10000-1", "INSTANCE MATCH"), ("10000-2", "INSTANCE NON_MATCH")] {
        let record = marc(&format!("245 10 $aNew\n935 __ $a{number}"));
        let outcome = library.import(&profile, Format::Bibliographic, record);
        assert_eq!(log(&outcome)[0], expected);
    }
}
