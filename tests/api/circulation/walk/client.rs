//! A client that does something random, and remembers nothing of it.

use std::sync::Arc;

use octavo_testkit::reference::{CIRC_DESK, FACULTY};
use octavo_testkit::{Desk, Reply, encode, fresh_id};
use serde_json::{Value, json};

use super::super::requests::request_body;
use super::facts::{Facts, block_body};
use super::rules;

const LATE_RETURN: &str = "late return";

/// Commands that are never refused: check-ins, however late, and changes by staff.
pub(super) const NEVER_REFUSED: [&str; 5] =
    [LATE_RETURN, "new rules", "change of a policy", "block", "change of a patron"];

pub(super) struct Client {
    pub(super) desk: Desk,
    pub(super) items: Vec<Value>,
    pub(super) patrons: Vec<Value>,
    /// The title of all items.
    pub(super) instance: Value,
    /// Loan policies that the rules choose between, and the group that patrons change to.
    pub(super) policies: [String; 2],
    /// What a policy says about loans while it is loanable.
    pub(super) lending: Value,
    pub(super) group: Value,
    pub(super) facts: Arc<Facts>,
    pub(super) random_state: u64,
}

impl Client {
    fn random_below(&mut self, limit: usize) -> usize {
        self.random_state =
            self.random_state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random_state >> 33).unwrap() % limit
    }

    fn one_of<'a>(&mut self, known: &'a [Value]) -> Option<&'a Value> {
        let at = self.random_below(known.len().max(1));
        known.get(at)
    }

    /// Does something random; returns the name of the command and the reply.
    pub(super) async fn do_something(&mut self) -> (&'static str, Reply) {
        let (item, patron) = (self.random_below(self.items.len()), self.random_below(self.patrons.len()));
        let (item, patron) = (self.items[item].clone(), self.patrons[patron].clone());
        match self.random_below(31) {
            0..6 => ("check-out", self.check_out(&item, &patron).await),
            24 | 25 => ("new rules", self.set_rules().await),
            26 => ("change of a policy", self.change_policy().await),
            27 | 28 => self.block().await,
            29 | 30 => ("change of a patron", self.change_patron(&patron).await),
            6..9 => (LATE_RETURN, self.return_late(&item).await),
            9..11 => ("check-in", self.desk.check_in(&item).await),
            11..13 => ("renewal", self.desk.renew(&item, &patron).await),
            13..15 => {
                let body = json!({"servicePointId": CIRC_DESK});
                ("declaring lost", self.post_loan_action(&item, "declare-item-lost", body).await)
            }
            15 => {
                let body = json!({"itemClaimedReturnedDateTime": "2026-11-01T10:00:00Z"});
                ("claim of a return", self.post_loan_action(&item, "claim-item-returned", body).await)
            }
            16 => {
                let body = json!({"dueDate": "2027-01-31T10:00:00Z"});
                ("change of a due date", self.post_loan_action(&item, "change-due-date", body).await)
            }
            17 | 18 => self.settle_fee().await,
            19 | 20 => ("undoing", self.undo(&item).await),
            21 | 22 => {
                let kind = ["Page", "Hold", "Recall"][self.random_below(3)];
                let body = request_body(&item, &self.instance, &patron, kind);
                ("request", self.desk.post("/circulation/requests", &body).await)
            }
            _ => ("cancellation", self.cancel(&item).await),
        }
    }

    /// Checks an item out. Sometimes the loan date is long ago, so that the loan is overdue at once.
    async fn check_out(&mut self, item: &Value, patron: &Value) -> Reply {
        let mut body = Desk::check_out_body(item, patron);
        if self.random_below(4) == 0 {
            body["loanDate"] = json!("2020-01-01T00:00:00.000Z");
        }
        let begun = self.facts.begin();
        let reply = self.desk.post("/circulation/check-out-by-barcode", &body).await;
        let span = self.facts.end(begun);
        if reply.status == 201 {
            let policy = reply.json()["loanPolicyId"].as_str().unwrap_or_default().to_owned();
            self.facts.note_use("the rules", span, &policy);
            self.facts.note_use(&policy, span, "loanable");
        }
        reply
    }

    async fn set_rules(&mut self) -> Reply {
        let policy = self.policies[self.random_below(2)].clone();
        let begun = self.facts.begin();
        let reply = self.desk.put("/circulation/rules", &rules(&policy)).await;
        let span = self.facts.end(begun);
        self.facts.note_change("the rules", span, &policy);
        reply
    }

    /// Makes the second loan policy loanable or not loanable, at random.
    async fn change_policy(&mut self) -> Reply {
        let path = format!("/loan-policy-storage/loan-policies/{}", self.policies[1]);
        let mut policy = self.desk.get(&path).await.expect(200).json();
        let loanable = self.random_below(3) > 0;
        policy["loanable"] = json!(loanable);
        // A policy that is not loanable must not say how loans are.
        policy["loansPolicy"] = if loanable { self.lending.clone() } else { Value::Null };
        let begun = self.facts.begin();
        let reply = self.desk.put(&path, &policy).await;
        let span = self.facts.end(begun);
        self.facts.note_change(&self.policies[1], span, if loanable { "loanable" } else { "not loanable" });
        reply
    }

    /// Blocks always the same patron, so that the others can mostly borrow.
    async fn block(&mut self) -> (&'static str, Reply) {
        let patron = self.patrons[0].clone();
        let query = format!("userId=={}", patron["id"].as_str().unwrap());
        let found = self.find_records("/manualblocks", &query, "manualblocks").await;
        match self.one_of(&found).cloned() {
            Some(block) => {
                let path = format!("/manualblocks/{}", block["id"].as_str().unwrap());
                ("end of a block", self.desk.delete(&path).await)
            }
            None => ("block", self.desk.post("/manualblocks", &block_body(&patron)).await),
        }
    }

    /// Mostly active; of one group or the other.
    async fn change_patron(&mut self, patron: &Value) -> Reply {
        let path = format!("/users/{}", patron["id"].as_str().unwrap());
        let mut user = self.desk.get(&path).await.expect(200).json();
        user["active"] = json!(self.random_below(4) > 0);
        user["patronGroup"] = [json!(FACULTY), self.group.clone()][self.random_below(2)].clone();
        self.desk.put(&path, &user).await
    }

    async fn return_late(&self, item: &Value) -> Reply {
        let late = octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 40);
        let body = json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": late.to_string(),
            "claimedReturnedResolution": "Returned by patron"});
        self.desk.post("/circulation/check-in-by-barcode", &body).await
    }

    /// Something about the item's loan, or about one that nobody knows.
    async fn post_loan_action(&self, item: &Value, what: &str, body: Value) -> Reply {
        let open = format!("itemId=={}", item["id"].as_str().unwrap());
        let loan = self.desk.open_loans(&open).await.pop().unwrap_or_else(|| fresh_id().to_string());
        self.desk.post(&format!("/circulation/loans/{loan}/{what}"), &body).await
    }

    async fn settle_fee(&mut self) -> (&'static str, Reply) {
        let query = ["status.name==Open", "cql.allRecords=1 sortBy dateCreated/sort.descending"]
            [self.random_below(2)];
        let found = self.find_records("/accounts", query, "accounts").await;
        let account = self.one_of(&found).map_or_else(|| json!(fresh_id()), |account| account["id"].clone());
        let action = ["pay", "waive", "transfer", "refund", "cancel"][self.random_below(5)];
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

    /// Undoes the last action on one of the last loans.
    async fn undo(&mut self, item: &Value) -> Reply {
        let query = format!("itemId=={} sortBy loanDate/sort.descending", item["id"].as_str().unwrap());
        let found = self.find_records("/loan-storage/loans", &query, "loans").await;
        let loan = self.one_of(&found[..found.len().min(2)]);
        let loan = loan.map_or_else(|| json!(fresh_id()), |loan| loan["id"].clone());
        self.desk.post(&format!("/octavo/loans/{}/undo", loan.as_str().unwrap()), &json!({})).await
    }

    /// Cancels a request for the item, or one that does not exist.
    async fn cancel(&mut self, item: &Value) -> Reply {
        let query = format!("itemId=={} and status==\"Open*\"", item["id"].as_str().unwrap());
        let found = self.find_records("/circulation/requests", &query, "requests").await;
        let mut request = self.one_of(&found).cloned().unwrap_or_else(|| json!({"id": fresh_id()}));
        request["status"] = json!("Closed - Cancelled");
        self.desk.put(&format!("/circulation/requests/{}", request["id"].as_str().unwrap()), &request).await
    }

    async fn find_records(&self, path: &str, query: &str, collection: &str) -> Vec<Value> {
        let reply = self.desk.get(&format!("{path}?limit=10&query={}", encode(query))).await.expect(200);
        reply.json()[collection].as_array().cloned().unwrap_or_default()
    }
}
