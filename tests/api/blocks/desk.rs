//! The desk heeds automated blocks in the very transaction that lends.

use octavo_testkit::{Desk, Octavo, fresh_id};
use serde_json::json;

use super::limited::{
    BALANCE, CHARGED_OUT, OVERDUE, blocks, change_loan, charge_patron, enable_condition, set_limit,
};

#[tokio::test]
async fn who_has_as_many_items_as_allowed_gets_no_more_but_may_renew() {
    let desk = Desk::open().await;
    enable_condition(&desk, CHARGED_OUT, "You have enough").await;
    set_limit(&desk, CHARGED_OUT, json!(1)).await;
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    assert!(blocks(&desk, &patron).await.is_empty());
    desk.check_out(&items[0], &patron).await.expect(201);
    assert_eq!(
        blocks(&desk, &patron).await,
        [json!({"patronBlockConditionId": CHARGED_OUT, "blockBorrowing": true, "blockRenewals": false,
            "blockRequests": false, "message": "You have enough"})]
    );
    desk.check_out(&items[1], &patron).await.refused("You have enough");
    desk.renew(&items[0], &patron).await.expect(200);
    desk.check_in(&items[0]).await.expect(200);
    desk.check_out(&items[1], &patron).await.expect(201);
}

#[tokio::test]
async fn two_desks_at_once_do_not_lend_over_the_limit() {
    let desk = Desk::open().await;
    let other = desk.through(&Octavo::start_another().await);
    enable_condition(&desk, CHARGED_OUT, "You have enough").await;
    set_limit(&desk, CHARGED_OUT, json!(2)).await;
    let (patron, items) = (desk.patron().await, desk.items(6).await);
    let lend = |at: usize| {
        if at.is_multiple_of(2) {
            desk.check_out(&items[at], &patron)
        } else {
            other.check_out(&items[at], &patron)
        }
    };
    let replies = tokio::join!(lend(0), lend(1), lend(2), lend(3), lend(4), lend(5));
    let replies = [replies.0, replies.1, replies.2, replies.3, replies.4, replies.5];
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 2, "{replies:?}");
    assert!(
        replies
            .iter()
            .filter(|reply| reply.status != 201)
            .all(|reply| reply.refusals() == ["You have enough"])
    );
}

#[tokio::test]
async fn who_has_overdue_items_renews_nothing() {
    let desk = Desk::open().await;
    enable_condition(&desk, OVERDUE, "Bring back what is overdue").await;
    set_limit(&desk, OVERDUE, json!(0)).await;
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    let mut loans = Vec::new();
    for item in &items {
        loans.push(desk.check_out(item, &patron).await.expect(201).json());
    }
    let late = loans[0]["id"].as_str().unwrap();
    change_loan(&desk, late, "dueDate", json!("2020-01-01T00:00:00Z")).await;
    desk.renew(&items[1], &patron).await.refused("Bring back what is overdue");
    change_loan(&desk, late, "itemStatus", json!("Claimed returned")).await;
    desk.renew(&items[1], &patron).await.expect(200);
}

#[tokio::test]
async fn who_owes_too_much_borrows_again_when_it_is_paid() {
    let desk = Desk::open().await;
    enable_condition(&desk, BALANCE, "Pay first").await;
    set_limit(&desk, BALANCE, json!(7.5)).await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    charge_patron(&desk, &patron, 7.5, None).await;
    charge_patron(&desk, &patron, 0.01, None).await;
    desk.check_out(&item, &patron).await.refused("Pay first");
    let user = patron["id"].as_str().unwrap();
    let accounts = desk.find("/accounts", &format!("userId=={user}")).await.field_values("accounts", "id");
    let payment = json!({
        "accountIds": accounts, "amount": "0.01", "notifyPatron": false, "servicePointId": fresh_id(),
        "userName": "Clerk", "paymentMethod": "Cash",
    });
    desk.post("/accounts-bulk/pay", &payment).await.expect(201);
    desk.check_out(&item, &patron).await.expect(201);
}

#[tokio::test]
async fn limits_cost_the_desk_no_round_trip() {
    let desk = Desk::open().await;
    enable_condition(&desk, CHARGED_OUT, "You have enough").await;
    set_limit(&desk, CHARGED_OUT, json!(10)).await;
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    desk.check_out(&items[0], &patron).await.expect(201);
    desk.renew(&items[0], &patron).await.expect(200);
    blocks(&desk, &patron).await;
    assert_eq!(desk.check_out(&items[1], &patron).await.expect(201).round_trips(), 2);
    assert_eq!(desk.renew(&items[1], &patron).await.expect(200).round_trips(), 2);
    let path = format!("/automated-patron-blocks/{}", patron["id"].as_str().unwrap());
    assert_eq!(desk.get(&path).await.expect(200).round_trips(), 1);
}

/// A desk that has not heard yet of the first limit does not lend over it: another server set it.
#[tokio::test]
async fn a_limit_holds_from_the_moment_it_is_set() {
    let desk = Desk::open().await;
    let other = desk.through(&Octavo::start_another().await);
    for _ in 0..5 {
        let (patron, items) = (desk.patron().await, desk.items(2).await);
        desk.check_out(&items[0], &patron).await.expect(201);
        enable_condition(&other, CHARGED_OUT, "You have enough").await;
        set_limit(&other, CHARGED_OUT, json!(1)).await;
        desk.check_out(&items[1], &patron).await.expect(422);
        let limits = other.get("/patron-block-limits?limit=100").await.expect(200);
        for id in limits.field_values("patronBlockLimits", "id") {
            other.delete(&format!("/patron-block-limits/{id}")).await.expect(204);
        }
        desk.check_out(&items[1], &patron).await.expect(201);
    }
}
