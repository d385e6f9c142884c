//! A library that lends: FOLIO's reference records, one branch, one loan policy, and patrons and items as a test asks.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{Client, Library, Octavo, Reply, fresh_id, system_clock};

/// FOLIO's reference records that everything here is of.
pub mod reference {
    pub const FACULTY: &str = "503a81cd-6c26-400f-b620-14c08943697c";
    pub const BOOK: &str = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
    pub const CAN_CIRCULATE: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";
    pub const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
    pub const SOURCE_FOLIO: &str = "f32d531e-df79-46b3-8932-cdd35f7a2264";
    pub const CIRC_DESK: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
    pub const ALLOW_ALL: &str = "334e5a9e-94f9-4673-8d1d-ab552863886b";
    pub const SEND_NO_NOTICES: &str = "122b3d2b-4788-4f1e-9117-56daa91cb75c";
    pub const OVERDUE_FINE: &str = "cd3f6cac-fa17-4079-9fae-2fb28e521412";
    pub const LOST_ITEM_FEE: &str = "ed892c0e-52e0-4cd9-8133-c0ef07b4a709";
}

use reference::{
    ALLOW_ALL, BOOK, CAN_CIRCULATE, CIRC_DESK, FACULTY, LOST_ITEM_FEE, OVERDUE_FINE, SEND_NO_NOTICES,
    SOURCE_FOLIO, TEXT,
};

/// Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    client: Client,
    /// The clock by which items come back.
    clock: fn() -> Timestamp,
    pub location: Uuid,
    pub loan_policy: Uuid,
}

impl Deref for Desk {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Desk {
    /// Lends for three weeks, renews twice.
    pub async fn open() -> Desk {
        Desk::with_policy(|_| {}).await
    }

    /// The same with another loan policy: the change is made to the record before it is stored.
    pub async fn with_policy(change: impl FnOnce(&mut Value)) -> Desk {
        let library = Library::furnished().await.acting_as(fresh_id());
        Desk::furnish(&library, change).await
    }

    /// The same in a tenant that is there, has FOLIO's reference records, and lets the client do everything.
    pub async fn furnish(client: &Client, change: impl FnOnce(&mut Value)) -> Desk {
        let location = branch(client).await;
        let loan_policy = fresh_id();
        let mut policy = json!({
            "id": loan_policy, "name": "Three weeks", "loanable": true, "renewable": true,
            "loansPolicy": {
                "profileId": "Rolling",
                "period": {"duration": 3, "intervalId": "Weeks"},
                "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE",
            },
            "renewalsPolicy": {"unlimited": false, "numberAllowed": 2, "renewFromId": "CURRENT_DUE_DATE", "differentPeriod": false},
        });
        change(&mut policy);
        client.post("/loan-policy-storage/loan-policies", &policy).await.expect(201);
        let policies =
            format!("l {loan_policy} r {ALLOW_ALL} n {SEND_NO_NOTICES} o {OVERDUE_FINE} i {LOST_ITEM_FEE}");
        let desk = Desk { client: client.clone(), clock: system_clock, location, loan_policy };
        desk.set_rules(&format!("priority: t, s, c, b, a, m, g\nfallback-policy: {policies}")).await;
        desk
    }

    /// From now on what comes back late is charged: this much an interval, at most 50.0; `forgives` if renewed.
    pub async fn charge_overdue_fines(&self, quantity: f64, interval: &str, forgives: bool) {
        let policy = json!({
            "id": OVERDUE_FINE, "name": "Overdue fines", "overdueFine": {"quantity": quantity, "intervalId": interval},
            "countClosed": true, "maxOverdueFine": 50.0, "forgiveOverdueFine": forgives,
            "overdueRecallFine": {"quantity": 1.0, "intervalId": "minute"}, "gracePeriodRecall": false,
            "maxOverdueRecallFine": 50.0,
        });
        self.put(&format!("/overdue-fines-policies/{OVERDUE_FINE}"), &policy).await.expect(204);
        let point = json!({"value": CIRC_DESK, "label": "Circ Desk 1"});
        let owner = json!({"id": fresh_id(), "owner": "Main Circ", "servicePointOwner": [point]});
        self.post("/owners", &owner).await.expect(201);
    }

    /// The circulation rules from now on.
    pub async fn set_rules(&self, text: &str) {
        self.put("/circulation/rules", &json!({"rulesAsText": text})).await.expect(204);
    }

    /// The same desk, through another server.
    pub fn through(&self, octavo: &Octavo) -> Desk {
        Desk {
            client: self.client.through(octavo.address, &octavo.handle),
            clock: octavo.clock,
            ..self.clone()
        }
    }

