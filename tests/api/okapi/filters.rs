//! Filters: modules that requests pass on their way to a handler, inside or outside, and answers on their way back.

use octavo_testkit::{Outside, Said};
use serde_json::{Value, json};

use super::{House, fresh, module};

/// A module with one filter at a path.
fn filter(name: &str, path: &str, phase: &str, kind: &str) -> Value {
    json!({
        "id": format!("mod-{name}-1.0.0"), "requires": [],
        "filters": [{"methods": ["*"], "pathPattern": path, "phase": phase, "type": kind}],
    })
}

#[tokio::test]
async fn a_filter_before_the_handler_refuses_or_changes_requests() {
    let house = House::open().await;
    let user = house.library.as_user(&["tags.item.post", "tags.item.get"]).await;
    let there = Outside::start(async |seen| match seen.json()["label"] == "forbidden" {
        true => Said::text(409, "No such word here"),
        false => {
            let mut body = seen.json();
            body["description"] = json!("filtered");
            Said::json(200, &body)
        }
    })
    .await;
    house.bring(&filter(&fresh(), "/tags*", "pre", "request-response"), &there).await;
    user.post("/tags", &json!({"label": "forbidden"})).await.says(409, "No such word here");
    let label = fresh();
    let made = user.post("/tags", &json!({"label": label})).await.expect(201).json();
    assert_eq!([&made["label"], &made["description"]], [&json!(label), &json!("filtered")]);
    assert_eq!(there.seen()[0].header("x-okapi-filter"), Some("pre /tags*"));
    // What Octavo refuses does not reach a filter, and other paths pass none.
    let before = there.seen().len();
    house.library.post("/tags", &json!({"label": "x"})).await.expect(400);
    user.get("/groups").await.expect(403);
    assert_eq!(there.seen().len(), before);
}

#[tokio::test]
async fn filters_stand_before_and_behind_a_module_outside() {
    let house = House::open().await;
    let name = fresh();
    let handler = Outside::start(async |seen| {
        Said::text(200, format!("handled {}", String::from_utf8_lossy(&seen.body))).with("x-by", "handler")
    })
    .await;
    house.bring(&module(&name, "1.0.0"), &handler).await;
    let path = format!("/{name}");
    let quiet = Outside::start(async |_| {
        Said::text(200, "nobody reads this").with("x-added", "1").with("x-okapi-user-id", "x")
    })
    .await;
    house.bring(&filter(&fresh(), &path, "pre", "headers"), &quiet).await;
    let log = Outside::start(async |_| Said::text(500, "")).await;
    house.bring(&filter(&fresh(), &path, "pre", "request-log"), &log).await;
    let auth = Outside::start(async |_| Said::text(202, "")).await;
    house.bring(&filter(&fresh(), &path, "auth", "headers"), &auth).await;
    let after = Outside::start(async |seen| {
        Said::text(418, format!("{}, filtered", String::from_utf8_lossy(&seen.body)))
    })
    .await;
    house.bring(&filter(&fresh(), &path, "post", "request-response"), &after).await;

    let user = house.library.as_user(&[]).await;
    let reply = user.send("POST", &path, "words").await.expect(200);
    assert_eq!((reply.text(), reply.header("x-by")), ("handled words, filtered".to_owned(), Some("handler")));
    assert!(quiet.seen()[0].body.is_empty() && log.seen()[0].body.as_ref() == b"words");
    let handled = &handler.seen()[0];
    let id = user.user.unwrap().to_string();
    assert_eq!(
        (handled.header("x-added"), handled.header("x-okapi-user-id")),
        (Some("1"), Some(id.as_str()))
    );
    assert!(auth.seen()[0].headers.contains_key("x-okapi-permissions-required"));
    let behind = &after.seen()[0];
    assert_eq!(behind.header("x-okapi-handler-result"), Some("200"));
    assert!(behind.header("x-okapi-handler-headers").unwrap().contains("\"x-by\":\"handler\""));
}

#[tokio::test]
async fn a_filter_that_is_gone_lets_nothing_pass_unless_it_only_notes() {
    let house = House::open().await;
    let user = house.library.as_user(&["tags.collection.get"]).await;
    let id = fresh();
    house.add(&filter(&id, "/tags", "pre", "request-log")).await;
    house.enable(&format!("mod-{id}-1.0.0")).await;
    user.get("/tags").await.expect(200);
    let id = fresh();
    house.add(&filter(&id, "/tags", "pre", "headers")).await;
    house.enable(&format!("mod-{id}-1.0.0")).await;
    user.get("/tags").await.says(404, &format!("No running module instance found for mod-{id}-1.0.0"));
}
