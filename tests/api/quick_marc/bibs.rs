//! Bibliographic records in the editor.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{RECORDS, authority, bib, created, data, edited, field, new_id, place, snapshot, view};

fn note(text: &str) -> Value {
    json!({"tag": "500", "indicators": ["\\", "\\"], "content": format!("$a {text}"), "isProtected": false})
}

#[tokio::test]
async fn a_record_is_shown_with_its_fields_and_changed_with_its_instance() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = bib(&library, &snapshot, "in00000000100", Vec::new()).await;
    let shown = view(&library, &id).await;
    assert_eq!(
        (&shown["marcFormat"], &shown["externalHrid"]),
        (&json!("BIBLIOGRAPHIC"), &json!("in00000000100"))
    );
    assert_eq!(shown["leader"], "00835cam\\a2200229\\a\\4500");
    assert_eq!(shown["updateInfo"]["recordState"], "ACTUAL");
    assert_eq!(field(&shown, "001")[0]["isProtected"], true);
    assert_eq!(field(&shown, "008")[0]["content"]["Date1"], "2002");
    let name = json!({"tag": "100", "indicators": ["1", "\\"], "content": "$a Chabon", "isProtected": false});
    assert_eq!(field(&shown, "100"), [&name]);
    let body = edited(shown.clone(), 1, |fields| fields.push(note("Test note")));
    let reply = library.put(&place(&body), &body).await.expect(202);
    assert!(reply.round_trips() <= 4, "{} round trips", reply.round_trips());
    let now = view(&library, &id).await;
    assert_eq!(field(&now, "500"), [&note("Test note")]);
    assert_ne!(field(&now, "005")[0]["content"], "20220418114815.9");
    assert_eq!(now["parsedRecordDtoId"], shown["parsedRecordDtoId"]);
    assert_ne!(now["parsedRecordId"], shown["parsedRecordId"], "a new generation");
    let instance = library.get(&format!("/instance-storage/instances/{id}")).await.expect(200).json();
    assert_eq!(
        (&instance["title"], &instance["_version"]),
        (&json!("Summerland / Michael Chabon."), &json!(2))
    );
    assert_eq!(instance["notes"][0]["note"], "Test note");
    assert_eq!(instance["administrativeNotes"], json!(["kept"]));
    let late = library.put(&place(&body), &body).await.expect(409);
    let told = format!(
        "Cannot update record {id} because it has been changed (optimistic locking): Stored _version is 2, _version of request is 1"
    );
    assert_eq!((&late.json()["message"], &late.json()["type"]), (&json!(told), &json!("-3")));
}

#[tokio::test]
async fn a_changed_record_keeps_its_position_in_the_imported_file() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = bib(&library, &snapshot, "in00000000100", Vec::new()).await;
    let shown = view(&library, &id).await;
    let stored = format!("/source-storage/records/{}", shown["parsedRecordId"].as_str().unwrap());
    let mut record = library.get(&stored).await.expect(200).json();
    record["order"] = json!(3);
    library.put(&stored, &record).await.expect(200);
    let body = edited(shown, 1, |fields| fields.push(note("Test note")));
    library.put(&place(&body), &body).await.expect(202);
    let path = format!("/source-storage/source-records/{id}?idType=INSTANCE");
    assert_eq!(library.get(&path).await.expect(200).json()["order"], 3);
}

#[tokio::test]
async fn the_record_of_an_instance_that_is_marked_as_deleted_can_be_edited_further() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = bib(&library, &snapshot, "in00000000100", Vec::new()).await;
    let before = view(&library, &id).await;
    library.delete(&format!("/inventory/instances/{id}/mark-deleted")).await.expect(204);
    let shown = view(&library, &id).await;
    assert_eq!(
        (&shown["leader"], &shown["suppressDiscovery"]),
        (&json!("00835dam\\a2200229\\a\\4500"), &json!(true))
    );
    library.get(&format!("/change-manager/parsedRecords?externalId={id}")).await.expect(200);
    let instance = library.get(&format!("/instance-storage/instances/{id}")).await.expect(200).json();
    let body = edited(shown, instance["_version"].as_i64().unwrap(), |fields| fields.push(note("Weeded")));
    library.put(&place(&body), &body).await.expect(202);
    let now = view(&library, &id).await;
    assert_eq!(field(&now, "500"), [&note("Weeded")]);
    assert_eq!(now["parsedRecordDtoId"], before["parsedRecordDtoId"]);
    let all = "/source-storage/records?recordType=MARC_BIB&limit=10";
    let mut states = Vec::new();
    for state in ["ACTUAL", "OLD", "DELETED"] {
        states.push(library.get(&format!("{all}&state={state}")).await.expect(200).total());
    }
    assert_eq!(states, [1, 1, 0]);
}

