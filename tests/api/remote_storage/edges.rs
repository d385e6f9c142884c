//! edge-caiasoft and edge-dematic: storages that have an API key.

use octavo_testkit::{ApiKey, Client, Reply, encode};
use serde_json::{Value, json};

use super::retrievals::lend_and_request;
use super::{StorageLibrary, caia_soft_configuration, text};

struct StorageWithKey {
    storage: StorageLibrary,
    client: Client,
    key: String,
}

impl StorageWithKey {
    async fn open(edge: &str, configuration: Value, permissions: &[&str]) -> StorageWithKey {
        let storage = StorageLibrary::open(configuration).await;
        let key = ApiKey::create_accepted(&storage.library, "robot", edge, permissions).await;
        let client = Client::new(storage.library.octavo.address);
        StorageWithKey { storage, client, key }
    }

    async fn send(&self, method: &str, path: &str, body: &str) -> Reply {
        let path = format!("{path}{}?apikey={}", self.storage.id, encode(&self.key));
        self.client.send(method, &path, body.to_owned()).await
    }
}

#[tokio::test]
async fn caia_soft_takes_items_in_and_sends_them_back() {
    let returns = json!({"returningWorkflowDetails": "Scanned to CaiaSoft"});
    let robot =
        StorageWithKey::open("edge-caiasoft", caia_soft_configuration(returns), &["remote-storage.all"])
            .await;
    let (storage, desk) = (&robot.storage, &robot.storage.desk);
    let item = storage.item_at(&storage.shelf_location).await;
    let path = format!("/caiasoftService/ItemBarcodes//{}/accessioned//", text(&item, "barcode"));
    let entry = robot.send("GET", &path, "").await.expect(200).json();
    assert_eq!(entry["permanentLocationId"], *storage.storage_location);

    let request = storage.request("Page", &item, &desk.patron().await).await;
    let path = format!("/caiasoftService/Requests/{}/route/", text(&request, "id"));
    robot.send("POST", &path, "").await.expect(200);
    assert_eq!(desk.status(&item).await, "Awaiting pickup");
    // Who has checked it in is the key's user.
    let log = desk.get("/check-in-storage/check-ins").await.expect(200).json();
    let user = desk.find("/users", "username==robot").await.expect(200).json();
    assert_eq!(log["checkIns"][0]["performedByUserId"], user["users"][0]["id"]);

    let (wanted, _) = lend_and_request(storage).await;
    let back =
        |item: &Value| format!("/caiasoftService/RequestBarcodes/{}/reshelved/", text(item, "barcode"));
    let told = robot.send("POST", &back(&wanted), "").await.expect(201).json();
    assert_eq!(told, json!({"isHoldRecallRequestExist": true}));
    robot.send("POST", "/caiasoftService/RequestBarcodes/none/reshelved/", "").await.expect(400);
    robot.send("GET", "/caiasoftService/ItemBarcodes/none/accessioned/", "").await.expect(400);
}

#[tokio::test]
async fn dematic_is_told_once_what_comes_and_what_is_wanted() {
    let robot = StorageWithKey::open("edge-dematic", json!({}), &["remote-storage.all"]).await;
    let (storage, desk) = (&robot.storage, &robot.storage.desk);
    let item = storage.item_at(&storage.storage_location).await;
    let barcode = text(&item, "barcode");
    let patron = desk.patron().await;
    storage.request("Page", &item, &patron).await;
    for (path, parts, empty) in [
        (
            "/asrService/asr/lookupNewAsrItems/",
            vec![format!(
                "<asrItems><asrItem><author/><title>Beloved</title><itemNumber>{barcode}</itemNumber>"
            )],
            "<asrItems/>",
        ),
        (
            "/asrService/asr/lookupAsrRequests/",
            vec![
                format!("<itemBarcode>{barcode}</itemBarcode>"),
                format!("<patronName>{}</patronName>", text(&patron, "username")),
                "<pickupLocation>cd1</pickupLocation>".to_owned(),
                "<requestStatus>Open - Not yet filled</requestStatus>".to_owned(),
            ],
            "<asrRequests/>",
        ),
    ] {
        let told = robot.send("GET", path, "").await.expect(200);
        assert_eq!(told.header("content-type"), Some("application/xml"));
        for part in parts {
            assert!(told.text().contains(&part), "{part}\n{told}");
        }
        let again = robot.send("GET", path, "").await.expect(200).text();
        assert!(again.ends_with(empty), "{again}");
    }
    assert_eq!(storage.queue("accessions", "?accessioned=true").await.len(), 1);
    assert_eq!(storage.queue("retrievals", "?retrieved=true").await.len(), 1);
}

#[tokio::test]
async fn dematic_tells_what_it_sends_and_has_back() {
    let robot = StorageWithKey::open("edge-dematic", json!({}), &["remote-storage.all"]).await;
    let (storage, desk) = (&robot.storage, &robot.storage.desk);
    let update = |item: &Value| {
        format!(
            "<updateASRItem>\n  <itemBarcode>{}</itemBarcode>\n  <itemStatus>X</itemStatus>\n</updateASRItem>",
            text(item, "barcode")
        )
    };
    let item = storage.item_at(&storage.storage_location).await;
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let sent = "/asrService/asr/updateASRItemStatusBeingRetrieved/";
    robot.send("POST", sent, &update(&item)).await.says(201, "");
    assert_eq!(desk.status(&item).await, "Available");
    let (wanted, request) = lend_and_request(storage).await;
    robot.send("POST", "/asrService/asr/updateASRItemStatusAvailable/", &update(&wanted)).await.says(201, "");
    let found = desk.get(&format!("/circulation/requests/{}", text(&request, "id"))).await.expect(200).json();
    assert_eq!(found["status"], "Open - Awaiting pickup");
    robot.send("POST", sent, "nonsense").await.expect(400);
}

#[tokio::test]
async fn a_key_opens_what_it_names_and_its_user_may() {
    let robot =
        StorageWithKey::open("edge-caiasoft", json!({}), &["remote-storage.accessions.collection.get"]).await;
    robot.send("GET", "/asrService/asr/lookupNewAsrItems/", "").await.expect(401);
    robot.send("GET", "/caiasoftService/ItemBarcodes/1/accessioned/", "").await.expect(403);
    robot
        .client
        .get(&format!("/caiasoftService/ItemBarcodes/1/accessioned/{}", robot.storage.id))
        .await
        .expect(401);
}
