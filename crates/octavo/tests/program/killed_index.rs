//! Killed while titles are saved: the index of titles goes on from its last commit, and holds what the database holds.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Arc, Mutex};

use octavo_testkit::{Client, encode, eventually, fresh_id};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo, program_path};

const MODULES: &[&str] = &["mod-inventory-storage-27.1.3", "mod-search-3.2.6"];
/// The number of saves that are acknowledged before each kill.
const SAVES_BEFORE_KILL: usize = 40;
const KILLS: usize = 3;
const TITLES: &str = "/instance-storage/instances";

/// By id: the word in the title of each record after its last acknowledged save; `None` for deleted records.
type Saved = BTreeMap<String, Option<String>>;

#[tokio::test]
async fn the_index_agrees_with_the_database_after_each_death() {
    let folder = Folder::new();
    let mut octavo = Octavo::start(&folder.data_dir());
    let (client, tenant) = octavo.named_tenant(MODULES).await;
    let mut client = client.with("content-type", "application/json");
    let types = client.get("/instance-types?limit=1").await.expect(200).json();
    let kind = types["instanceTypes"][0]["id"].clone();
    let mut saved = Saved::new();
    for _ in 0..KILLS {
        // The index is there when the blow falls, and follows the changes.
        eventually("the index answers", async || count_found(&client, "cql.allRecords=1").await.is_some())
            .await;
        save_until_kill(&client, &kind, &mut saved, || octavo.kill()).await;
        octavo = Octavo::start(&folder.data_dir());
        client = client.to_server(octavo.address);
        for (id, word) in &saved {
            let (query, expected) = match word {
                Some(word) => (format!("title={word} and id=={id}"), 1),
                None => (format!("id=={id}"), 0),
            };
            eventually(&query, async || count_found(&client, &query).await == Some(expected)).await;
        }
    }
    octavo.stop();
    let verify = ["search", "verify", "--tenant", &tenant, "--data-dir"];
    let output = Command::new(program_path()).args(verify).arg(folder.data_dir()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

/// Four clients save titles, change some and delete some, until the blow, which falls in the middle.
async fn save_until_kill(client: &Client, kind: &Value, saved: &mut Saved, blow: impl FnOnce()) {
    let acknowledged = Arc::new(Mutex::new(Saved::new()));
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (client, kind, acknowledged) = (client.clone(), kind.clone(), Arc::clone(&acknowledged));
        clients.spawn(async move {
            for turn in 0.. {
                if save(&client, &kind, turn % 3, &acknowledged).await.is_none() {
                    return;
                }
            }
        });
    }
    eventually("enough is saved", async || {
        assert!(clients.try_join_next().is_none(), "a client has ended before the blow");
        acknowledged.lock().unwrap().len() >= SAVES_BEFORE_KILL
    })
    .await;
    blow();
    clients.join_all().await;
    saved.append(&mut acknowledged.lock().unwrap());
}

/// Saves a title, and then changes it (1), deletes it (2) or leaves it. None if something was not acknowledged: then nobody knows
/// whether it was done, and nothing is noted of the title.
async fn save(client: &Client, kind: &Value, then: u32, acknowledged: &Mutex<Saved>) -> Option<()> {
    let (id, word) = (fresh_id().to_string(), || format!("w{}", fresh_id().simple()));
    let mut last = Some(word());
    let title = json!({"id": id, "title": last, "source": "FOLIO", "hrid": id, "instanceTypeId": kind});
    let path = format!("{TITLES}/{id}");
    is_acknowledged(client, "POST", TITLES, &title).await?;
    if then == 1 {
        last = Some(word());
        let changed =
            json!({"title": last, "source": "FOLIO", "hrid": id, "instanceTypeId": kind, "_version": 1});
        is_acknowledged(client, "PUT", &path, &changed).await?;
    } else if then == 2 {
        last = None;
        is_acknowledged(client, "DELETE", &path, &Value::Null).await?;
    }
    acknowledged.lock().unwrap().insert(id, last);
    Some(())
}

/// Whether a change was acknowledged; none if no answer came, or the server has lost its database.
async fn is_acknowledged(client: &Client, method: &str, path: &str, body: &Value) -> Option<()> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let reply = client.attempt(method, path, body).await.ok()?;
    assert!([201, 204, 503].contains(&reply.status), "{reply}");
    (reply.status != 503).then_some(())
}

/// The number of titles that a query finds; `None` while the index does not answer.
async fn count_found(client: &Client, query: &str) -> Option<u64> {
    let reply = client.get(&format!("/search/instances?query={}", encode(query))).await;
    if reply.status == 503 { None } else { reply.expect(200).json()["totalRecords"].as_u64() }
}
