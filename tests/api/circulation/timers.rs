//! Jobs by the clock: shown and changed as Okapi's timers, run once, by whichever server comes first.

use std::ops::Deref;

use octavo_pg::Statement;
use octavo_testkit::reference::{CIRC_DESK, LOST_ITEM_FEE};
use octavo_testkit::{Desk, Library, Octavo, Reply, eventually, fresh_id};
use serde_json::{Value, json};

use super::waiting::LockHolder;

const AGE: &str = "/circulation/scheduled-age-to-lost";

/// A desk, and the tenant that it is of.
pub(super) struct Branch {
    pub(super) library: Library,
    pub(super) desk: Desk,
}

impl Branch {
    pub(super) async fn open() -> Branch {
        let library = Library::furnished().await.acting_as(fresh_id());
        let desk = Desk::furnish(&library, |_| {}).await;
        Branch { library, desk }
    }
}

impl Deref for Branch {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

async fn timers(desk: &Branch) -> Vec<Value> {
    let reply = desk.get(&format!("/_/proxy/tenants/{}/timers", desk.library.tenant)).await.expect(200);
    reply.json().as_array().unwrap().clone()
}

async fn timer(desk: &Branch, path: &str) -> Value {
    timers(desk).await.into_iter().find(|timer| timer["routingEntry"]["pathPattern"] == path).unwrap()
}

async fn patch_timer(desk: &Branch, id: &str, entry: Value) -> Reply {
    let body = json!({"id": id, "routingEntry": entry}).to_string();
    let path = format!("/_/proxy/tenants/{}/timers", desk.library.tenant);
    desk.with("content-type", "application/json").send("PATCH", &path, body).await
}

/// Runs timers that are due until this tenant's timer has run once more.
pub(super) async fn run_timer(desk: &Branch, path: &str) -> Value {
    let before = timer(desk, path).await;
    let id = before["id"].as_str().unwrap();
    patch_timer(desk, id, json!({"unit": "second", "delay": "1"})).await.expect(204);
    let mut ran = Value::Null;
    eventually(&format!("{path} has run"), async || {
        desk.library.octavo.run_due_timer().await;
        ran = timer(desk, path).await;
        ran["lastRun"] != before["lastRun"] && ran["state"] != "running"
    })
    .await;
    patch_timer(desk, id, json!({})).await.expect(204);
    ran
}

#[tokio::test]
async fn timers_are_shown_and_changed() {
    let desk = Branch::open().await;
    let age = timer(&desk, AGE).await;
    assert_eq!((&age["id"], &age["modified"]), (&json!("mod-circulation_9"), &json!(false)));
    assert_eq!(age["routingEntry"]["unit"], "minute");
    assert_eq!(age["routingEntry"]["delay"], "30");
    assert_eq!(age["state"], "waiting");

    let change = |entry: Value| patch_timer(&desk, "mod-circulation_9", entry);
    change(json!({"unit": "hour", "delay": "2"})).await.expect(204);
    let changed = timer(&desk, AGE).await;
    assert_eq!((&changed["routingEntry"]["delay"], &changed["modified"]), (&json!("2"), &json!(true)));
    change(json!({"unit": "minute", "delay": "0"})).await.expect(204);
    assert_eq!(timer(&desk, AGE).await["state"], "stopped");
    change(json!({"schedule": {"cron": "1 0 * * *", "zone": "CET"}})).await.expect(204);
    assert_eq!(timer(&desk, AGE).await["routingEntry"]["schedule"]["cron"], "1 0 * * *");
    change(json!({"schedule": {"cron": "soon", "zone": "CET"}})).await.expect(400);
    change(json!({"unit": "moon", "delay": "1"})).await.expect(400);
    change(json!({})).await.expect(204);
    let reset = timer(&desk, AGE).await;
    assert_eq!((&reset["routingEntry"]["delay"], &reset["modified"]), (&json!("30"), &json!(false)));
    patch_timer(&desk, "mod-circulation_99", json!({})).await.says(404, "mod-circulation_99");
    let operator = desk.library.operator().await;
    operator.get("/_/proxy/tenants/nobody/timers").await.says(200, "[ ]");
}

#[tokio::test]
async fn ones_own_timers_are_seen_by_all_and_changed_by_some() {
    let library = Library::open().await;
    let path = format!("/_/proxy/tenants/{}/timers", library.tenant);
    let reader = library.as_user(&[]).await;
    reader.get(&path).await.expect(200);
    let body = json!({"id": "mod-circulation_9", "routingEntry": {}}).to_string();
    let lacking = reader.send("PATCH", &path, body.clone()).await.expect(403);
    assert!(lacking.text().ends_with("requires permission: okapi.proxy.self.timers.patch"), "{lacking}");
    let keeper = library.as_user(&["okapi.proxy.self.timers.patch"]).await;
    keeper.send("PATCH", &path, body).await.expect(204);
}

/// Lends an item of which the loan has been over for years, under a policy that ages after a minute.
async fn lend_overdue(desk: &Branch, items: &[Value]) {
    let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["itemAgedLostOverdue"] = json!({"duration": 1, "intervalId": "Minutes"});
    policy["patronBilledAfterAgedLost"] = json!({"duration": 1, "intervalId": "Weeks"});
    desk.put(&path, &policy).await.expect(204);
    let patron = desk.patron().await;
    for item in items {
        let lending = json!({"itemBarcode": item["barcode"], "userBarcode": patron["barcode"],
            "servicePointId": CIRC_DESK, "loanDate": "2020-01-01T00:00:00.000Z"});
        desk.post("/circulation/check-out-by-barcode", &lending).await.expect(201);
    }
}

#[tokio::test]
async fn overdue_items_age_to_lost() {
    let desk = Branch::open().await;
    // More than one batch.
    let items = desk.items(105).await;
    lend_overdue(&desk, &items).await;
    let recent = desk.item().await;
    desk.check_out(&recent, &desk.patron().await).await.expect(201);
    let ran = run_timer(&desk, AGE).await;
    assert_eq!(ran["lastOutcome"], "204");
    let aged = desk.find("/loan-storage/loans", "itemStatus==\"Aged to lost\"").await.expect(200);
    assert_eq!(aged.total(), 105);
    let loan = &aged.json()["loans"][0];
    assert_eq!((&loan["action"], &loan["status"]["name"]), (&json!("itemAgedToLost"), &json!("Open")));
    let billing = &loan["agedToLostDelayedBilling"];
    assert_eq!(billing["lostItemHasBeenBilled"], false);
    assert!(billing["agedToLostDate"].is_string() && billing["dateLostItemShouldBeBilled"].is_string());
    assert_eq!(desk.status(&items[104]).await, "Aged to lost");
    assert_eq!(desk.status(&recent).await, "Checked out");
}

#[tokio::test]
async fn of_two_servers_one_runs_a_job() {
    let desk = Branch::open().await;
    let items = desk.items(3).await;
    lend_overdue(&desk, &items).await;
    let other = Octavo::start_another().await;
    let id = timer(&desk, AGE).await["id"].as_str().unwrap().to_owned();
    patch_timer(&desk, &id, json!({"unit": "second", "delay": "1"})).await.expect(204);
    eventually("the job has run", async || {
        tokio::join!(desk.library.octavo.run_due_timer(), other.run_due_timer());
        timer(&desk, AGE).await.get("lastOutcome").is_some()
    })
    .await;
    patch_timer(&desk, &id, json!({})).await.expect(204);
    for item in &items {
        let query = format!("loan.itemId=={} and loan.action==itemAgedToLost", item["id"].as_str().unwrap());
        let aged = desk.find("/loan-storage/loan-history", &query).await.expect(200);
        assert_eq!(aged.total(), 1, "aged once");
    }
}

#[tokio::test]
async fn closed_loans_forget_their_borrowers_when_the_library_says_so() {
    let desk = Branch::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    desk.check_in(&item).await.expect(200);
    let path = format!("/loan-storage/loans/{}", loan["id"].as_str().unwrap());
    let job = "/circulation/scheduled-anonymize-processing";
    assert_eq!(run_timer(&desk, job).await["lastOutcome"], "200");
    assert_eq!(desk.get(&path).await.expect(200).json()["userId"], patron["id"]);
    let kept = json!([{"message": "neverAnonymizeLoans",
        "parameters": [{"key": "loanIds", "value": json!([loan["id"]]).to_string()}]}]);
    let id = fresh_id();
    for (settings, anonymized, errors) in [
        (None, json!([]), kept.clone()),
        (Some(json!({"closingType": {"loan": "never"}, "treatEnabled": false})), json!([]), json!([])),
        (
            Some(json!({"closingType": {"loan": "never", "feeFine": "never"}, "treatEnabled": true})),
            json!([]),
            kept,
        ),
        (
            Some(
                json!({"closingType": {"loan": "immediately", "feeFine": null}, "loan": {}, "feeFine": {}, "treatEnabled": false}),
            ),
            json!([loan["id"]]),
            json!([]),
        ),
    ] {
        if let Some(value) = &settings {
            let entry = json!({"id": id, "module": "LOAN_HISTORY", "configName": "loan_history", "enabled": true,
                "value": value.to_string()});
            desk.delete(&format!("/configurations/entries/{id}")).await;
            desk.post("/configurations/entries", &entry).await.expect(201);
        }
        let answer = desk.library.run_job(job).await;
        assert_eq!(answer, json!({"anonymizedLoans": anonymized, "errors": errors}), "{settings:?}");
    }
    assert!(desk.get(&path).await.expect(200).json().get("userId").is_none());
}

#[tokio::test]
async fn a_loan_for_which_a_fee_is_charged_meanwhile_keeps_its_borrower() {
    let desk = Branch::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    desk.check_in(&item).await.expect(200);
    let settings = json!({"closingType": {"loan": "immediately", "feeFine": "never"}, "treatEnabled": true});
    let entry = json!({"module": "LOAN_HISTORY", "configName": "loan_history", "enabled": true,
        "value": settings.to_string()});
    desk.post("/configurations/entries", &entry).await.expect(201);
    let id = loan["id"].as_str().unwrap();
    let lock = "select id from loan where id = $1::text::uuid for update";
    let holder = LockHolder::lock(&desk.library, lock, id).await;
    let library = desk.library.clone();
    let job =
        tokio::spawn(async move { library.run_job("/circulation/scheduled-anonymize-processing").await });
    let account = json!({"id": fresh_id(), "userId": patron["id"], "loanId": id, "amount": 5, "remaining": 5,
        "status": {"name": "Open"}});
    let charge = "insert into accounts (id, doc) values (($1::text::json ->> 'id')::uuid, $1::text::json)";
    holder.change_and_release(&desk.library, vec![Statement::new(charge).text(account.to_string())]).await;
    let kept = json!([{"message": "neverAnonymizeLoansWithFeesAndFines",
        "parameters": [{"key": "loanIds", "value": json!([id]).to_string()}]}]);
    assert_eq!(job.await.unwrap(), json!({"anonymizedLoans": [], "errors": kept}));
    let path = format!("/loan-storage/loans/{id}");
    assert_eq!(desk.get(&path).await.expect(200).json()["userId"], patron["id"]);
}
