//! A library that charges: an owner, a type of fee, and accounts as a test asks.

use std::ops::Deref;

use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) struct Till {
    library: Library,
    pub(super) owner: Uuid,
    pub(super) kind: Uuid,
    pub(super) user: Uuid,
}

impl Deref for Till {
    type Target = Library;

    fn deref(&self) -> &Library {
        &self.library
    }
}

impl Till {
    pub(super) async fn open() -> Till {
        let library = Library::open().await;
        let till = Till { library, owner: fresh_id(), kind: fresh_id(), user: fresh_id() };
        till.post("/owners", &json!({"id": till.owner, "owner": "Main Circ"})).await.expect(201);
        let kind = json!({"id": till.kind, "feeFineType": "Coffee stains", "ownerId": till.owner});
        till.post("/feefines", &kind).await.expect(201);
        till
    }

    /// A new account of which everything remains to be paid; its id.
    pub(super) async fn create_account(&self, amount: f64) -> String {
        let id = fresh_id();
        self.post("/accounts", &self.account_body(id, amount)).await.expect(201);
        id.to_string()
    }

    pub(super) fn account_body(&self, id: Uuid, amount: f64) -> Value {
        json!({
            "id": id, "userId": self.user, "feeFineId": self.kind, "ownerId": self.owner, "amount": amount,
            "remaining": amount, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
            "feeFineType": "Coffee stains",
        })
    }

    /// Does something with one account: `pay`, `waive`, `transfer`, `refund`.
    pub(super) async fn post_action(&self, account: &str, action: &str, amount: &str) -> Reply {
        self.post(&format!("/accounts/{account}/{action}"), &action_body(amount)).await
    }

    pub(super) async fn check(&self, account: &str, action: &str, amount: &str) -> Reply {
        self.post(&format!("/accounts/{account}/check-{action}"), &json!({"amount": amount})).await
    }

    pub(super) async fn read_account(&self, account: &str) -> Value {
        self.get(&format!("/accounts/{account}")).await.expect(200).json()
    }

    /// Status, payment status and what remains.
    pub(super) async fn account_state(&self, account: &str) -> (String, String, String) {
        let account = self.read_account(account).await;
        let name = |field: &str| account[field]["name"].as_str().unwrap_or_default().to_owned();
        (name("status"), name("paymentStatus"), account["remaining"].to_string())
    }

    /// The actions on an account, in the order of storage, which is that of their creation.
    pub(super) async fn account_actions(&self, account: &str) -> Vec<String> {
        let found = self.find("/feefineactions", &format!("accountId=={account}")).await.expect(200);
        found.field_values("feefineactions", "typeAction")
    }
}

pub(super) fn action_body(amount: &str) -> Value {
    json!({
        "amount": amount, "comments": "STAFF : fine", "notifyPatron": false, "servicePointId": fresh_id(),
        "userName": "Clerk, Carla", "paymentMethod": "Cash",
    })
}
