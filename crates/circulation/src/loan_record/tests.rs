//! Loans as records, made and changed.

use serde_json::json;

use super::*;
use crate::Undecided;
use crate::desk::{self, messages, queued_hold, set_item_status, written_document};
use crate::facts::{Facts, Proxy};
use crate::plan::{Plan, RecordKind};

fn new_loan() -> Value {
    json!({"userId": "ada", "itemId": "book-1", "loanDate": "2026-03-01T10:00:00.000+00:00",
        "dueDate": "2026-03-09T10:00:00.000+00:00", "checkoutServicePointId": "desk-1"})
}

fn with(mut loan: Value, key: &str, value: Value) -> Value {
    set(&mut loan, key, value);
    loan
}

fn message(outcome: Result<Plan, Undecided>) -> String {
    outcome.map_or_else(|fault| messages(&fault).join("; "), |plan| panic!("{plan:#?}"))
}

#[test]
fn a_new_loan_takes_its_dates_from_the_client_and_its_policies_from_the_rules() {
    let plan = create_loan(&desk::facts(), &new_loan()).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!(loan["id"], "new-loan");
    assert_eq!((&loan["status"]["name"], &loan["action"]), (&json!("Open"), &json!("checkedout")));
    assert_eq!(loan["dueDate"], "2026-03-09T10:00:00.000+00:00");
    assert_eq!((&loan["loanPolicyId"], &loan["itemStatus"]), (&json!("three-weeks"), &json!("Checked out")));
    assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Checked out");
    assert_eq!(plan.answer()["borrower"]["lastName"], "Lovelace");
    assert_eq!(plan.answer()["checkoutServicePoint"]["name"], "Name of desk-1");
}

#[test]
fn a_loan_that_is_over_leaves_the_item_alone() {
    let closed = with(new_loan(), "status", json!({"name": "Closed"}));
    let plan = create_loan(&desk::facts(), &closed).unwrap();
    assert!(written_document(&plan, RecordKind::Item).is_none());
}

#[test]
fn why_no_loan_is_made() {
    let lent = |status: &str| {
        format!("Notes (Book) (Barcode: 200) has the item status {status}, loan cannot be created")
    };
    let nothing: fn(&mut Facts) = |_| {};
    let cases: Vec<(fn(&mut Facts), Value, String)> = vec![
        (
            nothing,
            with(new_loan(), "status", json!({"name": "Lent"})),
            "Loan status must be \"Open\" or \"Closed\"".into(),
        ),
        (nothing, with(new_loan(), "userId", Value::Null), "Open loan must have a user ID".into()),
        (
            nothing,
            with(new_loan(), "checkoutServicePointId", json!("desk-9")),
            "Check Out Service Point does not exist".into(),
        ),
        (|facts| facts.item = None, new_loan(), "No item with ID book-1 could be found".into()),
        (|facts| set_item_status(facts, "Checked out"), new_loan(), "Item is already checked out".into()),
        (|facts| set_item_status(facts, "Missing"), new_loan(), lent("Missing")),
        (|facts| set_item_status(facts, "Declared lost"), new_loan(), lent("Declared lost")),
        (nothing, with(new_loan(), "proxyUserId", json!("bob")), "proxyUserId is not valid".into()),
        (
            nothing,
            with(new_loan(), "proxyUserId", json!("ada")),
            "User cannot be proxy for themselves".into(),
        ),
        (|facts| facts.patron = None, new_loan(), "user is not found".into()),
        (
            |facts| facts.queue = vec![queued_hold("r1", "bob", 1)],
            new_loan(),
            "Notes (Barcode: 200) cannot be checked out to user Lovelace, Ada because it has been requested by another patron".into(),
        ),
    ];
    for (change, loan, expected) in cases {
        let mut facts = desk::facts();
        change(&mut facts);
        assert_eq!(message(create_loan(&facts, &loan)), expected);
    }
}

#[test]
fn who_may_borrow_for_another_does() {
    let mut facts = desk::facts();
    let relationship = json!({"status": "Active"});
    facts.proxy = Some(Proxy { patron: desk::patron("bob", "300"), relationships: vec![relationship] });
    let plan = create_loan(&facts, &with(new_loan(), "proxyUserId", json!("bob"))).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["proxyUserId"], "bob");
}

fn loan_from_client() -> Value {
    let mut loan = Value::clone(&desk::about_loan().loan.unwrap().record);
    set(&mut loan, "borrower", json!({"lastName": "Lovelace"}));
    set(&mut loan, "feesAndFines", json!({"amountRemainingToPay": 0.0}));
    stored_form(loan)
}

