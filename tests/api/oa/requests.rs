//! Publication requests, the people in them, checklists and letters.

use octavo_testkit::{Library, encode};
use serde_json::{Value, json};

use super::{create_record, get, id, texts};

const PATH: &str = "/oa/publicationRequest";

#[tokio::test]
async fn a_request_has_a_number_a_status_and_people() {
    let library = Library::furnished().await;
    let address = json!({"address": {"city": "Graz", "country": "AT"}});
    let ada = json!({
        "givenNames": "Ada", "familyName": "Lovelace", "mainEmail": "ada@example.org", "streetAddress": address,
        "alternateEmails": [{"email": "a@example.org"}], "institutionLevel1": "Faculty 1",
    });
    let ada = create_record(&library, "/oa/party", &ada).await;
    assert_eq!(
        (&ada["fullName"], &ada["institutionLevel1"]["value"]),
        (&json!("Ada Lovelace"), &json!("faculty_1"))
    );
    assert_eq!(ada["streetAddress"]["address"]["city"], "Graz");

    let author = json!({"role": "corresponding_author", "partyOwner": {"id": ada["id"]}});
    let body = json!({
        "publicationTitle": "On engines", "requestDate": "2026-11-26T10:00:00Z", "correspondingAuthor": author,
        "requestNumber": " ",
        "publicationType": {"value": "Journal Article"}, "doi": "10.1/x", "bookDateOfPublication": "2026-11",
        "externalRequestIds": [{"externalId": "e1"}, {"externalId": "e2"}],
        "identifiers": [{"type": "ISBN", "publicationIdentifier": "978"}],
        "publicationStatuses": [{"publicationStatus": "Submitted", "statusDate": "2026-01-02"}],
        "fundings": [{"funder": "Funder 1", "aspectFunded": "Research"}], "agreement": {"remoteId": "a-1"},
        "history": [{"note": "made"}],
    });
    let refused = library.post(PATH, &body).await.expect(422).json();
    let message = "Property [toState] of class [class org.olf.oa.PublicationRequestHistory] cannot be null";
    assert_eq!(refused["message"], message);
    let mut body = body;
    body.as_object_mut().unwrap().remove("history");
    let made = create_record(&library, PATH, &body).await;
    let of = |pointer: &str| made.pointer(pointer).cloned().unwrap_or_default();
    for (pointer, value) in [
        // The refused one has used a number up.
        ("/requestNumber", json!("2")),
        ("/requestStatus/value", json!("new")),
        ("/requestDate", json!("2026-11-26")),
        ("/version", json!(0)),
        ("/withoutAgreement", json!(false)),
        ("/publicationType", of("/publicationType")),
        ("/publicationType/label", json!("Journal Article")),
        ("/correspondingAuthor/role/value", json!("corresponding_author")),
        ("/correspondingAuthor/partyOwner/fullName", json!("Ada Lovelace")),
        ("/identifiers/0/type/value", json!("isbn")),
        ("/publicationStatuses/0/statusDate", json!("2026-01-02")),
        ("/fundings/0/funder/label", json!("Funder 1")),
        ("/agreement", json!({"remoteId": "a-1"})),
        ("/charges", json!([])),
        ("/history", json!([])),
    ] {
        assert_eq!(of(pointer), value, "{pointer} of {made}");
    }
    assert!(of("/dateCreated").is_string() && of("/lastUpdated").is_string());

    // By its number as well as by its id.
    assert_eq!(get(&library, &format!("{PATH}/2")).await, made);
    let ids = made["externalRequestIds"].as_array().unwrap();
    let change = json!({
        "externalRequestIds": [{"id": ids[0]["id"], "externalId": "changed"}, {"id": ids[1]["id"], "_delete": true}, {"externalId": "e3"}],
        "requestStatus": "Closed", "closureReason": "Rejected", "correspondingAuthor": null, "doi": null,
    });
    let changed = library.put(&format!("{PATH}/2"), &change).await.expect(200).json();
    assert_eq!(texts(&changed["externalRequestIds"], "externalId"), ["changed", "e3"]);
    assert_eq!((&changed["version"], &changed["requestStatus"]["value"]), (&json!(1), &json!("closed")));
    assert!(changed.get("correspondingAuthor").is_none() && changed.get("doi").is_none());
    assert_eq!(changed["dateCreated"], made["dateCreated"]);
    library.put(&format!("{PATH}/nothing"), &change).await.expect(404);

    create_record(&library, PATH, &json!({"correspondingAuthor": author, "requestNumber": "own"})).await;
    assert_eq!(create_record(&library, PATH, &json!({})).await["requestNumber"], "3");
    let prefix = get(&library, "/oa/settings/appSettings?filters=key==hrid_prefix").await;
    let prefix = format!("/oa/settings/appSettings/{}", id(&prefix[0]));
    library.put(&prefix, &json!({"value": "OA-"})).await.expect(200);
    assert_eq!(create_record(&library, PATH, &json!({})).await["requestNumber"], "OA-4");
}

