use serde_json::{Value, json};

use super::flow_marc::{library, update};
use super::library::{Library, documents, id, log, marc_write, own_protections};
use super::profiles::{action, field, fields, job, matching};
use super::text::{assert_lines, marc};
use crate::{Entity, Format, Write};

#[test]
fn holdings_are_made_of_marc_records_and_changed_by_them() {
    let create = |from: &str| {
        let mut profile = action("CREATE", "HOLDINGS", fields(json!([])));
        profile["childSnapshotWrappers"][0]["content"]["incomingRecordType"] = json!(from);
        profile
    };
    let record = format!("001 h9\n003 X\n004 in1\n852 __ $b{}$hQA", id(800));
    let outcome = library().import(&job(&[create("MARC_HOLDINGS")]), Format::Holdings, marc(&record));
    assert_eq!(log(&outcome), ["HOLDINGS CREATE", "MARC_HOLDINGS CREATE"]);
    let holdings = documents(&outcome, Entity::Holdings)[0];
    assert_eq!(holdings["instanceId"], id(1).to_string());
    assert_eq!(holdings["sourceId"], "036ee84a-6afd-4c3c-9ad3-4a12ab875f59");
    assert_lines(
        &marc_write(&outcome).record,
        &format!(
            "001 holdings1\n005 20240517101112.3\n004 in1\n852 __ $b{}$hQA\n035 __ $a(X)h9\n999 ff $i{}$s{}",
            id(800),
            holdings["id"].as_str().unwrap(),
            id(77)
        ),
        "with the number of the holdings",
    );
    let no_link = "The 004 tag of the Holdings doesn't has a link to the Bibliographic record";
    for (record, expected) in [
        (
            "004 in1
852 __ $b1",
            "Value '1' is not a UUID for permanentLocationId field",
        ),
        (
            "004 in1
852 __ $h1",
            "Can`t create Holding entity: 'permanentLocationId' is empty",
        ),
        ("852 __ $h1", no_link),
        (
            "004 x
852 __ $h1",
            no_link,
        ),
    ] {
        let outcome = library().import(&job(&[create("MARC_HOLDINGS")]), Format::Holdings, marc(record));
        assert_eq!(
            log(&outcome),
            ["HOLDINGS", "MARC_HOLDINGS"].map(|entity| format!("{entity} CREATE: {expected}"))
        );
        assert!(outcome.writes.is_empty());
    }

    let mut library = library();
    library.holdings =
        vec![json!({"id": id(21).to_string(), "hrid": "ho1", "instanceId": id(1).to_string(), "_version": 2,
        "permanentLocationId": id(801).to_string(), "copyNumber": "1", "statisticalCodeIds": ["s"]})];
    library = library.with_marc(
        41,
        21,
        marc(&format!("001 ho1\n004 in1\n852 __ $b{}\n999 ff $i{}$s{}", id(801), id(21), id(41))),
    );
    let change = update("MARC_HOLDINGS", &json!([]));
    let profile = job(&[matching("MARC_HOLDINGS", &field("001"), &field("001"), &[change], &[])]);
    let outcome = library.import(
        &profile,
        Format::Holdings,
        marc(&format!("001 ho1\n004 in1\n852 __ $b{}$hQA", id(800))),
    );
    assert_eq!(log(&outcome), ["MARC_HOLDINGS MATCH", "MARC_HOLDINGS UPDATE", "HOLDINGS UPDATE"]);
    let changed = documents(&outcome, Entity::Holdings)[0];
    assert_eq!(
        (&changed["callNumber"], &changed["statisticalCodeIds"], &changed["_version"]),
        (&json!("QA"), &json!(["s"]), &json!(2))
    );
    assert_eq!(changed["permanentLocationId"], id(800).to_string());
}

#[test]
fn authorities_are_made_changed_and_deleted() {
    let create = action("CREATE", "AUTHORITY", json!({}));
    let outcome =
        Library::default().import(&job(&[create]), Format::Authority, marc("001 n1\n100 1_ $aName"));
    assert_eq!(log(&outcome), ["AUTHORITY CREATE", "MARC_AUTHORITY CREATE"]);
    let authority = documents(&outcome, Entity::Authority)[0];
    assert_eq!((&authority["source"], &authority["naturalId"]), (&json!("MARC"), &json!("n1")));
    assert_lines(
        &marc_write(&outcome).record,
        &format!(
            "001 n1\n005 20240517101112.3\n100 1_ $aName\n999 ff $s{}$i{}",
            id(77),
            authority["id"].as_str().unwrap()
        ),
        "an authority keeps its number",
    );

    let mut library = Library { protections: own_protections(), ..Library::default() };
    library.authorities = vec![
        json!({"id": id(51).to_string(), "_version": 4, "personalName": "Old", "source": "MARC", "notes": []}),
    ];
    library =
        library.with_marc(61, 51, marc(&format!("001 n1\n100 1_ $aOld\n999 ff $i{}$s{}", id(51), id(61))));
    let matched =
        |below: Value| job(&[matching("MARC_AUTHORITY", &field("001"), &field("001"), &[below], &[])]);
    let profile = matched(update("MARC_AUTHORITY", &json!([])));
    let outcome = library.import(&profile, Format::Authority, marc("001 n1\n100 1_ $aNew"));
    assert_eq!(log(&outcome), ["MARC_AUTHORITY UPDATE", "AUTHORITY UPDATE"]);
    assert_eq!(
        *documents(&outcome, Entity::Authority)[0],
        json!({"id": id(51).to_string(), "_version": 4, "personalName": "New", "naturalId": "n1", "source": "MARC"})
    );
    let delete = json!({"contentType": "ACTION_PROFILE", "content": {"name": "D", "action": "DELETE", "folioRecord": "MARC_AUTHORITY"}});
    let outcome = library.import(&matched(delete), Format::Authority, marc("001 n1"));
    assert_eq!(log(&outcome), ["MARC_AUTHORITY DELETE", "AUTHORITY DELETE"]);
    assert_eq!(
        outcome.writes,
        [
            Write::Delete { entity: Entity::MarcAuthority, id: id(61) },
            Write::Delete { entity: Entity::Authority, id: id(51) }
        ]
    );
    library.authorities.clear();
    let outcome = library.import(&profile, Format::Authority, marc("001 n1\n100 1_ $aNew"));
    assert_eq!(
        log(&outcome),
        [
            format!("MARC_AUTHORITY UPDATE: Authority record was not found by id: {}", id(51)),
            format!("AUTHORITY UPDATE: Authority record was not found by id: {}", id(51))
        ][..1],
    );
}
