//! Event types, and who publishes and subscribes to them.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{consumer, publisher};

fn kind(name: &str, ttl: i64) -> Value {
    json!({"eventType": name, "description": "of a test", "eventTTL": ttl, "signed": false})
}

async fn modules(library: &Library, kind: &str, role: &str) -> Vec<String> {
    library
        .get(&format!("/pubsub/event-types/{kind}/{role}"))
        .await
        .expect(200)
        .field_values("messagingModules", "moduleId")
}

#[tokio::test]
async fn event_types_are_made_changed_and_deleted_with_folios_answers() {
    let library = Library::open().await;
    let made = library.post("/pubsub/event-types", &kind("NEW_BOOK", 1)).await.expect(201).json();
    assert_eq!(
        made,
        json!({"eventType": "NEW_BOOK", "description": "of a test", "eventTTL": 1, "signed": false, "tmp": false})
    );
    assert_eq!(library.get("/pubsub/event-types/NEW_BOOK").await.expect(200).json(), made);
    library.post("/pubsub/event-types", &kind("NEW_BOOK", 1)).await.expect(201);
    let existing = "Event descriptor for event type 'NEW_BOOK' already exists, but the content is different. \
        Existing event descriptor: {\n  \"eventType\" : \"NEW_BOOK\",\n  \"description\" : \"of a test\",\n  \
        \"eventTTL\" : 1,\n  \"signed\" : false,\n  \"tmp\" : false\n}";
    library.post("/pubsub/event-types", &kind("NEW_BOOK", 2)).await.says(400, existing);
    let changed = library.put("/pubsub/event-types/NEW_BOOK", &kind("NEW_BOOK", 2)).await.expect(200).json();
    assert_eq!(changed["eventTTL"], 2);
    library
        .put("/pubsub/event-types/OTHER", &kind("OTHER", 2))
        .await
        .says(404, "EventDescriptor with event type 'OTHER' was not updated");
    library
        .get("/pubsub/event-types/OTHER")
        .await
        .says(404, "Event Descriptor with event type 'OTHER' was not found");
    library
        .delete("/pubsub/event-types/OTHER")
        .await
        .says(404, "EventDescriptor with event type name 'OTHER' was not found");
    library.delete("/pubsub/event-types/NEW_BOOK").await.expect(204);
    library.get("/pubsub/event-types/NEW_BOOK").await.expect(404);
    library.post("/pubsub/event-types", &json!({"eventType": "NEW_BOOK"})).await.expect(422);
    library
        .post("/pubsub/event-types", &json!({"eventType": "A", "eventTTL": 1, "more": 1}))
        .await
        .expect(422);
}

#[tokio::test]
async fn what_built_in_modules_declare_is_there_from_the_start() {
    let library = Library::open().await;
    let types = library.get("/pubsub/event-types").await.expect(200);
    let names = types.field_values("eventDescriptors", "eventType");
    assert_eq!((names.len(), types.total()), (10, 10), "{names:?}");
    assert!(names.contains(&"ITEM_CHECKED_OUT".to_owned()));
    let publishers = modules(&library, "ITEM_CHECKED_OUT", "publishers").await;
    assert_eq!(publishers, ["mod-circulation-24.2.5", "mod-patron-blocks-1.10.0"]);
    let subscribers = library.get("/pubsub/event-types/LOAN_CLOSED/subscribers").await.expect(200).json();
    let subscriber = &subscribers["messagingModules"][0];
    assert_eq!(subscriber["moduleId"], "mod-patron-blocks-1.10.0");
    assert_eq!(subscriber["subscriberCallback"], "/automated-patron-blocks/handlers/loan-closed");
    assert_eq!(subscriber["tenantId"], library.tenant.as_str());
    assert_eq!((&subscriber["moduleRole"], &subscriber["activated"]), (&json!("SUBSCRIBER"), &json!(true)));
    library.delete("/pubsub/event-types/LOAN_CLOSED").await.says(
        400,
        "Event type LOAN_CLOSED cannot be deleted. Modules [mod-circulation-24.2.5,mod-patron-blocks-1.10.0] are registered as publishers or subscribers for this event type.",
    );
    // A module that brings the description of such a type is believed once.
    let described = json!({"eventType": "LOAN_CLOSED", "description": "A loan is closed", "eventTTL": 1, "signed": false});
    let other = json!({"moduleId": "mod-other-1.0.0", "eventDescriptors": [described]});
    library.post("/pubsub/event-types/declare/publisher", &other).await.expect(201);
    library.post("/pubsub/event-types", &described).await.expect(201);
    library.post("/pubsub/event-types", &kind("LOAN_CLOSED", 1)).await.expect(400);

    let bare = Library::guarded().await;
    bare.as_user(&["pubsub.event-types.get"]).await.get("/pubsub/event-types").await.expect(200);
}

