//! What is forgotten, by whom, and when.

use std::collections::BTreeSet;

use octavo_testkit::{Octavo, encode};
use serde_json::json;

use super::life::PatronLife;
use super::marks::{find_marks, find_marks_beside_id};

fn string_set(told: &[&str]) -> BTreeSet<String> {
    told.iter().map(|told| (*told).to_owned()).collect()
}

#[tokio::test]
async fn an_anonymised_loan_leads_to_nobody() {
    let life = PatronLife::create().await;
    let before = find_marks_beside_id(life.library(), &life.marks, &life.returned_loan).await;
    for table in ["loan", "audit_loan", "notice"] {
        assert!(before.contains(&format!("{table}: id")), "{before:#?}");
    }
    let path = format!("/loan-anonymization/by-user/{}", life.marks.id);
    let answer = life.branch.post(&path, &json!({})).await.expect(200).json();
    assert_eq!(answer["anonymizedLoans"], json!([life.returned_loan]));
    assert_eq!(find_marks_beside_id(life.library(), &life.marks, &life.returned_loan).await, string_set(&[]));

    // Its fee keeps the other loan.
    let kept = find_marks_beside_id(life.library(), &life.marks, &life.charged_loan).await;
    assert!(kept.contains("loan: id") && kept.contains("accounts: id"), "{kept:#?}");

    // For statistics the loan is there, for its patron it is not.
    let loan =
        life.branch.get(&format!("/circulation/loans/{}", life.returned_loan)).await.expect(200).json();
    assert!(loan.get("userId").is_none() && loan.get("borrower").is_none(), "{loan}");
    assert!(loan["patronGroupAtCheckout"].is_object() && loan["loanDate"].is_string(), "{loan}");
    let ledger = life.branch.ledger_rows().await;
    let of_loan: Vec<_> = ledger.iter().filter(|row| row["loanId"] == json!(life.returned_loan)).collect();
    assert!(!of_loan.is_empty() && of_loan.iter().all(|row| row["status"] == "Sent"), "{ledger:#?}");
    assert!(of_loan.iter().all(|row| row["event"].is_string() && row["templateId"].is_string()));

    // What was decided about it is neither explained nor undone any more.
    let told =
        life.branch.get(&format!("/circulation/loans/{}/explain", life.returned_loan)).await.expect(200);
    assert_eq!(told.json()["decisions"], json!([]));
    let undo = life.branch.post(&format!("/octavo/loans/{}/undo", life.returned_loan), &json!({})).await;
    drop(undo.refused("Nothing that was done to this loan can be undone"));
}

#[tokio::test]
async fn a_notice_that_is_in_the_mail_is_sent_and_then_forgotten() {
    let life = PatronLife::create().await;
    let item = life.branch.item().await;
    let loan = life.branch.check_out(&item, &life.patron).await.expect(201).json();
    let id = loan["id"].as_str().unwrap();
    life.branch.check_in(&item).await.expect(200);
    let body = json!({"loanIds": [id]});
    life.branch.post("/anonymize-storage-loans", &body).await.expect(200);
    let waits = find_marks_beside_id(life.library(), &life.marks, id).await;
    assert_eq!(waits, string_set(&["notice: id"]), "of the visit that this has ended");
    assert!(life.library().relay().await >= 1);
    life.library().run_job("/circulation/scheduled-anonymize-processing").await;
    assert_eq!(find_marks_beside_id(life.library(), &life.marks, id).await, string_set(&[]));
}

/// As in FOLIO, though it stays in the accounts.
#[tokio::test]
async fn the_clock_anonymises_loans_whose_fees_are_paid() {
    let life = PatronLife::create().await;
    life.return_and_pay().await;
    let value = json!({"closingType": {"loan": "immediately", "feeFine": "immediately"}, "loan": {}, "feeFine": {}, "treatEnabled": true});
    let entry = json!({"module": "LOAN_HISTORY", "configName": "loan_history", "enabled": true, "value": value.to_string()});
    life.branch.post("/configurations/entries", &entry).await.expect(201);
    life.library().run_job("/circulation/scheduled-anonymize-processing").await;
    let kept = find_marks_beside_id(life.library(), &life.marks, &life.charged_loan).await;
    assert_eq!(
        kept,
        string_set(&["accounts: id", "scheduled_notice: id"]),
        "the bill, and a notice about it that is not due yet"
    );
    assert_eq!(find_marks_beside_id(life.library(), &life.marks, &life.returned_loan).await, string_set(&[]));
    assert_eq!(
        find_marks_beside_id(life.library(), &life.marks, &life.open_loan).await,
        string_set(&[]),
        "that of the proxy"
    );
}

