//! What is told of a patron: blocks and summary.

use octavo_testkit::{Desk, fresh_id};
use serde_json::json;

use super::limited::{
    BALANCE, CHARGED_OUT, LOST, blocks, change_loan, charge_patron, enable_condition, set_limit,
};

#[tokio::test]
async fn nothing_is_told_of_users_whom_nobody_knows() {
    let desk = Desk::open().await;
    let stranger = json!({"id": fresh_id()});
    assert!(blocks(&desk, &stranger).await.is_empty());
    let id = stranger["id"].as_str().unwrap();
    desk.get(&format!("/user-summary/{id}"))
        .await
        .says(404, &format!("User summary for user ID {id} not found"));
    desk.get("/automated-patron-blocks/x").await.says(400, "Invalid user UUID: \"x\"");
    desk.get("/user-summary/x").await.says(400, "Invalid user ID: \"x\"");
}

#[tokio::test]
async fn lost_items_block_and_what_a_claimed_item_costs_does_not() {
    let desk = Desk::open().await;
    enable_condition(&desk, LOST, "Lost").await;
    enable_condition(&desk, BALANCE, "Pay first").await;
    set_limit(&desk, LOST, json!(0)).await;
    set_limit(&desk, BALANCE, json!(1)).await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    let loan = loan["id"].as_str().unwrap();
    charge_patron(&desk, &patron, 20.0, Some(loan)).await;
    let messages = || async {
        let blocks = blocks(&desk, &patron).await;
        blocks.iter().map(|block| block["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(messages().await, ["Pay first"]);
    change_loan(&desk, loan, "itemStatus", json!("Declared lost")).await;
    assert_eq!(messages().await, ["Lost", "Pay first"]);
    change_loan(&desk, loan, "itemStatus", json!("Claimed returned")).await;
    assert!(messages().await.is_empty());
}

#[tokio::test]
async fn a_summary_has_the_open_loans_and_fees() {
    let desk = Desk::with_policy(|policy| {
        policy["loansPolicy"]["gracePeriod"] = json!({"duration": 2, "intervalId": "Days"});
    })
    .await;
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    let loan = desk.check_out(&items[0], &patron).await.expect(201).json();
    desk.check_out(&items[1], &patron).await.expect(201);
    desk.check_in(&items[1]).await.expect(200);
    charge_patron(&desk, &patron, 2.25, loan["id"].as_str()).await;
    let summary =
        desk.get(&format!("/user-summary/{}", patron["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(
        summary["openLoans"],
        json!([{"loanId": loan["id"], "dueDate": loan["dueDate"], "recall": false, "itemLost": false,
            "itemClaimedReturned": false, "gracePeriod": {"duration": 2, "intervalId": "Days"}}])
    );
    assert_eq!(summary["openFeesFines"][0]["balance"], 2.25);
    assert_eq!(summary["openFeesFines"][0]["loanId"], loan["id"]);
    assert_eq!(summary["userId"], patron["id"]);
}

#[tokio::test]
async fn a_fee_of_which_nothing_is_owed_does_not_count() {
    let desk = Desk::open().await;
    enable_condition(&desk, CHARGED_OUT, "Full").await;
    set_limit(&desk, CHARGED_OUT, json!(0)).await;
    let patron = desk.patron().await;
    charge_patron(&desk, &patron, 0.0, None).await;
    let id = patron["id"].as_str().unwrap();
    let none = format!("User summary for user ID {id} not found");
    desk.get(&format!("/user-summary/{id}")).await.says(404, &none);
    assert!(blocks(&desk, &patron).await.is_empty());
    charge_patron(&desk, &patron, 0.01, None).await;
    let summary = desk.get(&format!("/user-summary/{id}")).await.expect(200).json();
    assert_eq!(summary["openFeesFines"].as_array().unwrap().len(), 1);
    assert_eq!(blocks(&desk, &patron).await.len(), 1);
}
