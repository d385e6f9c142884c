//! What the log tells of jobs that run by the clock.

use std::fs::{self, File};

use octavo_testkit::fresh_id;
use serde_json::json;

use crate::octavo::{Folder, Octavo, serve};

#[tokio::test]
async fn a_job_that_found_nothing_to_do_is_no_news() {
    let folder = Folder::new();
    let log = folder.beside("log");
    let mut command = serve(&folder.data(), &["--log", "info"]);
    command.stderr(File::create(&log).unwrap());
    let octavo = Octavo::start_as(command);
    let library = octavo.tenant(&["mod-circulation-24.2.5", "mod-users-19.3.1"]).await;
    for job in [
        "/circulation/scheduled-age-to-lost",
        "/circulation/scheduled-age-to-lost-fee-charging",
        "/circulation/scheduled-anonymize-processing",
        "/circulation/actual-cost-expiration-by-timeout",
        "/circulation/scheduled-digital-reminders-processing",
        "/circulation/loan-scheduled-notices-processing",
        "/scheduled-request-expiration",
    ] {
        let reply = library.post(job, &json!({})).await;
        assert!([202, 204].contains(&reply.status), "{job}: {reply}");
    }
    let gone = json!({"id": fresh_id(), "username": "gone", "active": true, "expirationDate": "2020-01-01",
        "personal": {"lastName": "Gone", "preferredContactTypeId": "002", "email": "gone@example.com"}});
    library.post("/users", &gone).await.expect(201);
    library.post("/users/expire/timer", &json!({})).await.expect(204);
    octavo.stop();
    let log = fs::read_to_string(&log).unwrap();
    let told: Vec<&str> = log.lines().filter(|line| line.contains("tenant=")).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("users are active no longer"), "{told:#?}");
}
