//! Events come to modules outside of Octavo in order and at least once, whatever fails.

use std::time::Duration;

use octavo_testkit::{Desk, Library, ModuleAnswer, OutsideModule, fresh_id};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Follower, consumer, publish, publisher, retry};

#[tokio::test]
async fn what_the_desk_does_reaches_a_module_with_tenant_and_token() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    let follower = Follower::bring(&library).await;
    let (patron, item, other) = (desk.patron().await, desk.item().await, desk.item().await);
    desk.check_out(&other, &patron).await.expect(201);
    follower.subscribe(&library, "1.0.0", &["ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"]).await;
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    desk.renew(&item, &patron).await.expect(200);
    desk.check_in(&item).await.expect(200);
    library.deliver_events().await;

    let seen = follower.outside.seen_requests();
    let paths: Vec<&str> = seen.iter().map(|seen| seen.path.as_str()).collect();
    assert_eq!(
        paths,
        [follower.path("ITEM_CHECKED_OUT"), follower.path("ITEM_CHECKED_IN")],
        "what it subscribed to, from then on"
    );
    let body = seen[0].json();
    assert_eq!((&body["loanId"], &body["userId"]), (&loan["id"], &patron["id"]));
    assert_eq!(body["dueDate"], loan["dueDate"]);
    assert_eq!(seen[0].method, "POST");
    assert_eq!(seen[0].header("content-type"), Some("application/json"));
    assert_eq!(seen[0].header("x-okapi-tenant"), Some(library.tenant.as_str()));
    assert!(seen[0].header("x-okapi-url").is_some() && seen[0].header("x-okapi-request-id").is_some());
    let token = seen[0].header("x-okapi-token").unwrap();
    library.with_token(token).get("/tags").await.expect(200);
    assert_eq!(consumer(&library, &follower.id("1.0.0")).await["taken"], 2);
}

#[tokio::test]
async fn the_payload_of_an_outside_publisher_comes_as_it_was_sent() {
    let library = Library::open().await;
    let follower = Follower::bring(&library).await;
    publisher(&library, "mod-a-1.0.0", "A").await;
    follower.subscribe(&library, "1.0.0", &["A"]).await;
    let payloads = ["{\"b\": 2,  \"a\":1}", "no JSON \u{e9}", "{\"eventMetadata\": {}}"];
    for payload in payloads {
        publish(&library, "mod-a-1.0.0", "A", payload).await.expect(204);
    }
    library.deliver_events().await;
    assert_eq!(follower.bodies(), payloads);
}

#[tokio::test]
async fn a_module_that_is_down_gets_everything_in_order_when_it_is_back() {
    let library = Library::open().await;
    let follower = Follower::bring(&library).await;
    let id = follower.id("1.0.0");
    publisher(&library, "mod-a-1.0.0", "A").await;
    follower.subscribe(&library, "1.0.0", &["A"]).await;
    let numbers: Vec<String> = (0..120).map(|number| number.to_string()).collect();
    for (status, seen) in [(503, 1), (429, 2), (403, 3), (302, 4)] {
        follower.answers(status);
        if status == 503 {
            for number in &numbers {
                publish(&library, "mod-a-1.0.0", "A", number).await.expect(204);
            }
        }
        retry(&library, &id).await;
        library.deliver_events().await;
        assert_eq!(follower.bodies(), vec!["0"; seen], "after {status} the module is left alone for a while");
        let told = consumer(&library, &id).await;
        assert_eq!((&told["failures"], &told["waiting"]), (&json!(seen), &json!(120)));
        assert_eq!(told["message"], format!("The module answered {status}: as the test says"));
    }
    follower.answers(201);
    retry(&library, &id).await;
    assert_eq!(follower.bodies()[4..], numbers);
    let told = consumer(&library, &id).await;
    assert_eq!((&told["failures"], &told["waiting"], &told["taken"]), (&json!(0), &json!(0), &json!(120)));
}

