//! Events that modules outside of Octavo publish.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{event, publisher};

#[tokio::test]
async fn who_may_publish_what_is_decided_by_what_was_declared() {
    let library = Library::open().await;
    let module = "mod-a-1.0.0";
    publisher(&library, module, "A").await;
    publisher(&library, "mod-b-1.0.0", "inventory.item").await;
    let with = |member: &str, value: Value| {
        let mut event = event(&library, module, "A", "{}");
        *event.pointer_mut(member).unwrap() = value;
        event
    };
    let not_declared =
        |module: &str, kind: &str| format!("{module} is not registered as PUBLISHER for event type {kind}");
    let another = format!("The event is of tenant another, the request of tenant {}", library.tenant);
    for (why, event, status, says) in [
        ("declared", event(&library, module, "A", "{}"), 204, None),
        ("no payload", with("/eventPayload", Value::Null), 204, None),
        ("no such type", with("/eventType", json!("B")), 400, Some(not_declared(module, "B"))),
        (
            "a type of others",
            with("/eventType", json!("LOAN_CLOSED")),
            400,
            Some(not_declared(module, "LOAN_CLOSED")),
        ),
        (
            "another version",
            with("/eventMetadata/publishedBy", json!("mod-a-1.0.1")),
            400,
            Some(not_declared("mod-a-1.0.1", "A")),
        ),
        (
            "a change of a record, which the module did not make",
            event(&library, "mod-b-1.0.0", "inventory.item", "{}"),
            400,
            Some("Only changes of records are events of type inventory.item".to_owned()),
        ),
        ("another tenant", with("/eventMetadata/tenantId", json!("another")), 400, Some(another)),
        ("no id", with("/id", Value::Null), 422, None),
        ("an id that is none", with("/id", json!("1")), 422, None),
        ("no metadata", with("/eventMetadata", Value::Null), 422, None),
        ("a payload that is no text", with("/eventPayload", json!({})), 422, None),
    ] {
        let reply = library.post("/pubsub/publish", &event).await;
        assert_eq!(reply.status, status, "{why}: {reply}");
        if let Some(says) = says {
            assert_eq!(reply.text(), says, "{why}");
        }
    }
    library.post("/pubsub/publish", &json!({"eventType": "A"})).await.expect(422);
    let events = library.get("/octavo/events?after=0").await.expect(200).json();
    assert_eq!(events["events"].as_array().unwrap().len(), 2, "{events}");
    assert_eq!(events["events"][0]["type"], "A");
    assert_eq!(events["events"][0]["payload"]["eventPayload"], "{}");
}

#[tokio::test]
async fn publishing_needs_its_permission() {
    let library = Library::guarded().await;
    let event = event(&library, "mod-a-1.0.0", "A", "{}");
    library.as_user(&["pubsub.event-types.get"]).await.post("/pubsub/publish", &event).await.expect(403);
    library.as_user(&["pubsub.publish.post"]).await.post("/pubsub/publish", &event).await.expect(400);
}
