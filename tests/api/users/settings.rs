//! Who may read and change settings, and settings that are uploaded many at a time (mod-settings).

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
async fn an_entry_of_a_scope_that_is_not_the_callers_does_not_exist_for_the_caller() {
    let library = Library::guarded().await;
    let permissions = |scope: &str| {
        let routes = ["collection.get", "item.get", "item.post", "item.put", "item.delete"];
        let rights = ["read", "write"].map(|right| format!("mod-settings.global.{right}.{scope}"));
        routes
            .map(|route| format!("mod-settings.entries.{route}"))
            .into_iter()
            .chain(rights)
            .collect::<Vec<_>>()
    };
    let user = async |scope: &str| {
        let permissions = permissions(scope);
        library.as_user(&permissions.iter().map(String::as_str).collect::<Vec<_>>()).await
    };
    let (owner, other) = (user("desk").await, user("vault").await);
    let entry = json!({"id": fresh_id(), "scope": "desk", "key": "colour", "value": "blue"});
    owner.post("/settings/entries", &entry).await.expect(204);
    let path = format!("/settings/entries/{}", entry["id"].as_str().unwrap());
    other.get(&path).await.says(404, "Not Found");
    other.delete(&path).await.says(404, "Not Found");
    other.put(&path, &entry).await.says(403, "Forbidden");
    let taken = json!({"id": entry["id"], "scope": "vault", "key": "colour", "value": "red"});
    other.put(&path, &taken).await.says(404, "Not Found");
    let listed = other.get("/settings/entries").await.expect(200).json();
    assert_eq!(listed["resultInfo"]["totalRecords"], 0);
    let nobody = library.as_user(&["mod-settings.entries.collection.get"]).await;
    nobody.get("/settings/entries").await.says(403, "Forbidden");
    assert_eq!(owner.get(&path).await.expect(200).json(), entry);
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
