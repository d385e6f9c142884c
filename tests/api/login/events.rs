//! The log of log-ins and passwords (mod-login), which a library switches on.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{log_in, user};

const EVENTS: &str = "/authn/log/events";

async fn enable_event_log(library: &Library, code: &str) {
    let entry = json!({"module": "EVENT_LOG", "configName": code, "code": code, "value": "true"});
    library.post("/configurations/entries", &entry).await.expect(201);
}

/// The types of the events about a user, the oldest first.
async fn event_types(library: &Library, user: Uuid) -> Vec<String> {
    let query = octavo_testkit::encode(&format!("userId=={user} sortBy timestamp"));
    library
        .get(&format!("{EVENTS}?length=100&query={query}"))
        .await
        .expect(200)
        .field_values("loggingEvent", "eventType")
}

fn event(user: Uuid) -> Value {
    json!({"eventType": "PASSWORD_RESET", "tenant": "diku", "userId": user})
}

#[tokio::test]
async fn nothing_is_logged_until_it_is_switched_on() {
    let library = Library::open().await;
    let jane = user(&library, "jane", "right").await;
    log_in(&library, "jane", "right").await.expect(201);
    library.get(EVENTS).await.expect(204);
    library.post(EVENTS, &event(jane)).await.expect(204);
    library.delete(&format!("{EVENTS}/{jane}")).await.expect(204);
    enable_event_log(&library, "STATUS").await;
    log_in(&library, "jane", "right").await.expect(201);
    library.post(EVENTS, &event(jane)).await.expect(204);
    assert_eq!(library.get(EVENTS).await.expect(200).json(), json!({"loggingEvent": [], "totalRecords": 0}));
}

#[tokio::test]
async fn log_ins_and_passwords_are_logged_by_type() {
    let library = Library::open().await;
    for code in
        ["STATUS", "SUCCESSFUL_LOGIN_ATTEMPT", "FAILED_LOGIN_ATTEMPT", "USER_BLOCK", "PASSWORD_CHANGE"]
    {
        enable_event_log(&library, code).await;
    }
    let jane = user(&library, "jane", "right").await;
    let browser = library.with("user-agent", "a browser");
    let credentials = json!({"username": "jane", "password": "right"});
    browser.post("/authn/login", &credentials).await.expect(201);
    let first = library.get(EVENTS).await.expect(200).json()["loggingEvent"][0].clone();
    assert_eq!((&first["userId"], &first["ip"]), (&json!(jane), &json!("127.0.0.1")));
    assert_eq!(
        (&first["browserInformation"], &first["tenant"]),
        (&json!("a browser"), &json!(library.tenant.as_str()))
    );
    assert!(!first.to_string().contains("right"), "no password");

    let change = json!({"username": "jane", "password": "right", "newPassword": "Quiet-please-1"});
    library.post("/authn/update", &change).await.expect(204);
    for _ in 0..5 {
        log_in(&library, "jane", "wrong").await.expect(422);
    }
    let mut told = event_types(&library, jane).await;
    told.sort();
    let mut expected = vec!["FAILED_LOGIN_ATTEMPT"; 5];
    expected.extend(["PASSWORD_CHANGE", "SUCCESSFUL_LOGIN_ATTEMPT", "USER_BLOCK"]);
    assert_eq!(told, expected);
    log_in(&library, "nobody", "wrong").await.expect(422);
    assert_eq!(library.get(EVENTS).await.expect(200).total(), 8, "nobody is no user");
}

#[tokio::test]
async fn first_and_new_passwords_by_action_are_told_apart() {
    let library = Library::open().await;
    for code in ["STATUS", "PASSWORD_RESET", "PASSWORD_CREATE"] {
        enable_event_log(&library, code).await;
    }
    let id = fresh_id();
    library.post("/users", &json!({"id": id, "username": "jane", "active": true})).await.expect(201);
    for password in ["first", "second"] {
        let action = fresh_id();
        let wanted = json!({"id": action, "userId": id, "expirationTime": "2126-01-01T00:00:00Z"});
        library.post("/authn/password-reset-action", &wanted).await.expect(201);
        let reset = json!({"passwordResetActionId": action, "newPassword": password});
        library.post("/authn/reset-password", &reset).await.expect(201);
    }
    assert_eq!(event_types(&library, id).await, ["PASSWORD_CREATE", "PASSWORD_RESET"]);
}

#[tokio::test]
async fn events_are_told_by_others_paged_and_deleted_by_user() {
    let library = Library::open().await;
    for code in ["STATUS", "PASSWORD_RESET"] {
        enable_event_log(&library, code).await;
    }
    let (jane, june) = (fresh_id(), fresh_id());
    for user in [jane, jane, june] {
        let reply = library.post(EVENTS, &event(user)).await.expect(201);
        assert!(reply.json()["message"].as_str().unwrap().ends_with("was successfully saved to event log"));
    }
    library.post(EVENTS, &json!({"eventType": "PASSWORD_RESET"})).await.expect(422);
    let page = library.get(&format!("{EVENTS}?length=2&start=3")).await.expect(200);
    assert_eq!((page.field_values("loggingEvent", "id").len(), page.total()), (1, 3));
    library.get(&format!("{EVENTS}?start=0")).await.expect(400);
    let gone = library.delete(&format!("{EVENTS}/{jane}")).await.expect(200).json();
    assert_eq!(gone["message"], "Event was successfully deleted from event log");
    let missing = format!("Event Config with `userId`: `{jane}` was not found in the db");
    library.delete(&format!("{EVENTS}/{jane}")).await.says(404, &missing);
    assert_eq!(event_types(&library, june).await, ["PASSWORD_RESET"]);
}
