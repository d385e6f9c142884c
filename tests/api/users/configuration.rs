//! Configuration entries: what was done to them (mod-configuration 5.10.0).

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn every_change_of_an_entry_is_kept_with_what_the_entry_then_was() {
    let library = Library::open().await;
    let id = fresh_id();
    let entry = json!({"id": id, "module": "TEST", "configName": "colours", "value": "green"});
    library.post("/configurations/entries", &entry).await.expect(201);
    let path = format!("/configurations/entries/{id}");
    let blue = json!({"id": id, "module": "TEST", "configName": "colours", "value": "blue"});
    library.put(&path, &blue).await.expect(204);
    library.delete(&path).await.expect(204);
    let kept = library.find("/configurations/audit", "config_data.module==TEST").await.expect(200);
    assert_eq!(kept.field_values("audits", "operation"), ["D", "U", "I"]);
    assert_eq!(kept.total(), 3);
    let kept = kept.json();
    let values: Vec<_> =
        kept["audits"].as_array().unwrap().iter().map(|one| &one["config_data"]["value"]).collect();
    assert_eq!(values, ["blue", "blue", "green"]);
    library.find("/configurations/audit", "(").await.expect(400);
    let own = json!({"module": "TEST", "configName": "colours", "value": "red", "userId": fresh_id()});
    library.post("/configurations/entries", &own).await.expect(201);
    assert_eq!(library.get("/configurations/audit").await.total(), 3, "entries of single users are left out");
}

#[tokio::test]
async fn changes_of_entries_need_a_permission_and_are_the_tenants() {
    let library = Library::guarded().await;
    library
        .as_user(&["configuration.entries.collection.get"])
        .await
        .get("/configurations/audit")
        .await
        .expect(403);
    let reader = library.as_user(&["configuration.audit.collection.get"]).await;
    assert_eq!(reader.get("/configurations/audit").await.expect(200).total(), 0);
}
