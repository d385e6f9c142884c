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
struct Made {
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

    /// A new transaction in the role, with a new item and a new patron.
    async fn made(&self, role: &str) -> Made {
        let (item, patron) = self.parties(role).await;
        let id = format!("hub-{}", fresh_id());
        let reply = self.create(&id, &body(role, &item, &patron)).await.expect(201);
        let shown = reply.json();
        assert_eq!((&shown["status"], &shown["patron"]["id"]), (&json!("CREATED"), &patron["id"]), "{reply}");
        Made { id, item: json!({"id": shown["item"]["id"], "barcode": item["barcode"]}), patron }
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

    async fn create(&self, id: &str, body: &Value) -> Reply {
        self.desk.post(&format!("/transactions/{id}"), body).await
    }

    /// What the hub says of a transaction.
    async fn say(&self, made: &Made, status: &str) -> Reply {
        self.desk.put(&format!("/transactions/{}/status", made.id), &json!({"status": status})).await
    }

    async fn told(&self, made: &Made, statuses: &[&str]) {
        for status in statuses {
            let reply = self.say(made, status).await.expect(200);
            assert_eq!(reply.json(), json!({"status": status}));
            assert_eq!(self.status(made).await, *status);
        }
    }

    async fn status(&self, made: &Made) -> String {
        let reply = self.desk.get(&format!("/transactions/{}/status", made.id)).await.expect(200);
        reply.json()["status"].as_str().unwrap().to_owned()
    }

    /// The item of another library as it stands in this one.
    async fn borrowed(&self, made: &Made) -> Value {
        let path = format!("/circulation-item/{}", made.item["id"].as_str().unwrap());
        self.desk.get(&path).await.expect(200).json()
    }

    /// The requests of the item, the newest last.
    async fn requests(&self, made: &Made) -> Vec<Value> {
        let query = format!("itemId=={} sortBy requestDate", made.item["id"].as_str().unwrap());
        let found = self.desk.find("/request-storage/requests", &query).await.expect(200).json();
        found["requests"].as_array().unwrap().clone()
    }

    async fn request_status(&self, made: &Made) -> String {
        self.requests(made).await.last().unwrap()["status"].as_str().unwrap().to_owned()
    }
}

fn body(role: &str, item: &Value, patron: &Value) -> Value {
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
