//! Plans of the desk and their records, and descriptions in each of their forms.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::describe::{self, Return};
use super::{LogAction, LogObject, log, records_of_event};
use crate::command::{ClaimReturned, DeclareLost};
use crate::desk::{about_loan, queued_hold};
use crate::notice::DecisionFacts;
use crate::plan::Plan;

fn logged(facts: &crate::facts::Facts, mut plan: Plan) -> Vec<(LogAction, String)> {
    log(DecisionFacts { facts, items: &[] }, &mut plan);
    plan.logged.into_iter().map(|logged| (logged.action, logged.description)).collect()
}

#[test]
fn what_is_done_to_a_loan_is_told_with_the_comment() {
    let facts = about_loan();
    let claim = ClaimReturned {
        item_claimed_returned_date_time: Some("2026-03-01T10:00:00Z".into()),
        comment: Some("on the shelf".into()),
    };
    let plan = crate::claim_returned(&facts, "loan-1", &claim).unwrap();
    let told = (LogAction::ClaimedReturned, "Additional information: on the shelf".to_owned());
    assert_eq!(logged(&facts, plan), [told]);
    let lost = DeclareLost { service_point_id: Some("desk-1".into()), ..DeclareLost::default() };
    let plan = crate::declare_lost(&facts, "loan-1", &lost).unwrap();
    // There is nothing to pay for it: FOLIO tells of the end of the loan alone.
    assert_eq!(logged(&facts, plan), [(LogAction::ClosedLoan, String::new())]);
}

#[test]
fn the_end_of_a_loan_names_backdating_and_a_due_date_that_is_not_over() {
    let at = |text: &str| Some(text.parse::<Timestamp>().unwrap());
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let (day, next) = (at("2026-03-01T09:00:30Z"), at("2026-03-02T09:00:00Z"));
    for (status, returned, noted, due, expected) in [
        ("Available", day, at("2026-03-01T09:00:59Z"), at("2026-02-01T00:00:00Z"), "Item status: Available."),
        (
            "Available",
            day,
            next,
            at("2026-02-01T00:00:00Z"),
            "Item status: Available. Backdated to: 2026-03-01 10:00:30.",
        ),
        ("Paged", day, day, next, "Item status: Paged. Overdue due date: 2026-03-02 09:00:00."),
        // An hour before the return by the library's clock.
        ("Paged", day, day, at("2026-03-01T09:30:00Z"), "Item status: Paged."),
        (
            "Claimed returned",
            day,
            day,
            day,
            "Item status: Claimed returned . Claimed returned item: Found by library.",
        ),
    ] {
        let end = Return {
            item_status: status,
            resolution: Some("Found by library"),
            returned,
            noted,
            due,
            zone: &zone,
        };
        assert_eq!(describe::loan_closed(&end), expected);
    }
}

#[test]
fn an_edited_request_tells_what_has_changed() {
    let original = json!({"requestType": "Hold", "addressType": "Home"});
    for (updated, expected) in [
        (json!({"requestType": "Hold", "addressType": "Home"}), "Type: Hold. Address type: Home."),
        (
            json!({"requestType": "Recall", "addressType": "Work", "requestExpirationDate": "2026-05-01T10:00:00.000+00:00"}),
            "Type: Hold. Address type: Home. New request type: Recall (from: Hold).New expiration date: 2026-05-01 10:00:00 \
             (from: not set). New address type: Work (from: Home).",
        ),
    ] {
        assert_eq!(describe::request_edited(&original, &updated), expected);
    }
}

#[test]
fn fees_are_described_by_their_action() {
    let payload = json!({"type": "Lost", "amount": 1, "balance": 0.5, "comments": "STAFF : a\n PATRON : b", "paymentMethod": "Cash"});
    for (action, expected) in [
        ("Cancelled as error", "Amount: 1.00. Cancellation reason: a. Additional information to patron: b."),
        ("Staff information only added", "a"),
        ("Credited fully", ""),
        (
            "Transferred fully",
            "Fee/Fine type: Lost. Amount: 1.00. Balance: 0.50. Transfer account: Cash. \
             Additional information to staff: a. Additional information to patron: b.",
        ),
        (
            "Billed",
            "Fee/Fine type: Lost. Fee/Fine owner: null. Amount: 1.00. manual. \
             Additional information to staff: STAFF : a\n PATRON : b",
        ),
    ] {
        assert_eq!(describe::fee(action, &payload), expected, "{action}");
    }
}

#[test]
fn an_event_that_folio_does_not_know_makes_no_record() {
    for (event, why) in [
        (json!({"logEventType": "X"}), "Builder isn't implemented yet for: X"),
        (json!({"logEventType": "LOAN"}), "The event has no payload"),
        (json!({"logEventType": "LOAN", "payload": {"action": ""}}), "Action is empty"),
        (
            json!({"logEventType": "FEE_FINE", "payload": {"action": "Sold"}}),
            "Builder isn't implemented yet for: Sold",
        ),
        (Value::Null, "Builder isn't implemented yet for: "),
    ] {
        assert_eq!(records_of_event(&event).unwrap_err(), why);
    }
}

#[test]
fn a_queue_in_another_order_is_told_once_for_each_request_that_moved() {
    let mut facts = about_loan();
    facts.queue = vec![queued_hold("r1", "bob", 1), queued_hold("r2", "cy", 2)];
    let mut plan = Plan::default();
    plan.change_places(crate::plan::PlaceChange::Order { places: vec![("r2".into(), 1), ("r1".into(), 2)] });
    let told = logged(&facts, plan);
    assert_eq!(
        told[0],
        (LogAction::QueuePositionReordered, "Type: Hold. New queue position: 1 (from: 2).".into())
    );
    assert_eq!(told.len(), 2);
}

#[test]
fn a_recall_of_a_loan_that_is_due_early_already_is_told_with_the_date_that_stays() {
    let facts = about_loan();
    let plan = Plan { recalled_again: vec![facts.loan.clone().unwrap().record], ..Plan::default() };
    let due = "2026-03-13T22:59:59.000Z";
    let told = (LogAction::RecallRequested, format!("New due date: {due} (from {due})"));
    assert_eq!(logged(&facts, plan), [told]);
}

#[test]
fn codes_of_words_stay() {
    assert_eq!([LogObject::NA.code(), LogObject::CheckInCheckOut.code()], [1, 9]);
    assert_eq!([LogAction::AgeToLost.code(), LogAction::WaivedPartially.code()], [1, 43]);
}
