//! Direct consortial borrowing: mod-dcb, and edge-dcb, by which a hub calls.

mod cancelled;
mod edge;
mod input;
mod listed;
mod permissions;
mod roles;
mod virtual_items;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Library, Reply, fresh_id};
use serde_json::{Value, json};

/// A library that lends to and borrows from others.
struct Partner {
    library: Library,
    desk: Desk,
}

/// A transaction of a library, as a hub has made it.
struct Transaction {
    id: String,
    item: Value,
    patron: Value,
}

impl Partner {
    async fn open() -> Partner {
        let library = Library::furnished().await;
        let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
        Partner { library, desk }
    }

    /// Creates a transaction in the given role, with a new item and a new patron.
    async fn create_transaction(&self, role: &str) -> Transaction {
        let (item, patron) = self.parties(role).await;
        let id = format!("hub-{}", fresh_id());
        let reply = self.post_transaction(&id, &transaction_body(role, &item, &patron)).await.expect(201);
        let shown = reply.json();
        assert_eq!((&shown["status"], &shown["patron"]["id"]), (&json!("CREATED"), &patron["id"]), "{reply}");
        Transaction { id, item: json!({"id": shown["item"]["id"], "barcode": item["barcode"]}), patron }
    }

    /// What a hub knows of an item and a patron for a transaction in the role.
    async fn parties(&self, role: &str) -> (Value, Value) {
        let item = match role {
            "LENDER" => self.desk.item().await,
            _ => json!({"id": fresh_id(), "barcode": format!("far-{}", fresh_id())}),
        };
        let patron = match role {
            "BORROWER" | "BORROWING-PICKUP" => self.desk.patron().await,
            _ => json!({"id": fresh_id(), "barcode": format!("visitor-{}", fresh_id())}),
        };
        (item, patron)
    }

    async fn post_transaction(&self, id: &str, body: &Value) -> Reply {
        self.desk.post(&format!("/transactions/{id}"), body).await
    }

    /// Sends a new status of a transaction, as the hub does.
    async fn put_status(&self, made: &Transaction, status: &str) -> Reply {
        self.desk.put(&format!("/transactions/{}/status", made.id), &json!({"status": status})).await
    }

    async fn put_statuses(&self, made: &Transaction, statuses: &[&str]) {
        for status in statuses {
            let reply = self.put_status(made, status).await.expect(200);
            assert_eq!(reply.json(), json!({"status": status}));
            assert_eq!(self.status(made).await, *status);
        }
    }

    async fn status(&self, made: &Transaction) -> String {
        let reply = self.desk.get(&format!("/transactions/{}/status", made.id)).await.expect(200);
        reply.json()["status"].as_str().unwrap().to_owned()
    }

    /// The record that this library has of another library's item.
    async fn borrowed_item(&self, made: &Transaction) -> Value {
        let path = format!("/circulation-item/{}", made.item["id"].as_str().unwrap());
        self.desk.get(&path).await.expect(200).json()
    }

    /// The requests of the item, the newest last.
    async fn requests(&self, made: &Transaction) -> Vec<Value> {
        let query = format!("itemId=={} sortBy requestDate", made.item["id"].as_str().unwrap());
        let found = self.desk.find("/request-storage/requests", &query).await.expect(200).json();
        found["requests"].as_array().unwrap().clone()
    }

    async fn request_status(&self, made: &Transaction) -> String {
        self.requests(made).await.last().unwrap()["status"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn transaction_body(role: &str, item: &Value, patron: &Value) -> Value {
    json!({
        "role": role,
        "item": {
            "id": item["id"], "barcode": item["barcode"], "title": "The Waves", "materialType": "book",
            "lendingLibraryCode": "KU",
        },
        "patron": {"id": patron["id"], "barcode": patron["barcode"], "group": "faculty"},
        "pickup": {
            "servicePointId": CIRC_DESK, "servicePointName": "Main desk", "libraryCode": "NORTH",
        },
    })
}

/// The refusal in mod-dcb's form.
fn refusal(message: &str, code: &str) -> Value {
    json!({"errors": [{"message": message, "type": "-1", "code": code}]})
}
