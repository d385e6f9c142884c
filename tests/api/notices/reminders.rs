//! Reminder fees: an overdue loan is reminded by the schedule of its overdue fine policy, on days on which the desk that lent
//! it is open, until it is back.

use octavo_testkit::reference::{CIRC_DESK, OVERDUE_FINE};
use octavo_testkit::{Octavo, fresh_id};
use serde_json::{Value, json};

use super::Branch;
use crate::dcb::transaction_body;

const JOB: &str = "/circulation/scheduled-digital-reminders-processing";
const NO_RENEWAL: &str = "Renewals not allowed for loans with reminders.";

/// A server for which it is that time. The days of these tests lie in February 2026, which begins on a Sunday.
macro_rules! at {
    ($time:literal) => {
        Octavo::with_clock(|| $time.parse().unwrap()).await
    };
}

/// A branch with three reminders: after one day for 1.50, two days later without a fee, another day later for 2.25. Open on weekdays.
async fn reminding_branch(change: impl FnOnce(&mut Value)) -> Branch {
    let branch = Branch::open(&[]).await.with_mail().await;
    let step = |interval: i64, fee: f64| {
        json!({"interval": interval, "timeUnitId": "day", "reminderFee": fee, "noticeFormat": "Email",
            "noticeTemplateId": branch.template})
    };
    let mut policy = json!({
        "id": OVERDUE_FINE, "name": "Reminders",
        "reminderFeesPolicy": {
            "countClosed": false, "allowRenewalOfItemsWithReminderFees": false,
            "reminderSchedule": [step(1, 1.5), step(2, 0.0), step(1, 2.25)],
        },
    });
    change(&mut policy["reminderFeesPolicy"]);
    branch.put(&format!("/overdue-fines-policies/{OVERDUE_FINE}"), &policy).await.expect(204);
    let hours =
        |day: &str| json!({"startDay": day, "startTime": "09:00:00", "endDay": day, "endTime": "17:00:00"});
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    let calendar = json!({"name": "Weekdays", "startDate": "2026-01-01", "endDate": "2026-12-31",
        "assignments": [CIRC_DESK], "normalHours": days.map(hours), "exceptions": []});
    branch.post("/calendar/calendars", &calendar).await.expect(201);
    let point = json!({"value": CIRC_DESK, "label": "Circ Desk 1"});
    let owner = json!({"id": fresh_id(), "owner": "Main Circ", "servicePointOwner": [point]});
    branch.post("/owners", &owner).await.expect(201);
    branch
}

/// Lent on Monday the 2nd, due at the end of Monday the 23rd.
async fn check_out(branch: &Branch) -> (Value, Value, String) {
    let (patron, item) = (branch.reader().await, branch.item().await);
    let lending = branch.through(&at!("2026-02-02T10:00:00Z"));
    let loan = lending.check_out(&item, &patron).await.expect(201).json();
    assert_eq!(loan["dueDate"], "2026-02-23T23:59:59.000+00:00");
    (patron, item, loan["id"].as_str().unwrap().to_owned())
}

async fn loan(branch: &Branch, id: &str) -> Value {
    branch.get(&format!("/circulation/loans/{id}")).await.expect(200).json()
}

async fn fees_of_loan(branch: &Branch, loan: &str) -> Vec<Value> {
    let found = branch.find("/accounts", &format!("loanId=={loan} sortBy metadata.createdDate")).await;
    found.expect(200).json()["accounts"].as_array().unwrap().clone()
}

async fn run_job(branch: &Branch, octavo: &Octavo) {
    branch.library.through(octavo).run_job(JOB).await;
    branch.library.relay().await;
}

