//! What mod-circulation publishes, told by somebody else.

use serde_json::{Value, json};

use super::retrievals::lend_and_request;
use super::{StorageLibrary, caia_soft_configuration, status_and_error, text};

const PATH: &str = "/remote-storage/pub-sub-handlers/log-record-event";

fn request_event(storage: &StorageLibrary, kind: &str, requester: &Value) -> Value {
    json!({
        "id": storage.id, "requestType": kind, "requesterId": requester["id"], "status": "Open - Not yet filled",
        "patronComments": "soon", "pickupServicePointId": octavo_testkit::reference::CIRC_DESK,
    })
}

#[tokio::test]
async fn an_event_about_a_page_is_an_entry_of_the_queue() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let (stored, on_shelf) =
        (storage.item_at(&storage.storage_location).await, storage.item_at(&storage.shelf_location).await);
    let patron = desk.patron().await;
    let of = |kind: &str| request_event(&storage, kind, &patron);
    let changed = |from: &str, to: &str| json!({"original": of(from), "updated": of(to)});
    let mut made = 0;
    for (kind, item, requests, entries) in [
        ("REQUEST_CREATED_EVENT", &stored, json!({"created": of("Page")}), 1),
        ("REQUEST_CREATED_THROUGH_OVERRIDE_EVENT", &stored, json!({"created": of("Page")}), 1),
        ("REQUEST_CREATED_EVENT", &stored, json!({"created": of("Hold")}), 0),
        ("REQUEST_CREATED_EVENT", &on_shelf, json!({"created": of("Page")}), 0),
        ("REQUEST_MOVED_EVENT", &stored, changed("Hold", "Page"), 1),
        ("REQUEST_UPDATED_EVENT", &stored, changed("Page", "Page"), 0),
        ("LOAN", &stored, Value::Null, 0),
    ] {
        let payload = json!({"itemBarcode": item["barcode"], "requests": requests});
        desk.post(PATH, &json!({"logEventType": kind, "payload": payload})).await.expect(204);
        made += entries;
        assert_eq!(storage.retrievals().await.len(), made, "{kind} {requests}");
    }
    let entry = &storage.retrievals().await[0];
    assert_eq!(
        (&entry["holdId"], &entry["requestNote"], &entry["pickupLocation"]),
        (&json!(storage.id), &json!("soon"), &json!("cd1"))
    );
    desk.post(PATH, &json!({"logEventType": "NOTICE"})).await.expect(204);
    desk.post(PATH, &json!({})).await.expect(422);
}

#[tokio::test]
async fn an_event_about_a_return_is_an_entry_if_somebody_waits() {
    let storage = StorageLibrary::open(caia_soft_configuration(
        json!({"returningWorkflowDetails": "Scanned to folio"}),
    ))
    .await;
    let desk = &storage.desk;
    let (item, request) = lend_and_request(&storage).await;
    let returned = |barcode: &str| json!({"logEventType": "CHECK_IN_EVENT", "itemBarcode": barcode});
    desk.post(PATH, &returned(&text(&item, "barcode"))).await.expect(204);
    let entry = storage.retrievals().await.pop().unwrap();
    assert_eq!((&entry["holdId"], &entry["requestType"]), (&request["id"], &json!("REF")));
    let free = storage.item_at(&storage.storage_location).await;
    desk.post(PATH, &returned(&text(&free, "barcode"))).await.expect(204);
    assert_eq!(storage.retrievals().await.len(), 1);

    let on_shelf = storage.item_at(&storage.shelf_location).await;
    let unmapped = format!("Mapping does not exist for folioLocationId {}", storage.shelf_location);
    for (barcode, message) in [
        ("none".to_owned(), "Item does not exist for barcode none".to_owned()),
        (text(&on_shelf, "barcode"), unmapped),
    ] {
        let reply = desk.post(PATH, &returned(&barcode)).await;
        assert_eq!(status_and_error(&reply), (400, message, "Item return error".to_owned()));
    }
}

#[tokio::test]
async fn an_event_about_nobody_or_nothing_is_refused() {
    let storage = StorageLibrary::open(json!({})).await;
    let item = storage.item_at(&storage.storage_location).await;
    let ghost = octavo_testkit::fresh_id();
    let page = request_event(&storage, "Page", &json!({"id": ghost}));
    for (barcode, message) in [
        (text(&item, "barcode"), format!("User with id {ghost} not found")),
        ("none".to_owned(), "Item with barcode none not found".to_owned()),
    ] {
        let payload = json!({"itemBarcode": barcode, "requests": {"created": page}});
        let event = json!({"logEventType": "REQUEST_CREATED_EVENT", "payload": payload});
        assert_eq!(
            status_and_error(&storage.desk.post(PATH, &event).await),
            (404, message, "Not found".to_owned())
        );
    }
}
