//! `batch/synchronous`: many records in one request.

use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::shelf::{holdings, instance, item, item_body, read_record, with_members};

const ITEMS: &str = "/item-storage/batch/synchronous";

#[tokio::test]
async fn many_items_are_created_in_two_round_trips() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({"callNumber": "A"})).await;
    let item =
        |at: i32| with_members(item_body(&holdings), json!({"id": fresh_id(), "barcode": format!("b{at}")}));
    let items: Vec<_> = (0..50).map(item).collect();
    let reply = desk.post(ITEMS, &json!({"items": items})).await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let stored = read_record(&desk, "/item-storage/items", &items[49]).await;
    assert_eq!(stored["effectiveCallNumberComponents"]["callNumber"], "A");
    assert!(stored["hrid"].as_str().is_some_and(|hrid| hrid.starts_with("it0")), "{stored}");
}

#[tokio::test]
async fn all_or_nothing_is_created() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({})).await;
    let good = with_members(item_body(&holdings), json!({"id": fresh_id()}));
    let nowhere = item_body(&json!({"id": fresh_id()}));
    let reply = desk.post(ITEMS, &json!({"items": [good, nowhere]})).await;
    reply.refused("Holdings record does not exist");
    desk.get(&format!("/item-storage/items/{}", good["id"].as_str().unwrap())).await.expect(404);
    assert_eq!(desk.post(ITEMS, &json!({"items": null})).await.expect(422).refused_keys(), ["items"]);
    // An array that was not sent is an empty one.
    desk.post(ITEMS, &json!({})).await.expect(201);
}

#[tokio::test]
async fn instances_of_a_batch_are_refused_as_json_and_one_instance_as_text() {
    let desk = Desk::open().await;
    let (batch, code) = ("/instance-storage/batch/synchronous", fresh_id());
    let known = instance(&desk, json!({"hrid": "one"})).await;
    let body =
        json!({"title": "T", "source": "FOLIO", "instanceTypeId": known["instanceTypeId"], "id": fresh_id()});
    let taken = "HRID value already exists in table instance: one";
    let nowhere = format!(
        "Cannot set instance.modeofissuanceid = {code} because it does not exist in mode_of_issuance.id."
    );
    let unknown = format!(
        "statistical code doesn't exist: {code} foreign key violation in statisticalCodeIds array of instance with id={}",
        body["id"].as_str().unwrap()
    );
    for (more, message, key) in [
        (json!({"hrid": "One"}), taken, "lower(f_unaccent(jsonb ->> 'hrid'::text))"),
        (json!({"modeOfIssuanceId": code}), nowhere.as_str(), "instance.modeofissuanceid"),
        (json!({"statisticalCodeIds": [code]}), unknown.as_str(), "instance"),
    ] {
        let sent = with_members(body.clone(), more);
        for path in [batch.to_owned(), format!("{batch}?upsert=true"), format!("{batch}-unsafe")] {
            let reply = desk.post(&path, &json!({"instances": [sent]})).await.refused(message);
            assert_eq!(reply.refused_keys(), [key]);
        }
        desk.post("/instance-storage/instances", &sent).await.says(400, message);
    }
}