#[tokio::test]
async fn an_overdue_loan_is_reminded_of_by_the_schedule() {
    let branch = reminding_branch(|_| {}).await;
    let (_, _, id) = check_out(&branch).await;
    let [first] = &branch.scheduled_notices().await[..] else { panic!("one reminder waits") };
    assert_eq!(first["triggeringEvent"], "Due date - with reminder fee");
    assert_eq!(first["nextRunTime"], "2026-02-24T23:59:59.000+00:00");

    run_job(&branch, &at!("2026-02-24T00:01:00Z")).await;
    assert_eq!((fees_of_loan(&branch, &id).await.len(), branch.mailed_texts().len()), (0, 0));

    run_job(&branch, &at!("2026-02-25T00:01:00Z")).await;
    let reminded = loan(&branch, &id).await;
    assert_eq!(
        reminded["reminders"],
        json!({"lastFeeBilled": {"number": 1, "date": "2026-02-25T00:01:00.000+00:00"}, "renewalBlocked": true})
    );
    assert_eq!(reminded["action"], "reminderFee");
    assert_eq!(reminded["feesAndFines"]["amountRemainingToPay"], 1.5);
    let [fee] = &fees_of_loan(&branch, &id).await[..] else { panic!("one fee") };
    assert_eq!((&fee["feeFineType"], &fee["amount"]), (&json!("Reminder fee"), &json!(1.5)));
    assert_eq!(
        (&fee["feeFineOwner"], &fee["overdueFinePolicyId"]),
        (&json!("Main Circ"), &json!(OVERDUE_FINE))
    );
    let about = format!("accountId=={}", fee["id"].as_str().unwrap());
    let action = branch.find("/feefineactions", &about).await.expect(200).json()["feefineactions"][0].clone();
    assert_eq!((&action["source"], &action["createdAt"]), (&json!("System"), &json!(CIRC_DESK)));
    assert_eq!(action["comments"], "STAFF: Reminder fee 1");
    assert_eq!(branch.mailed_texts().len(), 1);
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!(
        (&row["event"], &row["policyName"]),
        (&json!("Due date - with reminder fee"), &json!("Reminders"))
    );
    assert_eq!((&row["status"], &row["loanId"]), (&json!("Sent"), &json!(id)));

    // The second is free and for Friday; the third, a day later, moves to Monday.
    run_job(&branch, &at!("2026-02-26T00:01:00Z")).await;
    assert_eq!(branch.mailed_texts().len(), 1);
    run_job(&branch, &at!("2026-02-27T00:01:00Z")).await;
    run_job(&branch, &at!("2026-02-28T00:01:00Z")).await;
    assert_eq!((branch.mailed_texts().len(), fees_of_loan(&branch, &id).await.len()), (2, 1));
    assert_eq!(branch.scheduled_notices().await[0]["nextRunTime"], "2026-03-02T00:00:00.000+00:00");
    run_job(&branch, &at!("2026-03-02T00:01:00Z")).await;
    run_job(&branch, &at!("2026-04-01T00:01:00Z")).await;
    assert_eq!((branch.mailed_texts().len(), branch.scheduled_notices().await.len()), (3, 0));
    let amounts: Vec<Value> =
        fees_of_loan(&branch, &id).await.iter().map(|fee| fee["amount"].clone()).collect();
    assert_eq!(amounts, [json!(1.5), json!(2.25)]);
    assert_eq!(loan(&branch, &id).await["reminders"]["lastFeeBilled"]["number"], 3);
}

