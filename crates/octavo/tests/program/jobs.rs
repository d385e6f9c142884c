//! What the log tells of jobs that run by the clock.

use std::fs::{self, File};

use octavo_testkit::{eventually, fresh_id};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, serve};

#[tokio::test]
async fn a_job_that_found_nothing_to_do_is_no_news() {
    let folder = Folder::new();
    let log = folder.path_of("log");
    let mut command = serve(&folder.data_dir(), &["--log", "info"]);
    command.stderr(File::create(&log).unwrap());
    let octavo = Octavo::start_command(command);
    let (library, tenant) = octavo.named_tenant(&["mod-circulation-24.2.5", "mod-users-19.3.1"]).await;
    let gone = json!({"id": fresh_id(), "username": "gone", "active": true, "expirationDate": "2020-01-01",
        "personal": {"lastName": "Gone", "preferredContactTypeId": "002", "email": "gone@example.com"}});
    library.post("/users", &gone).await.expect(201);

    let path = format!("/_/proxy/tenants/{tenant}/timers");
    let timers = async || library.get(&path).await.expect(200).json().as_array().unwrap().clone();
    let built = |timer: &Value| timer["state"] != "notBuilt";
    for timer in timers().await.iter().filter(|timer| built(timer)) {
        let often = json!({"id": timer["id"], "routingEntry": {"unit": "second", "delay": "1"}});
        let client = library.with("content-type", "application/json");
        client.send("PATCH", &path, often.to_string()).await.expect(204);
    }
    eventually("every job has run", async || {
        timers().await.iter().filter(|timer| built(timer)).all(|timer| timer["lastRun"].is_string())
    })
    .await;
    octavo.stop();

    let log = fs::read_to_string(&log).unwrap();
    let told: Vec<&str> = log.lines().filter(|line| line.contains("octavo_modules")).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("users are active no longer"), "{told:#?}");
}
