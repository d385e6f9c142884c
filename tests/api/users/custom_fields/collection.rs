//! The collection of custom fields as a whole, and who may read and change it.

use octavo_testkit::Library;
use serde_json::json;

use super::{create_field, custom_fields_client, field_path, single_error_message, text, user, values};

#[tokio::test]
async fn the_whole_collection_is_replaced_in_the_order_in_which_it_is_sent() {
    let library = custom_fields_client(&Library::open().await);
    let (room, shoes) =
        (create_field(&library, &text("Room")).await, create_field(&library, &text("Shoes")).await);
    let mut of_packages = text("Room");
    of_packages["entityType"] = json!("package");
    let package = create_field(&library, &of_packages).await;
    let jane = user(&library, json!({"room": "7", "shoes": "42"})).await;
    let sent = json!({"entityType": "user", "customFields": [text("Pet"), shoes, text("Room")]});
    library.put("/custom-fields", &sent).await.says(204, "");
    let now = library.find("/custom-fields", "entityType==user").await.expect(200);
    assert_eq!(now.field_values("customFields", "refId"), ["pet", "shoes", "room_3"], "packages have room_2");
    assert_eq!(now.field_values("customFields", "order"), ["1", "2", "3"]);
    assert_eq!(values(&library, &jane).await, json!({"shoes": "42"}));
    library.get(&field_path(&room)).await.expect(404);
    assert_eq!(library.get(&field_path(&package)).await.expect(200).json()["refId"], "room_2");
    for (body, message) in [
        (
            json!({"entityType": "user", "customFields": [shoes, package]}),
            "Multiple entityTypes found: [user, package]",
        ),
        (
            json!({"entityType": "user", "customFields": [package]}),
            "Collection entityType 'user' does not match custom fields entityType 'package'",
        ),
        (
            json!({"entityType": "user", "customFields": [shoes, shoes]}),
            "Each id may stand for one custom field only",
        ),
        (
            json!({"entityType": "user", "customFields": [text(&"a".repeat(66))]}),
            "The 'name' length cannot be more than 65",
        ),
    ] {
        assert_eq!(single_error_message(library.put("/custom-fields", &body).await), message);
    }
    library.put("/custom-fields", &json!({"customFields": []})).await.expect(422);
    library.put("/custom-fields", &json!({"entityType": "user", "customFields": []})).await.expect(204);
    assert_eq!(values(&library, &jane).await, json!({}));
    assert_eq!(library.get("/custom-fields").await.total(), 1);
}

#[tokio::test]
async fn every_call_has_its_permission_and_each_library_its_fields() {
    let library = Library::guarded().await;
    let everything = custom_fields_client(&library.as_user(&["user-settings.custom-fields.item.post"]).await);
    let field = create_field(&everything, &text("Room")).await;
    assert!(field["metadata"]["createdByUsername"].is_string(), "{field}");
    assert!(field["metadata"].get("updatedByUsername").is_none(), "{field}");
    let reader = &["user-settings.custom-fields.collection.get", "user-settings.custom-fields.item.get"];
    let reader = custom_fields_client(&library.as_user(reader).await);
    let one = field_path(&field);
    reader.get("/custom-fields").await.expect(200);
    reader.get(&one).await.expect(200);
    reader.post("/custom-fields", &text("Pet")).await.expect(403);
    reader.put(&one, &field).await.expect(403);
    reader.put("/custom-fields", &json!({"entityType": "user", "customFields": []})).await.expect(403);
    reader.delete(&one).await.expect(403);
    reader.get(&format!("{one}/stats")).await.expect(403);
    reader.get(&format!("{one}/options/opt_1/stats")).await.expect(403);
    custom_fields_client(&library.as_user(&[]).await).get("/custom-fields").await.expect(403);
    let other = custom_fields_client(&Library::open().await);
    assert_eq!(other.get("/custom-fields").await.total(), 0);
    other.get(&one).await.expect(404);
}
