//! What staff do with several fees at once.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::till::{Till, action_body};

fn bulk_body(accounts: &[String], amount: &str) -> Value {
    let mut body = action_body(amount);
    body["accountIds"] = json!(accounts);
    body
}

async fn remaining_amounts(till: &Till, accounts: &[String]) -> Vec<String> {
    let mut amounts = Vec::new();
    for account in accounts {
        amounts.push(till.account_state(account).await.2);
    }
    amounts
}

#[tokio::test]
async fn an_amount_is_spread_over_the_accounts_to_the_cent() {
    let till = Till::open().await;
    let accounts =
        [till.create_account(1.0).await, till.create_account(10.0).await, till.create_account(10.0).await];
    let checked = till
        .post("/accounts-bulk/check-pay", &json!({"accountIds": accounts, "amount": "10"}))
        .await
        .expect(200)
        .json();
    assert_eq!(
        checked,
        json!({"accountIds": accounts, "amount": "10", "allowed": true, "remainingAmount": "11.00"})
    );
    let body = till.post("/accounts-bulk/pay", &bulk_body(&accounts, "10")).await.expect(201).json();
    assert_eq!(body["amount"], "10.00");
    assert_eq!(body["accountIds"], json!(accounts));
    assert_eq!(body["feefineactions"].as_array().unwrap().len(), 3);
    assert_eq!(remaining_amounts(&till, &accounts).await, ["0.0", "5.5", "5.5"]);

    till.post("/accounts-bulk/refund", &bulk_body(&accounts, "10")).await.expect(201);
    assert_eq!(remaining_amounts(&till, &accounts).await, ["1.0", "10.0", "10.0"]);
}

#[tokio::test]
async fn a_cent_for_two_accounts_reaches_one() {
    let till = Till::open().await;
    let accounts = [till.create_account(5.0).await, till.create_account(5.0).await];
    let body = till.post("/accounts-bulk/waive", &bulk_body(&accounts, "0.01")).await.expect(201).json();
    assert_eq!(body["feefineactions"].as_array().unwrap().len(), 1);
    let mut amounts = remaining_amounts(&till, &accounts).await;
    amounts.sort_unstable();
    assert_eq!(amounts, ["4.99", "5.0"]);
}

#[tokio::test]
async fn several_are_settled_together_or_not_at_all() {
    let till = Till::open().await;
    let accounts = [till.create_account(5.0).await, till.create_account(5.0).await];
    let with_stranger = [accounts[0].clone(), fresh_id().to_string()];
    till.post("/accounts-bulk/transfer", &bulk_body(&with_stranger, "1"))
        .await
        .says(404, &format!("Fee/fine ID {} not found", with_stranger[1]));
    till.post_action(&accounts[1], "pay", "5").await.expect(201);
    let refused = till.post("/accounts-bulk/pay", &bulk_body(&accounts, "1")).await.expect(422).json();
    assert_eq!(
        refused,
        json!({"accountIds": accounts, "amount": "1", "errorMessage": "Fee/fine is already closed"})
    );
    let mut cancellation = bulk_body(&accounts, "");
    for member in ["amount", "paymentMethod"] {
        cancellation.as_object_mut().unwrap().remove(member);
    }
    till.post("/accounts-bulk/cancel", &cancellation).await.expect(422);
    assert_eq!(till.account_state(&accounts[0]).await.0, "Open");
    cancellation["accountIds"] = json!([accounts[0]]);
    till.post("/accounts-bulk/cancel", &cancellation).await.expect(201);
    assert_eq!(till.account_state(&accounts[0]).await.0, "Closed");
}

#[tokio::test]
async fn requests_about_the_same_accounts_in_other_orders_do_not_lock_each_other_out() {
    let till = Till::open().await;
    let mut accounts = [
        till.create_account(100.0).await,
        till.create_account(100.0).await,
        till.create_account(100.0).await,
    ];
    let mut bodies = Vec::new();
    for _ in 0..12 {
        accounts.rotate_left(1);
        bodies.push(bulk_body(&accounts, "3"));
    }
    let replies = bodies.iter().map(|body| till.post("/accounts-bulk/pay", body));
    let mut replies: Vec<_> = replies.map(Box::pin).collect();
    let done = std::future::poll_fn(|context| {
        replies.retain_mut(|reply| match reply.as_mut().poll(context) {
            std::task::Poll::Ready(reply) => {
                assert_eq!(reply.status, 201, "{reply}");
                false
            }
            std::task::Poll::Pending => true,
        });
        if replies.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    });
    done.await;
    assert_eq!(remaining_amounts(&till, &accounts).await, ["88.0", "88.0", "88.0"]);
}
