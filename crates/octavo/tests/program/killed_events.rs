//! Octavo, its PostgreSQL, a broker of Kafka and the receiver of a webhook are killed at random while items change: each
//! change that was acknowledged reaches both, in order. Needs Java and Apache Kafka: `make kafka` runs it.
#![expect(
    clippy::print_stdout,
    reason = "the test takes minutes; it tells how far it is and what it has counted"
)]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use octavo_testkit::{Broker, Client, Desk, ModuleAnswer, OutsideModule, SeenRequest, eventually, fresh_id};
use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::octavo::{Folder, Octavo};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-feesfines-19.1.0", "octavo-events"];
/// The number of clients. Each changes an item of its own.
const CLIENTS: usize = 4;
/// How many times something is killed, unless `OCTAVO_KILL_ROUNDS` says so.
const KILLS: usize = 10;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Apache Kafka: make kafka"]
async fn every_acknowledged_change_reaches_kafka_and_a_webhook_whatever_is_killed() {
    let mut broker = Broker::start();
    let receiver = OutsideModule::start(|_: SeenRequest| async {
        sleep(Duration::from_millis(2)).await;
        ModuleAnswer::text(204, "")
    })
    .await;
    let folder = Folder::new();
    let kafka = broker.kafka_plain().brokers.addresses.join(",");
    let start =
        || Octavo::start_with(&folder.data_dir(), &["--kafka-brokers", &kafka, "--private-webhooks", "on"]);
    let mut octavo = Some(start());
    let (client, tenant) = octavo.as_ref().unwrap().named_tenant(MODULES).await;
    let desk = Desk::furnish(&client, |_| {}).await;
    create_webhook(&client, &receiver).await;
    wait_until_followed(&desk).await;

    let changing = Changing::start(&desk).await;
    let mut killed = BTreeMap::<&str, usize>::new();
    for round in 0..kills_wanted() {
        sleep(Duration::from_millis(random(1_500))).await;
        let victim =
            ["Octavo", "Octavo and PostgreSQL", "PostgreSQL", "broker", "receiver"][random(5) as usize];
        *killed.entry(victim).or_default() += 1;
        println!("round {}: {victim}, {} changes acknowledged", round + 1, changing.acknowledged());
        let pause = Duration::from_millis(random(1_500));
        match victim {
            "broker" => {
                broker.kill();
                sleep(pause).await;
                broker.start_again();
            }
            "receiver" => {
                receiver.kill().await;
                sleep(pause).await;
                receiver.start_again().await;
            }
            _ => {
                if victim != "Octavo" {
                    // There is no PostgreSQL process while Octavo starts another one.
                    if let Some(postgres) = folder.postgres_pid() {
                        let _ = kill_process(postgres, Signal::KILL);
                    }
                }
                if victim != "PostgreSQL" {
                    octavo.take().unwrap().kill();
                    sleep(pause).await;
                    let again = start();
                    changing.set_address(again.address);
                    octavo = Some(again);
                }
            }
        }
    }
    let octavo = octavo.unwrap();
    let written = changing.stop().await;
    let acknowledged: u64 = written.values().map(|written| written.acknowledged).sum();
    let client = client.to_server(octavo.address);
    eventually("all is delivered", async || {
        sleep(Duration::from_secs(1)).await;
        let consumers = consumers(&client).await;
        for consumer in &consumers {
            let path = format!("/octavo/event-consumers/{}/retry", consumer["name"].as_str().unwrap());
            client.post(&path, &json!({})).await.expect(204);
        }
        consumers.len() == 2 && consumers.iter().all(|consumer| consumer["waiting"] == 0)
    })
    .await;

    let read = broker.read_all(&format!("folio.{tenant}.inventory.item"));
    let published = read.into_iter().map(|read| read.value);
    let seen = receiver.seen_requests();
    let sent =
        seen.iter().flat_map(|seen| seen.json()["data"]["events"].as_array().cloned().unwrap_or_default());
    println!("killed: {killed:?}; changes acknowledged: {acknowledged}");
    assert_no_gaps("Kafka", published, &written);
    assert_no_gaps("the webhook", sent.map(|event| event["payload"].clone()), &written);
    octavo.stop();
}

/// Makes a webhook that is sent every change of an item.
async fn create_webhook(client: &Client, receiver: &OutsideModule) {
    let webhook = json!({"name": "catalogue", "url": receiver.url(), "types": ["inventory.item"]});
    let made = client.post("/octavo/webhooks", &webhook).await.expect(201).json();
    let secret = format!("/octavo/webhooks/{}/secret", made["id"].as_str().unwrap());
    client.post(&secret, &json!({})).await.expect(201);
}

/// Makes items until both consumers are told of them.
async fn wait_until_followed(desk: &Desk) {
    eventually("changes are told", async || {
        desk.item().await;
        sleep(Duration::from_millis(500)).await;
        let consumers = consumers(desk).await;
        let told = |consumer: &&Value| consumer["taken"].as_u64() > Some(0);
        consumers.iter().filter(told).count() == 2
    })
    .await;
}

