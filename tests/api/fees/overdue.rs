//! Fines that the desk charges by itself.

use octavo_testkit::Desk;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

/// Five a minute, at most fifty; a day's delay is common here.
async fn strict_desk(forgives: bool) -> Desk {
    let desk = Desk::open().await;
    desk.charge_overdue_fines(5.0, "minute", forgives).await;
    desk
}

/// Lends the item, due at this time.
async fn check_out_due(desk: &Desk, item: &Value, patron: &Value, due: &str) -> String {
    let loan = desk.check_out(item, patron).await.expect(201).json();
    let path = format!("/loan-storage/loans/{}", loan["id"].as_str().unwrap());
    let mut stored = desk.get(&path).await.expect(200).json();
    stored["dueDate"] = json!(due);
    desk.put(&path, &stored).await.expect(204);
    loan["id"].as_str().unwrap().to_owned()
}

async fn accounts(desk: &Desk, loan: &str) -> Vec<Value> {
    let found = desk.find("/accounts", &format!("loanId=={loan}")).await.expect(200).json();
    found["accounts"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_late_return_is_charged_by_the_minute_and_can_be_paid() {
    let desk = strict_desk(true).await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = check_out_due(&desk, &item, &patron, "2020-02-12T00:00:00.000Z").await;
    let back = json!({
        "itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": "2020-02-12T00:05:00.000+00:00",
    });
    let clerk = desk.patron().await;
    let at_the_desk = desk.with("x-okapi-user-id", clerk["id"].as_str().unwrap());
    at_the_desk.post("/circulation/check-in-by-barcode", &back).await.expect(200);
    let [account] = &accounts(&desk, &loan).await[..] else { panic!("one account") };
    assert_eq!((&account["amount"], &account["feeFineType"]), (&json!(25.0), &json!("Overdue fine")));
    assert_eq!(account["status"]["name"], "Open");
    assert_eq!(
        (&account["userId"], &account["holdingsRecordId"]),
        (&patron["id"], &item["holdingsRecordId"])
    );
    let id = account["id"].as_str().unwrap();
    let actions = desk.find("/feefineactions", &format!("accountId=={id}")).await.expect(200).json();
    assert_eq!(actions["feefineactions"][0]["typeAction"], "Overdue fine");
    assert_eq!(actions["feefineactions"][0]["createdAt"], CIRC_DESK);
    assert_eq!(actions["feefineactions"][0]["source"], "Nielsen, Freya");

    let shown = desk.get(&format!("/circulation/loans/{loan}")).await.expect(200).json();
    assert_eq!(shown["feesAndFines"]["amountRemainingToPay"], 25.0);
    let payment = json!({
        "amount": 25.0, "notifyPatron": "false", "servicePointId": CIRC_DESK, "userName": "Clerk",
        "paymentMethod": "Cash",
    });
    let paid = desk.post(&format!("/accounts/{id}/pay"), &payment).await.expect(201).json();
    assert_eq!(paid["feefineactions"][0]["typeAction"], "Paid fully");
}

#[tokio::test]
async fn a_renewal_of_an_overdue_loan_is_charged_unless_it_is_forgiven() {
    for (forgives, count) in [(true, 0), (false, 1)] {
        let desk = strict_desk(forgives).await;
        let (patron, item) = (desk.patron().await, desk.item().await);
        let due = (octavo_testkit::system_clock() - jiff::SignedDuration::from_hours(1)).to_string();
        let loan = check_out_due(&desk, &item, &patron, &due).await;
        desk.renew(&item, &patron).await.expect(200);
        let charged = accounts(&desk, &loan).await;
        assert_eq!(charged.len(), count);
        assert!(charged.iter().all(|account| account["amount"] == 50.0));
    }
}

#[tokio::test]
async fn a_fine_costs_no_round_trip() {
    let desk = strict_desk(false).await;
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    for item in &items {
        let due = (octavo_testkit::system_clock() - jiff::SignedDuration::from_hours(1)).to_string();
        check_out_due(&desk, item, &patron, &due).await;
    }
    desk.check_in(&items[0]).await.expect(200);
    assert_eq!(desk.check_in(&items[1]).await.expect(200).round_trips(), 2);
    let user = patron["id"].as_str().unwrap();
    assert_eq!(desk.find("/accounts", &format!("userId=={user}")).await.expect(200).total(), 2);
}
