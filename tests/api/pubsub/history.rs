//! What has become of events.

use octavo_testkit::{Desk, Library, fresh_id};
use serde_json::{Value, json};

use super::{Follower, event, publish, publisher, retry};

const ALWAYS: &str = "startDate=2020-01-01&endDate=2999-12-31";

/// State and error of each message.
async fn states(library: &Library, more: &str) -> Vec<(String, String)> {
    let reply = library.get(&format!("/pubsub/history?{ALWAYS}{more}")).await.expect(200);
    let states = reply.field_values("auditMessages", "state");
    assert_eq!(reply.total(), states.len() as i64);
    states.into_iter().zip(reply.field_values("auditMessages", "errorMessage")).collect()
}

fn told(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(state, error)| ((*state).to_owned(), (*error).to_owned())).collect()
}

#[tokio::test]
async fn an_event_is_published_received_and_delivered_or_rejected() {
    let library = Library::open().await;
    let follower = Follower::bring(&library).await;
    let id = follower.id("1.0.0");
    publisher(&library, "mod-a-1.0.0", "A").await;
    publish(&library, "mod-a-1.0.0", "A", "before").await.expect(204);
    assert_eq!(states(&library, "").await, told(&[("PUBLISHED", "")]));
    follower.subscribe(&library, "1.0.0", &["A"]).await;
    let sent = event(&library, "mod-a-1.0.0", "A", "payload");
    let of_event = format!("&eventId={}", sent["id"].as_str().unwrap());
    library.post("/pubsub/publish", &sent).await.expect(204);
    assert_eq!(states(&library, &of_event).await, told(&[("PUBLISHED", "")]));
    follower.answers(400);
    let why = "The module answered 400: as the test says";
    let rejected = told(&[("PUBLISHED", ""), ("RECEIVED", ""), ("REJECTED", why)]);
    for _ in 0..6 {
        retry(&library, &id).await;
        assert_eq!(
            states(&library, &of_event).await,
            rejected,
            "while it is tried again, and when it stands aside"
        );
    }
    let delivered = told(&[("PUBLISHED", ""), ("RECEIVED", ""), ("DELIVERED", "")]);
    follower.answers(204);
    let next = event(&library, "mod-a-1.0.0", "A", "next");
    library.post("/pubsub/publish", &next).await.expect(204);
    retry(&library, &id).await;
    assert_eq!(states(&library, &format!("&eventId={}", next["id"].as_str().unwrap())).await, delivered);
    assert_eq!(states(&library, &of_event).await, rejected);
    let refused = library.get("/octavo/refused-events").await.expect(200).field_values("refusedEvents", "id");
    library.post(&format!("/octavo/refused-events/{}/retry", refused[0]), &json!({})).await.expect(204);
    assert_eq!(states(&library, &of_event).await, delivered);
    assert_eq!(
        states(&library, "").await.len(),
        7,
        "the event before the subscription is delivered to nobody"
    );
}

