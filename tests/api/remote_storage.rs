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

use crate::inventory::shelf::{holdings, instance, item, location, now, with};

/// A library with a storage, and a location that stands for it.
struct Storage {
    library: Library,
    desk: Desk,
    id: String,
    cave: String,
    shelf: String,
}

/// What is different in a storage that is CaiaSoft's.
fn caia_soft(more: Value) -> Value {
    with(json!({"providerName": "CAIA_SOFT", "accessionWorkflowDetails": "Change permanent location"}), more)
}

impl Storage {
    async fn open(change: Value) -> Storage {
        let library = Library::furnished().await;
        let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
        let usual = json!({"name": "Cave", "providerName": "DEMATIC_EMS", "url": "http://cave.example"});
        let stored =
            desk.post("/remote-storage/configurations", &with(usual, change)).await.expect(201).json();
        let (id, shelf) = (text(&stored, "id"), desk.location.to_string());
        let cave = text(&location(&desk, "Cave").await, "id");
        let storage = Storage { library, desk, id, cave, shelf };
        storage.map(&storage.cave).await;
        storage
    }

    async fn map(&self, location: &str) {
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
        item(&self.desk, holdings, with(json!({"barcode": format!("b-{}", fresh_id())}), more)).await
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
        let request = self.asked(kind, item, requester).await;
        self.desk.post("/circulation/requests", &request).await.expect(201).json()
    }

    async fn asked(&self, kind: &str, item: &Value, requester: &Value) -> Value {
        let holdings = json!({"id": item["holdingsRecordId"]});
        let title = now(&self.desk, "/holdings-storage/holdings", &holdings).await["instanceId"].clone();
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

/// Answered with the one error that FOLIO tells, with its code.
fn told(reply: &octavo_testkit::Reply) -> (u16, String, String) {
    let error = &reply.json()["errors"][0];
    (reply.status, text(error, "message"), text(error, "code"))
}
