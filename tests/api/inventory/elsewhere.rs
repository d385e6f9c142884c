//! Items of other libraries (mod-circulation-item 1.0.0) and storages far away (mod-remote-storage 3.2.0), as records.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

fn foreign_item(id: Uuid, barcode: &str) -> Value {
    json!({
        "id": id, "holdingsRecordId": fresh_id(), "status": {"name": "In transit"}, "materialTypeId": fresh_id(),
        "permanentLoanTypeId": fresh_id(), "instanceTitle": "Paradise", "barcode": barcode, "pickupLocation": "cd1",
        "unknown": 1,
    })
}

fn status_and_error(reply: &octavo_testkit::Reply) -> (u16, Value, Value) {
    let error = &reply.json()["errors"][0];
    (reply.status, error["message"].clone(), error["code"].clone())
}

#[tokio::test]
async fn an_item_of_another_library_is_known_by_its_id_and_barcode() {
    let library = Library::open().await;
    let id = fresh_id();
    let path = format!("/circulation-item/{id}");
    let stored = library.post(&path, &foreign_item(id, "7")).await.expect(201).json();
    assert_eq!((&stored["dcbItem"], &stored["unknown"]), (&json!(true), &Value::Null));
    assert_eq!(library.get(&path).await.expect(200).json(), stored);
    let found = library.find("/circulation-item", "barcode==7").await.expect(200);
    assert_eq!((found.total(), &found.json()["items"][0]), (1, &stored));
    let same = library.post(&path, &foreign_item(id, "8")).await;
    let message = format!("Unable to create circulation item with id {id} as it already exists");
    assert_eq!(status_and_error(&same), (409, json!(message), json!("DUPLICATE_ERROR")));
    let other = fresh_id();
    let same = library.post(&format!("/circulation-item/{other}"), &foreign_item(other, "7")).await;
    let message = "Unable to create circulation item with barcode 7 as it already exists";
    assert_eq!(status_and_error(&same), (409, json!(message), json!("DUPLICATE_ERROR")));
    let mut changed = foreign_item(id, "7");
    changed["status"]["name"] = json!("Checked out");
    changed["status"]["date"] = json!("2001-01-01T00:00:00.000+00:00");
    let status = library.put(&path, &changed).await.expect(200).json()["status"].take();
    assert_eq!(status["name"], "Checked out");
    assert!(status["date"].as_str() >= stored["status"]["date"].as_str(), "{status} {stored}");
    assert!(stored["status"]["date"].is_string(), "{stored}");
    let again = library.put(&path, &changed).await.expect(200).json()["status"].take();
    assert_eq!(again, status);
}

#[tokio::test]
async fn an_item_of_another_library_that_is_not_whole_is_refused() {
    let library = Library::open().await;
    let (id, other) = (fresh_id(), fresh_id());
    let path = format!("/circulation-item/{id}");
    let message = format!("Request id= {id} and entity id= {other} are not equal");
    assert_eq!(
        status_and_error(&library.post(&path, &foreign_item(other, "7")).await),
        (400, json!(message), json!("VALIDATION_ERROR"))
    );
    let message = format!("Circulation item with id {id} doesn't exist");
    assert_eq!(
        status_and_error(&library.put(&path, &foreign_item(id, "7")).await),
        (404, json!(message), json!("NOT_FOUND_ERROR"))
    );
    let mut partial = foreign_item(id, "7");
    partial["status"] = Value::Null;
    let message = json!("status must not be null");
    assert_eq!(
        status_and_error(&library.post(&path, &partial).await),
        (400, message, json!("VALIDATION_ERROR"))
    );
    library.get(&path).await.says(404, "");
}

#[tokio::test]
async fn remote_storages_are_configured_and_locations_stand_for_them() {
    let library = Library::open().await;
    let path = "/remote-storage/configurations";
    let body = json!({"name": "Cave", "providerName": "DEMATIC_SD"});
    library.post(path, &body).await.refused("accessionDelay must not be null");
    let body = json!({"name": "Cave", "providerName": "DEMATIC_SD", "accessionDelay": 2, "accessionTimeUnit": "minutes"});
    let mut stored = library.post(path, &body).await.expect(201).json();
    let one = format!("{path}/{}", stored["id"].as_str().unwrap());
    stored["name"] = json!("Mine");
    library.put(&one, &stored).await.expect(204);
    assert_eq!(library.get(&one).await.expect(200).json()["name"], "Mine");
    library.put(&one, &body).await.expect(400);
    assert_eq!(library.get("/remote-storage/providers").await.expect(200).json()[2]["name"], "CaiaSoft");

    let location = fresh_id();
    let mapped = json!({"folioLocationId": location, "configurationId": stored["id"]});
    for _ in 0..2 {
        assert_eq!(library.post("/remote-storage/mappings", &mapped).await.expect(201).json(), mapped);
    }
    let mapping = format!("/remote-storage/mappings/{location}");
    assert_eq!(library.get(&mapping).await.expect(200).json(), mapped);
    for (query, total) in [
        (String::new(), 1),
        (format!("?finalLocationId={location}"), 1),
        (format!("?remoteStorageConfigurationId={location}"), 0),
    ] {
        assert_eq!(library.get(&format!("/remote-storage/mappings{query}")).await.expect(200).total(), total);
    }
    library.delete(&mapping).await.expect(204);
    library.get(&mapping).await.expect(404);
    library.delete(&one).await.expect(204);
    library.get(&one).await.says(404, "");
    library.delete(&one).await.says(404, "Configuration not found");
}