#[tokio::test]
async fn an_event_that_a_module_refuses_stands_aside_and_can_be_sent_again() {
    let library = Library::open().await;
    let follower = Follower::bring(&library).await;
    let id = follower.id("1.0.0");
    publisher(&library, "mod-a-1.0.0", "A").await;
    follower.subscribe(&library, "1.0.0", &["A"]).await;
    publish(&library, "mod-a-1.0.0", "A", "bad").await.expect(204);
    follower.answers(400);
    for _ in 0..6 {
        retry(&library, &id).await;
    }
    assert_eq!(follower.bodies(), ["bad"; 6]);
    follower.answers(200);
    publish(&library, "mod-a-1.0.0", "A", "good").await.expect(204);
    retry(&library, &id).await;
    assert_eq!(follower.bodies()[6..], ["good"]);
    let refused = library.get("/octavo/refused-events").await.expect(200).json();
    let refused = &refused["refusedEvents"][0];
    assert_eq!(refused["consumer"], format!("module:{id}"));
    assert_eq!(refused["message"], "The module answered 400: as the test says");
    // The next version of the module gets what the former has refused.
    follower.install(&library, "1.1.0").await;
    follower.subscribe(&library, "1.1.0", &["A"]).await;
    let again = format!("/octavo/refused-events/{}/retry", refused["id"].as_str().unwrap());
    library.post(&again, &json!({})).await.expect(204);
    assert_eq!(follower.bodies()[7..], ["bad"]);
    assert_eq!(library.get("/octavo/refused-events").await.expect(200).total(), 0);
}

#[tokio::test]
async fn a_new_version_of_a_module_goes_on_where_the_former_was() {
    let library = Library::open().await;
    let follower = Follower::bring(&library).await;
    publisher(&library, "mod-a-1.0.0", "A").await;
    follower.subscribe(&library, "1.0.0", &["A"]).await;
    publish(&library, "mod-a-1.0.0", "A", "taken by 1.0.0").await.expect(204);
    library.deliver_events().await;
    publish(&library, "mod-a-1.0.0", "A", "between").await.expect(204);
    follower.install(&library, "1.10.0").await;
    follower.subscribe(&library, "1.10.0", &["A"]).await;
    publish(&library, "mod-a-1.0.0", "A", "after").await.expect(204);
    library.deliver_events().await;
    assert_eq!(follower.bodies(), ["taken by 1.0.0", "between", "after"]);
    assert_eq!(consumer(&library, &follower.id("1.0.0")).await, Value::Null);
    assert_eq!(consumer(&library, &follower.id("1.10.0")).await["taken"], 3);
}

#[tokio::test]
async fn why_a_module_cannot_be_asked_is_told() {
    let library = Library::open().await;
    let follower = Follower::bring(&library).await;
    publisher(&library, "mod-a-1.0.0", "A").await;
    let (id, path) = (follower.id("1.0.0"), "/elsewhere");
    let unknown = "mod-unknown-1.0.0";
    for module in [id.as_str(), unknown] {
        let definition = json!({"eventType": "A", "callbackAddress": path});
        let body = json!({"moduleId": module, "subscriptionDefinitions": [definition]});
        library.post("/pubsub/event-types/declare/subscriber", &body).await.expect(201);
    }
    publish(&library, "mod-a-1.0.0", "A", "{}").await.expect(204);
    library.deliver_events().await;
    for (module, message) in [
        (id.as_str(), format!("The descriptor of {id} has no handler for POST {path}")),
        (unknown, format!("The tenant does not have the module {unknown}")),
    ] {
        let told = consumer(&library, module).await;
        assert_eq!((&told["failures"], &told["message"]), (&json!(1), &json!(message)));
    }
    assert_eq!(follower.outside.seen_requests().len(), 0);
}

#[tokio::test]
async fn a_tenant_gets_no_event_of_another() {
    let (library, other) = (Library::open().await, Library::open().await);
    let follower = Follower::bring(&library).await;
    follower.subscribe(&library, "1.0.0", &["A"]).await;
    publisher(&other, "mod-a-1.0.0", "A").await;
    publish(&other, "mod-a-1.0.0", "A", "{}").await.expect(204);
    library.deliver_events().await;
    other.deliver_events().await;
    assert_eq!(follower.outside.seen_requests().len(), 0);
}

/// A batch ends after ten seconds, so that the claim is renewed in time.
#[tokio::test]
async fn a_slow_module_gets_each_event_once() {
    let library = Library::open().await;
    let slow = OutsideModule::start(async |_| {
        sleep(Duration::from_millis(300)).await;
        ModuleAnswer::text(200, "")
    });
    let mut follower = Follower::bring(&library).await;
    follower.outside = slow.await;
    follower.install(&library, "1.1.0").await;
    publisher(&library, "mod-a-1.0.0", "A").await;
    follower.subscribe(&library, "1.1.0", &["A"]).await;
    let numbers: Vec<String> = (0..40).map(|number| number.to_string()).collect();
    for number in &numbers {
        publish(&library, "mod-a-1.0.0", "A", number).await.expect(204);
    }
    library.deliver_events().await;
    assert_eq!(follower.bodies(), numbers);
    assert_eq!(consumer(&library, &follower.id("1.1.0")).await["taken"], 40);
}
