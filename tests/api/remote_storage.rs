//! Remote storages (mod-remote-storage 3.2.0): what is to come into them, what is wanted of them, and what they tell the library.

mod accessions;
mod check_ins;
mod edges;
mod events;
mod mappings;
mod queues;
mod retrievals;
mod suites;

use octavo_testkit::{Desk, Library, fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item, location, read_record, with_members};

/// A library with a storage, and a location that stands for it.
struct StorageLibrary {
    library: Library,
    desk: Desk,
    id: String,
    storage_location: String,
    shelf_location: String,
}

/// What is different in a storage that is CaiaSoft's.
fn caia_soft_configuration(more: Value) -> Value {
    with_members(
        json!({"providerName": "CAIA_SOFT", "accessionWorkflowDetails": "Change permanent location"}),
        more,
    )
}

impl StorageLibrary {
    async fn open(change: Value) -> StorageLibrary {
        let library = Library::furnished().await;
        let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
        let usual = json!({"name": "Cave", "providerName": "DEMATIC_EMS", "url": "http://cave.example"});
        let stored = desk
            .post("/remote-storage/configurations", &with_members(usual, change))
            .await
            .expect(201)
            .json();
        let (id, shelf) = (text(&stored, "id"), desk.location.to_string());
        let cave = text(&location(&desk, "Cave").await, "id");
        let storage = StorageLibrary { library, desk, id, storage_location: cave, shelf_location: shelf };
        storage.map_location(&storage.storage_location).await;
        storage
    }

    async fn map_location(&self, location: &str) {
        let mapping = json!({"folioLocationId": location, "configurationId": self.id});
        self.desk.post("/remote-storage/mappings", &mapping).await.expect(201);
    }

    /// An item of a new title, in holdings at a location.
    async fn item_at(&self, place: &str) -> Value {
        let title = instance(&self.desk, json!({"title": "Beloved"})).await;
        self.copy(&self.holdings_at(&title, place).await, json!({})).await
    }

    async fn holdings_at(&self, title: &Value, place: &str) -> Value {
        holdings(&self.desk, title, json!({"permanentLocationId": place})).await
    }

    async fn copy(&self, holdings: &Value, more: Value) -> Value {
        item(&self.desk, holdings, with_members(json!({"barcode": format!("b-{}", fresh_id())}), more)).await
    }

    async fn queue(&self, name: &str, query: &str) -> Vec<Value> {
        let list = self.desk.get(&format!("/remote-storage/{name}{query}")).await.expect(200).json();
        list[name].as_array().unwrap().clone()
    }

    async fn accessions(&self) -> Vec<Value> {
        self.queue("accessions", "?limit=100").await
    }

    async fn retrievals(&self) -> Vec<Value> {
        self.queue("retrievals", "?limit=100").await
    }

    async fn request(&self, kind: &str, item: &Value, requester: &Value) -> Value {
        let request = self.request_body(kind, item, requester).await;
        self.desk.post("/circulation/requests", &request).await.expect(201).json()
    }

    async fn request_body(&self, kind: &str, item: &Value, requester: &Value) -> Value {
        let holdings = json!({"id": item["holdingsRecordId"]});
        let title =
            read_record(&self.desk, "/holdings-storage/holdings", &holdings).await["instanceId"].clone();
        json!({
            "id": fresh_id(), "requestType": kind, "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf",
            "requestDate": "2026-01-01T00:00:00Z", "pickupServicePointId": CIRC_DESK, "itemId": item["id"],
            "holdingsRecordId": item["holdingsRecordId"], "instanceId": title, "requesterId": requester["id"],
        })
    }
}

fn text(record: &Value, name: &str) -> String {
    record[name].as_str().unwrap_or_default().to_owned()
}

/// Status, message and code of a reply with one error.
fn status_and_error(reply: &octavo_testkit::Reply) -> (u16, String, String) {
    let error = &reply.json()["errors"][0];
    (reply.status, text(error, "message"), text(error, "code"))
}