#[tokio::test]
async fn requests_are_found_by_what_is_within_them() {
    let library = Library::furnished().await;
    let party = json!({"givenNames": "Ada", "familyName": "Lovelace", "orcidId": "0000-1"});
    let party = create_record(&library, "/oa/party", &party).await;
    let role = |party: &Value| json!({"role": "Request contact", "partyOwner": {"id": party["id"]}});
    let one = json!({
        "requestNumber": "one", "publicationTitle": "Engines", "requestContact": role(&party), "agreement": {"remoteId": "r"},
        "fundings": [{"aspectFunded": "Research"}], "publicationStatuses": [{"statusDate": "2026-03-01"}, {"statusDate": "2025-01-01"}],
    });
    create_record(&library, PATH, &one).await;
    let two = json!({"requestNumber": "two", "publicationTitle": "Numbers", "requestStatus": "Closed", "requestDate": "2026-11-01"});
    create_record(&library, PATH, &two).await;
    for (filter, numbers) in [
        ("requestContact.partyOwner.fullName=~lovelace", "one"),
        ("requestContact.partyOwner.orcidId==0000-1", "one"),
        ("requestContact.role.value==request_contact", "one"),
        ("requestContact isNull", "two"),
        ("agreement.remoteId==r", "one"),
        ("fundings.aspectFunded.label==Research", "one"),
        ("fundings isEmpty", "two"),
        ("publicationStatuses.statusDate>2026-01-01", "one"),
        ("publicationStatuses.statusDate>2026-12-01", ""),
        ("requestStatus.value==closed", "two"),
        ("requestStatus.value==new", "one"),
        ("requestDate>=2026-11-01", "two"),
        ("requestDate>=2026-11-02", ""),
        ("withoutAgreement==false", "one two"),
    ] {
        let found = get(&library, &format!("{PATH}?sort=requestNumber&filters={}", encode(filter))).await;
        assert_eq!(texts(&found, "requestNumber").join(" "), numbers, "{filter}");
    }
    let matched =
        format!("{PATH}?term=lovelace&match=publicationTitle&match=requestContact.partyOwner.familyName");
    assert_eq!(texts(&get(&library, &matched).await, "requestNumber"), ["one"]);
    let sorted = format!("{PATH}?sort=requestContact.partyOwner.familyName&sort=requestStatus.value");
    assert_eq!(texts(&get(&library, &sorted).await, "requestNumber"), ["one", "two"]);

    // Whom a request names stays, and so does a value that is used.
    let path = format!("/oa/party/{}", id(&party));
    library.delete(&path).await.expect(422);
    let vocabulary = get(&library, "/oa/refdata?filters=desc==Funding.AspectFunded").await;
    let vocabulary = format!("/oa/refdata/{}", id(&vocabulary[0]));
    let values = get(&library, &vocabulary).await["values"].clone();
    let removed = |value: &str| {
        let found = values.as_array().unwrap().iter().find(|one| one["value"] == value).unwrap();
        json!({"values": [{"id": found["id"], "_delete": true}]})
    };
    library.put(&vocabulary, &removed("research")).await.expect(422);
    library.put(&vocabulary, &removed("publication")).await.expect(200);
    library.delete(&vocabulary).await.expect(422);
    library.delete(&format!("{PATH}/one")).await.expect(204);
    library.delete(&path).await.expect(204);
    library.delete(&vocabulary).await.expect(204);
    let internal = get(&library, "/oa/refdata?filters=desc==Charge.ChargeStatus").await;
    library.delete(&format!("/oa/refdata/{}", id(&internal[0]))).await.expect(405);
    assert_eq!(
        texts(&get(&library, "/oa/refdata/Charge/chargeStatus?sort=value").await, "label"),
        ["Expected", "Invoiced", "Paid"]
    );
    assert_eq!(get(&library, "/oa/refdata/Charge/ChargeStatus?stats=true").await["totalRecords"], 3);
}

