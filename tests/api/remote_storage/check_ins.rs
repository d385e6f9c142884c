//! What a storage tells of items: that it sends them, has them back, or misses them.

use octavo_testkit::{fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use super::retrievals::lent_and_wanted;
use super::{Storage, caia_soft, text, told};
use crate::inventory::shelf::{location, now, put, with};

const CHECK_IN: &str = "Check in by barcode error";
const RETURN: &str = "Item return error";

fn barcode(item: &Value) -> Value {
    json!({"itemBarcode": item["barcode"]})
}

#[tokio::test]
async fn a_storage_checks_in_what_it_sends() {
    let storage = Storage::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.cave).await;
    let request = storage.request("Page", &item, &desk.patron().await).await;
    let path = format!("/remote-storage/retrieve/{}/checkInItem", storage.id);
    let reply = desk.post(&path, &barcode(&item)).await;
    let reply = reply.says(200, &format!("Check-in was done for {}", text(&item, "barcode")));
    assert_eq!(reply.round_trips(), 2, "{reply}");
    assert_eq!(desk.status(&item).await, "Awaiting pickup");
    let found = desk.get(&format!("/circulation/requests/{}", text(&request, "id"))).await.expect(200).json();
    assert_eq!(found["status"], "Open - Awaiting pickup");
    let log = desk.get("/check-in-storage/check-ins").await.expect(200).json();
    assert_eq!((&log["totalRecords"], &log["checkIns"][0]["servicePointId"]), (&json!(1), &json!(CIRC_DESK)));
}

#[tokio::test]
async fn a_request_names_the_item_that_was_asked_for_last() {
    let storage = Storage::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.cave).await;
    let request = storage.request("Page", &item, &desk.patron().await).await;
    let path = |storage: &str| format!("/remote-storage/retrieve/{storage}/checkInItemByHoldId");
    let hold = text(&request, "id");
    let body = json!({"holdId": hold});
    let reply = desk.post(&path(&storage.id), &body).await;
    reply.says(200, &format!("Check-in was done for item with holdId{hold}"));
    assert_eq!(desk.status(&item).await, "Awaiting pickup");
    let other = fresh_id();
    let message = format!("Retrieval Queue Record with holdId={hold} not found for remoteStorageId={other}");
    assert_eq!(told(&desk.post(&path(&other.to_string()), &body).await), (400, message, CHECK_IN.to_owned()));
    desk.post(&path(&storage.id), &json!({"holdId": "nonsense"})).await.expect(422);
    desk.post(&path(&storage.id), &json!({})).await.expect(422);
}

#[tokio::test]
async fn why_a_storage_cannot_check_in() {
    let storage = Storage::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.shelf).await;
    let path = |storage: &str| format!("/remote-storage/retrieve/{storage}/checkInItem");
    let unknown = fresh_id().to_string();
    let message = format!("Folio location does not exist for remoteStorageConfigurationId {unknown}");
    assert_eq!(told(&desk.post(&path(&unknown), &barcode(&item)).await), (400, message, CHECK_IN.to_owned()));
    desk.post(&path(&storage.id), &json!({"itemBarcode": "none"}))
        .await
        .refused("No item with barcode none exists");
    desk.post(&path(&storage.id), &json!({})).await.expect(422);

    // With two locations, the item has to be at one of them.
    storage.map(&text(&location(desk, "Cellar").await, "id")).await;
    let message = "Item's location doesn't match any remote location".to_owned();
    assert_eq!(
        told(&desk.post(&path(&storage.id), &barcode(&item)).await),
        (400, message, CHECK_IN.to_owned())
    );
    let reply = desk.post(&path(&storage.id), &json!({"itemBarcode": "none"})).await;
    assert_eq!(told(&reply), (400, "Item does not exist for barcode none".to_owned(), RETURN.to_owned()));

    let mut cave = now(desk, "/locations", &json!({"id": storage.cave})).await;
    cave["primaryServicePoint"] = json!("");
    cave["servicePointIds"] = json!([CIRC_DESK]);
    if put(desk, "/locations", &cave).await.status == 204 {
        let item = storage.item_at(&storage.cave).await;
        let message = format!("Primary service point does not exist for locationId {}", storage.cave);
        assert_eq!(
            told(&desk.post(&path(&storage.id), &barcode(&item)).await),
            (400, message, CHECK_IN.to_owned())
        );
    }
}

#[tokio::test]
async fn what_a_storage_has_back_is_asked_for_if_somebody_waits() {
    for (configuration, asked) in [
        (json!({}), true),
        (caia_soft(json!({"returningWorkflowDetails": "Scanned to CaiaSoft"})), true),
        (caia_soft(json!({})), false),
    ] {
        let storage = Storage::open(configuration.clone()).await;
        let desk = &storage.desk;
        let (item, request) = lent_and_wanted(&storage).await;
        let path = format!("/remote-storage/return/{}", storage.id);
        let reply = desk.post(&path, &barcode(&item)).await.expect(200);
        assert_eq!(reply.json(), json!({"isHoldRecallRequestExist": asked}), "{configuration}");
        assert_eq!(reply.round_trips(), 2, "{reply}");
        assert_eq!(desk.status(&item).await, "Awaiting pickup");
        let made: Vec<(Value, Value, Value)> = storage
            .retrievals()
            .await
            .iter()
            .map(|one| (one["holdId"].clone(), one["requestType"].clone(), one["requestStatus"].clone()))
            .collect();
        let expected = (request["id"].clone(), json!("PYR"), json!("Open - Not yet filled"));
        assert_eq!(made, if asked { vec![expected] } else { vec![] }, "{configuration}");
    }
}

#[tokio::test]
async fn an_item_that_nobody_waits_for_goes_back_into_the_storage() {
    let storage = Storage::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.cave).await;
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let path = format!("/remote-storage/return/{}", storage.id);
    let reply = desk.post(&path, &barcode(&item)).await.expect(200);
    assert_eq!(reply.json(), json!({"isHoldRecallRequestExist": false}));
    assert_eq!((desk.status(&item).await.as_str(), storage.retrievals().await.len()), ("Available", 0));
    for (path, body, message) in [
        (path.clone(), json!({"itemBarcode": "none"}), "Item does not exist for barcode none".to_owned()),
        (
            format!("/remote-storage/return/{}", desk.location),
            barcode(&item),
            format!("Remote storage configuration does not exist for id {}", desk.location),
        ),
    ] {
        assert_eq!(told(&desk.post(&path, &body).await), (400, message, RETURN.to_owned()));
    }
}

#[tokio::test]
async fn what_a_storage_misses_is_missing() {
    let storage = Storage::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.cave).await;
    let missing = |barcode: &str| format!("/remote-storage/items/barcode/{barcode}/markAsMissing");
    let barcode = text(&item, "barcode");
    for barcode in [barcode.as_str(), "none"] {
        let message = format!("Item with barcode={barcode} marked as missing");
        desk.post(&missing(barcode), &json!({})).await.says(201, &message);
    }
    assert_eq!(desk.status(&item).await, "Missing");
    let claimed = with(
        now(desk, "/item-storage/items", &storage.item_at(&storage.cave).await).await,
        json!({"status": {"name": "Claimed returned"}}),
    );
    put(desk, "/item-storage/items", &claimed).await.expect(204);
    desk.post(&missing(&text(&claimed, "barcode")), &json!({})).await.expect(422);
}
