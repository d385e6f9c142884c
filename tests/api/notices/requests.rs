//! The life of a request, as its requester hears of it.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Octavo, fresh_id};
use serde_json::{Value, json};

use super::{Branch, address};

const LETTERS: &str = "/circulation/request-scheduled-notices-processing";

/// The body of a request for an item that is lent.
pub(super) async fn request(kind: &str, branch: &Branch, item: &Value, requester: &Value) -> Value {
    let holdings = item["holdingsRecordId"].as_str().unwrap();
    let holdings = branch.get(&format!("/holdings-storage/holdings/{holdings}")).await.expect(200).json();
    json!({
        "id": fresh_id(), "requestType": kind, "requestLevel": "Item", "requestDate": "2026-11-22T10:00:00Z",
        "requesterId": requester["id"], "itemId": item["id"], "holdingsRecordId": holdings["id"],
        "instanceId": holdings["instanceId"], "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK,
    })
}

#[tokio::test]
async fn a_requester_hears_that_it_was_placed_that_it_waits_and_that_it_was_cancelled() {
    let branch = Branch::open(&[
        ("requestNotices", "Hold request", json!({})),
        ("requestNotices", "Available", json!({})),
        ("requestNotices", "Request cancellation", json!({})),
        (
            "requestNotices",
            "Hold expiration",
            json!({"sendHow": "Before", "sendBy": {"duration": 1, "intervalId": "Days"}}),
        ),
    ])
    .await
    .with_mail()
    .await;
    let (borrower, reader, item) = (branch.patron().await, branch.reader().await, branch.item().await);
    branch.check_out(&item, &borrower).await.expect(201);
    let mut body = request("Hold", &branch, &item, &reader).await;
    branch.post("/circulation/requests", &body).await.expect(201);
    let reply = branch.check_in(&item).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    branch.library.relay().await;

    let path = format!("/circulation/requests/{}", body["id"].as_str().unwrap());
    body = branch.get(&path).await.expect(200).json();
    body["status"] = json!("Closed - Cancelled");
    branch.put(&path, &body).await.expect(204);
    branch.library.relay().await;
    let events: Vec<Value> = branch.ledger().await.into_iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Hold request", "Available", "Request cancellation"]);
    assert!(branch.mailed()[1].1.contains("Circ Desk 1"), "{:?}", branch.mailed());

    // Where the shelf has an end, a letter waits for the day before; the request is over, so it is never written.
    for letter in branch.scheduled().await {
        assert_eq!(letter["triggeringEvent"], "Hold expiration");
    }
}

#[tokio::test]
async fn a_requester_hears_that_time_has_run_out() {
    let at_once = || json!({"sendHow": "Upon At"});
    let branch = Branch::open(&[
        ("requestNotices", "Request expiration", at_once()),
        ("requestNotices", "Hold expiration", at_once()),
    ])
    .await
    .with_mail()
    .await;
    let (borrower, items) = (branch.patron().await, branch.items(2).await);
    for item in &items {
        branch.check_out(item, &borrower).await.expect(201);
    }
    // One whom nobody could serve in time, one who did not come for the book.
    let (unserved, absent) = (branch.reader().await, branch.reader().await);
    let mut body = request("Hold", &branch, &items[0], &unserved).await;
    let soon = octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24);
    body["requestExpirationDate"] = json!(soon.to_string());
    branch.post("/circulation/requests", &body).await.expect(201);
    let body = request("Hold", &branch, &items[1], &absent).await;
    branch.post("/circulation/requests", &body).await.expect(201);
    branch.check_in(&items[1]).await.expect(200);
    assert_eq!(branch.scheduled().await.len(), 2, "{:?}", branch.scheduled().await);

    let late = || octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 60);
    let late = branch.library.through(&Octavo::at(late).await);
    late.run_job(LETTERS).await;
    assert_eq!(branch.ledger().await.len(), 0, "nobody has closed the requests yet");
    late.run_job("/scheduled-request-expiration").await;
    late.run_job(LETTERS).await;
    assert_eq!(branch.library.relay().await, 2);
    let mut told: Vec<(String, String)> = branch
        .ledger()
        .await
        .iter()
        .map(|row| {
            [&row["event"], &row["to"]].map(|text| text.as_str().unwrap_or_default().to_owned()).into()
        })
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            ("Hold expiration".to_owned(), address(&absent)),
            ("Request expiration".to_owned(), address(&unserved))
        ]
    );
    assert_eq!(branch.scheduled().await, Vec::<Value>::new());
}
