//! The life of a request, as its requester hears of it.

use octavo_testkit::fresh_id;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::Branch;

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
