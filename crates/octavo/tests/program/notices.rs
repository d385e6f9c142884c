//! Killed while e-mails are handed over, Octavo loses none, and hands few of them over twice.

use std::collections::BTreeMap;
use std::time::Duration;

use octavo_testkit::{Client, MailSink, eventually, fresh_id};
use serde_json::json;

use crate::octavo::{Folder, Octavo};

/// The number of e-mails that the mail server has received before Octavo is killed.
const MAILS_BEFORE_KILL: usize = 40;
/// The most e-mails that may be sent twice: those that were sent, but not yet noted as sent.
const MOST_SENT_TWICE: usize = 12;

/// How often each address got its e-mail.
fn mails_by_address(sink: &MailSink) -> BTreeMap<String, usize> {
    let mut taken = BTreeMap::new();
    for mail in sink.mails() {
        *taken.entry(mail.to.concat()).or_default() += 1;
    }
    taken
}

/// Asks for one e-mail after the other until the server is gone; the addresses whose e-mails it has promised to send.
async fn request_mails(library: Client, clerk: usize) -> Vec<String> {
    let mut promised = Vec::new();
    for number in 0.. {
        let to = format!("{clerk}.{number}@example.com");
        let email = json!({"id": fresh_id(), "notificationId": fresh_id(), "to": to,
            "header": "Due", "body": "Soon", "outputFormat": "text/plain"});
        match library.attempt("POST", "/email", email.to_string()).await {
            Ok(reply) if reply.status == 200 => promised.push(to),
            _ => break,
        }
    }
    promised
}

#[tokio::test]
async fn emails_outlive_the_death_of_octavo_and_few_go_out_twice() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    let library = octavo.tenant(&["mod-email-1.17.0"]).await.with("content-type", "application/json");
    let sink = MailSink::open().await;
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    let asking: Vec<_> = (0..4).map(|clerk| tokio::spawn(request_mails(library.clone(), clerk))).collect();
    while sink.count_mails() < MAILS_BEFORE_KILL {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    octavo.kill();
    let mut promised = Vec::new();
    for asked in asking {
        promised.extend(asked.await.unwrap());
    }
    promised.sort();

    let octavo = Octavo::start(&folder.data_dir());
    let library = library.to_server(octavo.address);
    eventually("every e-mail is noted", async || {
        let waiting = library.find("/email", "status<>DELIVERED").await.expect(200).total();
        waiting == 0
    })
    .await;
    let taken = mails_by_address(&sink);
    let lost: Vec<_> = promised.iter().filter(|to| !taken.contains_key(*to)).collect();
    assert!(lost.is_empty(), "{lost:?} of {}", promised.len());
    let stored = library.get("/email?limit=0").await.expect(200).total();
    assert!(stored >= promised.len() as i64, "{stored} of {}", promised.len());
    let twice = taken.values().sum::<usize>() - stored as usize;
    assert!(twice <= MOST_SENT_TWICE, "{twice} went out twice");
    octavo.stop();
}