#[tokio::test]
async fn a_publisher_declares_types_as_they_are_described() {
    let library = Library::open().await;
    let declare = "/pubsub/event-types/declare/publisher";
    let body = json!({"moduleId": "mod-a-1.0.0", "eventDescriptors": [kind("A", 1), kind("B", 1)]});
    library.post("/pubsub/event-types", &kind("A", 2)).await.expect(201);
    let refused = library.post(declare, &body).await.expect(400).json();
    let descriptor = "{\n  \"eventType\" : \"A\",\n  \"description\" : \"of a test\",\n  \"eventTTL\" : 2,\n  \
        \"signed\" : false,\n  \"tmp\" : false\n}";
    let messages = [
        format!(
            "Publisher descriptor does not match existing descriptor for event type 'A'. To declare a publisher one should use the following descriptor: {descriptor}"
        ),
        "Event type 'B' does not exist".to_owned(),
    ];
    assert_eq!(refused["total_records"], 2);
    for (error, message) in refused["errors"].as_array().unwrap().iter().zip(messages) {
        assert_eq!(error["message"], message);
    }
    assert!(modules(&library, "A", "publishers").await.is_empty(), "nothing is declared in part");
    library.put("/pubsub/event-types/A", &kind("A", 1)).await.expect(200);
    library.post("/pubsub/event-types", &kind("B", 1)).await.expect(201);
    library.post(declare, &body).await.expect(201);
    assert_eq!(modules(&library, "A", "publishers").await, ["mod-a-1.0.0"]);

    // The next version declares less.
    let next = json!({"moduleId": "mod-a-1.12.0", "eventDescriptors": [kind("B", 1)]});
    library.post(declare, &next).await.expect(201);
    assert!(modules(&library, "A", "publishers").await.is_empty());
    assert_eq!(modules(&library, "B", "publishers").await, ["mod-a-1.12.0"]);
    // Nothing declared changes nothing.
    library.post(declare, &json!({"moduleId": "mod-a-1.12.0", "eventDescriptors": []})).await.expect(201);
    assert_eq!(modules(&library, "B", "publishers").await, ["mod-a-1.12.0"]);
    library.delete("/pubsub/event-types/B/publishers?moduleId=mod-b-1.12.0").await.expect(204);
    assert_eq!(modules(&library, "B", "publishers").await, ["mod-a-1.12.0"]);
    library.delete("/pubsub/event-types/B/publishers").await.expect(400);
    library.delete("/pubsub/event-types/B/publishers?moduleId=mod-a-1.0.0").await.expect(204);
    assert!(modules(&library, "B", "publishers").await.is_empty());
}

#[tokio::test]
async fn a_module_is_known_by_its_name_before_the_version() {
    let library = Library::open().await;
    for module in ["mod-a2-1.0.0", "mod-a3-1.0.0", "mod-a3-1.1.0-SNAPSHOT.7", "mod-a3-1.1.0"] {
        publisher(&library, module, "A").await;
    }
    assert_eq!(modules(&library, "A", "publishers").await, ["mod-a2-1.0.0", "mod-a3-1.1.0"]);
    let declare = "/pubsub/event-types/declare/subscriber";
    for module in ["mod-a2-1.0.0", "mod-a3-1.0.0", "mod-a3-1.1.0-SNAPSHOT.7", "mod-a3-1.1.0"] {
        let definition = json!({"eventType": "A", "callbackAddress": "/a/events"});
        let body = json!({"moduleId": module, "subscriptionDefinitions": [definition]});
        library.post(declare, &body).await.expect(201);
    }
    assert_eq!(modules(&library, "A", "subscribers").await, ["mod-a2-1.0.0", "mod-a3-1.1.0"]);
    for (module, follows) in [("mod-a2-1.0.0", true), ("mod-a3-1.0.0", false), ("mod-a3-1.1.0", true)] {
        assert_eq!(consumer(&library, module).await.is_object(), follows, "{module}");
    }
    library.delete("/pubsub/event-types/A/publishers?moduleId=mod-a3-1.0.0").await.expect(204);
    assert_eq!(modules(&library, "A", "publishers").await, ["mod-a2-1.0.0"]);
}

