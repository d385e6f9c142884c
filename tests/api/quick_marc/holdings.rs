//! Holdings records in the editor.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{bib, created, edited, field, new_id, place, snapshot, view};

fn holdings(title: &str, location: &str) -> Value {
    json!({
        "_actionType": "create", "marcFormat": "HOLDINGS", "leader": "00241cx\\\\a2200109zn\\4500",
        "fields": [
            {"tag": "004", "content": title},
            {"tag": "008", "content": {"AcqStatus": "0", "AcqMethod": "u", "AcqEndDate": "\\\\\\\\", "Gen ret": "0", "Spec ret": ["\\", "\\", "\\"], "Compl": "0", "Copies": "\\\\\\", "Lend": "u", "Repro": "u", "Lang": "eng", "Sep/comp": "0", "Rept date": "000000"}},
            {"tag": "035", "content": "$a former", "indicators": ["\\", "\\"]},
            {"tag": "852", "content": format!("$b {location} $h BR140 .J86"), "indicators": ["0", "1"]},
            {"tag": "866", "content": "$a v.1-3", "indicators": ["\\", "\\"]},
        ],
    })
}

/// A location with the code `olin`; its id.
async fn location(library: &Library) -> String {
    let [point, institution, campus, unit, location] = std::array::from_fn(|_| new_id());
    let point_record = json!({"id": point, "name": "Desk", "code": "desk", "discoveryDisplayName": "Desk"});
    library.post("/service-points", &point_record).await.expect(201);
    for (path, record) in [
        ("institutions", json!({"id": institution, "name": "I", "code": "I"})),
        ("campuses", json!({"id": campus, "name": "C", "code": "C", "institutionId": institution})),
        ("libraries", json!({"id": unit, "name": "L", "code": "L", "campusId": campus})),
    ] {
        library.post(&format!("/location-units/{path}"), &record).await.expect(201);
    }
    let record = json!({
        "id": location, "name": "Olin", "code": "olin", "isActive": true, "institutionId": institution, "campusId": campus,
        "libraryId": unit, "primaryServicePoint": point, "servicePointIds": [point],
    });
    library.post("/locations", &record).await.expect(201);
    location
}

#[tokio::test]
async fn holdings_are_created_below_the_title_in_004_and_changed() {
    let desk = Library::furnished().await;
    let snapshot = snapshot(&desk).await;
    let title = bib(&desk, &snapshot, "in00000000200", Vec::new()).await;
    let location = location(&desk).await;
    let status = created(&desk, &holdings("in00000000200", "olin")).await;
    assert_eq!(status["status"], "CREATED", "{status}");
    let id = status["externalId"].as_str().unwrap();
    let stored = desk.get(&format!("/holdings-storage/holdings/{id}")).await.expect(200).json();
    assert_eq!((&stored["instanceId"], &stored["permanentLocationId"]), (&json!(title), &json!(location)));
    assert_eq!((&stored["callNumber"], &stored["formerIds"]), (&json!("BR140 .J86"), &json!(["former"])));
    assert_eq!(stored["holdingsStatements"], json!([{"statement": "v.1-3"}]));
    let shown = view(&desk, id).await;
    assert_eq!(
        (&shown["marcFormat"], field(&shown, "004")[0]["content"].as_str()),
        (&json!("HOLDINGS"), Some("in00000000200"))
    );
    let body = edited(shown, 1, |fields| {
        fields.retain(|field| field["tag"] != "866");
        fields.push(json!({"tag": "867", "content": "$a suppl.", "indicators": ["\\", "\\"]}));
    });
    desk.put(&place(&body), &body).await.expect(202);
    let stored = desk.get(&format!("/holdings-storage/holdings/{id}")).await.expect(200).json();
    assert_eq!((&stored["holdingsStatements"], &stored["_version"]), (&json!([]), &json!(2)));
    assert_eq!(stored["holdingsStatementsForSupplements"][0]["statement"], "suppl.");
    let body = edited(view(&desk, id).await, 2, |fields| fields.retain(|field| field["tag"] != "852"));
    let refused = desk.put(&place(&body), &body).await.expect(422);
    assert_eq!(
        (&refused.json()["message"], &refused.json()["parameters"][0]["key"]),
        (&json!("Is required tag"), &json!("852"))
    );
}

#[tokio::test]
async fn holdings_of_an_unknown_title_are_not_created() {
    let desk = Library::furnished().await;
    let status = created(&desk, &holdings("wrongHrid", "x")).await;
    let told = "The 004 tag of the Holdings doesn't has a link to the Bibliographic record";
    assert_eq!((&status["status"], &status["errorMessage"]), (&json!("ERROR"), &json!(told)));
}
