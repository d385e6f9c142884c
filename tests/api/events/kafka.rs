//! Changes of records in Kafka. These tests need Java and Apache Kafka: `make kafka` runs them.

use octavo_testkit::{Broker, ConsumedMessage, Desk, Library, Octavo, eventually};
use serde_json::{Value, json};

use super::lending_library;

/// A library whose changes are published by a server that knows these brokers, and its server.
async fn publishing_library(kafka: octavo_engine::Kafka) -> (Library, Desk, Octavo) {
    let (library, desk) = lending_library().await;
    let server = Octavo::publishing_to(kafka).await;
    server.follow_records(&library.tenant, "kafka").await;
    (library, desk, server)
}

async fn change(desk: &Desk, item: &Value, number: usize) {
    let path = format!("/item-storage/items/{}", item["id"].as_str().unwrap());
    let mut item = desk.get(&path).await.expect(200).json();
    item["copyNumber"] = json!(number.to_string());
    desk.put(&path, &item).await.expect(204);
}

async fn consumer(library: &Library) -> Value {
    let told = library.get("/octavo/event-consumers").await.expect(200).json();
    let consumers = told["eventConsumers"].as_array().unwrap();
    consumers.iter().find(|consumer| consumer["name"] == "kafka").unwrap().clone()
}

/// Offers what there is until all of it is published: beside other work a broker may take longer than it is given.
async fn publish(library: &Library, server: &Octavo) {
    eventually("all is published", async || {
        library.post("/octavo/event-consumers/kafka/retry", &json!({})).await.expect(204);
        server.deliver_events(library.tenant.as_str()).await;
        consumer(library).await["waiting"] == 0
    })
    .await;
}

/// The copy numbers of messages of one item, each once, in the order in which the last of them came.
fn numbers(read: &[ConsumedMessage]) -> Vec<usize> {
    let number = |read: &ConsumedMessage| read.value["new"]["copyNumber"].as_str().unwrap().parse().unwrap();
    let mut numbers: Vec<usize> = read.iter().map(number).collect();
    numbers.dedup();
    numbers
}

#[tokio::test]
#[ignore = "needs Apache Kafka: make kafka"]
async fn what_is_changed_can_be_read_with_kafkas_own_consumer() {
    let broker = Broker::start();
    for kafka in [broker.kafka_plain(), broker.kafka_encrypted("password")] {
        let (library, desk, server) = publishing_library(kafka).await;
        let (patron, item) = (desk.patron().await, desk.item().await);
        desk.check_out(&item, &patron).await.expect(201);
        publish(&library, &server).await;

        let topic = |name: &str| format!("folio.{}.{name}", library.tenant);
        let items = broker.read(&topic("inventory.item"), 2);
        assert_eq!(items.len(), 2);
        assert_eq!((&items[0].value["type"], &items[1].value["type"]), (&json!("CREATE"), &json!("UPDATE")));
        assert_eq!(items[1].value["new"]["status"]["name"], "Checked out");
        assert_eq!(items[1].key, items[1].value["new"]["instanceId"].as_str().unwrap());
        assert!(items[0].headers.contains(&format!("x-okapi-tenant:{}", library.tenant)), "{items:?}");
        assert!(items[0].headers.contains("x-okapi-url:http://"), "{items:?}");
        let loans = broker.read(&topic("circulation.loan"), 1);
        assert_eq!(loans[0].value["type"], "CREATED");
        assert_eq!(loans[0].value["data"]["new"]["userId"], patron["id"]);
        assert_eq!(loans[0].key, loans[0].value["data"]["new"]["id"].as_str().unwrap());
    }
}

#[tokio::test]
#[ignore = "needs Apache Kafka: make kafka"]
async fn nothing_is_lost_and_the_order_stays_when_the_broker_is_killed() {
    let mut broker = Broker::start();
    let (library, desk, server) = publishing_library(broker.kafka_plain()).await;
    let item = desk.item().await;
    let mut written = 0;
    for _ in 0..3 {
        for number in written..written + 10 {
            change(&desk, &item, number).await;
        }
        publish(&library, &server).await;
        broker.kill();
        for number in written + 10..written + 20 {
            change(&desk, &item, number).await;
        }
        written += 20;
        server.deliver_events(library.tenant.as_str()).await;
        let told = consumer(&library).await;
        assert_eq!(told["failures"], 1, "{told}");
        assert_eq!(told["waiting"], 10, "{told}");
        broker.start_again();
        publish(&library, &server).await;
    }
    let read = broker.read(&format!("folio.{}.inventory.item", library.tenant), written + 1);
    assert_eq!(numbers(&read[1..]), (0..written).collect::<Vec<_>>());
}

#[tokio::test]
#[ignore = "needs Apache Kafka: make kafka"]
async fn a_password_that_the_broker_does_not_know_is_told_without_it() {
    let broker = Broker::start();
    let (library, desk, server) = publishing_library(broker.kafka_encrypted("wrong-password")).await;
    desk.item().await;
    server.deliver_events(library.tenant.as_str()).await;
    let told = consumer(&library).await;
    assert_eq!(told["failures"], 1, "{told}");
    assert!(!told["message"].as_str().unwrap().contains("another secret"), "{told}");
}

#[tokio::test]
#[ignore = "needs Apache Kafka: make kafka"]
async fn a_record_that_is_larger_than_the_broker_takes_stands_aside() {
    let broker = Broker::start();
    let (library, desk, server) = publishing_library(broker.kafka_plain()).await;
    let item = desk.item().await;
    let path = format!("/item-storage/items/{}", item["id"].as_str().unwrap());
    let mut large = desk.get(&path).await.expect(200).json();
    large["descriptionOfPieces"] = json!("a".repeat(200_000));
    desk.put(&path, &large).await.expect(204);
    change(&desk, &item, 1).await;
    for _ in 0..14 {
        server.deliver_events(library.tenant.as_str()).await;
        library.post("/octavo/event-consumers/kafka/retry", &json!({})).await.expect(204);
    }
    let refused = library.get("/octavo/refused-events").await.expect(200).json();
    let messages: Vec<&Value> =
        refused["refusedEvents"].as_array().unwrap().iter().map(|event| &event["message"]).collect();
    assert_eq!(messages, ["The broker takes no message of this size"; 2], "before and after are one message");
    assert_eq!(consumer(&library).await["waiting"], 0);
}