#[tokio::test]
async fn history_is_asked_for_by_time_type_event_and_correlation() {
    let library = Library::open().await;
    publisher(&library, "mod-a-1.0.0", "A").await;
    let mut first = event(&library, "mod-a-1.0.0", "A", "first");
    first["eventMetadata"]["correlationId"] = json!("c-1");
    first["eventMetadata"]["createdBy"] = json!("somebody");
    library.post("/pubsub/publish", &first).await.expect(204);
    publisher(&library, "mod-b-1.0.0", "B").await;
    publish(&library, "mod-b-1.0.0", "B", "second").await.expect(204);
    library.script("update event set at = '2026-03-01T12:00:00.250Z' where type = 'A'").await;
    library.script("update event set at = '2026-03-02T12:00:00Z' where type = 'B'").await;
    let formats = "Supported date formats yyyy-MM-dd, yyyy-MM-dd'T'HH:mm:ss, yyyy-MM-dd'T'HH:mm:ssZZ";
    let required = "Start date and End date are required query parameters";
    library.get("/pubsub/history").await.says(400, required);
    library.get("/pubsub/history?startDate=2026-03-01").await.says(400, required);
    library.get("/pubsub/history?startDate=2026-03-01&endDate=soon").await.says(400, formats);
    let id = first["id"].as_str().unwrap();
    for (query, expected) in [
        ("startDate=2026-03-01&endDate=2026-03-02".to_owned(), &["A", "B"] as &[&str]),
        ("startDate=2026-03-01&endDate=2026-03-01".to_owned(), &["A"]),
        ("startDate=2026-03-01T12:00:00.250Z&endDate=2026-03-02T11:59:59Z".to_owned(), &["A"]),
        ("startDate=2026-03-01T12:00:00&endDate=2026-03-01T12:00:00.249Z".to_owned(), &[]),
        (format!("{ALWAYS}&eventType=B"), &["B"]),
        (format!("{ALWAYS}&eventType=C"), &[]),
        (format!("{ALWAYS}&correlationId=c-1"), &["A"]),
        (format!("{ALWAYS}&eventId={id}"), &["A"]),
        (format!("{ALWAYS}&eventId={id}&eventType=B"), &[]),
        (format!("startDate=2026-03-02&endDate=2026-03-02&eventId={id}"), &[]),
        (format!("{ALWAYS}&eventId={}", fresh_id()), &[]),
        (format!("{ALWAYS}&eventId=none"), &[]),
    ] {
        let reply = library.get(&format!("/pubsub/history?{query}")).await.expect(200);
        assert_eq!(reply.field_values("auditMessages", "eventType"), expected, "{query}");
    }
    let shown = library.get(&format!("/pubsub/history?{ALWAYS}&eventType=A")).await.expect(200).json();
    let mut shown: Value = shown["auditMessages"][0].clone();
    shown.as_object_mut().unwrap().remove("id");
    let expected = json!({
        "eventId": id, "eventType": "A", "correlationId": "c-1", "tenantId": library.tenant.as_str(),
        "createdBy": "somebody", "publishedBy": "mod-a-1.0.0", "auditDate": "2026-03-01T12:00:00.250+00:00",
        "state": "PUBLISHED", "errorMessage": "",
    });
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn payloads_are_shown_by_the_id_of_the_event() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    publisher(&library, "mod-a-1.0.0", "A").await;
    let sent = event(&library, "mod-a-1.0.0", "A", "as it was");
    let empty = event(&library, "mod-a-1.0.0", "A", "");
    for event in [&sent, &empty] {
        library.post("/pubsub/publish", event).await.expect(204);
    }
    let path = |id: &Value| format!("/pubsub/audit-messages/{}/payload", id.as_str().unwrap());
    let shown = library.get(&path(&sent["id"])).await.expect(200).json();
    assert_eq!(shown, json!({"eventId": sent["id"], "content": "as it was"}));
    for id in [empty["id"].clone(), json!(fresh_id()), json!("none")] {
        let message = format!("Couldn't find audit message payload for event {}", id.as_str().unwrap());
        library.get(&path(&id)).await.says(404, &message);
    }
    // Events of Octavo's own have ids, too.
    let follower = Follower::bring(&library).await;
    follower.subscribe(&library, "1.0.0", &["ITEM_CHECKED_OUT"]).await;
    let loan = desk.check_out(&desk.item().await, &desk.patron().await).await.expect(201).json();
    library.deliver_events().await;
    let query = format!("/pubsub/history?{ALWAYS}&eventType=ITEM_CHECKED_OUT");
    let told = library.get(&query).await.expect(200);
    assert_eq!(told.field_values("auditMessages", "state"), ["PUBLISHED", "RECEIVED", "DELIVERED"]);
    let told = told.json()["auditMessages"][0].clone();
    assert_eq!(told["publishedBy"], "mod-circulation-24.2.5");
    assert_eq!(told["createdBy"], library.user.unwrap().to_string());
    let shown = library.get(&path(&told["eventId"])).await.expect(200).json();
    let content: Value = serde_json::from_str(shown["content"].as_str().unwrap()).unwrap();
    assert_eq!(content["loanId"], loan["id"]);
    let same =
        library.get(&format!("{query}&eventId={}", told["eventId"].as_str().unwrap())).await.expect(200);
    assert_eq!(same.total(), 3);
}
