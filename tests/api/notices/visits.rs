//! One letter at the end of a visit, about everything that was lent or returned in it.

use octavo_testkit::Octavo;
use serde_json::json;

use super::Branch;

#[tokio::test]
async fn the_end_of_a_visit_is_one_letter() {
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
    let text = branch.mailed().remove(0).1;
    for item in &items {
        assert!(text.contains(item["barcode"].as_str().unwrap()), "{text}");
    }
    let row = branch.ledger().await.remove(0);
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
    let later = Octavo::at(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_mins(10)).await;
    branch.library.through(&later).run_job(job).await;
    assert_eq!(branch.library.relay().await, 1);
    let left = branch.get("/patron-action-session-storage/patron-action-sessions").await.expect(200);
    assert_eq!(left.total(), 0, "{left}");
}
