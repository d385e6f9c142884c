//! The accession queue: items that come to a location that stands for a storage, whoever changes them.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::{StorageLibrary, status_and_error};
use crate::inventory::shelf::{holdings, instance, put_record, read_record, with_members};

const AUTHOR: &str = "6e09d47d-95e2-4d8a-831b-f777b8ef6d81";
const PERSONAL: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const OCLC: &str = "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef";
const NOTE: &str = "8d0a5eca-25de-4391-81a9-236eeefdd20b";
const ITEMS: &str = "/item-storage/items";

#[tokio::test]
async fn an_item_waits_for_its_accession_with_what_the_storage_asks_for() {
    let storage = StorageLibrary::open(json!({})).await;
    let contributor = |name: &str, kind: Value| json!({"name": name, "contributorNameTypeId": PERSONAL, "contributorTypeId": kind});
    let title = instance(&storage.desk, json!({
        "title": "Beloved",
        "contributors": [contributor("Editor, E.", Value::Null), contributor("Morrison, Toni", json!(AUTHOR))],
        "identifiers": [
            {"value": "1587657317", "identifierTypeId": OCLC},
            {"value": "978", "identifierTypeId": ISBN}, {"value": "979", "identifierTypeId": ISBN},
        ],
        "publication": [{"publisher": "Knopf", "place": "New York", "dateOfPublication": "1987"}],
        "physicalDescriptions": ["275 p.", "22 cm"],
    }))
    .await;
    let copies = holdings(
        &storage.desk,
        &title,
        json!({"permanentLocationId": storage.storage_location, "callNumber": "PS 3563"}),
    )
    .await;
    let note = json!({"itemNoteTypeId": NOTE, "note": "signed", "staffOnly": true});
    let item = storage.copy(&copies, json!({"volume": "1", "copyNumber": "c.2", "notes": [note]})).await;
    let mut waiting = storage.accessions().await;
    let entry = waiting.pop().unwrap();
    assert_eq!(waiting, [Value::Null; 0]);
    for (member, value) in [
        ("itemBarcode", item["barcode"].clone()),
        ("remoteStorageId", json!(storage.id)),
        ("callNumber", json!("PS 3563")),
        ("instanceTitle", json!("Beloved")),
        ("instanceAuthor", json!("Morrison, Toni")),
        ("instanceContributors", json!("Editor, E.; Morrison, Toni")),
        ("publisher", json!("Knopf")),
        ("publishYear", json!("1987")),
        ("publishPlace", json!("New York")),
        ("volume", json!("1")),
        ("isbn", json!("978")),
        ("oclc", json!("1587657317")),
        ("issn", Value::Null),
        ("physicalDescription", json!("275 p.; 22 cm")),
        ("materialType", json!("book")),
        ("copyNumber", json!("c.2")),
        ("permanentLocationId", json!(storage.storage_location)),
        ("notes", json!([{"noteType": "Note", "note": "signed", "staffOnly": true}])),
        ("accessionedDateTime", Value::Null),
    ] {
        assert_eq!(entry[member], value, "{member}\n{entry}");
    }
}

/// Whichever call moves an item, and that others move none.
#[tokio::test]
async fn every_way_into_a_storage_is_noticed_and_no_other_change() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let waiting = async || storage.accessions().await.len();
    let item = storage.item_at(&storage.shelf_location).await;
    assert_eq!(waiting().await, 0, "a new item on the shelf");

    let temporary = with_members(
        read_record(desk, ITEMS, &item).await,
        json!({"temporaryLocationId": storage.storage_location}),
    );
    put_record(desk, ITEMS, &temporary).await.expect(204);
    assert_eq!(waiting().await, 1, "a temporary location");
    put_record(desk, ITEMS, &with_members(read_record(desk, ITEMS, &item).await, json!({"volume": "2"})))
        .await
        .expect(204);
    desk.check_in(&item).await.expect(200);
    assert_eq!(waiting().await, 1, "changes in the storage");

    let other = storage.item_at(&storage.shelf_location).await;
    let mut copies =
        read_record(desk, "/holdings-storage/holdings", &json!({"id": other["holdingsRecordId"]})).await;
    copies["permanentLocationId"] = json!(storage.storage_location);
    put_record(desk, "/holdings-storage/holdings", &copies).await.expect(204);
    assert_eq!(waiting().await, 2, "other holdings' location");

    let title = json!({"id": copies["instanceId"]});
    let third = storage.copy(&storage.holdings_at(&title, &storage.shelf_location).await, json!({})).await;
    let order = json!({"toHoldingsRecordId": copies["id"], "itemIds": [third["id"]]});
    desk.post("/inventory/items/move", &order).await.expect(200);
    assert_eq!(waiting().await, 3, "a move");

    let batch = json!({"items": [with_members(crate::inventory::shelf::item_body(&copies), json!({"barcode": "in a batch"}))]});
    desk.post("/item-storage/batch/synchronous", &batch).await.expect(201);
    assert_eq!(waiting().await, 4, "a batch");
    let barcodes: Vec<String> =
        storage.accessions().await.iter().map(|one| super::text(one, "itemBarcode")).collect();
    assert!(barcodes.contains(&"in a batch".to_owned()), "{barcodes:?}");
}