#[tokio::test]
async fn what_breaks_a_rule_is_refused() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = bib(&library, &snapshot, "in00000000101", Vec::new()).await;
    let shown = view(&library, &id).await;
    let cases: [(u16, &str, Box<dyn Fn(&mut Value)>); 6] = [
        (
            422,
            "Invalid Date1 field length, must be 4 characters",
            Box::new(|body| {
                let fields = body["fields"].as_array_mut().unwrap();
                fields.iter_mut().find(|field| field["tag"] == "008").unwrap()["content"]["Date1"] =
                    json!("123");
            }),
        ),
        (
            422,
            "Is required tag",
            Box::new(|body| {
                body["fields"].as_array_mut().unwrap().retain(|field| field["tag"] != "245");
            }),
        ),
        (
            422,
            "Wrong value 'z', on position 5. Allowed only: [a, c, d, n, p]",
            Box::new(|body| {
                body["leader"] = json!("00835zam\\a2200229\\a\\4500");
            }),
        ),
        (
            400,
            "Parameter 'leader' size must be between 24 and 24",
            Box::new(|body| body["leader"] = json!("short")),
        ),
        (
            400,
            "Parameter 'relatedRecordVersion' must not be null",
            Box::new(|body| body["relatedRecordVersion"] = Value::Null),
        ),
        (
            400,
            "Subfield length",
            Box::new(|body| {
                body["fields"].as_array_mut().unwrap().push(json!({"tag": "500", "content": "$a"}));
            }),
        ),
    ];
    for (status, message, change) in cases {
        let mut body = edited(shown.clone(), 1, |_| ());
        change(&mut body);
        let reply = library.put(&place(&body), &body).await.expect(status);
        assert_eq!(reply.json()["message"], message, "{reply}");
    }
    // A MARC record that does not exist, and one of another instance.
    let other = view(&library, &bib(&library, &snapshot, "in00000000102", Vec::new()).await).await;
    for (member, id) in [("parsedRecordDtoId", json!(new_id())), ("externalId", other["externalId"].clone())]
    {
        let mut body = edited(shown.clone(), 1, |_| ());
        body[member] = id;
        let reply = library.put(&place(&body), &body).await.expect(400);
        let message =
            format!("Record with id '{}' was not found", body["parsedRecordDtoId"].as_str().unwrap());
        assert_eq!(reply.json(), json!({"message": message, "type": "-3", "code": "INTERNAL_SERVER_ERROR"}));
    }
    let body = edited(shown, 1, |_| ());
    let mismatch = library.put(&format!("{RECORDS}/{}", new_id()), &body).await.expect(400);
    assert_eq!(mismatch.json()["message"], "Request id and entity id are not equal");
    library.put(&format!("{RECORDS}/nonsense"), &body).await.expect(400);
    assert_eq!(view(&library, &id).await["parsedRecordId"], body["parsedRecordId"], "nothing was changed");
    let nobody = new_id();
    let unknown = library.get(&format!("{RECORDS}?externalId={nobody}")).await.expect(404).json();
    let message = format!("Error retrieving Record by externalId: '{nobody}', response code 404, Not Found");
    assert_eq!(unknown, json!({"message": message, "type": "-2", "code": "NOT_FOUND"}));
    let bad = library.get(&format!("{RECORDS}?externalId=badUUID")).await.expect(400);
    assert_eq!(bad.json()["message"], "Parameter 'externalId' is invalid");
    let delete = library.delete(&format!("{RECORDS}/{id}")).await.expect(400);
    assert_eq!(
        delete.json()["message"],
        "Job profile for [DELETE] action and [bibliographic] record type was not found"
    );
}

#[tokio::test]
async fn a_record_is_created_with_its_instance() {
    let library = Library::furnished().await;
    let body = json!({
        "_actionType": "create", "marcFormat": "BIBLIOGRAPHIC", "leader": "01706ccm\\a2200361\\\\\\4500", "suppressDiscovery": true,
        "fields": [
            {"tag": "001", "content": "393893"},
            {"tag": "003", "content": "XYZ"},
            {"tag": "008", "content": {"Type": "c", "BLvl": "m", "DtSt": "s", "Entered": "abcdef", "Date1": "1999", "Date2": "\\\\\\\\", "Ctry": "gw\\", "Lang": "ger", "MRec": "\\", "Srce": "d", "Comp": "zz"}},
            {"tag": "245", "content": "$a Neue Ausgabe $b costs {dollar}5", "indicators": ["1", "\\"]},
            {"tag": "500", "content": ""},
            {"tag": "005", "content": "20141107001016.0"},
            {"tag": "999", "content": "$s x", "indicators": ["f", "f"]},
        ],
    });
    let status = created(&library, &body).await;
    assert_eq!(status["status"], "CREATED", "{status}");
    let id = status["externalId"].as_str().unwrap();
    let instance = library.get(&format!("/instance-storage/instances/{id}")).await.expect(200).json();
    assert_eq!((&instance["source"], &instance["discoverySuppress"]), (&json!("MARC"), &json!(true)));
    assert!(instance["title"].as_str().unwrap().contains("costs $5"), "{instance}");
    let shown = view(&library, id).await;
    let tags: Vec<&str> =
        shown["fields"].as_array().unwrap().iter().map(|field| field["tag"].as_str().unwrap()).collect();
    assert_eq!(tags, ["001", "005", "008", "245", "999"]);
    assert_eq!(field(&shown, "001")[0]["content"], instance["hrid"]);
    assert_eq!(field(&shown, "008")[0]["content"]["Comp"], "zz");
    let own = format!("$s {} $i {id}", shown["parsedRecordDtoId"].as_str().unwrap());
    assert_eq!(
        (&shown["parsedRecordId"], field(&shown, "999")[0]["content"].as_str()),
        (&status["marcId"], Some(own.as_str()))
    );
    let again = edited(shown, 1, |_| ());
    library.put(&place(&again), &again).await.expect(202);
}

