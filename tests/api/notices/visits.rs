//! One notice at the end of a visit, about everything that was lent or returned in it.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Octavo, fresh_id};
use serde_json::{Value, json};

use super::Branch;

#[tokio::test]
async fn the_end_of_a_visit_is_one_notice() {
    let branch =
        Branch::open(&[("loanNotices", "Check out", json!({})), ("loanNotices", "Check in", json!({}))])
            .await
            .with_mail()
            .await;
    let (patron, items) = (branch.reader().await, branch.items(2).await);
    for item in &items {
        branch.check_out(item, &patron).await.expect(201);
    }
    let end = |action: &str| json!({"endSessions": [{"patronId": patron["id"], "actionType": action}]});
    branch.post("/circulation/end-patron-action-session", &end("Check-out")).await.expect(204);
    assert_eq!(branch.library.relay().await, 1);
    let text = branch.mailed_texts().remove(0).1;
    for item in &items {
        assert!(text.contains(item["barcode"].as_str().unwrap()), "{text}");
    }
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!((&row["event"], row["loanIds"].as_array().unwrap().len()), (&json!("Check out"), 2));

    // Ended once is ended.
    branch.post("/circulation/end-patron-action-session", &end("Check-out")).await.expect(204);
    assert_eq!(branch.library.relay().await, 0);
}

#[tokio::test]
async fn a_visit_that_nobody_ends_is_ended_by_the_clock() {
    let branch = Branch::open(&[("loanNotices", "Check in", json!({}))]).await.with_mail().await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    branch.check_out(&item, &patron).await.expect(201);
    branch.check_in(&item).await.expect(200);
    let job = "/circulation/notice-session-expiration-by-timeout";
    branch.library.run_job(job).await;
    assert_eq!(branch.library.relay().await, 0);
    let later =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_mins(10)).await;
    branch.library.through(&later).run_job(job).await;
    assert_eq!(branch.library.relay().await, 1);
    let left = branch.get("/patron-action-session-storage/patron-action-sessions").await.expect(200);
    assert_eq!(left.total(), 0, "{left}");
}

/// A library that charges five a minute, and what was lent there and is overdue.
async fn lend_overdue(branch: &Branch, patron: &Value, count: usize) -> Vec<Value> {
    branch.charge_overdue_fines(5.0, "minute", false).await;
    let items = branch.items(count).await;
    for item in &items {
        let loan = branch.check_out(item, patron).await.expect(201).json();
        let path = format!("/loan-storage/loans/{}", loan["id"].as_str().unwrap());
        let mut stored = branch.get(&path).await.expect(200).json();
        stored["dueDate"] = json!("2020-02-12T00:00:00.000Z");
        branch.put(&path, &stored).await.expect(204);
    }
    items
}

const FINES_JOB: &str = "/circulation/overdue-fine-scheduled-notices-processing";

#[tokio::test]
async fn fines_of_a_visit_are_told_together_when_it_has_ended() {
    let branch = Branch::open(&[("feeFineNotices", "Overdue fine returned", json!({"sendHow": "Upon At"}))])
        .await
        .with_mail()
        .await;
    let patron = branch.reader().await;
    let items = lend_overdue(&branch, &patron, 3).await;
    let visit = fresh_id();
    let back = |item: &Value, visit: Value| {
        json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": "2020-02-12T00:05:00Z",
            "sessionId": visit})
    };
    for item in &items[..2] {
        branch.post("/circulation/check-in-by-barcode", &back(item, json!(visit))).await.expect(200);
    }
    branch.library.run_job(FINES_JOB).await;
    assert_eq!(branch.library.relay().await, 0, "the visit goes on");
    // Without a visit there is nothing to wait for.
    branch.post("/circulation/check-in-by-barcode", &back(&items[2], Value::Null)).await.expect(200);
    branch.library.run_job(FINES_JOB).await;
    assert_eq!(branch.library.relay().await, 1);

    let end = json!({"endSessions": [{"patronId": patron["id"], "actionType": "Check-in"}]});
    branch.post("/circulation/end-patron-action-session", &end).await.expect(204);
    branch.library.run_job(FINES_JOB).await;
    assert_eq!(branch.library.relay().await, 1);
    let told: Vec<usize> =
        branch.mailed_texts().iter().map(|(_, text)| text.matches("(Overdue fine 25.00)").count()).collect();
    assert_eq!(told, [1, 2]);
    assert_eq!(branch.scheduled_notices().await, Vec::<Value>::new());
}

#[tokio::test]
async fn who_is_fined_hears_no_more_of_the_due_date() {
    let week = json!({"duration": 1, "intervalId": "Weeks"});
    let branch = Branch::open(&[
        ("loanNotices", "Due date", json!({"sendHow": "Before", "sendBy": week})),
        ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
        ("loanNotices", "Due date", json!({"sendHow": "After", "sendBy": week})),
    ])
    .await;
    let patron = branch.reader().await;
    let items = lend_overdue(&branch, &patron, 1).await;
    assert_eq!(branch.scheduled_notices().await.len(), 3);
    let back = json!({"itemBarcode": items[0]["barcode"], "servicePointId": CIRC_DESK,
        "checkInDate": "2020-02-12T00:05:00Z"});
    branch.post("/circulation/check-in-by-barcode", &back).await.expect(200);
    let left = branch.scheduled_notices().await;
    let timings: Vec<&Value> = left.iter().map(|notice| &notice["noticeConfig"]["timing"]).collect();
    assert_eq!(timings, ["Before"]);
}
