//! Events are handed over to webhooks in order and at least once, whatever fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use octavo_pg::Statement;
use octavo_testkit::{Library, ModuleAnswer, OutsideModule, SeenRequest, eventually, fresh_id, on_runtime};
use serde_json::{Value, json};

use super::lending_library;

/// A receiver that answers with a status that the test changes.
async fn receiver() -> (OutsideModule, Arc<AtomicU16>) {
    let status = Arc::new(AtomicU16::new(204));
    let answers = Arc::clone(&status);
    let answer = move |_: SeenRequest| {
        let status = answers.load(Ordering::Relaxed);
        async move { ModuleAnswer::text(status, "as the test says") }
    };
    (OutsideModule::start(answer).await, status)
}

/// Makes a webhook for these types, and a secret for it.
async fn webhook(library: &Library, receiver: &OutsideModule, types: Value) -> (String, String) {
    let webhook =
        json!({"name": "catalogue", "url": format!("{}/hook?from=octavo", receiver.url()), "types": types});
    let made = library.post("/octavo/webhooks", &webhook).await.expect(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    let secret = library.post(&format!("/octavo/webhooks/{id}/secret"), &json!({})).await.expect(201).json();
    (id, secret["secret"].as_str().unwrap().to_owned())
}

/// Inserts an event into the database directly.
async fn insert_event(library: &Library, kind: &str, number: usize) {
    let sql = format!("insert into event (type, payload) values ('{kind}', '{{\"number\": {number}}}')");
    library.script(sql).await;
}

/// How many rows an SQL query gives.
async fn rows(library: &Library, sql: &str) -> usize {
    let (context, sql) = (library.context().await, sql.to_owned());
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.rows(Statement::new(sql)).await.unwrap().len()
    })
    .await
}

fn received_events(seen: &[SeenRequest]) -> Vec<Value> {
    seen.iter().flat_map(|seen| seen.json()["data"]["events"].as_array().cloned().unwrap()).collect()
}

fn received_numbers(seen: &[SeenRequest]) -> Vec<u64> {
    received_events(seen).iter().map(|event| event["payload"]["number"].as_u64().unwrap()).collect()
}

async fn consumer(library: &Library) -> Value {
    library.get("/octavo/event-consumers").await.expect(200).json()["eventConsumers"][0].clone()
}

#[tokio::test]
async fn what_the_desk_does_reaches_a_webhook_signed() {
    let (library, desk) = lending_library().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    desk.check_out(&item, &patron).await.expect(201);
    let (receiver, _) = receiver().await;
    let (id, secret) = webhook(&library, &receiver, json!([])).await;
    desk.renew(&item, &patron).await.expect(200);
    desk.check_in(&item).await.expect(200);
    library.deliver_events().await;

    let seen = receiver.seen_requests();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].path, "/hook?from=octavo");
    let events = received_events(&seen);
    let kinds: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["LOAN_DUE_DATE_CHANGED", "ITEM_CHECKED_IN"], "from the making of the webhook on");
    assert_eq!(events[1]["tenant"], json!(library.tenant.as_str()));
    assert_eq!(events[1]["payload"]["userId"], patron["id"]);
    assert!(events[0]["position"].as_i64() < events[1]["position"].as_i64());

    let header = |name| seen[0].header(name).unwrap();
    let key = ring::hmac::Key::new(
        ring::hmac::HMAC_SHA256,
        &BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap(),
    );
    let body = std::str::from_utf8(&seen[0].body).unwrap();
    let signed = format!("{}.{}.{body}", header("webhook-id"), header("webhook-timestamp"));
    let signature = BASE64_STANDARD.encode(ring::hmac::sign(&key, signed.as_bytes()));
    assert_eq!(header("webhook-signature"), format!("v1,{signature}"));
    assert!(header("webhook-id").starts_with(&id));
    let shown = library.get(&format!("/octavo/webhooks/{id}")).await.expect(200).text();
    assert!(!shown.contains(&secret), "{shown}");
    assert_eq!(consumer(&library).await["taken"], 2);
}