#[tokio::test]
async fn the_status_of_what_was_not_created_is_unknown() {
    let library = Library::open().await;
    let none = library.get(&format!("{RECORDS}/status")).await.expect(400);
    assert_eq!(none.json()["message"], "Parameter 'qmRecordId' is required");
    let id = new_id();
    let unknown = library.get(&format!("{RECORDS}/status?qmRecordId={id}")).await.expect(404);
    assert_eq!(unknown.json()["message"], format!("Record with id [{id}] was not found"));
}

#[tokio::test]
async fn linked_fields_are_shown_with_their_links() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let id = bib(&library, &snapshot, "in00000000102", Vec::new()).await;
    let content = format!("$a Johnson $0 n00001263 $9 {johnson}");
    let linked = |tag: &str, rule: i64| json!({"tag": tag, "indicators": ["\\", "1"], "content": content, "linkDetails": {"authorityId": johnson, "authorityNaturalId": "n00001263", "linkingRuleId": rule}});
    let body =
        edited(view(&library, &id).await, 1, |fields| fields.extend([linked("100", 1), linked("240", 5)]));
    library.put(&place(&body), &body).await.expect(202);
    let shown = view(&library, &id).await;
    let mut expected = linked("100", 1);
    expected["isProtected"] = json!(false);
    expected["linkDetails"]["status"] = json!("ACTUAL");
    assert!(field(&shown, "100").contains(&&expected), "{:?}", field(&shown, "100"));
    let links = library.get(&format!("/links/instances/{id}")).await.expect(200).json();
    assert_eq!(links["totalRecords"], 2, "{links}");
    let body = edited(shown, 2, |fields| fields.push(linked("600", 8)));
    library.put(&place(&body), &body).await.expect(202);
    let more = library.get(&format!("/links/instances/{id}")).await.expect(200).json();
    assert_eq!((more["links"][0].clone(), &more["totalRecords"]), (links["links"][0].clone(), &json!(3)));
}

#[tokio::test]
async fn the_only_field_of_a_links_tag_shows_the_link_also_if_it_names_another_authority() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let other = new_id();
    let (johnson, other) = (johnson.as_str(), other.as_str());
    // The authority in subfield 9 of each field 700 (none if it is empty), and whether the field shows the link to Johnson.
    let cases = [
        (vec![johnson], vec![true]),
        (vec![other], vec![true]),
        (vec![""], vec![false]),
        (vec![other, johnson], vec![false, true]),
    ];
    for (at, (named, expected)) in cases.into_iter().enumerate() {
        let fields = named.iter().map(|named| match *named {
            "" => data("700", "1 ", &json!([{"a": "Johnson"}])),
            named => data("700", "1 ", &json!([{"a": "Johnson"}, {"9": named}])),
        });
        let id = bib(&library, &snapshot, &format!("in0000000060{at}"), fields.collect()).await;
        let link = json!({"authorityId": johnson, "authorityNaturalId": "n00001263", "instanceId": id, "linkingRuleId": 15});
        library.put(&format!("/links/instances/{id}"), &json!({"links": [link]})).await.expect(204);
        let shown = view(&library, &id).await;
        let is_linked = |field: &&Value| {
            let details = &field["linkDetails"];
            details["authorityId"] == johnson && details["linkingRuleId"] == 15
        };
        let linked: Vec<bool> = field(&shown, "700").iter().map(is_linked).collect();
        assert_eq!(linked, expected, "{named:?}: {shown}");
    }
}

#[tokio::test]
async fn the_fixed_fields_are_specified() {
    let library = Library::open().await;
    for (kind, format) in
        [("bibliographic", "BIBLIOGRAPHIC"), ("holdings", "HOLDINGS"), ("authority", "AUTHORITY")]
    {
        let found = library.get(&format!("/marc-specifications/{kind}/008")).await.expect(200).json();
        assert_eq!((&found["tag"], &found["format"]), (&json!("008"), &json!(format)));
    }
    let none = library.get("/marc-specifications/holdings/007").await.expect(404);
    let told = "Marc specification for [holdings] record type and [007] field tag not found";
    assert_eq!(none.json()["message"], told);
    library.get("/marc-specifications/items/008").await.expect(400);
}
