//! Check-in (09/10), with alerts and the sorter's bins.

use octavo_testkit::fresh_id;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::{Branch, barcode, check_in_message, field_values, log_in_message, mask_times};

async fn request(branch: &Branch, item: &Value, patron: &Value, kind: &str) -> Value {
    let desk = &branch.desk;
    let holdings = item["holdingsRecordId"].as_str().unwrap();
    let holdings = desk.get(&format!("/holdings-storage/holdings/{holdings}")).await.expect(200).json();
    let request = json!({
        "id": fresh_id(), "requestType": kind, "requestLevel": "Item", "requestDate": "2026-01-01T00:00:00Z",
        "requesterId": patron["id"], "itemId": item["id"], "holdingsRecordId": item["holdingsRecordId"],
        "instanceId": holdings["instanceId"], "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK,
    });
    desk.post("/circulation/requests", &request).await.expect(201).json()
}

#[tokio::test]
async fn an_item_comes_back() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &patron).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    let back = mask_times(&machine.send(&check_in_message(&item)).await);
    let (who, what) = (barcode(&patron), barcode(&item));
    assert_eq!(back, format!("101YUN<time>AOo|AB{what}|AQFiction|AJBeloved|AA{who}|CK001|"));
    assert_eq!(branch.desk.status(&item).await, "Available");
}

#[tokio::test]
async fn a_hold_and_another_branch_are_told_by_alerts_and_bins() {
    let branch = Branch::open().await;
    let desk = &branch.desk;
    branch
        .set_for_circulation_desk(
            &json!({"sortBins": {"01": "1", "04": "4", "Fiction": "F", "default": "9"}}),
        )
        .await;
    let (patron, items) = (desk.patron().await, desk.items(2).await);
    desk.check_out(&items[0], &desk.patron().await).await.expect(201);
    request(&branch, &items[0], &patron, "Hold").await;
    let mut machine = branch.logged_in_machine().await;
    let held = machine.send(&check_in_message(&items[0])).await;
    assert!(held.starts_with("101YUY"), "{held}");
    assert_eq!(
        (field_values(&held, "CV", 22), field_values(&held, "CL", 22)),
        (vec!["01"], vec!["1"]),
        "{held}"
    );
    assert!(!held.contains(barcode(&patron)), "who waits is nobody's business at the machine: {held}");
    let plain = machine.send(&check_in_message(&items[1])).await;
    assert_eq!((plain.starts_with("101YUN"), field_values(&plain, "CL", 22)), (true, vec!["F"]), "{plain}");
    // Online is a service point that is not the location's.
    let mut elsewhere = branch.machines.connect().await;
    assert_eq!(elsewhere.send(&log_in_message("kiosk", "secret", "Online")).await, "941");
    let sent = elsewhere.send(&check_in_message(&items[1])).await;
    assert!(sent.starts_with("101YUY"), "{sent}");
    assert_eq!(
        (field_values(&sent, "CV", 22), field_values(&sent, "CT", 22)),
        (vec!["04"], vec!["Circ Desk 1"]),
        "{sent}"
    );
    let wanted = elsewhere.send(&check_in_message(&items[0])).await;
    assert_eq!(field_values(&wanted, "CV", 22), ["02"], "{wanted}");
}

#[tokio::test]
async fn what_does_not_come_back_is_refused_with_the_reason() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.set_for_all(&json!({"invalidCheckinStatuses": "Declared lost,Checked out"})).await;
    branch.desk.check_out(&item, &patron).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    for (message, why) in [
        (check_in_message(&json!({"barcode": "none"})), "No item with barcode none"),
        (check_in_message(&json!({"barcode": ""})), "barcode"),
        (check_in_message(&item), "Item status 'Checked out' is not valid for checkin"),
        (format!("{}BIY|", check_in_message(&item)), "cannot be cancelled"),
    ] {
        let refused = machine.send(&message).await;
        assert!(refused.starts_with("100NUN"), "{refused}");
        assert!(field_values(&refused, "AF", 22).concat().contains(why), "{refused}");
    }
    assert_eq!(branch.desk.status(&item).await, "Checked out");
}

#[tokio::test]
async fn the_day_of_a_return_is_the_machines_unless_it_is_to_come() {
    let branch = Branch::open().await;
    let (patron, items) = (branch.desk.patron().await, branch.desk.items(2).await);
    let mut machine = branch.logged_in_machine().await;
    let mut returned = Vec::new();
    for (item, date) in items.iter().zip(["20260102    120000", "29990101    120000"]) {
        branch.desk.check_out(item, &patron).await.expect(201);
        let message = format!("09Y{}{date}AP|AOo|AB{}|AC|", super::NOW, barcode(item));
        assert!(machine.send(&message).await.starts_with("101Y"));
        let id = item["id"].as_str().unwrap();
        let loans =
            branch.desk.find("/loan-storage/loans", &format!("itemId=={id}")).await.expect(200).json();
        returned.push(loans["loans"][0]["returnDate"].as_str().unwrap().to_owned());
    }
    assert!(returned[0].starts_with("2026-01-02T12:00:00"), "{returned:?}");
    assert!(!returned[1].starts_with("2999"), "{returned:?}");
}
