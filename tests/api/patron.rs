//! What patrons see and do in discovery systems: mod-patron, edge-patron, and the calls of VuFind.

mod account;
mod edge;
mod requests;
mod vufind;

use octavo_testkit::{Client, Desk, Library, Reply, fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item};

/// A patron with two titles in the library: one copy each, both on the shelf.
struct Reader {
    library: Library,
    desk: Desk,
    patron: Value,
    copies: [Value; 2],
    titles: [Value; 2],
}

impl Reader {
    async fn open() -> Reader {
        let library = Library::furnished().await;
        let desk = Desk::furnish(&library.acting_as(fresh_id()), |_| {}).await;
        let mut patron = desk.patron().await;
        patron["externalSystemId"] = json!(format!("ext-{}", patron["barcode"].as_str().unwrap()));
        desk.put(&format!("/users/{}", id(&patron)), &patron).await.expect(204);
        let [beloved, emma] = [
            json!({"title": "Beloved", "contributors": [
                {"name": "Morrison, Toni", "contributorNameTypeId": PERSONAL, "primary": true},
                {"name": "Byatt, A. S.", "contributorNameTypeId": PERSONAL},
            ]}),
            json!({"title": "Emma"}),
        ];
        let titles = [instance(&desk, beloved).await, instance(&desk, emma).await];
        let mut copies = Vec::new();
        for title in &titles {
            let copy = holdings(&desk, title, json!({})).await;
            let barcode = json!({"barcode": format!("b-{}", fresh_id())});
            copies.push(item(&desk, &copy, barcode).await);
        }
        let copies = copies.try_into().unwrap();
        Reader { library, desk, patron, copies, titles }
    }

    /// A path below the patron's account.
    fn account_path(&self, rest: &str) -> String {
        format!("/patron/account/{}{rest}", id(&self.patron))
    }

    async fn account(&self, query: &str) -> Value {
        self.desk.get(&self.account_path(query)).await.expect(200).json()
    }

    /// A fee/fine of which everything remains to be paid.
    async fn charge_patron(&self, amount: f64, more: Value) {
        let mut account = json!({
            "id": fresh_id(), "userId": self.patron["id"], "feeFineId": fresh_id(), "ownerId": fresh_id(),
            "amount": amount, "remaining": amount, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "feeFineType": "Coffee stains",
        });
        account.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.desk.post("/accounts", &account).await.expect(201);
    }

    async fn post_hold(&self, client: &Client, item: &Value) -> Reply {
        client.post(&self.account_path(&format!("/item/{}/hold", id(item))), &hold_body()).await
    }
}

const PERSONAL: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";

fn hold_body() -> Value {
    json!({"requestDate": "2026-11-01T10:00:00.000+0000", "pickupLocationId": CIRC_DESK})
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}
