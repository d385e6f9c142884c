//! The life of a request, as its requester hears of it.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Octavo, fresh_id};
use serde_json::{Value, json};

use super::{Branch, email_address};

const NOTICES: &str = "/circulation/request-scheduled-notices-processing";

/// The body of a request for an item that is lent.
pub(super) async fn request_body(kind: &str, branch: &Branch, item: &Value, requester: &Value) -> Value {
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
    let mut body = request_body("Hold", &branch, &item, &reader).await;
    branch.post("/circulation/requests", &body).await.expect(201);
    let reply = branch.check_in(&item).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    branch.library.relay().await;

    let path = format!("/circulation/requests/{}", body["id"].as_str().unwrap());
    body = branch.get(&path).await.expect(200).json();
    body["status"] = json!("Closed - Cancelled");
    branch.put(&path, &body).await.expect(204);
    branch.library.relay().await;
    let events: Vec<Value> = branch.ledger_rows().await.into_iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Hold request", "Available", "Request cancellation"]);
    assert!(branch.mailed_texts()[1].1.contains("Circ Desk 1"), "{:?}", branch.mailed_texts());

    assert_eq!(branch.scheduled_notices().await, Vec::<Value>::new(), "the request is over");
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
    let mut body = request_body("Hold", &branch, &items[0], &unserved).await;
    let soon = octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24);
    body["requestExpirationDate"] = json!(soon.to_string());
    branch.post("/circulation/requests", &body).await.expect(201);
    let body = request_body("Hold", &branch, &items[1], &absent).await;
    branch.post("/circulation/requests", &body).await.expect(201);
    branch.check_in(&items[1]).await.expect(200);
    assert_eq!(branch.scheduled_notices().await.len(), 2, "{:?}", branch.scheduled_notices().await);

    let late = || octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 60);
    let late = branch.library.through(&Octavo::with_clock(late).await);
    late.run_job(NOTICES).await;
    assert_eq!(branch.ledger_rows().await.len(), 0, "nobody has closed the requests yet");
    late.run_job("/scheduled-request-expiration").await;
    late.run_job(NOTICES).await;
    assert_eq!(branch.library.relay().await, 2);
    let mut told: Vec<(String, String)> = branch
        .ledger_rows()
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
            ("Hold expiration".to_owned(), email_address(&absent)),
            ("Request expiration".to_owned(), email_address(&unserved))
        ]
    );
    assert_eq!(branch.scheduled_notices().await, Vec::<Value>::new());
}

#[tokio::test]
async fn notices_follow_a_request_whose_time_is_moved() {
    let day = || json!({"duration": 1, "intervalId": "Days"});
    let branch = Branch::open(&[
        ("requestNotices", "Request expiration", json!({"sendHow": "Before", "sendBy": day()})),
        (
            "requestNotices",
            "Hold expiration",
            json!({"sendHow": "Before", "sendBy": day(), "sendEvery": day(), "frequency": "Recurring"}),
        ),
    ])
    .await
    .with_mail()
    .await;
    let (borrower, reader, item) = (branch.patron().await, branch.reader().await, branch.item().await);
    branch.check_out(&item, &borrower).await.expect(201);
    let body = request_body("Hold", &branch, &item, &reader).await;
    branch.post("/circulation/requests", &body).await.expect(201);
    assert_eq!(branch.scheduled_notices().await.len(), 0, "it has no end");
    let path = format!("/circulation/requests/{}", body["id"].as_str().unwrap());
    let edit = async |name: &str, until: &str| {
        let mut body = branch.get(&path).await.expect(200).json();
        body[name] = json!(until);
        branch.put(&path, &body).await.expect(204);
    };
    // Ends of days, as the library has them.
    for (until, run) in [("2031-05-06T10:00:00Z", "2031-05-05T"), ("2031-06-07T10:00:00Z", "2031-06-06T")] {
        edit("requestExpirationDate", until).await;
        let waiting = branch.scheduled_notices().await;
        assert_eq!(waiting.len(), 1, "{waiting:?}");
        assert!(waiting[0]["nextRunTime"].as_str().unwrap().starts_with(run), "{waiting:?}");
    }
    edit("pickupServicePointId", CIRC_DESK).await;
    assert_eq!(branch.scheduled_notices().await.len(), 1);

    branch.check_in(&item).await.expect(200);
    edit("holdShelfExpirationDate", "2031-06-02T10:00:00.000+00:00").await;
    let of_shelf = async || {
        let mut waiting = branch.scheduled_notices().await;
        waiting.retain(|notice| notice["triggeringEvent"] == "Hold expiration");
        waiting
    };
    assert_eq!(of_shelf().await[0]["nextRunTime"], "2031-06-01T10:00:00.000+00:00");
    // The day before, once more at its end, and then no more.
    for (now, again) in
        [("2031-06-01T11:00:00Z", vec!["2031-06-02T10:00:00.000+00:00"]), ("2031-06-02T11:00:00Z", vec![])]
    {
        let server = match now {
            "2031-06-01T11:00:00Z" => Octavo::with_clock(|| "2031-06-01T11:00:00Z".parse().unwrap()).await,
            _ => Octavo::with_clock(|| "2031-06-02T11:00:00Z".parse().unwrap()).await,
        };
        branch.library.through(&server).run_job(NOTICES).await;
        let left = of_shelf().await;
        let runs: Vec<&str> = left.iter().map(|notice| notice["nextRunTime"].as_str().unwrap()).collect();
        assert_eq!(runs, again);
    }
    let events = branch.ledger_rows().await.into_iter().filter(|row| row["event"] == "Hold expiration");
    assert_eq!(events.count(), 2);
}