    /// The same desk at another address.
    pub fn at_address(&self, address: SocketAddr) -> Desk {
        Desk { client: self.client.to_server(address), ..self.clone() }
    }

    /// The same desk at a server of any release.
    pub fn at_another_release(&self, address: SocketAddr) -> Desk {
        Desk { client: self.client.of_another_release(), ..self.clone() }.at_address(address)
    }

    /// A new active patron; returns the record.
    pub async fn patron(&self) -> Value {
        let barcode = fresh_barcode("2");
        let user = json!({
            "id": fresh_id(), "username": format!("patron-{barcode}"), "barcode": barcode, "active": true,
            "type": "patron", "patronGroup": FACULTY,
            "personal": {"lastName": "Nielsen", "firstName": "Freya", "preferredContactTypeId": "002"},
        });
        self.post("/users", &user).await.expect(201).json()
    }

    /// New available items, all of one title; returns their records.
    pub async fn items(&self, count: usize) -> Vec<Value> {
        let (instance, holdings) = (fresh_id(), fresh_id());
        let title = json!({"id": instance, "source": "FOLIO", "title": "Beloved", "instanceTypeId": TEXT});
        self.post("/instance-storage/instances", &title).await.expect(201);
        let copy = json!({
            "id": holdings, "instanceId": instance, "permanentLocationId": self.location, "sourceId": SOURCE_FOLIO,
        });
        self.post("/holdings-storage/holdings", &copy).await.expect(201);
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            let item = json!({
                "id": fresh_id(), "holdingsRecordId": holdings, "barcode": fresh_barcode("3"),
                "status": {"name": "Available"}, "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE,
            });
            items.push(self.post("/item-storage/items", &item).await.expect(201).json());
        }
        items
    }

    pub async fn item(&self) -> Value {
        self.items(1).await.remove(0)
    }

    pub async fn check_out(&self, item: &Value, patron: &Value) -> Reply {
        self.post("/circulation/check-out-by-barcode", &Desk::check_out_body(item, patron)).await
    }

    /// The body of a check-out.
    pub fn check_out_body(item: &Value, patron: &Value) -> Value {
        json!({"itemBarcode": item["barcode"], "userBarcode": patron["barcode"], "servicePointId": CIRC_DESK})
    }

    pub async fn check_in(&self, item: &Value) -> Reply {
        self.post("/circulation/check-in-by-barcode", &self.check_in_body(item)).await
    }

    /// The body of a check-in now.
    pub fn check_in_body(&self, item: &Value) -> Value {
        let at = (self.clock)().to_string();
        json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": at})
    }

    pub async fn renew(&self, item: &Value, patron: &Value) -> Reply {
        let body = json!({"itemBarcode": item["barcode"], "userBarcode": patron["barcode"]});
        self.post("/circulation/renew-by-barcode", &body).await
    }

    /// The item's status now.
    pub async fn status(&self, item: &Value) -> String {
        let id = item["id"].as_str().unwrap_or_default();
        let item = self.get(&format!("/item-storage/items/{id}")).await.expect(200).json();
        item["status"]["name"].as_str().unwrap_or_default().to_owned()
    }

    /// The ids of the open loans that a query finds.
    pub async fn open_loans(&self, query: &str) -> Vec<String> {
        let query = crate::encode(&format!("status.name==Open and {query}"));
        let found = self.get(&format!("/loan-storage/loans?limit=1000&query={query}")).await;
        found.expect(200).field_values("loans", "id")
    }
}

/// Institution, campus, library and a location whose desk is FOLIO's "Circ Desk 1".
async fn branch(client: &Client) -> Uuid {
    let [institution, campus, unit, location] = [fresh_id(), fresh_id(), fresh_id(), fresh_id()];
    let units = [
        ("institutions", json!({"id": institution, "name": "Westhaven", "code": "W"})),
        ("campuses", json!({"id": campus, "name": "Town", "code": "T", "institutionId": institution})),
        ("libraries", json!({"id": unit, "name": "Harbour", "code": "H", "campusId": campus})),
    ];
    for (path, body) in units {
        client.post(&format!("/location-units/{path}"), &body).await.expect(201);
    }
    let body = json!({
        "id": location, "name": "Fiction", "code": "F", "isActive": true, "institutionId": institution,
        "campusId": campus, "libraryId": unit, "primaryServicePoint": CIRC_DESK, "servicePointIds": [CIRC_DESK],
    });
    client.post("/locations", &body).await.expect(201);
    location
}

fn fresh_barcode(first: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    format!("{first}{:09}", COUNT.fetch_add(1, Ordering::Relaxed))
}
