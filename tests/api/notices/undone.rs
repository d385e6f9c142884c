//! What is undone, and loans that are written as records, and the notices about them.

use octavo_testkit::fresh_id;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::Branch;

async fn branch() -> Branch {
    Branch::open(&[
        ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
        ("loanNotices", "Renewed", json!({})),
        ("loanNotices", "Manual due date change", json!({})),
    ])
    .await
}

fn time(text: &Value) -> jiff::Timestamp {
    octavo_kernel::parse_time(text.as_str().unwrap()).unwrap()
}

/// When the notices of the branch are due.
async fn scheduled_times(branch: &Branch) -> Vec<jiff::Timestamp> {
    branch.scheduled_notices().await.iter().map(|notice| time(&notice["nextRunTime"])).collect()
}

#[tokio::test]
async fn an_undone_renewal_takes_its_notices_with_it() {
    let branch = branch().await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    let path = format!("/circulation/loans/{}", loan["id"].as_str().unwrap());
    branch
        .post(&format!("{path}/change-due-date"), &json!({"dueDate": "2031-05-06T10:00:00Z"}))
        .await
        .expect(204);
    let due = time(&json!("2031-05-06T10:00:00Z"));
    assert_eq!(scheduled_times(&branch).await, [due]);

    let renewed = branch.renew(&item, &patron).await.expect(200).json();
    assert_eq!(scheduled_times(&branch).await, [time(&renewed["dueDate"])]);
    assert_ne!(time(&renewed["dueDate"]), due);
    let undo = format!("/octavo/loans/{}/undo", loan["id"].as_str().unwrap());
    branch.with("x-octavo-dry-run", "true").post(&undo, &json!({})).await.expect(200);
    assert_eq!(scheduled_times(&branch).await, [time(&renewed["dueDate"])], "a trial changes nothing");
    branch.post(&undo, &json!({})).await.expect(200);
    assert_eq!(scheduled_times(&branch).await, [due]);
    branch.post(&undo, &json!({})).await.expect(200);
    assert_eq!(scheduled_times(&branch).await, [time(&loan["dueDate"])]);
    branch.post(&undo, &json!({})).await.expect(200);
    assert_eq!(scheduled_times(&branch).await, []);
    let events: Vec<Value> = branch.ledger_rows().await.iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Manual due date change", "Renewed"], "undoing tells nobody anything");
}

#[tokio::test]
async fn a_loan_that_is_made_as_a_record_is_not_told_of_and_one_that_is_changed_is() {
    let branch = branch().await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    let record = json!({"id": fresh_id(), "userId": patron["id"], "itemId": item["id"], "status": {"name": "Open"},
        "action": "checkedout", "loanDate": "2026-11-01T10:00:00Z", "dueDate": "2031-05-06T10:00:00Z",
        "checkoutServicePointId": CIRC_DESK});
    let loan = branch.post("/circulation/loans", &record).await.expect(201).json();
    assert_eq!((scheduled_times(&branch).await, branch.ledger_rows().await.len()), (vec![], 0));

    branch.renew(&item, &patron).await.expect(200);
    let path = format!("/circulation/loans/{}", loan["id"].as_str().unwrap());
    let mut loan = branch.get(&path).await.expect(200).json();
    assert_eq!(loan["action"], "renewed");
    loan["dueDate"] = json!("2032-01-01T10:00:00Z");
    branch.put(&path, &loan).await.expect(204);
    assert_eq!(scheduled_times(&branch).await, [time(&loan["dueDate"])]);
    let events: Vec<Value> = branch.ledger_rows().await.iter().map(|row| row["event"].clone()).collect();
    assert_eq!(events, ["Renewed", "Manual due date change"]);
}