#[tokio::test]
async fn people_have_one_address_of_their_own() {
    let library = Library::furnished().await;
    create_record(&library, "/oa/party", &json!({"mainEmail": "a@b", "orcidId": "1"})).await;
    for (body, member, value) in
        [(json!({"mainEmail": "a@b"}), "mainEmail", "a@b"), (json!({"orcidId": "1"}), "orcidId", "1")]
    {
        let refused = library.post("/oa/party", &body).await.expect(422).json();
        let message = format!(
            "Property [{member}] of class [class org.olf.oa.Party] with value [{value}] must be unique"
        );
        assert_eq!(refused["message"], message);
    }
    for (body, message) in [
        (
            json!({"alternateEmails": [{}]}),
            "Property [email] of class [class org.olf.oa.AlternateEmailAddress] cannot be null",
        ),
        (json!({"alternateEmails": [{"id": "x"}]}), "Property alternateEmails is type-mismatched"),
        (
            json!({"streetAddress": {}}),
            "Property [address] of class [class org.olf.oa.PartyAddress] cannot be null",
        ),
        (json!({"streetAddress": "Graz"}), "Property object is type-mismatched"),
    ] {
        let refused = library.post("/oa/party", &body).await.expect(422).json();
        assert_eq!(refused["message"], message, "{body}");
    }
}

#[tokio::test]
async fn a_checklist_is_ticked_with_notes() {
    let library = Library::furnished().await;
    let path = "/oa/checklistItems";
    let late = create_record(&library, path, &json!({"label": "Grand  Été?", "weight": 9})).await;
    assert_eq!((&late["name"], &late["label"]), (&json!("grand__ete_"), &json!("Grand Été?")));
    create_record(&library, path, &json!({"name": "b", "label": "B"})).await;
    create_record(&library, path, &json!({"name": "a", "label": "A"})).await;
    assert_eq!(texts(&get(&library, path).await, "label"), ["A", "B", "Grand Été?"]);
    assert_eq!(
        texts(&get(&library, &format!("{path}?sort=name;desc")).await, "name"),
        ["grand__ete_", "b", "a"]
    );
    let item = json!({"definition": {"id": late["id"]}, "outcome": "Yes", "status": "Visible", "notes": [{"note": "done"}]});
    let made = create_record(&library, PATH, &json!({"requestNumber": "c", "checklist": [item]})).await;
    let ticked = &made["checklist"][0];
    assert_eq!(
        (&ticked["definition"]["label"], &ticked["outcome"]["value"]),
        (&json!("Grand Été?"), &json!("yes"))
    );
    let change = json!({"checklist": [{"id": ticked["id"], "outcome": "No", "notes": [{"note": "more"}]}]});
    let changed = library.put(&format!("{PATH}/c"), &change).await.expect(200).json();
    assert_eq!(changed["checklist"][0]["outcome"]["value"], "no");
    assert_eq!(texts(&changed["checklist"][0]["notes"], "note"), ["done", "more"]);
    let used = format!("{path}/{}", id(&late));
    library.delete(&used).await.expect(422);
    library.delete(&format!("{PATH}/c")).await.expect(204);
    library.delete(&used).await.expect(204);
}

#[tokio::test]
async fn letters_belong_to_a_request_and_go_with_it() {
    let library = Library::furnished().await;
    let path = "/oa/correspondence";
    let request = create_record(&library, PATH, &json!({"requestNumber": "l"})).await;
    let letter = json!({
        "dateOfCorrespondence": "2026-11-20", "content": "Dear Ada", "correspondent": "Publisher", "status": "Closed",
        "mode": {"value": "email"}, "category": "Invoice", "owner": {"id": request["id"]},
    });
    let made = create_record(&library, path, &letter).await;
    assert_eq!((&made["mode"]["label"], &made["owner"]), (&json!("Email"), &json!({"id": request["id"]})));
    assert_eq!(get(&library, &format!("{PATH}/l")).await["correspondences"][0]["content"], "Dear Ada");
    let refused = library.post(path, &json!({"dateOfCorrespondence": "soon"})).await.expect(422).json();
    assert_eq!(refused["total"], 7, "{refused}");
    assert_eq!(
        refused["_embedded"]["errors"][0]["message"],
        "Property dateOfCorrespondence must be a valid Date"
    );
    let own = format!("{path}/{}", id(&made));
    library.put(&own, &json!({"status": "Awaiting Reply"})).await.expect(200);
    library.delete(&format!("{PATH}/l")).await.expect(204);
    library.get(&own).await.expect(404);
    library.delete(&own).await.expect(404);
}
