//! Settings that are uploaded many at a time (mod-settings).

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

const UPLOAD: &str = "/settings/upload";

#[tokio::test]
async fn an_upload_adds_what_is_new_and_changes_the_rest() {
    let library = Library::open().await;
    let user = fresh_id();
    let entries = json!([
        {"scope": "desk", "key": "colour", "value": "blue"},
        {"scope": "desk", "key": "colour", "value": {"dark": true}, "userId": user},
    ]);
    let counts = |inserted: i64, updated: i64| json!({"inserted": inserted, "updated": updated});
    assert_eq!(library.put(UPLOAD, &entries).await.expect(200).json(), counts(2, 0));
    let before = library.get("/settings/entries?query=scope==desk").await.expect(200).json();
    let entries = json!([
        {"scope": "desk", "key": "colour", "value": "red"},
        {"scope": "desk", "key": "size", "value": 7},
    ]);
    assert_eq!(library.put(UPLOAD, &entries).await.expect(200).json(), counts(1, 1));
    let after = library.get("/settings/entries?query=scope==desk").await.expect(200).json();
    assert_eq!(after["items"].as_array().unwrap().len(), 3);
    let common = |list: &serde_json::Value| {
        let items = list["items"].as_array().unwrap().clone();
        items.into_iter().find(|item| item["key"] == "colour" && item["userId"].is_null()).unwrap()
    };
    assert_eq!(
        (common(&before)["id"].clone(), json!("red")),
        (common(&after)["id"].clone(), common(&after)["value"].clone())
    );
    assert_eq!(library.put(UPLOAD, &json!([])).await.expect(200).json(), counts(0, 0));
}

#[tokio::test]
async fn an_upload_is_stored_whole_or_not_at_all() {
    let library = Library::guarded().await;
    let writer = library.as_user(&["mod-settings.entries.upload", "mod-settings.global.write.desk"]).await;
    let entry = |scope: &str| json!({"scope": scope, "key": "colour", "value": "blue"});
    writer.put(UPLOAD, &json!([entry("desk"), entry("vault")])).await.expect(403);
    let with_id = json!([{"id": fresh_id(), "scope": "desk", "key": "colour", "value": 1}]);
    writer.put(UPLOAD, &with_id).await.expect(400);
    writer.put(UPLOAD, &json!([entry("desk"), {"scope": "desk", "value": 1}])).await.expect(400);
    writer.put(UPLOAD, &json!({"scope": "desk"})).await.expect(400);
    let stored = writer.put(UPLOAD, &json!([entry("desk")])).await.expect(200).json();
    assert_eq!(stored, json!({"inserted": 1, "updated": 0}));
}
