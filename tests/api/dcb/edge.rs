//! edge-dcb: two libraries and the hub between them, which has a key of each.

use octavo_testkit::{ApiKey, Client, encode};
use serde_json::{Value, json};

use super::{Partner, transaction_body};

/// A library as the hub reaches it.
struct HubAccess {
    partner: Partner,
    client: Client,
    key: String,
}

impl HubAccess {
    async fn open(permissions: &[&str]) -> HubAccess {
        let partner = Partner::open().await;
        let key = ApiKey::create_accepted(&partner.library, "hub", "edge-dcb", permissions).await;
        let client = Client::new(partner.library.octavo.address);
        HubAccess { partner, client, key }
    }

    fn keyed_path(&self, rest: &str) -> String {
        let separator = if rest.contains('?') { '&' } else { '?' };
        format!("/dcbService/transactions/{rest}{separator}apikey={}", encode(&self.key))
    }

    async fn create(&self, id: &str, body: &Value) {
        let made = self.client.post(&self.keyed_path(id), body).await.expect(201).json();
        assert_eq!(made["status"], "CREATED");
    }

    async fn status(&self, id: &str) -> Value {
        self.client.get(&self.keyed_path(&format!("{id}/status"))).await.expect(200).json()["status"].clone()
    }

    /// Sends this library the status that the transaction has reached in the other library.
    async fn forward_status(&self, id: &str, other: &HubAccess, status: &str) {
        assert_eq!(other.status(id).await, status);
        self.client
            .put(&self.keyed_path(&format!("{id}/status")), &json!({"status": status}))
            .await
            .expect(200);
        assert_eq!(self.status(id).await, status);
    }
}

#[tokio::test]
async fn a_book_goes_from_one_tenant_to_the_other_and_back() {
    let (lender, borrower) = (HubAccess::open(&["dcb.all"]).await, HubAccess::open(&["dcb.all"]).await);
    let (shelf, counter) = (&lender.partner.desk, &borrower.partner.desk);
    let (book, patron) = (shelf.item().await, counter.patron().await);
    let id = "4f2a-1";
    lender.create(id, &transaction_body("LENDER", &book, &patron)).await;
    borrower.create(id, &transaction_body("BORROWING-PICKUP", &book, &patron)).await;

    shelf.check_in(&book).await.expect(200);
    borrower.forward_status(id, &lender, "OPEN").await;
    counter.check_in(&book).await.expect(200);
    lender.forward_status(id, &borrower, "AWAITING_PICKUP").await;
    counter.check_out(&book, &patron).await.expect(201);
    lender.forward_status(id, &borrower, "ITEM_CHECKED_OUT").await;
    let renewed = counter.renew(&book, &patron).await.expect(200).json();
    assert_eq!(renewed["item"]["title"], "The Waves");
    let followed =
        lender.client.send("PUT", &lender.keyed_path(&format!("{id}/renew")), "").await.expect(200).json();
    assert_eq!(followed["item"]["renewalInfo"]["renewalCount"], 1);
    counter.check_in(&book).await.expect(200);
    lender.forward_status(id, &borrower, "ITEM_CHECKED_IN").await;
    shelf.check_in(&book).await.expect(200);
    borrower.forward_status(id, &lender, "CLOSED").await;
    assert_eq!(shelf.status(&book).await, "Available");

    let span = "status?fromDate=2020-01-01T00%3A00%3A00Z&toDate=2199-01-01T00%3A00%3A00Z";
    for door in [&lender, &borrower] {
        let list = door.client.get(&door.keyed_path(span)).await.expect(200).json();
        let told: Vec<&str> = list["transactions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["status"].as_str().unwrap())
            .collect();
        assert_eq!(told, ["OPEN", "AWAITING_PICKUP", "ITEM_CHECKED_OUT", "ITEM_CHECKED_IN", "CLOSED"]);
    }
}

#[tokio::test]
async fn refusals_are_mod_dcbs_and_a_key_gives_what_its_user_may() {
    let door = HubAccess::open(&["dcb.transactions.get"]).await;
    let unknown = door.client.get(&door.keyed_path("123/status")).await.expect(404).json();
    assert_eq!(unknown, super::refusal("DCB Transaction was not found by id= 123 ", "NOT_FOUND_ERROR"));
    door.client.put(&door.keyed_path("123/status"), &json!({"status": "OPEN"})).await.expect(403);
    door.client.post(&door.keyed_path("123"), &json!({})).await.expect(403);
    door.client.get("/dcbService/transactions/123/status").await.expect(401);
    door.client.get("/dcbService/transactions/123/status?apikey=x").await.expect(401);
}
