//! Entries of other programs, `/audit-data`.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn entries_are_made_found_changed_and_deleted() {
    let library = Library::open().await;
    let mut entry = json!({
        "id": fresh_id(), "tenant": "diku", "target_type": "item", "target_id": "Shelf 7", "method": "PUT", "colour": "red",
    });
    library.post("/audit-data", &entry).await.expect(201);
    let path = format!("/audit-data/{}", entry["id"].as_str().unwrap());
    let stored = library.get(&path).await.expect(200).json();
    assert_eq!((&stored["method"], &stored["colour"]), (&json!("PUT"), &json!("red")));
    let found = library.find("/audit-data", "target_id=shelf").await.expect(200);
    assert_eq!(found.field_values("audit", "id"), [entry["id"].as_str().unwrap()]);
    entry["method"] = json!("DELETE");
    library.put(&path, &entry).await.expect(204);
    assert_eq!(library.get(&path).await.expect(200).json()["method"], "DELETE");
    library.delete(&path).await.expect(204);
    library.get(&path).await.expect(404);
    library.post("/audit-data", &json!({"method": "PUT"})).await.expect(422);
}
