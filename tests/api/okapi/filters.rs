//! Filters: modules that requests pass on their way to a handler, inside or outside, and answers on their way back.

use octavo_testkit::{ModuleAnswer, OutsideModule};
use serde_json::{Value, json};

use super::{OkapiLibrary, module, new_name};

/// A module with one filter at a path.
fn filter(name: &str, path: &str, phase: &str, kind: &str) -> Value {
    json!({
        "id": format!("mod-{name}-1.0.0"), "requires": [],
        "filters": [{"methods": ["*"], "pathPattern": path, "phase": phase, "type": kind}],
    })
}

#[tokio::test]
async fn a_filter_before_the_handler_refuses_or_changes_requests() {
    let house = OkapiLibrary::open().await;
    let user = house.library.as_user(&["tags.item.post", "tags.item.get"]).await;
    let there = OutsideModule::start(async |seen| match seen.json()["label"] == "forbidden" {
        true => ModuleAnswer::text(409, "No such word here"),
        false => {
            let mut body = seen.json();
            body["description"] = json!("filtered");
            ModuleAnswer::json(200, &body)
        }
    })
    .await;
    house.add_deploy_and_enable(&filter(&new_name(), "/tags*", "pre", "request-response"), &there).await;
    user.post("/tags", &json!({"label": "forbidden"})).await.says(409, "No such word here");
    let label = new_name();
    let made = user.post("/tags", &json!({"label": label})).await.expect(201).json();
    assert_eq!([&made["label"], &made["description"]], [&json!(label), &json!("filtered")]);
    assert_eq!(there.seen_requests()[0].header("x-okapi-filter"), Some("pre /tags*"));
    // What Octavo refuses does not reach a filter, and other paths pass none.
    let before = there.seen_requests().len();
    house.library.post("/tags", &json!({"label": "x"})).await.expect(400);
    user.get("/groups").await.expect(403);
    assert_eq!(there.seen_requests().len(), before);
}

#[tokio::test]
async fn filters_stand_before_and_behind_a_module_outside() {
    let house = OkapiLibrary::open().await;
    let name = new_name();
    let handler = OutsideModule::start(async |seen| {
        ModuleAnswer::text(200, format!("handled {}", String::from_utf8_lossy(&seen.body)))
            .with("x-by", "handler")
    })
    .await;
    house.add_deploy_and_enable(&module(&name, "1.0.0"), &handler).await;
    let path = format!("/{name}");
    let quiet = OutsideModule::start(async |_| {
        ModuleAnswer::text(200, "nobody reads this").with("x-added", "1").with("x-okapi-user-id", "x")
    })
    .await;
    house.add_deploy_and_enable(&filter(&new_name(), &path, "pre", "headers"), &quiet).await;
    let log = OutsideModule::start(async |_| ModuleAnswer::text(500, "")).await;
    house.add_deploy_and_enable(&filter(&new_name(), &path, "pre", "request-log"), &log).await;
    let auth = OutsideModule::start(async |_| ModuleAnswer::text(202, "")).await;
    house.add_deploy_and_enable(&filter(&new_name(), &path, "auth", "headers"), &auth).await;
    let after = OutsideModule::start(async |seen| {
        ModuleAnswer::text(418, format!("{}, filtered", String::from_utf8_lossy(&seen.body)))
    })
    .await;
    house.add_deploy_and_enable(&filter(&new_name(), &path, "post", "request-response"), &after).await;

    let user = house.library.as_user(&[]).await;
    let reply = user.send("POST", &path, "words").await.expect(200);
    assert_eq!((reply.text(), reply.header("x-by")), ("handled words, filtered".to_owned(), Some("handler")));
    assert!(quiet.seen_requests()[0].body.is_empty() && log.seen_requests()[0].body.as_ref() == b"words");
    let handled = &handler.seen_requests()[0];
    let id = user.user.unwrap().to_string();
    assert_eq!(
        (handled.header("x-added"), handled.header("x-okapi-user-id")),
        (Some("1"), Some(id.as_str()))
    );
    assert!(auth.seen_requests()[0].headers.contains_key("x-okapi-permissions-required"));
    let behind = &after.seen_requests()[0];
    assert_eq!(behind.header("x-okapi-handler-result"), Some("200"));
    assert!(behind.header("x-okapi-handler-headers").unwrap().contains("\"x-by\":\"handler\""));
}

#[tokio::test]
async fn a_filter_that_is_gone_lets_nothing_pass_unless_it_only_notes() {
    let house = OkapiLibrary::open().await;
    let user = house.library.as_user(&["tags.collection.get"]).await;
    let id = new_name();
    house.add_module(&filter(&id, "/tags", "pre", "request-log")).await;
    house.enable_module(&format!("mod-{id}-1.0.0")).await;
    user.get("/tags").await.expect(200);
    let id = new_name();
    house.add_module(&filter(&id, "/tags", "pre", "headers")).await;
    house.enable_module(&format!("mod-{id}-1.0.0")).await;
    user.get("/tags").await.says(404, &format!("No running module instance found for mod-{id}-1.0.0"));
}