async fn consumers(client: &Client) -> Vec<Value> {
    let told = client.get("/octavo/event-consumers").await.expect(200).json();
    told["eventConsumers"].as_array().unwrap().clone()
}

/// What is written into one item.
struct WrittenItem {
    /// The last number that is in the item.
    last: u64,
    /// The number of changes that were acknowledged.
    acknowledged: u64,
}

/// Clients that count up in the copy numbers of their items.
struct Changing {
    address: Arc<Mutex<SocketAddr>>,
    is_over: Arc<AtomicBool>,
    acknowledged: Arc<AtomicU64>,
    clients: tokio::task::JoinSet<(String, WrittenItem)>,
}

impl Changing {
    async fn start(desk: &Desk) -> Changing {
        let (address, over) = (Arc::new(Mutex::new(desk.address)), Arc::new(AtomicBool::new(false)));
        let acknowledged = Arc::new(AtomicU64::new(0));
        let mut clients = tokio::task::JoinSet::new();
        for _ in 0..CLIENTS {
            let item = desk.item().await;
            let (desk, address, over) = (desk.clone(), Arc::clone(&address), Arc::clone(&over));
            let acknowledged = Arc::clone(&acknowledged);
            clients.spawn(async move {
                let id = item["id"].as_str().unwrap().to_owned();
                let mut written = WrittenItem { last: 0, acknowledged: 0 };
                loop {
                    let desk = desk.at_address(*address.lock().unwrap());
                    let ended = over.load(Ordering::Relaxed);
                    let Some(mut item) = read_item(&desk, &id).await else { continue };
                    written.last = copy_number(&item);
                    if ended {
                        return (id, written);
                    }
                    item["copyNumber"] = json!((written.last + 1).to_string());
                    let path = format!("/item-storage/items/{id}");
                    let client = desk.with("content-type", "application/json");
                    match client.attempt("PUT", &path, item.to_string()).await {
                        Ok(reply) if reply.status == 204 => {
                            written.acknowledged += 1;
                            acknowledged.fetch_add(1, Ordering::Relaxed);
                        }
                        // A conflict: the change before, which was not acknowledged, was made after all.
                        Ok(reply) if reply.status == 409 => {}
                        Ok(reply) => assert_eq!(reply.status, 503, "{reply}"),
                        Err(_) => {}
                    }
                    sleep(Duration::from_millis(30)).await;
                }
            });
        }
        Changing { address, is_over: over, acknowledged, clients }
    }

    fn acknowledged(&self) -> u64 {
        self.acknowledged.load(Ordering::Relaxed)
    }

    fn set_address(&self, address: SocketAddr) {
        *self.address.lock().unwrap() = address;
    }

    /// What was written into each item, by its id.
    async fn stop(self) -> BTreeMap<String, WrittenItem> {
        self.is_over.store(true, Ordering::Relaxed);
        self.clients.join_all().await.into_iter().collect()
    }
}

/// The item as it is; none while nobody answers.
async fn read_item(desk: &Desk, id: &str) -> Option<Value> {
    match desk.attempt("GET", &format!("/item-storage/items/{id}"), "").await {
        Ok(reply) if reply.status == 200 => return Some(reply.json()),
        Ok(reply) => assert_eq!(reply.status, 503, "{reply}"),
        Err(_) => {}
    }
    sleep(Duration::from_millis(50)).await;
    None
}

/// How often an item was changed, which its copy number says.
fn copy_number(item: &Value) -> u64 {
    item["copyNumber"].as_str().map_or(0, |number| number.parse().unwrap())
}

/// Fails unless each item has a change for every number from 0, its creation, to the last one. When a number comes for the first time,
/// all numbers before it must have come.
fn assert_no_gaps(
    whose: &str,
    changes: impl Iterator<Item = Value>,
    written: &BTreeMap<String, WrittenItem>,
) {
    let mut next: BTreeMap<&str, u64> = written.keys().map(|id| (id.as_str(), 0)).collect();
    let (mut events, mut duplicates) = (0, 0);
    for change in changes {
        let item = &change["new"];
        let Some(next) = next.get_mut(item["id"].as_str().unwrap()) else { continue };
        let number = copy_number(item);
        events += 1;
        assert!(number <= *next, "{whose} has {number} of {} and lacks {next}", item["id"]);
        if number == *next {
            *next += 1;
        } else {
            duplicates += 1;
        }
    }
    println!("{whose}: {events} events, of which {duplicates} had come before");
    for (id, written) in written {
        assert_eq!(next[id.as_str()], written.last + 1, "{whose} lacks the last changes of {id}");
        assert!(written.last >= written.acknowledged && written.acknowledged > 0, "{id}");
    }
}

/// A whole number below this one.
fn random(below: u64) -> u64 {
    u64::from(fresh_id().as_bytes()[0]) * below / 256
}

#[expect(clippy::disallowed_methods, reason = "how long the test runs is no setting of the program")]
fn kills_wanted() -> usize {
    std::env::var("OCTAVO_KILL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(KILLS)
}
