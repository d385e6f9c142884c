//! Accounts and actions as records.

use octavo_testkit::{Desk, fresh_id};
use serde_json::json;

use super::till::Till;

#[tokio::test]
async fn an_account_is_kept_as_it_was_sent_and_found_by_whom_and_what() {
    let till = Till::open().await;
    let (paid, open) = (till.create_account(3.0).await, till.create_account(4.25).await);
    till.post_action(&paid, "pay", "3").await.expect(201);
    let found = till.find("/accounts", &format!("userId=={} and status.name==\"Open\"", till.user)).await;
    let found = found.expect(200);
    assert_eq!(found.field_values("accounts", "id"), [open.as_str()]);
    assert_eq!(found.json()["resultInfo"]["totalRecords"], 1);
    // as FOLIO's test suite asks, the words of a type without quotes
    assert_eq!(till.find("/accounts", "feeFineType==Coffee stains").await.expect(200).total(), 2);

    let mut account = till.read_account(&open).await;
    account["paymentStatus"]["name"] = json!("Suspended claim returned");
    till.put(&format!("/accounts/{open}"), &account).await.expect(204);
    assert_eq!(till.account_state(&open).await.1, "Suspended claim returned");
    till.delete(&format!("/accounts/{open}")).await.expect(204);
    till.get(&format!("/accounts/{open}")).await.expect(404);
}

#[tokio::test]
async fn what_is_no_account_is_refused() {
    let till = Till::open().await;
    for (member, value) in [
        ("id", json!(null)),
        ("userId", json!(null)),
        ("ownerId", json!("nobody")),
        ("paymentStatus", json!({"name": "Forgotten"})),
        ("amount", json!(1e300)),
        ("remaining", json!("much")),
        ("colour", json!("red")),
    ] {
        let mut account = till.account_body(fresh_id(), 1.0);
        account[member] = value;
        till.post("/accounts", &account).await.expect(422);
    }
}

#[tokio::test]
async fn an_account_of_an_item_names_its_holdings_and_instance() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let (account, owner) = (fresh_id(), fresh_id());
    let body = json!({
        "id": account, "userId": fresh_id(), "feeFineId": fresh_id(), "ownerId": owner, "amount": 1, "remaining": 1,
        "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}, "itemId": item["id"],
    });
    desk.post("/accounts", &body).await.expect(201);
    let stored = desk.get(&format!("/accounts/{account}")).await.expect(200).json();
    assert_eq!(stored["holdingsRecordId"], item["holdingsRecordId"]);
    assert!(stored["instanceId"].is_string());
    let listed = desk.find("/accounts", &format!("ownerId=={owner}")).await.expect(200).json();
    assert_eq!(listed["accounts"][0], stored);
}

#[tokio::test]
async fn an_action_has_no_metadata() {
    let till = Till::open().await;
    let account = till.create_account(1.0).await;
    let action =
        json!({"accountId": account, "userId": till.user, "typeAction": "Coffee stains", "amountAction": 1});
    let stored = till.post("/feefineactions", &action).await.expect(201).json();
    assert!(stored["metadata"].is_null());
    assert_eq!(till.account_actions(&account).await, ["Coffee stains"]);
    till.post("/feefineactions", &json!({"userId": till.user})).await.expect(422);
}
