//! Killed while e-mails are handed over, Octavo loses none, and hands few of them over twice.

use std::collections::BTreeMap;
use std::time::Duration;

use octavo_testkit::{MailSink, eventually, fresh_id};
use serde_json::json;

use crate::octavo::{Folder, Octavo};

const EMAILS: usize = 150;
/// So many are taken before the blow.
const BEFORE: usize = 40;
/// Taken and not yet noted, at most.
const UNNOTED: usize = 12;

/// How often each e-mail was taken, by its Message-ID.
fn taken(sink: &MailSink) -> BTreeMap<String, usize> {
    let mut taken = BTreeMap::new();
    for mail in sink.mails() {
        let id = mail.data.lines().find_map(|line| line.strip_prefix("Message-ID: "));
        *taken.entry(id.expect("every e-mail has one").trim().to_owned()).or_default() += 1;
    }
    taken
}

#[tokio::test]
async fn emails_outlive_the_death_of_octavo_and_few_go_out_twice() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data());
    let library = octavo.tenant(&["mod-email-1.17.0"]).await;
    let sink = MailSink::open().await;
    for number in 0..EMAILS {
        let email = json!({"id": fresh_id(), "notificationId": fresh_id(), "to": format!("{number}@example.com"),
            "header": "Due", "body": "Soon", "outputFormat": "text/plain"});
        library.post("/email", &email).await.expect(200);
    }
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    library.post("/delayedTask/retryFailedEmails", &json!({})).await.expect(202);
    while sink.taken() < BEFORE {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    octavo.kill();
    assert!(taken(&sink).len() < EMAILS, "all was sent before the blow");

    let octavo = Octavo::start(&folder.data());
    eventually("every e-mail is taken", async || taken(&sink).len() == EMAILS).await;
    let library = library.to(octavo.address);
    eventually("every e-mail is noted", async || {
        library.get("/email?limit=0&query=status==DELIVERED").await.expect(200).total() == EMAILS as i64
    })
    .await;
    let twice = sink.mails().len() - EMAILS;
    assert!(twice <= UNNOTED, "{twice} went out twice");
    octavo.stop();
}
