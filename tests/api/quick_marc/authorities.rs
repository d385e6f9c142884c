//! Authorities in the editor.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{RECORDS, authority, created, edited, field, new_id, place, snapshot, view};

fn set(fields: &mut [Value], tag: &str, content: &str) {
    fields.iter_mut().find(|field| field["tag"] == tag).unwrap()["content"] = json!(content);
}

#[tokio::test]
async fn an_authority_is_changed_with_its_marc_record() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let id = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let stored =
        async || library.get(&format!("/authority-storage/authorities/{id}")).await.expect(200).json();
    let body = edited(view(&library, &id).await, 1, |fields| set(fields, "551", "$a Updated Content"));
    library.put(&place(&body), &body).await.expect(202);
    let now = stored().await;
    assert_eq!((&now["saftGeographicName"], &now["_version"]), (&json!(["Updated Content"]), &json!(2)));
    assert_eq!((&now["personalName"], &now["naturalId"]), (&json!("Johnson"), &json!("n00001263")));
    let body = edited(view(&library, &id).await, 2, |fields| fields.retain(|field| field["tag"] != "551"));
    library.put(&place(&body), &body).await.expect(202);
    assert_eq!(stored().await.get("saftGeographicName"), None);
    let twice = json!({"tag": "100", "content": "$a Johnson, W. Brad"});
    let shown = view(&library, &id).await;
    for (change, message) in [(vec![twice], "Is unique tag"), (Vec::new(), "Is required tag")] {
        let body = edited(shown.clone(), 3, |fields| match change.is_empty() {
            true => fields.retain(|field| field["tag"] != "100"),
            false => fields.extend(change),
        });
        assert_eq!(library.put(&place(&body), &body).await.expect(422).json()["message"], message);
    }
}

#[tokio::test]
async fn an_authority_is_created_and_deleted() {
    let library = Library::furnished().await;
    let body = json!({
        "_actionType": "create", "marcFormat": "AUTHORITY", "leader": "00000nz\\\\a2200000o\\\\4500",
        "fields": [
            {"tag": "001", "content": "n 79021164"},
            {"tag": "008", "content": {"Date Ent": "000107", "Geo Subd": "n", "Source": "\\"}},
            {"tag": "010", "content": "$a n  79021164", "indicators": ["\\", "\\"]},
            {"tag": "100", "content": "$a Twain, Mark, $d 1835-1910", "indicators": ["1", "\\"]},
        ],
    });
    let status = created(&library, &body).await;
    assert_eq!(status["status"], "CREATED", "{status}");
    let id = status["externalId"].as_str().unwrap();
    let stored = library.get(&format!("/authority-storage/authorities/{id}")).await.expect(200).json();
    assert_eq!((&stored["naturalId"], &stored["source"]), (&json!("n79021164"), &json!("MARC")));
    let shown = view(&library, id).await;
    assert_eq!(field(&shown, "001")[0]["content"], "n 79021164");
    let marc = shown["parsedRecordId"].as_str().unwrap();
    library.delete(&format!("{RECORDS}/{id}")).await.expect(204);
    library.get(&format!("/authority-storage/authorities/{id}")).await.expect(404);
    let record = library.get(&format!("/source-storage/records/{marc}")).await.expect(200).json();
    assert_eq!((&record["state"], &record["leaderRecordStatus"]), (&json!("DELETED"), &json!("d")));
    // A deleted authority is no current source record; who asks for deleted ones finds it.
    let source = format!("/source-storage/source-records/{}", shown["parsedRecordDtoId"].as_str().unwrap());
    library.get(&source).await.expect(404);
    let deleted = library.get(&format!("{source}?state=DELETED")).await.expect(200).json();
    assert_eq!(deleted["deleted"], true);
    library.delete(&format!("{RECORDS}/{id}")).await.expect(404);
    let bad = library.delete(&format!("{RECORDS}/invalidId")).await.expect(400);
    assert_eq!(bad.json()["message"], "Parameter 'id' is invalid");
    let unknown = library.delete(&format!("{RECORDS}/{}", new_id())).await.expect(404);
    assert_eq!(unknown.json()["code"], "NOT_FOUND");
}
