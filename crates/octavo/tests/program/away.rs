//! A database that is away and comes back, while Octavo goes on.

use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_testkit::{Client, Desk, MailSink, Reply, eventually, fresh_id};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::octavo::{Folder, Octavo};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-feesfines-19.1.0", "mod-email-1.17.0"];
/// An answer comes far within this time, also on a machine that has other things to do.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

const DATABASE_AWAY: &str = "The database cannot be reached at the moment. Please try again later";

/// PostgreSQL on a folder of its own, which outlives it.
async fn database(folder: &Folder) -> Embedded {
    let options = EmbeddedOptions {
        data_dir: folder.path_of("database"),
        binaries: None,
        durable: false,
        settings: Vec::new(),
    };
    Embedded::start(options).await.unwrap_or_else(|error| panic!("{error}"))
}

async fn send(client: &Client, method: &str, path: &str, body: &Value) -> Reply {
    let client = client.with("content-type", "application/json");
    let reply = timeout(ANSWER_TIMEOUT, client.attempt(method, path, body.to_string())).await;
    reply.unwrap_or_else(|_| panic!("{method} {path} hangs")).unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn a_database_that_is_away_is_said_to_be_and_one_that_is_back_is_used() {
    let folder = Folder::new();
    let postgres = database(&folder).await;
    let octavo = Octavo::start_with(&folder.data_dir(), &["--database-url", &postgres.url()]);
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let sink = MailSink::open().await;
    desk.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    let item = format!("/item-storage/items/{}", items[0]["id"].as_str().unwrap());
    let email = json!({"notificationId": fresh_id(), "to": "ada@example.com", "header": "Due", "body": "Soon",
        "outputFormat": "text/plain"});
    let blocks = format!("/automated-patron-blocks/{}", patron["id"].as_str().unwrap());
    let calls = [
        ("GET", item.as_str(), Value::Null),
        ("GET", "/users?query=active==true&limit=1", Value::Null),
        ("GET", blocks.as_str(), Value::Null),
        ("POST", "/circulation/check-out-by-barcode", Desk::check_out_body(&items[0], &patron)),
        ("POST", "/groups", json!({"group": "Guests"})),
        ("DELETE", item.as_str(), Value::Null),
        ("POST", "/email", email.clone()),
    ];

    postgres.stop().await;
    for round in 0..3 {
        for (method, path, body) in &calls {
            let reply = send(&desk, method, path, body).await;
            assert!(reply.status == 503 && reply.text() == DATABASE_AWAY, "round {round}: {reply}");
            assert_eq!(reply.header("content-type"), Some("text/plain"));
        }
    }

    let postgres = database(&folder).await;
    eventually("Octavo sees that the database is back", async || {
        send(&desk, "GET", &item, &Value::Null).await.status == 200
    })
    .await;
    for _ in 0..20 {
        send(&desk, "GET", &item, &Value::Null).await.expect(200);
    }
    desk.check_out(&items[0], &patron).await.expect(201);
    desk.post("/groups", &json!({"group": "Guests"})).await.expect(201);
    desk.post("/email", &email).await.expect(200);
    eventually("notices go out again", async || sink.count_mails() == 1).await;
    octavo.stop();
    postgres.stop().await;
}

/// A stop and a start between two requests: nobody who asks then learns of it.
#[tokio::test]
async fn a_restart_that_nobody_saw_is_not_told_of() {
    let folder = Folder::new();
    let mut postgres = database(&folder).await;
    let octavo = Octavo::start_with(&folder.data_dir(), &["--database-url", &postgres.url()]);
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let (patron, items) = (desk.patron().await, desk.items(3).await);
    let item = format!("/item-storage/items/{}", items[0]["id"].as_str().unwrap());
    for lent in &items {
        // Enough for every kind of connection to be in use.
        for _ in 0..4 {
            send(&desk, "GET", &item, &Value::Null).await.expect(200);
        }
        desk.check_out(lent, &patron).await.expect(201);
        postgres.stop().await;
        postgres = database(&folder).await;
    }
    octavo.stop();
    postgres.stop().await;
}
