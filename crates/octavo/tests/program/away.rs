//! A database that is away and comes back, while Octavo goes on.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use octavo_pg::embedded::{Embedded, EmbeddedOptions};
use octavo_pg::{Database, Options};
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
    database_in(folder, "database").await
}

async fn database_in(folder: &Folder, name: &str) -> Embedded {
    let options = EmbeddedOptions {
        data_dir: folder.path_of(name),
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

/// Makes the schema of a database newer than it is, or older.
async fn change_schema_version(postgres: &Embedded, by: i64) {
    let database = Database::from_url(&postgres.url(), Options::unlimited(1)).unwrap();
    let mut session = database.system_session(Arc::default()).await.unwrap();
    let change = format!("update octavo.schema_version set version = version + ({by})");
    session.script(&change).await.unwrap();
    drop(session);
    database.close().await;
}

#[tokio::test]
async fn a_first_database_that_comes_back_is_served_when_this_program_can_use_it() {
    let folder = Folder::new();
    let (first, east) = (database(&folder).await, database_in(&folder, "east").await);
    let databases = folder.path_of("databases");
    fs::write(&databases, format!("east = {}\n", east.url())).unwrap();
    let url = first.url();
    let settings = ["--database-url", url.as_str(), "--further-databases", databases.to_str().unwrap()];
    let octavo = Octavo::start_with(&folder.data_dir(), &settings);
    let (_, tenant) = octavo.named_tenant(&["mod-users-19.3.1"]).await;
    eventually("the further database is served", async || {
        let metrics = octavo.tenantless_client().get("/metrics").await.expect(200).text();
        metrics.lines().any(|line| line == "octavo_database_up{database=\"east\"} 1")
    })
    .await;
    octavo.stop();
    change_schema_version(&first, 1).await;
    first.stop().await;

    let octavo = Octavo::start_with(&folder.data_dir(), &settings);
    let library = octavo.tenantless_client().with("x-okapi-tenant", &tenant);
    library.get("/groups").await.expect(503);
    let first = database(&folder).await;
    // The program has tried the database several times by then.
    tokio::time::sleep(Duration::from_secs(6)).await;
    library.get("/groups").await.expect(503);
    change_schema_version(&first, -1).await;
    eventually("the first database is served", async || library.get("/groups").await.status == 200).await;
    octavo.stop();
    first.stop().await;
    east.stop().await;
}