#[tokio::test]
async fn a_reminder_is_explained_and_not_undone() {
    let branch = reminding_branch(|_| {}).await;
    let (_, _, id) = check_out(&branch).await;
    let late = at!("2026-02-25T00:01:00Z");
    run_job(&branch, &late).await;
    let explained = branch.get(&format!("/circulation/loans/{id}/explain")).await.expect(200).json();
    let told = &explained["decisions"][1];
    assert_eq!(told["decision"], "reminder");
    let why: Vec<&str> = told["why"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for sentence in [
        "The loan's overdue fine policy is \"Reminders\"",
        "This is reminder 1 of 3; the item was due at 2026-02-23T23:59:59.000+00:00.",
        "A reminder fee of 1.50 is charged",
        "The next reminder is due at 2026-02-27T00:00:00.000+00:00.",
    ] {
        assert!(why.iter().any(|told| told.starts_with(sentence)), "{sentence}: {why:#?}");
    }
    branch
        .through(&late)
        .post(&format!("/octavo/loans/{id}/undo"), &json!({}))
        .await
        .refused("The reminder was done by the clock and cannot be undone");
}

#[tokio::test]
async fn a_loan_with_reminders_is_not_renewed_unless_the_policy_or_staff_allow_it() {
    for allowed in [false, true] {
        let branch =
            reminding_branch(|policy| policy["allowRenewalOfItemsWithReminderFees"] = json!(allowed)).await;
        let (patron, item, id) = check_out(&branch).await;
        let late = at!("2026-02-25T00:01:00Z");
        run_job(&branch, &late).await;
        assert_eq!(loan(&branch, &id).await["reminders"]["renewalBlocked"], !allowed);
        let desk = branch.through(&late);
        let renewed = desk.renew(&item, &patron).await;
        let renewed = if allowed {
            renewed
        } else {
            renewed.refused(NO_RENEWAL);
            let overriding = json!({"itemBarcode": item["barcode"], "userBarcode": patron["barcode"],
                "overrideBlocks": {"renewalBlock": {}, "comment": "paid at the desk"}});
            desk.post("/circulation/renew-by-barcode", &overriding).await
        };
        let renewed = renewed.expect(200).json();
        assert_eq!((&renewed["renewalCount"], renewed.get("reminders")), (&json!(1), None));
        let [first] = &branch.scheduled_notices().await[..] else { panic!("one reminder waits") };
        let day = jiff::SignedDuration::from_hours(24);
        let due = octavo_kernel::parse_time(renewed["dueDate"].as_str().unwrap()).unwrap();
        let next = octavo_kernel::parse_time(first["nextRunTime"].as_str().unwrap()).unwrap();
        assert_eq!(next, due + day);
    }
}

#[tokio::test]
async fn reminders_begin_anew_with_a_new_due_date_and_end_with_the_loan() {
    let branch = reminding_branch(|policy| policy["countClosed"] = json!(true)).await;
    let (_, item, id) = check_out(&branch).await;
    let late = at!("2026-02-25T00:01:00Z");
    run_job(&branch, &late).await;
    let path = format!("/circulation/loans/{id}/change-due-date");
    branch.through(&late).post(&path, &json!({"dueDate": "2026-02-26T10:00:00Z"})).await.expect(204);
    assert!(loan(&branch, &id).await.get("reminders").is_none());
    assert_eq!(branch.scheduled_notices().await[0]["nextRunTime"], "2026-02-27T10:00:00.000+00:00");
    // On a Saturday nothing is sent, though it is due.
    run_job(&branch, &at!("2026-02-28T00:01:00Z")).await;
    assert_eq!(branch.mailed_texts().len(), 1);
    run_job(&branch, &at!("2026-03-02T00:01:00Z")).await;
    assert_eq!((branch.mailed_texts().len(), fees_of_loan(&branch, &id).await.len()), (2, 2));

    let returned = at!("2026-03-03T10:00:00Z");
    branch.through(&returned).check_in(&item).await.expect(200);
    run_job(&branch, &at!("2026-03-06T00:01:00Z")).await;
    assert_eq!((branch.mailed_texts().len(), branch.scheduled_notices().await.len()), (2, 0));
    let last = branch.ledger_rows().await.pop().unwrap();
    assert_eq!((&last["status"], &last["reason"]), (&json!("Not sent"), &json!("the loan is closed")));
}

#[tokio::test]
async fn two_servers_remind_once_and_a_fee_that_nobody_can_charge_waits() {
    let branch = reminding_branch(|_| {}).await;
    let (_, _, id) = check_out(&branch).await;
    let owner = branch.get("/owners").await.expect(200).json()["owners"][0].clone();
    let path = format!("/owners/{}", owner["id"].as_str().unwrap());
    branch.delete(&path).await.expect(204);
    let (one, other) = (at!("2026-02-25T00:01:00Z"), at!("2026-02-25T00:01:00Z"));
    run_job(&branch, &one).await;
    assert_eq!((branch.mailed_texts().len(), branch.scheduled_notices().await.len()), (0, 1));
    branch.post("/owners", &owner).await.expect(201);
    let (first, second) = (branch.library.through(&one), branch.library.through(&other));
    tokio::join!(first.run_job(JOB), second.run_job(JOB));
    branch.library.relay().await;
    assert_eq!((branch.mailed_texts().len(), fees_of_loan(&branch, &id).await.len()), (1, 1));
}

#[tokio::test]
async fn a_loan_of_a_partner_librarys_item_is_reminded_of_too() {
    let branch = reminding_branch(|_| {}).await;
    let of_partners = "9d1b77e8-f02e-4b7f-b296-3f2042ddac54";
    let point = json!({"value": of_partners, "label": "DCB"});
    let owner = json!({"id": fresh_id(), "owner": "Partner libraries", "servicePointOwner": [point]});
    branch.post("/owners", &owner).await.expect(201);
    let (patron, item) = (branch.reader().await, json!({"id": fresh_id(), "barcode": "far-away"}));
    let lending = branch.through(&at!("2026-02-02T10:00:00Z"));
    let body = transaction_body("BORROWING-PICKUP", &item, &patron);
    lending.post("/transactions/t", &body).await.expect(201);
    lending.put("/transactions/t/status", &json!({"status": "OPEN"})).await.expect(200);
    lending.check_in(&item).await.expect(200);
    let loan = lending.check_out(&item, &patron).await.expect(201).json();
    assert_eq!(loan["dueDate"], "2026-02-23T23:59:59.000+00:00");
    run_job(&branch, &at!("2026-02-25T00:01:00Z")).await;
    let [fee] = &fees_of_loan(&branch, loan["id"].as_str().unwrap()).await[..] else { panic!("one fee") };
    assert_eq!(
        (&fee["feeFineType"], &fee["title"], &fee["feeFineOwner"]),
        (&json!("Reminder fee"), &json!("The Waves"), &json!("Partner libraries"))
    );
    assert_eq!(branch.mailed_texts().len(), 1);
    assert_eq!(branch.scheduled_notices().await[0]["nextRunTime"], "2026-02-27T00:00:00.000+00:00");
}

#[tokio::test]
async fn a_run_of_several_batches_reminds_of_each_loan_once() {
    let branch = reminding_branch(|policy| {
        for step in policy["reminderSchedule"].as_array_mut().unwrap() {
            step["timeUnitId"] = json!("minute");
            step["noticeFormat"] = json!("None");
        }
    })
    .await;
    // More than one batch.
    let (patron, items) = (branch.reader().await, branch.items(105).await);
    let lending = branch.through(&at!("2026-02-02T10:00:00Z"));
    for item in &items {
        lending.check_out(item, &patron).await.expect(201);
    }
    branch.library.through(&at!("2026-02-25T00:01:00Z")).run_job(JOB).await;
    let loans = branch.get("/loan-storage/loans?limit=200").await.expect(200).json();
    let loans = loans["loans"].as_array().unwrap();
    let last = |loan: &Value| loan["reminders"]["lastFeeBilled"]["number"].clone();
    assert_eq!(loans.iter().map(last).collect::<Vec<Value>>(), vec![json!(1); 105]);
}

#[tokio::test]
async fn the_job_is_a_timer() {
    let branch = reminding_branch(|_| {}).await;
    let path = format!("/_/proxy/tenants/{}/timers", branch.library.tenant);
    let timers = branch.get(&path).await.expect(200).json();
    let timer =
        timers.as_array().unwrap().iter().find(|timer| timer["routingEntry"]["pathPattern"] == JOB).unwrap();
    assert_eq!(
        (&timer["state"], &timer["routingEntry"]["schedule"]["cron"]),
        (&json!("waiting"), &json!("1 0 * * *"))
    );
}
