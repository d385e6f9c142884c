//! What FOLIO's suites edge-caiasoft and edge-dematic do beside the calls of this module: items as the user interface sends them, and
//! cleaning up in an order in which requests and mappings outlive what they name.

use octavo_testkit::fresh_id;
use octavo_testkit::reference::{BOOK, CAN_CIRCULATE, CIRC_DESK, TEXT};
use serde_json::{Value, json};

use super::{StorageLibrary, caia_soft_configuration, text};
use crate::inventory::shelf::with_members;

#[tokio::test]
async fn a_suite_prepares_a_storage_uses_it_and_cleans_up() {
    let storage = StorageLibrary::open(caia_soft_configuration(
        json!({"accessionDelay": 2, "accessionTimeUnit": "minutes"}),
    ))
    .await;
    let desk = &storage.desk;
    let title = json!({"id": fresh_id(), "source": "FOLIO", "title": "Interesting Times", "instanceTypeId": TEXT,
        "alternativeTitles": [], "editions": [], "series": []});
    desk.post("/inventory/instances", &title).await.expect(201);
    let copies = json!({"id": fresh_id(), "formerIds": [], "instanceId": title["id"], "permanentLocationId": storage.shelf_location,
        "effectiveLocationId": storage.shelf_location, "electronicAccess": [], "callNumber": "PR6056.I4588 B749 2016"});
    desk.post("/holdings-storage/holdings", &copies).await.expect(201);
    let place = |id: &str| json!({"permanentLocation": {"id": id, "name": "Main Library"}});
    let mut items = Vec::new();
    for own in
        [place(&storage.shelf_location), json!({"permanentLocation": {}}), place(&storage.shelf_location)]
    {
        let item = json!({
            "id": fresh_id(), "title": "A semantic web primer", "barcode": format!("s-{}", fresh_id()),
            "status": {"name": "Available", "date": "2021-05-12T03:22:24.508+00:00"}, "callNumber": "TK5105.88815",
            "contributorNames": [{"name": "Antoniou, Grigoris"}], "formerIds": [], "discoverySuppress": null,
            "holdingsRecordId": copies["id"], "itemLevelCallNumber": "TK5105.88815 . A58 2004 FT MEADE",
            "materialType": {"id": BOOK, "name": "book"}, "permanentLoanType": {"id": CAN_CIRCULATE, "name": "Can Circulate"},
        });
        desk.post("/inventory/items", &with_members(item.clone(), own)).await.expect(201);
        items.push(item);
    }
    let accession = json!({"itemBarcode": items[0]["barcode"], "remoteStorageId": storage.id});
    desk.post("/remote-storage/accessions", &accession).await.expect(201);
    let mut places = Vec::new();
    for item in &items {
        let item = desk.get(&format!("/inventory/items/{}", text(item, "id"))).await.expect(200).json();
        places.push(item["permanentLocation"]["id"].clone());
    }
    assert_eq!(
        places,
        [&storage.storage_location, &storage.shelf_location, &storage.shelf_location].map(|id| json!(id))
    );

    let patron = desk.patron().await;
    let hold = json!({
        "id": fresh_id(), "requestType": "Page", "requestDate": "2017-07-29T22:25:37Z", "requesterId": patron["id"],
        "requestLevel": "Item", "instanceId": title["id"], "holdingsRecordId": copies["id"], "itemId": items[0]["id"],
        "fulfillmentPreference": "Hold Shelf", "requestExpirationDate": "2025-07-25T22:25:37Z",
        "pickupServicePointId": CIRC_DESK, "position": 1,
    });
    desk.post("/circulation/requests", &hold).await.expect(201);
    let route = format!("/remote-storage/retrieve/{}/checkInItemByHoldId", storage.id);
    desk.post(&route, &json!({"holdId": hold["id"]})).await.expect(200);

    let gone = |path: &str, record: &Value| format!("/{path}/{}", text(record, "id"));
    let mut paths = vec![
        format!("/remote-storage/configurations/{}", storage.id),
        format!("/remote-storage/mappings/{}", storage.storage_location),
    ];
    paths.extend(items.iter().map(|item| gone("inventory/items", item)));
    paths.extend([
        gone("holdings-storage/holdings", &copies),
        gone("inventory/instances", &title),
        gone("circulation/requests", &hold),
        gone("users", &patron),
    ]);
    for path in paths {
        desk.delete(&path).await.expect(204);
    }
    assert_eq!(storage.retrievals().await.len(), 1);
}

/// A storage that is gone leaves its location behind for a while: items that come there then wait for nobody's accession.
#[tokio::test]
async fn a_location_whose_storage_is_gone_keeps_nobody_from_working() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    desk.delete(&format!("/remote-storage/configurations/{}", storage.id)).await.expect(204);
    let item = storage.item_at(&storage.storage_location).await;
    storage.request("Page", &item, &desk.patron().await).await;
    desk.check_in(&item).await.expect(200);
    assert_eq!((storage.accessions().await.len(), storage.retrievals().await.len()), (1, 1));
}