#[tokio::test]
async fn new_items_of_a_batch_keep_the_dates_of_their_statuses() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({})).await;
    let known = item(&desk, &holdings, json!({})).await;
    // What is sent, and what is stored; `None` for the time of the request.
    let cases = [
        (
            json!({"name": "Missing", "date": "2020-05-01T10:00:00.000+00:00"}),
            Some("2020-05-01T10:00:00.000+00:00"),
        ),
        (
            json!({"name": "Missing", "date": "2020-05-01T12:00:00+02:00"}),
            Some("2020-05-01T10:00:00.000+00:00"),
        ),
        (json!({"name": "Missing"}), None),
    ];
    let body =
        |status: &Value| with_members(item_body(&holdings), json!({"id": fresh_id(), "status": status}));
    let mut items: Vec<Value> = cases.iter().map(|(status, _)| body(status)).collect();
    items.push(with_members(
        known.clone(),
        json!({"status": {"name": "Available", "date": "2020-05-01T10:00:00.000+00:00"}}),
    ));
    desk.post(&format!("{ITEMS}?upsert=true"), &json!({"items": items})).await.expect(201);
    let before = known["status"]["date"].as_str().unwrap();
    for (sent, (_, expected)) in items.iter().zip(&cases) {
        let stored = read_record(&desk, "/item-storage/items", sent).await;
        let date = stored["status"]["date"].as_str().unwrap();
        match expected {
            Some(expected) => assert_eq!(date, *expected),
            None => assert!(date >= before, "{stored}"),
        }
    }
    let kept = read_record(&desk, "/item-storage/items", &known).await;
    assert_eq!(kept["status"]["date"], before, "the status of an item that exists keeps its date");
}

#[tokio::test]
async fn upsert_replaces_what_was_read() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({})).await;
    let known = item(&desk, &holdings, json!({})).await;
    let changed = with_members(known.clone(), json!({"volume": "2"}));
    let reply = desk.post(ITEMS, &json!({"items": [changed]})).await.expect(422);
    assert!(reply.refusals()[0].starts_with("id value already exists in table item: "), "{reply}");
    let upsert = format!("{ITEMS}?upsert=true");
    desk.post(&upsert, &json!({"items": [changed]})).await.expect(201);
    let after = read_record(&desk, "/item-storage/items", &known).await;
    assert_eq!(
        (&after["volume"], &after["hrid"], &after["_version"]),
        (&json!("2"), &known["hrid"], &json!(2))
    );
    desk.post(&upsert, &json!({"items": [changed]})).await.expect(409);
}

#[tokio::test]
async fn the_unsafe_form_replaces_whatever_has_changed_since() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({})).await;
    let known = item(&desk, &holdings, json!({})).await;
    for volume in ["2", "3"] {
        let changed = with_members(known.clone(), json!({"volume": volume}));
        desk.post(&format!("{ITEMS}-unsafe"), &json!({"items": [changed]})).await.expect(201);
    }
    let after = read_record(&desk, "/item-storage/items", &known).await;
    assert_eq!((&after["volume"], &after["_version"]), (&json!("3"), &json!(3)));
}

#[tokio::test]
async fn an_item_that_is_sent_twice_is_written_once_or_refused() {
    let desk = Desk::open().await;
    let instance = instance(&desk, json!({})).await;
    let holdings = holdings(&desk, &instance, json!({})).await;
    let known = item(&desk, &holdings, json!({})).await;
    let new = with_members(item_body(&holdings), json!({"id": fresh_id()}));
    for sent in [&known, &new] {
        let items = ["2", "3"].map(|volume| with_members(sent.clone(), json!({"volume": volume})));
        let twice = json!({"items": items});
        desk.post(&format!("{ITEMS}?upsert=true"), &twice).await.expect(409);
        desk.post(&format!("{ITEMS}-unsafe"), &twice).await.expect(201);
        assert_eq!(read_record(&desk, "/item-storage/items", sent).await["volume"], "3");
    }
}

#[tokio::test]
async fn every_instance_of_a_batch_gets_a_date_of_its_status() {
    let desk = Desk::open().await;
    let mut known = instance(&desk, json!({})).await;
    let before = known.as_object_mut().unwrap().remove("statusUpdatedDate").unwrap();
    for path in ["synchronous?upsert=true", "synchronous-unsafe"] {
        let path = format!("/instance-storage/batch/{path}");
        desk.post(&path, &json!({"instances": [known]})).await.expect(201);
        let mut stored = read_record(&desk, "/instance-storage/instances", &known).await;
        let date = stored.as_object_mut().unwrap().remove("statusUpdatedDate").unwrap_or_default();
        assert!(date.as_str() >= before.as_str(), "{path}: {date}, before: {before}");
        known = stored;
    }
}
