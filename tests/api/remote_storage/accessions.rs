//! An item has come into a storage: what becomes of its location and its holdings.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::{StorageLibrary, caia_soft_configuration, status_and_error, text};
use crate::inventory::shelf::{instance, read_record};

const PATH: &str = "/remote-storage/accessions";
const HOLDINGS: &str = "/holdings-storage/holdings";
const ITEMS: &str = "/item-storage/items";

fn duplicating_configuration() -> Value {
    caia_soft_configuration(json!({"accessionWorkflowDetails": "Duplicate holdings"}))
}

/// A title with holdings on the shelf, of which the items have these permanent locations.
struct TitleWithItems {
    storage: StorageLibrary,
    title: Value,
    holdings: Value,
    items: Vec<Value>,
}

impl TitleWithItems {
    async fn create(configuration: Value, places: &[Option<&str>]) -> TitleWithItems {
        let storage = StorageLibrary::open(configuration).await;
        let title = instance(&storage.desk, json!({"title": "Beloved"})).await;
        let holdings = storage.holdings_at(&title, &storage.shelf_location).await;
        let mut items = Vec::new();
        for place in places {
            let place =
                place.map(
                    |place| if place == "cave" { &storage.storage_location } else { &storage.shelf_location },
                );
            let own = place.map_or(json!({}), |place| json!({"permanentLocationId": place}));
            items.push(storage.copy(&holdings, own).await);
        }
        TitleWithItems { storage, title, holdings, items }
    }

    async fn accession(&self) -> octavo_testkit::Reply {
        self.storage
            .desk
            .post(PATH, &json!({"itemBarcode": self.items[0]["barcode"], "remoteStorageId": self.storage.id}))
            .await
    }

    /// Where the items are now: the permanent location, the effective one, and whether in the same holdings.
    async fn item_locations(&self) -> Vec<(String, String, bool)> {
        let mut places = Vec::new();
        for item in &self.items {
            let item = read_record(&self.storage.desk, ITEMS, item).await;
            let name = |member: &str| match item[member].as_str() {
                Some(id) if id == self.storage.storage_location => "cave".to_owned(),
                Some(id) if id == self.storage.shelf_location => "shelf".to_owned(),
                other => other.unwrap_or("none").to_owned(),
            };
            let same = item["holdingsRecordId"] == self.holdings["id"];
            places.push((name("permanentLocationId"), name("effectiveLocationId"), same));
        }
        places
    }

    async fn read_holdings(&self) -> Value {
        read_record(&self.storage.desk, HOLDINGS, &self.holdings).await
    }
}

fn expected_locations(places: &[(&str, &str, bool)]) -> Vec<(String, String, bool)> {
    places.iter().map(|(own, effective, same)| ((*own).to_owned(), (*effective).to_owned(), *same)).collect()
}

#[tokio::test]
async fn holdings_change_their_location_and_items_without_one_keep_the_former() {
    let copies =
        TitleWithItems::create(caia_soft_configuration(json!({})), &[Some("shelf"), None, Some("shelf")])
            .await;
    let reply = copies.accession().await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let entry = reply.json();
    assert_eq!(entry["permanentLocationId"], *copies.storage.storage_location);
    assert_eq!(entry["itemBarcode"], copies.items[0]["barcode"]);
    assert!(entry["accessionedDateTime"].is_string(), "{entry}");
    assert_eq!(
        copies.item_locations().await,
        expected_locations(&[("cave", "cave", true), ("shelf", "shelf", true), ("shelf", "shelf", true)])
    );
    let holdings = copies.read_holdings().await;
    assert_eq!(holdings["permanentLocationId"], *copies.storage.storage_location);
    assert_eq!((&holdings["_version"], &holdings["hrid"]), (&json!(2), &copies.holdings["hrid"]));
    // The item does not wait any more for what has happened.
    assert_eq!(copies.storage.accessions().await, [entry]);
}

#[tokio::test]
async fn an_item_of_holdings_in_the_storage_gets_the_location_alone() {
    for configuration in [caia_soft_configuration(json!({})), duplicating_configuration()] {
        let mut copies = TitleWithItems::create(configuration, &[]).await;
        copies.holdings = copies.storage.holdings_at(&copies.title, &copies.storage.storage_location).await;
        let shelf = json!({"permanentLocationId": copies.storage.shelf_location});
        copies.items = vec![
            copies.storage.copy(&copies.holdings, shelf.clone()).await,
            copies.storage.copy(&copies.holdings, shelf).await,
        ];
        copies.accession().await.expect(201);
        assert_eq!(
            copies.item_locations().await,
            expected_locations(&[("cave", "cave", true), ("shelf", "shelf", true)])
        );
        assert_eq!(copies.read_holdings().await, copies.holdings);
    }
}