/// The log of security events tells by ids whose rights were changed, for as long as it is kept.
const LEFT_IN_LOG: &[&str] = &["security_event: id"];

#[tokio::test]
async fn of_a_user_who_is_deleted_nothing_is_left() {
    let life = PatronLife::create().await;
    let path = format!("/bl-users/by-id/{}", life.marks.id);
    life.branch.delete(&path).await.expect(409);
    life.return_and_pay().await;
    let blocks = life.branch.find("/manualblocks", &format!("userId=={}", life.marks.id)).await.expect(200);
    assert_eq!(blocks.total(), 1);
    life.branch.delete(&format!("/users/{}", life.marks.id)).await.expect(204);
    life.branch.delete(&format!("/users/{}", life.marks.id)).await.says(404, &life.marks.id);
    life.library().run_job("/circulation/scheduled-anonymize-processing").await;
    assert_eq!(find_marks(life.library(), &life.marks).await, string_set(LEFT_IN_LOG));

    // What others need is there: the library's books without the name, the note with its other link.
    let accounts =
        life.branch.find("/accounts", &format!("loanId=={}", life.charged_loan)).await.expect(200).json();
    assert_eq!(accounts["accounts"][0]["status"]["name"], "Closed");
    let account = accounts["accounts"][0]["id"].as_str().unwrap();
    let actions = life.branch.find("/feefineactions", &format!("accountId=={account}")).await.expect(200);
    assert!(actions.total() >= 2, "{actions}");
    let notes = life.branch.find("/notes", "title==Shared").await.expect(200).json();
    assert_eq!(notes["notes"][0]["links"].as_array().unwrap().len(), 1);
    life.branch.get(&format!("/circulation/loans/{}", life.charged_loan)).await.expect(200);
}

#[tokio::test]
async fn users_whom_a_query_deletes_are_forgotten_as_well() {
    let life = PatronLife::create().await;
    life.return_and_pay().await;
    let query = encode(&format!("barcode=={}", life.marks.mark("barcode")));
    life.branch.delete(&format!("/users?query={query}")).await.expect(204);
    assert_eq!(find_marks(life.library(), &life.marks).await, string_set(LEFT_IN_LOG));
}

/// What somebody still has or owes names them by their id, and by nothing else, until it is settled.
#[tokio::test]
async fn what_is_open_of_a_deleted_user_keeps_their_id() {
    let life = PatronLife::create().await;
    let item = life.branch.item().await;
    let loan = life.branch.check_out(&item, &life.patron).await.expect(201).json();
    life.library().relay().await;
    life.branch.delete(&format!("/users/{}", life.marks.id)).await.expect(204);
    let kept = find_marks_beside_id(life.library(), &life.marks, loan["id"].as_str().unwrap()).await;
    assert_eq!(kept, string_set(&["audit_loan: id", "loan: id"]));
    let kept = find_marks_beside_id(life.library(), &life.marks, &life.charged_loan).await;
    let owed = ["accounts: id", "audit_loan: id", "loan: id"];
    assert_eq!(kept, string_set(&owed));

    // When it is, they are forgotten.
    life.branch.check_in(&item).await.expect(200);
    life.return_and_pay().await;
    let job = "/circulation/scheduled-anonymize-processing";
    life.library().run_job(job).await;
    assert_eq!(find_marks(life.library(), &life.marks).await, string_set(LEFT_IN_LOG));
    life.library().run_job(job).await;
}

#[tokio::test]
async fn logs_that_nothing_else_ends_are_kept_for_as_long_as_the_library_says() {
    let life = PatronLife::create().await;
    life.return_and_pay().await;
    let old = |table: &'static str| {
        let library = life.library().clone();
        async move {
            let context = library.context().await;
            octavo_testkit::on_runtime(async move {
                let sql = format!("select count(*) from {table}");
                context.session().await.unwrap().rows(octavo_pg::Statement::new(sql)).await.unwrap()[0]
                    .long(0)
            })
            .await
        }
    };
    assert!(old("decision").await > 3 && old("notice").await > 3);
    let soon =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 729))
            .await;
    let job = "/circulation/scheduled-anonymize-processing";
    life.library().through(&soon).run_job(job).await;
    assert!(old("decision").await > 3 && old("notice").await > 3);
    let later =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(24 * 731))
            .await;
    let open = life.branch.item().await;
    let reader = life.branch.patron().await;
    life.branch.check_out(&open, &reader).await.expect(201);
    life.library().through(&later).run_job(job).await;
    assert_eq!((old("decision").await, old("notice").await), (1, 0), "the loan is open");
}