#[test]
fn a_changed_loan_keeps_what_clients_do_not_see() {
    let mut facts = desk::about_loan();
    let stored = &mut facts.loan.as_mut().unwrap().record;
    set(stored, "agedToLostDelayedBilling", json!({"agedToLostDate": "2026-01-01T00:00:00.000+00:00"}));
    let changed = with(loan_from_client(), "dueDate", json!("2026-04-01T10:00:00.000+00:00"));
    let plan = replace_loan(&facts, "loan-1", &changed).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!(loan["dueDate"], "2026-04-01T10:00:00.000+00:00");
    assert_eq!(loan["agedToLostDelayedBilling"]["agedToLostDate"], "2026-01-01T00:00:00.000+00:00");
    assert!(loan.get("borrower").is_none() && loan.get("feesAndFines").is_none());
    assert_eq!(
        plan.sentences(),
        ["The due date was 2026-03-13T22:59:59.000+00:00 and is 2026-04-01T10:00:00.000+00:00."]
    );
}

#[test]
fn a_loan_that_is_written_without_a_status_is_open() {
    let mut bare = loan_from_client();
    remove(&mut bare, "status");
    let plan = replace_loan(&desk::about_loan(), "loan-1", &bare).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["status"]["name"], "Open");
    let empty = message(replace_loan(&desk::about_loan(), "loan-1", &with(bare, "status", json!({}))));
    assert_eq!(empty, "Loan status must be \"Open\" or \"Closed\"");
    assert_eq!(message(create_loan(&desk::facts(), &with(new_loan(), "status", json!({})))), empty);
}

#[test]
fn requests_for_the_title_have_nothing_to_do_with_loans_as_records() {
    let mut of_title = queued_hold("r1", "bob", 1);
    set(&mut of_title.record, "requestLevel", "Title");
    set(&mut of_title.record, "requestType", "Recall");
    let mut facts = desk::facts();
    facts.queue_part.of_title = true;
    facts.queue = vec![of_title.clone()];
    let plan = create_loan(&facts, &new_loan()).unwrap();
    assert!(written_document(&plan, RecordKind::Request).is_none(), "{plan:?}");
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["dueDate"], new_loan()["dueDate"]);

    let mut facts = desk::about_loan();
    facts.queue_part.of_title = true;
    facts.queue = vec![of_title.clone()];
    set(&mut facts.loan.as_mut().unwrap().record, "dueDateChangedByRecall", true);
    let late = with(loan_from_client(), "dueDate", json!("2026-04-01T10:00:00.000+00:00"));
    let late = with(late, "dueDateChangedByRecall", json!(true));
    let plan = replace_loan(&facts, "loan-1", &late).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["dueDateChangedByRecall"], false);
    let closed = with(loan_from_client(), "status", json!({"name": "Closed"}));
    let closed = with(closed, "checkinServicePointId", json!("desk-1"));
    let plan = replace_loan(&facts, "loan-1", &closed).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Available");
    // The first request for the item itself is served, and stands before all who wait for the title.
    facts.queue = vec![of_title, queued_hold("r2", "cy", 2)];
    let plan = replace_loan(&facts, "loan-1", &closed).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Awaiting pickup");
    assert_eq!(written_document(&plan, RecordKind::Request).unwrap()["id"], "r2");
    assert_eq!(plan.place_changes().count(), 1);
}

#[test]
fn a_closed_loan_sets_its_item_free_or_hands_it_on() {
    let closed = with(
        with(loan_from_client(), "status", json!({"name": "Closed"})),
        "checkinServicePointId",
        json!("desk-1"),
    );
    let status = |facts: &Facts| {
        let plan = replace_loan(facts, "loan-1", &closed).unwrap();
        written_document(&plan, RecordKind::Item).unwrap()["status"]["name"].clone()
    };
    let mut facts = desk::about_loan();
    assert_eq!(status(&facts), "Available");
    facts.queue = vec![queued_hold("r1", "bob", 1)];
    assert_eq!(status(&facts), "Awaiting pickup");
    let plan = replace_loan(&facts, "loan-1", &closed).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Request).unwrap()["status"], "Open - Awaiting pickup");
}

#[test]
fn why_a_loan_is_not_changed() {
    let late = || with(loan_from_client(), "dueDate", json!("2026-04-01T10:00:00.000+00:00"));
    let nothing: fn(&mut Facts) = |_| {};
    let cases: Vec<(fn(&mut Facts), Value, &str)> = vec![
        (|facts| facts.loan = None, loan_from_client(), "404 loan record with ID \"loan-1\" cannot be found"),
        (
            nothing,
            with(loan_from_client(), "status", json!({"name": "Closed"})),
            "A Closed loan must have a Checkin Service Point",
        ),
        (|facts| set_item_status(facts, "Aged to lost"), late(), "item is Aged to lost"),
        (|facts| set_item_status(facts, "Claimed returned"), late(), "item is Claimed returned"),
    ];
    for (change, loan, expected) in cases {
        let mut facts = desk::about_loan();
        change(&mut facts);
        assert_eq!(message(replace_loan(&facts, "loan-1", &loan)), expected);
    }
}

#[test]
fn a_lost_item_stays_lost_when_its_loan_is_changed_otherwise() {
    let mut facts = desk::about_loan();
    set_item_status(&mut facts, "Declared lost");
    let plan =
        replace_loan(&facts, "loan-1", &with(loan_from_client(), "action", json!("staffInfoAdded"))).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["itemStatus"], "Declared lost");
    assert!(written_document(&plan, RecordKind::Item).is_none());
}
