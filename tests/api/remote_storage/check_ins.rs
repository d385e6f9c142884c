//! What a storage tells of items: that it sends them, has them back, or misses them.

use octavo_testkit::{fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use super::retrievals::lend_and_request;
use super::{StorageLibrary, caia_soft_configuration, status_and_error, text};
use crate::inventory::shelf::{location, put_record, read_record, with_members};

const CHECK_IN: &str = "Check in by barcode error";
const RETURN: &str = "Item return error";

fn barcode_body(item: &Value) -> Value {
    json!({"itemBarcode": item["barcode"]})
}

#[tokio::test]
async fn a_storage_checks_in_what_it_sends() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.storage_location).await;
    let request = storage.request("Page", &item, &desk.patron().await).await;
    let path = format!("/remote-storage/retrieve/{}/checkInItem", storage.id);
    let reply = desk.post(&path, &barcode_body(&item)).await;
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
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.storage_location).await;
    let request = storage.request("Page", &item, &desk.patron().await).await;
    let path = |storage: &str| format!("/remote-storage/retrieve/{storage}/checkInItemByHoldId");
    let hold = text(&request, "id");
    let body = json!({"holdId": hold});
    let reply = desk.post(&path(&storage.id), &body).await;
    reply.says(200, &format!("Check-in was done for item with holdId{hold}"));
    assert_eq!(desk.status(&item).await, "Awaiting pickup");
    let other = fresh_id();
    let message = format!("Retrieval Queue Record with holdId={hold} not found for remoteStorageId={other}");
    assert_eq!(
        status_and_error(&desk.post(&path(&other.to_string()), &body).await),
        (400, message, CHECK_IN.to_owned())
    );
    desk.post(&path(&storage.id), &json!({"holdId": "nonsense"})).await.expect(422);
    desk.post(&path(&storage.id), &json!({})).await.expect(422);
}

#[tokio::test]
async fn why_a_storage_cannot_check_in() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.shelf_location).await;
    let path = |storage: &str| format!("/remote-storage/retrieve/{storage}/checkInItem");
    let unknown = fresh_id().to_string();
    let message = format!("Folio location does not exist for remoteStorageConfigurationId {unknown}");
    assert_eq!(
        status_and_error(&desk.post(&path(&unknown), &barcode_body(&item)).await),
        (400, message, CHECK_IN.to_owned())
    );
    desk.post(&path(&storage.id), &json!({"itemBarcode": "none"}))
        .await
        .refused("No item with barcode none exists");
    desk.post(&path(&storage.id), &json!({})).await.expect(422);

    // With two locations, the item has to be at one of them.
    storage.map_location(&text(&location(desk, "Cellar").await, "id")).await;
    let message = "Item's location doesn't match any remote location".to_owned();
    assert_eq!(
        status_and_error(&desk.post(&path(&storage.id), &barcode_body(&item)).await),
        (400, message, CHECK_IN.to_owned())
    );
    let reply = desk.post(&path(&storage.id), &json!({"itemBarcode": "none"})).await;
    assert_eq!(
        status_and_error(&reply),
        (400, "Item does not exist for barcode none".to_owned(), RETURN.to_owned())
    );

    let mut cave = read_record(desk, "/locations", &json!({"id": storage.storage_location})).await;
    cave["primaryServicePoint"] = json!("");
    cave["servicePointIds"] = json!([CIRC_DESK]);
    if put_record(desk, "/locations", &cave).await.status == 204 {
        let item = storage.item_at(&storage.storage_location).await;
        let message =
            format!("Primary service point does not exist for locationId {}", storage.storage_location);
        assert_eq!(
            status_and_error(&desk.post(&path(&storage.id), &barcode_body(&item)).await),
            (400, message, CHECK_IN.to_owned())
        );
    }
}

#[tokio::test]
async fn what_a_storage_has_back_is_asked_for_if_somebody_waits() {
    for (configuration, asked) in [
        (json!({}), true),
        (caia_soft_configuration(json!({"returningWorkflowDetails": "Scanned to CaiaSoft"})), true),
        (caia_soft_configuration(json!({})), false),
    ] {
        let storage = StorageLibrary::open(configuration.clone()).await;
        let desk = &storage.desk;
        let (item, request) = lend_and_request(&storage).await;
        let path = format!("/remote-storage/return/{}", storage.id);
        let reply = desk.post(&path, &barcode_body(&item)).await.expect(200);
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
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.storage_location).await;
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let path = format!("/remote-storage/return/{}", storage.id);
    let reply = desk.post(&path, &barcode_body(&item)).await.expect(200);
    assert_eq!(reply.json(), json!({"isHoldRecallRequestExist": false}));
    assert_eq!((desk.status(&item).await.as_str(), storage.retrievals().await.len()), ("Available", 0));
    for (path, body, message) in [
        (path.clone(), json!({"itemBarcode": "none"}), "Item does not exist for barcode none".to_owned()),
        (
            format!("/remote-storage/return/{}", desk.location),
            barcode_body(&item),
            format!("Remote storage configuration does not exist for id {}", desk.location),
        ),
    ] {
        assert_eq!(status_and_error(&desk.post(&path, &body).await), (400, message, RETURN.to_owned()));
    }
}

#[tokio::test]
async fn what_a_storage_misses_is_missing() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let item = storage.item_at(&storage.storage_location).await;
    let missing = |barcode: &str| format!("/remote-storage/items/barcode/{barcode}/markAsMissing");
    let barcode = text(&item, "barcode");
    for barcode in [barcode.as_str(), "none"] {
        let message = format!("Item with barcode={barcode} marked as missing");
        desk.post(&missing(barcode), &json!({})).await.says(201, &message);
    }
    assert_eq!(desk.status(&item).await, "Missing");
    let claimed = with_members(
        read_record(desk, "/item-storage/items", &storage.item_at(&storage.storage_location).await).await,
        json!({"status": {"name": "Claimed returned"}}),
    );
    put_record(desk, "/item-storage/items", &claimed).await.expect(204);
    desk.post(&missing(&text(&claimed, "barcode")), &json!({})).await.expect(422);
}