#[tokio::test]
async fn the_last_item_on_the_shelf_takes_its_holdings_along() {
    let copies = TitleWithItems::create(duplicating_configuration(), &[Some("shelf"), Some("cave")]).await;
    copies.accession().await.expect(201);
    assert_eq!(
        copies.item_locations().await,
        expected_locations(&[("cave", "cave", true), ("cave", "cave", true)])
    );
    assert_eq!(copies.read_holdings().await["permanentLocationId"], *copies.storage.storage_location);
}

#[tokio::test]
async fn an_item_moves_to_the_holdings_of_its_title_in_the_storage() {
    let copies = TitleWithItems::create(duplicating_configuration(), &[Some("shelf"), Some("shelf")]).await;
    let there = copies.storage.holdings_at(&copies.title, &copies.storage.storage_location).await;
    copies.accession().await.expect(201);
    assert_eq!(
        copies.item_locations().await,
        expected_locations(&[("cave", "cave", false), ("shelf", "shelf", true)])
    );
    assert_eq!(
        read_record(&copies.storage.desk, ITEMS, &copies.items[0]).await["holdingsRecordId"],
        there["id"]
    );
    assert_eq!(copies.read_holdings().await, copies.holdings);
}

#[tokio::test]
async fn holdings_are_duplicated_where_there_are_none_in_the_storage() {
    let copies = TitleWithItems::create(duplicating_configuration(), &[Some("shelf"), Some("shelf")]).await;
    copies.accession().await.expect(201);
    let moved = read_record(&copies.storage.desk, ITEMS, &copies.items[0]).await;
    let made = read_record(&copies.storage.desk, HOLDINGS, &json!({"id": moved["holdingsRecordId"]})).await;
    assert_ne!(made["id"], copies.holdings["id"]);
    assert_ne!(made["hrid"], copies.holdings["hrid"]);
    for (member, value) in [
        ("permanentLocationId", json!(copies.storage.storage_location)),
        ("effectiveLocationId", json!(copies.storage.storage_location)),
        ("instanceId", copies.title["id"].clone()),
        ("_version", json!(1)),
    ] {
        assert_eq!(made[member], value, "{made}");
    }
    assert!(made["hrid"].as_str().is_some_and(|hrid| hrid.starts_with("ho")), "{made}");
    assert!(made["metadata"]["createdDate"].is_string(), "{made}");
}

#[tokio::test]
async fn why_an_accession_is_refused() {
    let copies = TitleWithItems::create(duplicating_configuration(), &[Some("shelf"), Some("shelf")]).await;
    let (storage, desk) = (&copies.storage, &copies.storage.desk);
    let barcode = text(&copies.items[0], "barcode");
    let unknown = fresh_id().to_string();
    let store = async |more: Value| {
        let body = crate::inventory::shelf::with_members(
            json!({"name": fresh_id(), "providerName": "CAIA_SOFT"}),
            more,
        );
        text(&desk.post("/remote-storage/configurations", &body).await.expect(201).json(), "id")
    };
    let vague = store(json!({})).await;
    let nowhere = store(json!({"accessionWorkflowDetails": "Duplicate holdings"})).await;
    for _ in 0..2 {
        storage.holdings_at(&copies.title, &storage.storage_location).await;
    }
    for (barcode, remote, message) in [
        (&*barcode, &unknown, format!("No configuration was found for remote storage id={unknown}")),
        (&barcode, &vague, "Remote storage configuration does not contain accession details".to_owned()),
        (&barcode, &nowhere, format!("No location was found for remote storage id={nowhere}")),
        ("none", &storage.id, "Item with barcode=none was not found".to_owned()),
        (
            &barcode,
            &storage.id,
            format!(
                "More than one holdings record exist with permanent location id={}",
                storage.storage_location
            ),
        ),
    ] {
        let reply = desk.post(PATH, &json!({"itemBarcode": barcode, "remoteStorageId": remote})).await;
        assert_eq!(status_and_error(&reply), (400, message, "Accession error".to_owned()));
    }
    for body in
        [json!({}), json!({"itemBarcode": barcode}), json!({"itemBarcode": barcode, "remoteStorageId": "x"})]
    {
        desk.post(PATH, &body).await.expect(422);
    }
    assert_eq!(
        copies.item_locations().await,
        expected_locations(&[("shelf", "shelf", true), ("shelf", "shelf", true)])
    );
    assert_eq!(storage.accessions().await, [Value::Null; 0]);
}