#[tokio::test]
async fn entries_are_found_by_storage_time_and_state() {
    let storage = StorageLibrary::open(json!({})).await;
    let desk = &storage.desk;
    let mut items = Vec::new();
    for _ in 0..3 {
        items.push(storage.item_at(&storage.storage_location).await);
    }
    let all = storage.accessions().await;
    let barcode = super::text(&items[0], "barcode");
    desk.put(&format!("/remote-storage/accessions/barcode/{barcode}"), &json!({})).await.expect(204);
    let by_id = format!("/remote-storage/accessions/id/{}", super::text(&all[1], "id"));
    desk.put(&by_id, &json!({})).await.expect(204);
    let created = super::text(&all[2], "createdDateTime");
    let day = created.split('+').next().unwrap();
    for (query, total) in [
        (String::new(), 3),
        ("?accessioned=true".to_owned(), 2),
        ("?accessioned=false".to_owned(), 1),
        (format!("?accessioned=false&storageId={}", storage.id), 1),
        (format!("?storageId={}", fresh_id()), 0),
        ("?createdDate=2001-01-01T00:00:00".to_owned(), 0),
        ("?limit=1&offset=1".to_owned(), 3),
        ("?limit=0".to_owned(), 3),
    ] {
        let found = desk.get(&format!("/remote-storage/accessions{query}")).await.expect(200);
        assert_eq!(found.total(), total, "{query}");
    }
    let at = storage.queue("accessions", &format!("?createdDate={day}")).await;
    assert!(at.contains(&all[2]), "{at:?}");
    assert_eq!(storage.queue("accessions", "?limit=1&offset=1").await.len(), 1);
    let reply = desk.get("/remote-storage/accessions?createdDate=yesterday").await;
    let message = "Text 'yesterday' could not be parsed at index 0";
    assert_eq!(status_and_error(&reply), (400, message.to_owned(), "Date format error".to_owned()));
    desk.get("/remote-storage/accessions?storageId=nonsense").await.expect(400);
    desk.get("/remote-storage/accessions?limit=-1").await.expect(400);

    for (path, message) in [
        (by_id, format!("Accession queue with id {} not found", super::text(&all[1], "id"))),
        (
            format!("/remote-storage/accessions/barcode/{barcode}"),
            format!("Accession queue with item barcode {barcode} not found"),
        ),
        (
            "/remote-storage/retrievals/barcode/x".to_owned(),
            "Retrieval queue record with item barcode x not found".to_owned(),
        ),
    ] {
        assert_eq!(
            status_and_error(&desk.put(&path, &json!({})).await),
            (404, message, "Not found".to_owned())
        );
    }
}

#[tokio::test]
async fn each_call_needs_its_permission() {
    let storage = StorageLibrary::open(json!({})).await;
    let guarded = octavo_testkit::Library::guarded().await;
    let nobody = guarded.as_user(&["users.collection.get"]).await;
    for (method, path, status) in [
        ("GET", "/remote-storage/accessions".to_owned(), 403),
        ("POST", format!("/octavo/remote-storages/{}/accessions/hand-over", storage.id), 403),
    ] {
        nobody.send(method, &path, "{}").await.expect(status);
    }
    let reader = guarded.as_user(&["remote-storage.retrievals.collection.get"]).await;
    reader.get("/remote-storage/retrievals").await.expect(200);
    reader
        .send("POST", &format!("/octavo/remote-storages/{}/retrievals/hand-over", storage.id), "{}")
        .await
        .expect(403);
}