#[tokio::test]
async fn a_receiver_that_is_down_gets_everything_in_order_when_it_is_back() {
    let library = Library::open().await;
    let (receiver, status) = receiver().await;
    let (id, _) = webhook(&library, &receiver, json!(["WANTED*"])).await;
    status.store(503, Ordering::Relaxed);
    for number in 0..250 {
        insert_event(&library, if number % 2 == 0 { "WANTED_EVEN" } else { "OTHER" }, number).await;
    }
    library.deliver_events().await;
    library.deliver_events().await;
    assert_eq!(receiver.seen_requests().len(), 1, "after a failure the receiver is left alone for a while");
    let told = consumer(&library).await;
    assert_eq!((&told["failures"], &told["waiting"]), (&json!(1), &json!(250)));
    assert_eq!(told["message"], "The receiver answered 503: as the test says");

    status.store(204, Ordering::Relaxed);
    library.post(&format!("/octavo/event-consumers/webhook:{id}/retry"), &json!({})).await.expect(204);
    library.deliver_events().await;
    let seen = receiver.seen_requests();
    assert_eq!(received_numbers(&seen[1..]), (0..250).step_by(2).collect::<Vec<u64>>());
    let told = consumer(&library).await;
    assert_eq!((&told["failures"], &told["waiting"], &told["taken"]), (&json!(0), &json!(0), &json!(125)));
    library.post("/octavo/event-consumers/webhook:none/retry", &json!({})).await.expect(404);
    library.delete(&format!("/octavo/webhooks/{id}")).await.expect(204);
    assert_eq!(consumer(&library).await, Value::Null);
}