#[tokio::test]
async fn a_subscriber_makes_types_for_the_time_being_and_is_a_consumer() {
    let library = Library::open().await;
    let (declare, id) = ("/pubsub/event-types/declare/subscriber", "mod-a-1.0.0");
    let definition = json!({"eventType": "A", "callbackAddress": "/a/events"});
    let body = json!({"moduleId": id, "subscriptionDefinitions": [definition]});
    library.post(declare, &body).await.expect(201);
    let made = library.get("/pubsub/event-types/A").await.expect(200).json();
    assert_eq!(made, json!({"eventType": "A", "eventTTL": 1, "signed": false, "tmp": true}));
    assert_eq!(consumer(&library, id).await["position"], 0);
    // Whoever describes it first is believed.
    library.post("/pubsub/event-types", &kind("A", 3)).await.expect(201);
    library.post("/pubsub/event-types", &kind("A", 4)).await.expect(400);
    library.delete("/pubsub/event-types/A").await.says(
        400,
        "Event type A cannot be deleted. Modules [mod-a-1.0.0] are registered as publishers or subscribers for this event type.",
    );
    // One that is built in heeds events by itself.
    let built_in = json!({"moduleId": "mod-patron-blocks-1.10.0", "subscriptionDefinitions": [definition]});
    library.post(declare, &built_in).await.expect(201);
    assert_eq!(modules(&library, "A", "subscribers").await, ["mod-a-1.0.0", "mod-patron-blocks-1.10.0"]);
    assert_eq!(consumer(&library, "mod-patron-blocks-1.10.0").await, Value::Null);
    library.delete("/pubsub/event-types/A/subscribers?moduleId=mod-a-1.0.0").await.expect(204);
    assert_eq!(consumer(&library, id).await, Value::Null);
    library
        .post(declare, &json!({"moduleId": id, "subscriptionDefinitions": [{"eventType": "A"}]}))
        .await
        .expect(422);
}

#[tokio::test]
async fn all_that_a_module_declares_in_a_role_ends_at_once() {
    let library = Library::open().await;
    let other = Library::open().await;
    for library in [&library, &other] {
        publisher(library, "mod-a-1.0.0", "A").await;
        let definition = json!({"eventType": "A", "callbackAddress": "/a/events"});
        let body = json!({"moduleId": "mod-a-1.0.0", "subscriptionDefinitions": [definition]});
        library.post("/pubsub/event-types/declare/subscriber", &body).await.expect(201);
    }
    let path = "/pubsub/messaging-modules";
    let required = "ModuleId and moduleRole are required query parameters";
    library.delete(path).await.says(400, required);
    library.delete(&format!("{path}?moduleId=mod-a-1.0.0")).await.says(400, required);
    library.delete(&format!("{path}?moduleId=mod-a-1.0.0&moduleRole=READER")).await.says(
        400,
        "Invalid moduleRole was specified: READER. Acceptable moduleRole values are: PUBLISHER, SUBSCRIBER.",
    );
    library.delete(&format!("{path}?moduleId=mod-a-2.0.0&moduleRole=SUBSCRIBER")).await.expect(204);
    assert!(modules(&library, "A", "subscribers").await.is_empty());
    assert_eq!(modules(&library, "A", "publishers").await, ["mod-a-1.0.0"]);
    assert_eq!(consumer(&library, "mod-a-1.0.0").await, Value::Null);
    assert_eq!(modules(&other, "A", "subscribers").await, ["mod-a-1.0.0"], "another tenant's stay");
    assert_ne!(consumer(&other, "mod-a-1.0.0").await, Value::Null);
}

#[tokio::test]
async fn declarations_are_bounded() {
    let library = Library::open().await;
    let long = "x".repeat(1_001);
    let too_long = "Names, addresses and descriptions have 1000 characters at most";
    library.post("/pubsub/event-types", &kind(&long, 1)).await.says(400, too_long);
    let subscriber = |numbers: std::ops::Range<usize>, module: &str, path: &str| {
        let definition = |number| json!({"eventType": format!("T{number}"), "callbackAddress": path});
        json!({"moduleId": module, "subscriptionDefinitions": numbers.map(definition).collect::<Vec<_>>()})
    };
    let declare = "/pubsub/event-types/declare/subscriber";
    library.post(declare, &subscriber(0..1, "mod-a-1.0.0", &long)).await.says(400, too_long);
    library.post(declare, &subscriber(0..1, &long, "/a")).await.says(400, too_long);
    library.get("/pubsub/event-types/T0").await.expect(404);
    library.post(declare, &subscriber(0..1_000, "mod-a-1.0.0", "/a")).await.expect(201);
    library
        .post(declare, &subscriber(1_000..1_001, "mod-b-1.0.0", "/a"))
        .await
        .says(400, "There are 1000 event types at most");
    for module in ["b", "c", "d", "e"] {
        library.post(declare, &subscriber(0..1_000, &format!("mod-{module}-1.0.0"), "/a")).await.expect(201);
    }
    let most = "Modules declare 5000 event types at most, in all";
    library.post(declare, &subscriber(0..1, "mod-f-1.0.0", "/a")).await.says(400, most);
    library.post(declare, &subscriber(0..1_000, "mod-e-1.0.1", "/a")).await.expect(201);
}
