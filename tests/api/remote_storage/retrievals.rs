//! The retrieval queue: requests for items in a storage, and returns that others wait for.

use octavo_testkit::Desk;
use serde_json::{Value, json};

use super::{StorageLibrary, caia_soft_configuration, text};

#[tokio::test]
async fn a_page_is_asked_of_the_storage_with_who_wants_it() {
    let storage = StorageLibrary::open(json!({})).await;
    let (item, patron) = (storage.item_at(&storage.storage_location).await, storage.desk.patron().await);
    let mut asked = storage.request_body("Page", &item, &patron).await;
    asked["patronComments"] = json!("soon, please");
    let reply = storage.desk.post("/circulation/requests", &asked).await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let request = reply.json();
    let entry = storage.retrievals().await.pop().unwrap();
    for (member, value) in [
        ("holdId", request["id"].clone()),
        ("itemBarcode", item["barcode"].clone()),
        ("instanceTitle", json!("Beloved")),
        ("patronBarcode", patron["barcode"].clone()),
        ("patronName", patron["username"].clone()),
        ("pickupLocation", json!("cd1")),
        ("requestStatus", json!("Open - Not yet filled")),
        ("requestNote", json!("soon, please")),
        ("remoteStorageId", json!(storage.id)),
        ("requestType", json!("PYR")),
        ("retrievedDateTime", Value::Null),
        ("requesterId", Value::Null),
    ] {
        assert_eq!(entry[member], value, "{member}\n{entry}");
    }
    let done = format!("/remote-storage/retrievals/id/{}", text(&entry, "id"));
    storage.desk.put(&done, &json!({})).await.expect(204);
    assert_eq!(storage.queue("retrievals", "?retrieved=false").await.len(), 0);
    assert_eq!(storage.queue("retrievals", "?retrieved=true").await.len(), 1);
}

#[tokio::test]
async fn what_is_no_page_or_in_no_storage_is_not_asked_for() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let on_shelf = storage.item_at(&storage.shelf_location).await;
    storage.request("Page", &on_shelf, &desk.patron().await).await;
    let lent = storage.item_at(&storage.storage_location).await;
    desk.check_out(&lent, &desk.patron().await).await.expect(201);
    storage.request("Hold", &lent, &desk.patron().await).await;
    let tried = storage
        .request_body("Page", &storage.item_at(&storage.storage_location).await, &desk.patron().await)
        .await;
    desk.with("x-octavo-dry-run", "true").post("/circulation/requests", &tried).await.expect(201);
    let mut bare = storage.item_at(&storage.storage_location).await;
    bare.as_object_mut().unwrap().remove("barcode");
    crate::inventory::shelf::put_record(desk, "/item-storage/items", &bare).await.expect(204);
    storage.request("Page", &bare, &desk.patron().await).await;
    assert_eq!(storage.retrievals().await, [Value::Null; 0]);
}

/// A hold that moves to a copy on the shelf of the storage becomes a page: that copy is asked for.
#[tokio::test]
async fn a_request_that_moves_to_a_copy_in_the_storage_is_asked_for() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let lent = storage.item_at(&storage.storage_location).await;
    let copies = json!({"id": lent["holdingsRecordId"]});
    let free = storage.copy(&copies, json!({})).await;
    desk.check_out(&lent, &desk.patron().await).await.expect(201);
    let hold = storage.request("Hold", &lent, &desk.patron().await).await;
    let path = format!("/circulation/requests/{}", text(&hold, "id"));
    let edited = crate::inventory::shelf::with_members(
        hold.clone(),
        json!({"requestExpirationDate": "2099-01-01T00:00:00Z"}),
    );
    desk.put(&path, &edited).await.expect(204);
    assert_eq!(storage.retrievals().await.len(), 0);
    let order = json!({"destinationItemId": free["id"], "requestType": "Page"});
    desk.post(&format!("{path}/move"), &order).await.expect(200);
    let asked = storage.retrievals().await;
    assert_eq!(
        asked.iter().map(|one| text(one, "itemBarcode")).collect::<Vec<_>>(),
        [text(&free, "barcode")]
    );
    assert_eq!(asked[0]["holdId"], hold["id"]);
}

#[tokio::test]
async fn a_title_level_page_and_a_delivery_are_asked_for() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let entry = json!({"module": "SETTINGS", "configName": "TLR", "value": "{\"titleLevelRequestsFeatureEnabled\": true}"});
    desk.post("/configurations/entries", &entry).await.expect(201);
    let item = storage.item_at(&storage.storage_location).await;
    let mut asked = storage.request_body("Page", &item, &desk.patron().await).await;
    asked["requestLevel"] = json!("Title");
    for member in ["itemId", "holdingsRecordId"] {
        asked.as_object_mut().unwrap().remove(member);
    }
    desk.post("/circulation/requests", &asked).await.expect(201);
    assert_eq!(storage.retrievals().await[0]["itemBarcode"], item["barcode"]);
}

/// Items, with somebody who waits for each, come back to the desk of the library.
#[tokio::test]
async fn a_return_that_is_scanned_to_folio_is_told_to_caia_soft() {
    for (returns, told) in [
        (json!({"returningWorkflowDetails": "Scanned to folio"}), vec!["REF"]),
        (json!({"returningWorkflowDetails": "Scanned to CaiaSoft"}), vec![]),
        (json!({}), vec![]),
    ] {
        let storage = StorageLibrary::open(caia_soft_configuration(returns)).await;
        let (item, request) = lend_and_request(&storage).await;
        storage.desk.check_in(&item).await.expect(200);
        let made = storage.retrievals().await;
        assert_eq!(made.iter().map(|one| text(one, "requestType")).collect::<Vec<_>>(), told);
        for entry in made {
            assert_eq!(
                (&entry["holdId"], &entry["requestStatus"]),
                (&request["id"], &json!("Open - Awaiting pickup"))
            );
        }
    }
}

pub(super) async fn lend_and_request(storage: &StorageLibrary) -> (Value, Value) {
    let desk = &storage.desk;
    let item = storage.item_at(&storage.storage_location).await;
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let request = storage.request("Hold", &item, &desk.patron().await).await;
    (item, request)
}

#[tokio::test]
async fn a_deleted_patron_is_forgotten_in_the_queue() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk: &Desk = &storage.desk;
    let (item, patron) = (storage.item_at(&storage.storage_location).await, desk.patron().await);
    let request = storage.request("Page", &item, &patron).await;
    desk.delete(&format!("/circulation/requests/{}", text(&request, "id"))).await.expect(204);
    desk.delete(&format!("/users/{}", text(&patron, "id"))).await.expect(204);
    let entry = storage.retrievals().await.pop().unwrap();
    assert_eq!((&entry["patronBarcode"], &entry["patronName"]), (&Value::Null, &Value::Null));
    assert_eq!((&entry["itemBarcode"], &entry["pickupLocation"]), (&item["barcode"], &json!("cd1")));
}