#[tokio::test]
async fn an_event_that_a_receiver_never_wants_stands_aside_for_those_behind_it() {
    let library = Library::open().await;
    let wants_all = Arc::new(AtomicUsize::new(0));
    let later = Arc::clone(&wants_all);
    let answer = move |seen: SeenRequest| {
        let wants = later.load(Ordering::Relaxed) == 1 || !received_numbers(&[seen]).contains(&3);
        async move { ModuleAnswer::text(if wants { 200 } else { 422 }, "not this one") }
    };
    let receiver = OutsideModule::start(answer).await;
    let (id, _) = webhook(&library, &receiver, json!(["*"])).await;
    for number in 0..6 {
        insert_event(&library, "COUNTED", number).await;
    }
    for offer in 1..=6 {
        library.deliver_events().await;
        let told = consumer(&library).await;
        let expected = if offer < 6 { (offer, 3) } else { (0, 0) };
        assert_eq!(
            (told["failures"].as_i64(), told["waiting"].as_i64()),
            (Some(expected.0), Some(expected.1))
        );
        library.post(&format!("/octavo/event-consumers/webhook:{id}/retry"), &json!({})).await.expect(204);
    }
    let refused = library
        .find("/octavo/refused-events", &format!("consumer==\"webhook:{id}\""))
        .await
        .expect(200)
        .json();
    let refused = &refused["refusedEvents"][0];
    assert_eq!((&refused["payload"], &refused["type"]), (&json!({"number": 3}), &json!("COUNTED")));
    assert_eq!(refused["message"], "The receiver answered 422: not this one");
    assert!(received_numbers(&receiver.seen_requests()).ends_with(&[4, 5]));

    let path = format!("/octavo/refused-events/{}", refused["id"].as_str().unwrap());
    let again = format!("{path}/retry");
    library.post(&again, &json!({})).await.says(400, "The receiver answered 422: not this one");
    wants_all.store(1, Ordering::Relaxed);
    library.post(&again, &json!({})).await.expect(204);
    assert_eq!(received_numbers(&receiver.seen_requests()).last(), Some(&3));
    library.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_receiver_that_was_down_loses_nothing_by_one_refusal_when_it_starts() {
    let library = Library::open().await;
    let (receiver, status) = receiver().await;
    let (id, _) = webhook(&library, &receiver, json!(["*"])).await;
    insert_event(&library, "COUNTED", 0).await;
    for (answer, times) in [(503, 7), (404, 5), (503, 1), (204, 1)] {
        status.store(answer, Ordering::Relaxed);
        for _ in 0..times {
            let retry = format!("/octavo/event-consumers/webhook:{id}/retry");
            library.post(&retry, &json!({})).await.expect(204);
            library.deliver_events().await;
        }
    }
    assert_eq!(receiver.seen_requests().len(), 14);
    let told = consumer(&library).await;
    assert_eq!((&told["failures"], &told["waiting"], &told["taken"]), (&json!(0), &json!(0), &json!(1)));
    assert_eq!(library.get("/octavo/refused-events").await.expect(200).total(), 0);
}

/// A transaction that takes its position first and ends last.
#[tokio::test]
async fn nothing_is_passed_over_that_is_committed_late() {
    let library = Library::open().await;
    let (receiver, _) = receiver().await;
    webhook(&library, &receiver, json!([])).await;
    let context = library.context().await;
    let mut open = on_runtime(async move {
        let mut open = context.session().await.unwrap();
        let late = "insert into event (type, payload) values ('LATE', '{\"number\": 1}')";
        open.begin(vec![Statement::new(late)]).await.unwrap();
        open
    })
    .await;
    insert_event(&library, "SOON", 2).await;
    let delivering = tokio::spawn({
        let library = library.clone();
        async move { library.deliver_events().await }
    });
    eventually("the consumer is claimed", async || {
        let tenant = &library.tenant;
        let claimed = format!(
            "select claimed_by from octavo.event_consumers where tenant = '{tenant}' and claimed_until > now()"
        );
        rows(&library, &claimed).await > 0
    })
    .await;
    assert_eq!(receiver.seen_requests().len(), 0);
    on_runtime(async move { open.commit(Vec::new()).await.unwrap() }).await;
    delivering.await.unwrap();
    library.deliver_events().await;
    assert_eq!(received_numbers(&receiver.seen_requests()), [1, 2]);
}

#[tokio::test]
async fn another_process_goes_on_when_one_has_died() {
    let library = Library::open().await;
    let (receiver, _) = receiver().await;
    webhook(&library, &receiver, json!([])).await;
    insert_event(&library, "COUNTED", 1).await;
    let claim = |until: &str| {
        let (tenant, process) = (library.tenant.as_str(), fresh_id());
        library.script(format!(
            "update octavo.event_consumers set claimed_by = '{process}', claimed_until = now() + interval '{until}' where tenant = '{tenant}'"
        ))
    };
    claim("1 hour").await;
    library.deliver_events().await;
    assert_eq!(receiver.seen_requests().len(), 0, "the other process lives");
    claim("-1 second").await;
    library.deliver_events().await;
    assert_eq!(received_numbers(&receiver.seen_requests()), [1]);
}

#[tokio::test]
async fn without_a_secret_or_while_it_rests_a_webhook_gets_nothing() {
    let library = Library::open().await;
    let (receiver, _) = receiver().await;
    let mut webhook = json!({"id": fresh_id(), "name": "new", "url": receiver.url()});
    library.post("/octavo/webhooks", &webhook).await.expect(201);
    insert_event(&library, "COUNTED", 1).await;
    library.deliver_events().await;
    assert_eq!(consumer(&library).await["message"], "The webhook has no secret to sign with");
    let path = format!("/octavo/webhooks/{}", webhook["id"].as_str().unwrap());
    library.post(&format!("{path}/secret"), &json!({})).await.expect(201);
    webhook["active"] = json!(false);
    library.put(&path, &webhook).await.expect(204);
    let retry = format!("/octavo/event-consumers/webhook:{}/retry", webhook["id"].as_str().unwrap());
    library.post(&retry, &json!({})).await.expect(204);
    library.deliver_events().await;
    assert_eq!(consumer(&library).await["message"], "The webhook is not active");
    assert_eq!(receiver.seen_requests().len(), 0);
    let wrong = json!({"name": "x", "url": "ftp://example.org", "types": ["A*B"]});
    assert_eq!(library.post("/octavo/webhooks", &wrong).await.expect(422).refusals().len(), 2);
}

#[tokio::test]
async fn changes_of_records_are_told_while_a_webhook_names_them() {
    let (library, desk) = lending_library().await;
    let (receiver, _) = receiver().await;
    let (id, _) = webhook(&library, &receiver, json!(["ITEM_CHECKED_OUT"])).await;
    let path = format!("/octavo/webhooks/{id}");
    let mut made = library.get(&path).await.expect(200).json();
    let item = desk.item().await;
    let place = format!("/item-storage/items/{}", item["id"].as_str().unwrap());
    let change = async |times: usize| {
        let mut item = library.get(&place).await.expect(200).json();
        item["copyNumber"] = json!(times.to_string());
        library.put(&place, &item).await.expect(204);
        library.deliver_events().await;
    };
    let told = async || {
        library.deliver_events().await;
        let events = received_events(&receiver.seen_requests());
        events.iter().map(|event| event["payload"]["new"]["copyNumber"].clone()).collect::<Vec<Value>>()
    };
    change(1).await;
    made["types"] = json!(["inventory.*"]);
    library.put(&path, &made).await.expect(204);
    assert_eq!(told().await, [] as [Value; 0], "what came before is not told");
    library.run_job("/octavo/event-retention/timer").await;
    change(2).await;
    eventually("the change is told", async || told().await == [json!("2")]).await;
    library.delete(&path).await.expect(204);
    library.run_job("/octavo/event-retention/timer").await;
    change(3).await;
    let written = rows(&library, "select position from event where type = 'inventory.item'").await;
    assert_eq!(written, 1, "nothing is written that nobody wants");
}

#[tokio::test]
async fn old_events_go_and_who_missed_them_is_told() {
    let library = Library::open().await;
    let (receiver, status) = receiver().await;
    status.store(500, Ordering::Relaxed);
    webhook(&library, &receiver, json!([])).await;
    for number in 0..3 {
        insert_event(&library, "COUNTED", number).await;
    }
    library.script("update event set at = now() - interval '8 days' where payload ->> 'number' < '2'").await;
    library.run_job("/octavo/event-retention/timer").await;
    let told = consumer(&library).await;
    assert_eq!((&told["lost"], &told["waiting"]), (&json!(2), &json!(1)));
}
