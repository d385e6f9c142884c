//! What staff do with one fee.

use octavo_testkit::fresh_id;
use serde_json::json;

use super::till::{Till, action_body};

#[tokio::test]
async fn a_fee_is_paid_in_parts_and_each_part_is_recorded() {
    let till = Till::open().await;
    let account = till.create_account(10.0).await;
    let reply = till.post_action(&account, "pay", "2.50").await.expect(201);
    let body = reply.json();
    assert_eq!((&body["accountId"], &body["amount"]), (&json!(account), &json!("2.50")));
    assert_eq!(body["remainingAmount"], "7.50");
    assert_eq!(body["feefineactions"][0]["typeAction"], "Paid partially");
    assert_eq!(till.account_state(&account).await, ("Open".into(), "Paid partially".into(), "7.5".into()));

    till.post_action(&account, "waive", "7.5").await.expect(201);
    assert_eq!(till.account_state(&account).await, ("Closed".into(), "Waived fully".into(), "0.0".into()));
    assert_eq!(till.account_actions(&account).await, ["Paid partially", "Waived fully"]);
    let action = body["feefineactions"][0]["id"].as_str().unwrap();
    let stored = till.get(&format!("/feefineactions/{action}")).await.expect(200).json();
    assert_eq!(stored, body["feefineactions"][0]);
}

#[tokio::test]
async fn what_was_paid_and_transferred_can_be_refunded_and_is_owed_again() {
    let till = Till::open().await;
    let account = till.create_account(10.0).await;
    till.post_action(&account, "pay", "4").await.expect(201);
    till.post_action(&account, "transfer", "6").await.expect(201);
    till.check(&account, "refund", "10.01").await.expect(422);
    let checked = till.check(&account, "refund", "10").await.expect(200).json();
    assert_eq!(
        checked,
        json!({"accountId": account, "amount": "10.00", "allowed": true, "remainingAmount": "0.00"})
    );
    let body = till.post_action(&account, "refund", "10").await.expect(201).json();
    assert_eq!(body["feefineactions"].as_array().unwrap().len(), 4);
    assert_eq!(till.account_state(&account).await, ("Open".into(), "Refunded fully".into(), "10.0".into()));
    assert_eq!(till.check(&account, "refund", "0.01").await.expect(422).json()["allowed"], false);
}

#[tokio::test]
async fn a_cancelled_fee_is_closed_for_good() {
    let till = Till::open().await;
    let account = till.create_account(10.0).await;
    let mut body = action_body("");
    for member in ["amount", "paymentMethod"] {
        body.as_object_mut().unwrap().remove(member);
    }
    let path = format!("/accounts/{account}/cancel");
    assert_eq!(till.post(&path, &body).await.expect(201).json()["remainingAmount"], "0.00");
    assert_eq!(
        till.account_state(&account).await,
        ("Closed".into(), "Cancelled as error".into(), "0.0".into())
    );
    let again = till.post(&path, &body).await.expect(422).json();
    assert_eq!(again, json!({"accountId": account, "errorMessage": "Fee/fine is already closed"}));
}

#[tokio::test]
async fn an_amount_that_cannot_be_is_refused_with_a_reason() {
    let till = Till::open().await;
    let account = till.create_account(10.0).await;
    for (amount, message) in [
        ("much", "Invalid amount entered"),
        ("0", "Amount must be positive"),
        ("-1", "Amount must be positive"),
        ("10.01", "Requested amount exceeds remaining amount"),
    ] {
        for action in ["pay", "waive", "transfer"] {
            let told = json!({"accountId": account, "amount": amount, "errorMessage": message});
            assert_eq!(till.post_action(&account, action, amount).await.expect(422).json(), told);
            let reply = till.check(&account, action, amount).await.expect(422).json();
            assert_eq!((&reply["allowed"], &reply["errorMessage"]), (&json!(false), &json!(message)));
        }
    }
    assert_eq!(till.account_state(&account).await, ("Open".into(), "Outstanding".into(), "10.0".into()));
    let nowhere = fresh_id();
    till.post_action(&nowhere.to_string(), "pay", "1")
        .await
        .says(404, &format!("Fee/fine ID {nowhere} not found"));
    till.post(&format!("/accounts/{account}/pay"), &json!({"amount": "1"})).await.expect(422);
}

/// FOLIO's own test suite sends them so.
#[tokio::test]
async fn amounts_and_flags_may_come_as_numbers_and_texts() {
    let till = Till::open().await;
    let account = till.create_account(50.0).await;
    let checked = till.post(&format!("/accounts/{account}/check-pay"), &json!({"amount": 50.0})).await;
    assert_eq!(checked.expect(200).json()["allowed"], true);
    let mut body = action_body("");
    body["amount"] = json!(50);
    body["notifyPatron"] = json!("false");
    let paid = till.post(&format!("/accounts/{account}/pay"), &body).await.expect(201).json();
    assert_eq!(paid["feefineactions"][0]["typeAction"], "Paid fully");
    assert_eq!(paid["feefineactions"][0]["notify"], false);
}

#[tokio::test]
async fn two_who_take_the_same_money_at_once_take_it_once() {
    let till = Till::open().await;
    let account = till.create_account(10.0).await;
    let pay = || till.post_action(&account, "pay", "6");
    let (first, second) = tokio::join!(pay(), pay());
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422], "{first}\n{second}");
    assert_eq!(till.account_state(&account).await.2, "4.0");
}

#[tokio::test]
async fn an_action_takes_two_round_trips_and_a_check_one() {
    let till = Till::open().await;
    let account = till.create_account(10.0).await;
    for action in ["pay", "refund", "pay", "refund"] {
        till.check(&account, action, "5").await.expect(200);
        till.post_action(&account, action, "5").await.expect(201);
    }
    for action in ["pay", "refund"] {
        assert_eq!(till.check(&account, action, "5").await.expect(200).round_trips(), 1);
        assert_eq!(till.post_action(&account, action, "5").await.expect(201).round_trips(), 2);
    }
}
