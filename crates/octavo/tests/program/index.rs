//! Killed while titles are saved: the index of titles goes on from its last commit, and holds what the database holds.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use octavo_testkit::{Client, encode, eventually, fresh_id};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program};

const MODULES: &[&str] = &["mod-inventory-storage-27.1.4", "mod-search-3.2.6"];
/// So many saves are acknowledged before each blow.
const BEFORE: usize = 40;
const BLOWS: usize = 3;
const TITLES: &str = "/instance-storage/instances";

/// The word in the title of each record, as its last acknowledged save has it; none for those that were deleted.
type Saved = BTreeMap<String, Option<String>>;

#[tokio::test]
async fn the_index_agrees_with_the_database_after_each_death() {
    let folder = Folder::new();
    let mut octavo = Octavo::start(&folder.data());
    let (mut client, tenant) = octavo.named_tenant(MODULES).await;
    let types = client.get("/instance-types?limit=1").await.expect(200).json();
    let kind = types["instanceTypes"][0]["id"].clone();
    let mut saved = Saved::new();
    for _ in 0..BLOWS {
        // The index is there when the blow falls, and follows the changes.
        eventually("the index answers", async || found(&client, "cql.allRecords=1").await.is_some()).await;
        save_until(&client, &kind, &mut saved, || octavo.kill()).await;
        octavo = Octavo::start(&folder.data());
        client = client.to(octavo.address);
        for (id, word) in &saved {
            let (query, expected) = match word {
                Some(word) => (format!("title={word} and id=={id}"), 1),
                None => (format!("id=={id}"), 0),
            };
            eventually(&query, async || found(&client, &query).await == Some(expected)).await;
        }
    }
    octavo.stop();
    let verify = ["search", "verify", "--tenant", &tenant, "--data-dir"];
    let output = Command::new(program()).args(verify).arg(folder.data()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

/// Four clients save titles, change some and delete some, until the blow, which falls in the middle.
async fn save_until(client: &Client, kind: &Value, saved: &mut Saved, blow: impl FnOnce()) {
    let acknowledged = Arc::new(Mutex::new(Saved::new()));
    let mut clients = tokio::task::JoinSet::new();
    for number in 0..4 {
        let (client, kind, acknowledged) = (client.clone(), kind.clone(), Arc::clone(&acknowledged));
        clients.spawn(async move {
            let mut last: Option<(String, u64)> = None;
            for turn in 0.. {
                let id = fresh_id().to_string();
                let word = format!("w{}", fresh_id().simple());
                let title = json!({"id": id, "title": word, "source": "FOLIO", "instanceTypeId": kind});
                let Some(201) = status(&client, "POST", TITLES, &title).await else { return };
                acknowledged.lock().unwrap().insert(id.clone(), Some(word));
                if let Some((other, version)) = last.replace((id, 1)) {
                    // Taken out meanwhile: if the answer is lost, nobody knows whether it was done.
                    let before = acknowledged.lock().unwrap().remove(&other);
                    let after = if (turn + number) % 2 == 0 {
                        let word = format!("w{}", fresh_id().simple());
                        let title = json!({"id": other, "title": word, "source": "FOLIO", "instanceTypeId": kind, "_version": version});
                        let done = status(&client, "PUT", &format!("{TITLES}/{other}"), &title).await;
                        (done == Some(204)).then_some(Some(word))
                    } else {
                        let done = status(&client, "DELETE", &format!("{TITLES}/{other}"), &Value::Null).await;
                        (done == Some(204)).then_some(None)
                    };
                    let Some(after) = after else { return };
                    assert!(before.is_some());
                    acknowledged.lock().unwrap().insert(other, after);
                }
            }
        });
    }
    while acknowledged.lock().unwrap().len() < BEFORE {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    blow();
    clients.join_all().await;
    saved.append(&mut acknowledged.lock().unwrap());
}

/// The status of the answer; none if none came.
async fn status(client: &Client, method: &str, path: &str, body: &Value) -> Option<u16> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    client.attempt(method, path, body).await.ok().map(|reply| reply.status)
}

/// How many titles a query finds; none while the index does not answer.
async fn found(client: &Client, query: &str) -> Option<u64> {
    let reply = client.get(&format!("/search/instances?query={}", encode(query))).await;
    if reply.status == 503 { None } else { reply.expect(200).json()["totalRecords"].as_u64() }
}
