//! A client with a memory for nothing but its next whim.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Reply, encode, fresh_id};
use serde_json::{Value, json};

use super::super::requests::asking;

/// The one command that nobody is refused.
pub(super) const LATE_RETURN: &str = "late return";

pub(super) struct Client {
    pub(super) desk: Desk,
    pub(super) items: Vec<Value>,
    pub(super) patrons: Vec<Value>,
    /// The title of all items.
    pub(super) instance: Value,
    pub(super) whim: u64,
}

impl Client {
    fn chance(&mut self, limit: usize) -> usize {
        self.whim = self.whim.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.whim >> 33).unwrap() % limit
    }

    fn one_of<'a>(&mut self, known: &'a [Value]) -> Option<&'a Value> {
        let at = self.chance(known.len().max(1));
        known.get(at)
    }

    /// What it did, and what came of it.
    pub(super) async fn act(&mut self) -> (&'static str, Reply) {
        let (item, patron) = (self.chance(self.items.len()), self.chance(self.patrons.len()));
        let (item, patron) = (self.items[item].clone(), self.patrons[patron].clone());
        match self.chance(24) {
            0..6 => ("check-out", self.desk.check_out(&item, &patron).await),
            6..9 => (LATE_RETURN, self.return_late(&item).await),
            9..11 => ("check-in", self.desk.check_in(&item).await),
            11..13 => ("renewal", self.desk.renew(&item, &patron).await),
            13..15 => {
                let body = json!({"servicePointId": CIRC_DESK});
                ("declaring lost", self.about_loan(&item, "declare-item-lost", body).await)
            }
            15 => {
                let body = json!({"itemClaimedReturnedDateTime": "2026-11-01T10:00:00Z"});
                ("claim of a return", self.about_loan(&item, "claim-item-returned", body).await)
            }
            16 => {
                let body = json!({"dueDate": "2027-01-31T10:00:00Z"});
                ("change of a due date", self.about_loan(&item, "change-due-date", body).await)
            }
            17 | 18 => self.settle().await,
            19 | 20 => ("undoing", self.undo(&item).await),
            21 | 22 => {
                let kind = ["Page", "Hold", "Recall"][self.chance(3)];
                let body = asking(&item, &self.instance, &patron, kind);
                ("request", self.desk.post("/circulation/requests", &body).await)
            }
            _ => ("cancellation", self.cancel(&item).await),
        }
    }

    async fn return_late(&self, item: &Value) -> Reply {
        let late = octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 40);
        let body = json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": late.to_string(),
            "claimedReturnedResolution": "Returned by patron"});
        self.desk.post("/circulation/check-in-by-barcode", &body).await
    }

    /// Something about the item's loan, or about one that nobody knows.
    async fn about_loan(&self, item: &Value, what: &str, body: Value) -> Reply {
        let open = format!("itemId=={}", item["id"].as_str().unwrap());
        let loan = self.desk.open_loans(&open).await.pop().unwrap_or_else(|| fresh_id().to_string());
        self.desk.post(&format!("/circulation/loans/{loan}/{what}"), &body).await
    }

    async fn settle(&mut self) -> (&'static str, Reply) {
        let query =
            ["status.name==Open", "cql.allRecords=1 sortBy dateCreated/sort.descending"][self.chance(2)];
        let found = self.found("/accounts", query, "accounts").await;
        let account = self.one_of(&found).map_or_else(|| json!(fresh_id()), |account| account["id"].clone());
        let action = ["pay", "waive", "transfer", "refund", "cancel"][self.chance(5)];
        let body = match action {
            "cancel" => json!({"notifyPatron": false, "servicePointId": CIRC_DESK, "userName": "Clerk"}),
            _ => {
                json!({"amount": "1.50", "notifyPatron": false, "servicePointId": CIRC_DESK, "userName": "Clerk",
                "paymentMethod": "Cash"})
            }
        };
        let name = match action {
            "pay" => "payment",
            "waive" => "waiver",
            "transfer" => "transfer",
            "refund" => "refund",
            _ => "cancellation of a fee",
        };
        (name, self.desk.post(&format!("/accounts/{}/{action}", account.as_str().unwrap()), &body).await)
    }

    /// One of the last loans.
    async fn undo(&mut self, item: &Value) -> Reply {
        let query = format!("itemId=={} sortBy loanDate/sort.descending", item["id"].as_str().unwrap());
        let found = self.found("/loan-storage/loans", &query, "loans").await;
        let loan = self.one_of(&found[..found.len().min(2)]);
        let loan = loan.map_or_else(|| json!(fresh_id()), |loan| loan["id"].clone());
        self.desk.post(&format!("/octavo/loans/{}/undo", loan.as_str().unwrap()), &json!({})).await
    }

    /// Of somebody who waits for the item, or of nobody.
    async fn cancel(&mut self, item: &Value) -> Reply {
        let query = format!("itemId=={} and status==\"Open*\"", item["id"].as_str().unwrap());
        let found = self.found("/circulation/requests", &query, "requests").await;
        let mut request = self.one_of(&found).cloned().unwrap_or_else(|| json!({"id": fresh_id()}));
        request["status"] = json!("Closed - Cancelled");
        self.desk.put(&format!("/circulation/requests/{}", request["id"].as_str().unwrap()), &request).await
    }

    async fn found(&self, path: &str, query: &str, collection: &str) -> Vec<Value> {
        let reply = self.desk.get(&format!("{path}?limit=10&query={}", encode(query))).await.expect(200);
        reply.json()[collection].as_array().cloned().unwrap_or_default()
    }
}
