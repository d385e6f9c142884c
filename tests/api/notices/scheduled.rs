//! Notices for later wait as FOLIO's records do, follow the due date, and are written by the jobs, once.

use octavo_testkit::{Octavo, fresh_id};
use serde_json::{Value, json};

use super::Branch;

const JOB: &str = "/circulation/loan-scheduled-notices-processing";
const DAILY: &str = "/circulation/due-date-not-real-time-scheduled-notices-processing";

fn weeks(weeks: i64) -> Value {
    json!({"duration": weeks, "intervalId": "Weeks"})
}

fn notice_time(notice: &Value) -> jiff::Timestamp {
    octavo_kernel::parse_time(notice["nextRunTime"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn notices_about_a_due_date_follow_it() {
    let branch = Branch::open(&[
        ("loanNotices", "Due date", json!({"sendHow": "Before", "sendBy": weeks(1)})),
        ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
        (
            "loanNotices",
            "Due date",
            json!({"sendHow": "After", "sendBy": weeks(1), "sendEvery": weeks(1), "frequency": "Recurring"}),
        ),
    ])
    .await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    let mut waiting = branch.scheduled_notices().await;
    waiting.sort_by_key(notice_time);
    let date = octavo_kernel::parse_time(loan["dueDate"].as_str().unwrap()).unwrap();
    let week = jiff::SignedDuration::from_hours(7 * 24);
    assert_eq!(waiting.iter().map(notice_time).collect::<Vec<_>>(), [date - week, date, date + week]);
    assert_eq!(waiting[2]["noticeConfig"]["recurringPeriod"], weeks(1));
    assert!(waiting[0].get("because").is_none(), "{}", waiting[0]);

    let path = format!("/circulation/loans/{}/change-due-date", loan["id"].as_str().unwrap());
    branch.post(&path, &json!({"dueDate": "2031-05-06T10:00:00Z"})).await.expect(204);
    let mut waiting = branch.scheduled_notices().await;
    waiting.sort_by_key(notice_time);
    assert_eq!(waiting.len(), 3);
    assert_eq!(waiting[1]["nextRunTime"], "2031-05-06T10:00:00.000+00:00");
}

#[tokio::test]
async fn a_notice_is_written_when_its_time_has_come_and_only_once() {
    let branch = Branch::open(&[
        ("loanNotices", "Due date", json!({"sendHow": "Before", "sendBy": weeks(1)})),
        (
            "loanNotices",
            "Due date",
            json!({"sendHow": "After", "sendBy": weeks(1), "sendEvery": weeks(1), "frequency": "Recurring"}),
        ),
    ])
    .await
    .with_mail()
    .await;
    let (patron, items) = (branch.reader().await, branch.items(2).await);
    for item in &items {
        branch.check_out(item, &patron).await.expect(201);
    }
    branch.check_in(&items[1]).await.expect(200);
    branch.library.run_job(JOB).await;
    assert_eq!(branch.ledger_rows().await.len(), 0);

    let soon =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(15 * 24))
            .await;
    let soon = branch.library.through(&soon);
    soon.run_job(JOB).await;
    soon.run_job(JOB).await;
    branch.library.relay().await;
    let rows = branch.ledger_rows().await;
    let mut told: Vec<(String, String)> = rows
        .iter()
        .map(|row| {
            (
                row["status"].as_str().unwrap().to_owned(),
                row["reason"].as_str().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    told.sort();
    let expected = [("Not sent", "the loan is closed"), ("Sent", "")];
    assert_eq!(told, expected.map(|(status, why)| (status.to_owned(), why.to_owned())));
    assert_eq!((&rows[0]["policyName"], &rows[0]["ruleLine"]), (&json!("Notices"), &json!(2)));

    let late =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(29 * 24))
            .await;
    branch.library.through(&late).run_job(JOB).await;
    assert_eq!(branch.library.relay().await, 1);
    let again: Vec<Value> = branch.scheduled_notices().await;
    assert_eq!(again.len(), 1, "{again:?}");
    assert!(
        notice_time(&again[0]) > octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(29 * 24)
    );
}

#[tokio::test]
async fn notices_of_the_day_are_one_for_all_loans() {
    let branch =
        Branch::open(&[("loanNotices", "Due date", json!({"sendHow": "Upon At", "realTime": false}))])
            .await
            .with_mail()
            .await;
    let (patron, items) = (branch.reader().await, branch.items(3).await);
    for item in &items {
        branch.check_out(item, &patron).await.expect(201);
    }
    let late =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(23 * 24))
            .await;
    let late = branch.library.through(&late);
    late.run_job(JOB).await;
    assert_eq!(branch.library.relay().await, 0);
    late.run_job(DAILY).await;
    assert_eq!(branch.library.relay().await, 1);
    let text = branch.mailed_texts().remove(0).1;
    for item in &items {
        assert!(text.contains(item["barcode"].as_str().unwrap()), "{text}");
    }
}

#[tokio::test]
async fn two_servers_write_a_notice_once() {
    let branch =
        Branch::open(&[("loanNotices", "Due date", json!({"sendHow": "Upon At"}))]).await.with_mail().await;
    let (patron, items) = (branch.reader().await, branch.items(4).await);
    for item in &items {
        branch.check_out(item, &patron).await.expect(201);
    }
    let late = || octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(23 * 24);
    let (one, other) = (Octavo::with_clock(late).await, Octavo::with_clock(late).await);
    let (one, other) = (branch.library.through(&one), branch.library.through(&other));
    tokio::join!(one.run_job(JOB), other.run_job(JOB));
    let (first, second) = tokio::join!(one.relay(), other.relay());
    branch.library.relay().await;
    assert_eq!(branch.sink.mails().len(), 4, "{first} and {second}");
}

#[tokio::test]
async fn a_notice_to_nobody_is_noted_without_a_recipient() {
    let branch = Branch::open(&[]).await;
    let notice = json!({"nextRunTime": "2020-01-01T00:00:00Z", "triggeringEvent": "Due date",
        "noticeConfig": {"timing": "Upon At", "templateId": branch.template, "format": "Email", "sendInRealTime": true}});
    branch.post("/scheduled-notice-storage/scheduled-notices", &notice).await.expect(201);
    branch.library.run_job(JOB).await;
    let notice = branch.ledger_rows().await.remove(0);
    assert_eq!(notice["status"], "Not sent", "{notice}");
    assert!(notice.get("recipientId").is_none(), "{notice}");
}

#[tokio::test]
async fn a_patron_hears_of_an_item_that_has_aged_to_lost_until_a_fee_for_it_is_charged() {
    let branch = Branch::open(&[]).await.with_mail().await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    let path = format!("/loan-storage/loans/{}", loan["id"].as_str().unwrap());
    let mut aged = branch.get(&path).await.expect(200).json();
    // Staff have to set the actual cost.
    aged["agedToLostDelayedBilling"] = json!({"lostItemHasBeenBilled": true});
    branch.put(&path, &aged).await.expect(204);
    let notice = json!({"nextRunTime": "2020-01-01T00:00:00Z", "triggeringEvent": "Aged to lost",
        "loanId": loan["id"], "recipientUserId": patron["id"],
        "noticeConfig": {"timing": "Upon At", "templateId": branch.template, "format": "Email", "sendInRealTime": true}});
    for written in [1, 0] {
        branch.post("/scheduled-notice-storage/scheduled-notices", &notice).await.expect(201);
        branch.library.run_job(JOB).await;
        assert_eq!(branch.library.relay().await, written);
        let fee = json!({"id": fresh_id(), "userId": patron["id"], "loanId": loan["id"], "feeFineId": fresh_id(),
            "ownerId": fresh_id(), "amount": 1.0, "remaining": 1.0, "feeFineType": "Lost item processing fee",
            "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}});
        branch.post("/accounts", &fee).await.expect(201);
    }
    assert_eq!(branch.ledger_rows().await[1]["reason"], "the lost item is billed");
}

#[tokio::test]
async fn no_notice_goes_out_about_a_loan_or_an_item_that_is_deleted() {
    let branch = Branch::open(&[
        ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
        ("loanNotices", "Renewed", json!({})),
        ("requestNotices", "Request expiration", json!({"sendHow": "Upon At"})),
    ])
    .await
    .with_mail()
    .await;
    let (patron, items) = (branch.reader().await, branch.items(2).await);
    let loan = branch.check_out(&items[0], &patron).await.expect(201).json();
    branch.renew(&items[0], &patron).await.expect(200);
    let mut body = super::requests::request_body("Page", &branch, &items[1], &patron).await;
    body["requestExpirationDate"] = json!("2031-01-01T10:00:00Z");
    branch.post("/circulation/requests", &body).await.expect(201);
    assert_eq!(branch.scheduled_notices().await.len(), 2);

    branch.delete(&format!("/circulation/loans/{}", loan["id"].as_str().unwrap())).await.expect(204);
    branch.delete(&format!("/item-storage/items/{}", items[1]["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(branch.library.relay().await, 0, "it was renewed, but there is nothing to tell");
    let late = Octavo::with_clock(|| "2031-02-01T10:00:00Z".parse().unwrap()).await;
    let late = branch.library.through(&late);
    late.run_job(JOB).await;
    late.run_job("/scheduled-request-expiration").await;
    late.run_job("/circulation/request-scheduled-notices-processing").await;
    assert_eq!(late.relay().await, 0);
    let mut why: Vec<String> = branch
        .ledger_rows()
        .await
        .iter()
        .map(|row| row["reason"].as_str().unwrap_or_default().to_owned())
        .collect();
    why.sort();
    assert_eq!(why, ["the item is gone", "the loan is gone", "what it was about is gone"]);
}
