//! Check-in at the desk.

use serde_json::Value;

use super::*;
use crate::desk::{self, messages, queued_hold, written_document};
use crate::facts::QueuePart;
use crate::plan::{PlaceChange, QueueOf};

fn command(extra: Value) -> CheckIn {
    let mut body =
        json!({"itemBarcode": "200", "servicePointId": "desk-1", "checkInDate": "2026-03-01T18:00:00Z"});
    if let Value::Object(fields) = extra {
        for (key, value) in fields {
            set(&mut body, &key, value);
        }
    }
    serde_json::from_value(body).unwrap()
}

fn refusal_messages(facts: &Facts, extra: Value) -> Vec<String> {
    check_in(facts, &command(extra)).map_or_else(|fault| messages(&fault), |_| Vec::new())
}

fn set_status(facts: &mut Facts, status: &str) {
    set(&mut facts.item.as_mut().unwrap().record, "status", json!({"name": status}));
}

type Change = fn(&mut Facts);

#[test]
fn why_a_check_in_is_refused() {
    let cases: Vec<(Change, Value, &str)> = vec![
        (|_| {}, json!({"itemBarcode": null}), "Checkin request must have an item barcode"),
        (|_| {}, json!({"servicePointId": null}), "Checkin request must have a service point id"),
        (|_| {}, json!({"checkInDate": null}), "Checkin request must have an check in date"),
        (|_| {}, json!({"claimedReturnedResolution": "No idea"}), "Unrecognized value provided for property"),
        (|facts| facts.acting_user_id = None, json!({}), "No logged-in user present"),
        (|facts| facts.item = None, json!({}), "No item with barcode 200 exists"),
        (
            |facts| set_status(facts, "Intellectual item"),
            json!({}),
            "Notes (Book) (Barcode: 200) has the item status Intellectual item and cannot be checked in",
        ),
        (
            |facts| set_status(facts, "Claimed returned"),
            json!({}),
            "Item is claimed returned, a resolution is required to check in",
        ),
        (
            |facts| facts.open_loans_of_item = vec![Default::default(), Default::default()],
            json!({}),
            "500 More than one open loan for item 200",
        ),
        (
            |facts| {
                facts.queue = vec![queued_hold("r1", "bob", 1)];
                crate::document::remove(&mut facts.queue[0].record, "pickupServicePointId");
            },
            json!({}),
            "Failed to check in item due to the highest priority request missing a pickup service point",
        ),
    ];
    for (change, extra, expected) in cases {
        let mut facts = desk::facts();
        change(&mut facts);
        assert_eq!(refusal_messages(&facts, extra), [expected]);
    }
}

#[test]
fn where_an_item_goes() {
    let delivery: Change = |facts| {
        facts.queue = vec![queued_hold("r1", "bob", 1)];
        set(&mut facts.queue[0].record, "fulfillmentPreference", "Delivery");
    };
    let awaiting: Change = |facts| {
        facts.queue = vec![queued_hold("r1", "bob", 1)];
        set(&mut facts.queue[0].record, "status", "Open - Awaiting pickup");
        set(&mut facts.queue[0].record, "holdShelfExpirationDate", "2026-03-09T22:59:59.000+00:00");
    };
    let wanted: Change = |facts| facts.queue = vec![queued_hold("r1", "bob", 1)];
    let nobody: Change = |_| {};
    for (change, desk_id, item_status, destination, request_status, shelf_until) in [
        (nobody, "desk-1", "Available", None, None, None),
        (nobody, "desk-2", "In transit", Some("desk-1"), None, None),
        (
            wanted,
            "desk-1",
            "Awaiting pickup",
            None,
            Some("Open - Awaiting pickup"),
            Some("2026-03-07T22:59:59.000+00:00"),
        ),
        (wanted, "desk-2", "In transit", Some("desk-1"), Some("Open - In transit"), None),
        (delivery, "desk-2", "Awaiting delivery", None, Some("Open - Awaiting delivery"), None),
        // a date that was set stays, but an item that travels again loses it
        (
            awaiting,
            "desk-1",
            "Awaiting pickup",
            None,
            Some("Open - Awaiting pickup"),
            Some("2026-03-09T22:59:59.000+00:00"),
        ),
        (awaiting, "desk-2", "In transit", Some("desk-1"), Some("Open - In transit"), None),
    ]
        as [(Change, &str, &str, Option<&str>, Option<&str>, Option<&str>); 7]
    {
        let mut facts = desk::on_loan();
        change(&mut facts);
        let plan = check_in(&facts, &command(json!({"servicePointId": desk_id}))).unwrap();
        let item = written_document(&plan, RecordKind::Item).unwrap();
        assert_eq!(item["status"]["name"], item_status);
        assert_eq!(item.get("inTransitDestinationServicePointId").and_then(Value::as_str), destination);
        assert_eq!(
            item["lastCheckIn"],
            json!({"dateTime": "2026-03-02T10:00:00.000+00:00",
            "servicePointId": desk_id, "staffMemberId": "clerk"})
        );
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!(loan["itemStatus"], item_status);
        let request = written_document(&plan, RecordKind::Request);
        let field = |key: &str| request.and_then(|request| request.get(key)).and_then(Value::as_str);
        assert_eq!(field("status"), request_status);
        assert_eq!(field("holdShelfExpirationDate"), shelf_until);
    }
}

#[test]
fn a_loan_is_closed_and_the_check_in_recorded() {
    let mut facts = desk::on_loan();
    set(&mut facts.open_loans_of_item[0].record, "actionComment", "old");
    let plan = check_in(&facts, &command(json!({"sessionId": "s"}))).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    for (key, expected) in [
        ("status", json!({"name": "Closed"})),
        ("action", json!("checkedin")),
        ("returnDate", json!("2026-03-01T18:00:00.000+00:00")),
        ("systemReturnDate", json!("2026-03-02T10:00:00.000+00:00")),
        ("checkinServicePointId", json!("desk-1")),
        ("shelfMark", json!("kept")),
        ("actionComment", Value::Null),
    ] {
        assert_eq!(loan.get(key).unwrap_or(&Value::Null), &expected, "{key}");
    }
    assert_eq!(
        written_document(&plan, RecordKind::CheckIn),
        Some(&json!({
            "id": "new-check-in", "occurredDateTime": "2026-03-02T10:00:00.000+00:00", "itemId": "book-1",
            "itemStatusPriorToCheckIn": "Checked out", "requestQueueSize": 0, "servicePointId": "desk-1",
            "performedByUserId": "clerk", "itemLocationId": "stacks",
        }))
    );
    let session = written_document(&plan, RecordKind::PatronActionSession).unwrap();
    assert_eq!((&session["actionType"], &session["sessionId"]), (&json!("Check-in"), &json!("s")));
    assert_eq!(plan.answer()["inHouseUse"], false);
    assert_eq!(plan.answer()["loan"]["loanPolicy"], json!({"name": "Three weeks"}));
}

#[test]
fn who_was_right_about_a_claimed_return_is_kept_in_the_loan() {
    for (resolution, action) in
        [("Found by library", "checkedInFoundByLibrary"), ("Returned by patron", "checkedInReturnedByPatron")]
    {
        let mut facts = desk::on_loan();
        set_status(&mut facts, "Claimed returned");
        let plan = check_in(&facts, &command(json!({"claimedReturnedResolution": resolution}))).unwrap();
        assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["action"], action);

        // of no interest for an item that was not claimed returned
        let plan =
            check_in(&desk::on_loan(), &command(json!({"claimedReturnedResolution": resolution}))).unwrap();
        assert_eq!(written_document(&plan, RecordKind::Loan).unwrap()["action"], "checkedin");
    }
}

#[test]
fn an_item_at_home_that_nobody_had_or_wants_was_used_in_house() {
    let plan = check_in(&desk::facts(), &command(json!({}))).unwrap();
    assert_eq!(plan.answer()["inHouseUse"], true);
    assert!(plan.answer().get("loan").is_none());
    assert_eq!(written_document(&plan, RecordKind::PatronActionSession), None);
    assert_eq!(plan.sentences()[0], "It was used in house.");

    let elsewhere = check_in(&desk::facts(), &command(json!({"servicePointId": "desk-2"}))).unwrap();
    assert_eq!(elsewhere.answer()["inHouseUse"], false);
}

#[test]
fn a_request_being_fulfilled_passes_those_that_wait_for_other_items() {
    let mut facts = desk::on_loan();
    let mut other = queued_hold("r1", "bob", 1);
    set(&mut other.record, "itemId", "book-2");
    facts.queue = vec![other, queued_hold("r2", "eve", 2)];
    let plan = check_in(&facts, &command(json!({}))).unwrap();
    assert_eq!(written_document(&plan, RecordKind::Request).unwrap()["position"], 1);
    let queue = QueueOf::Item("book-1".into());
    let places: Vec<&PlaceChange> = plan.place_changes().collect();
    assert_eq!(places, [&PlaceChange::Move { queue, from: 2, to: 1 }]);
}

#[test]
fn what_was_not_read_of_a_long_queue_may_matter() {
    let mut facts = desk::on_loan();
    facts.queue = vec![queued_hold("r1", "bob", 1), queued_hold("r9", "eve", 9)];
    facts.queue_part = QueuePart { length: Some(9), up_to: Some(1), of_title: false };
    let filled = check_in(&facts, &command(json!({}))).unwrap();
    assert_eq!(written_document(&filled, RecordKind::Request).unwrap()["id"], "r1");
    assert_eq!(written_document(&filled, RecordKind::CheckIn).unwrap()["requestQueueSize"], 9);
    facts.queue[0].requester_is_away = true;
    let undecided = check_in(&facts, &command(json!({}))).unwrap_err();
    assert!(matches!(undecided, Undecided::ReadMore), "somebody between the two: {undecided:?}");
    facts.queue_part.up_to = None;
    let filled = check_in(&facts, &command(json!({}))).unwrap();
    assert_eq!(written_document(&filled, RecordKind::Request).unwrap()["id"], "r9");
}

#[test]
fn the_slip_names_the_way_and_the_requester() {
    let mut facts = desk::on_loan();
    facts.queue = vec![queued_hold("r1", "bob", 1)];
    let plan = check_in(&facts, &command(json!({"servicePointId": "desk-2"}))).unwrap();
    let slip = &plan.answer()["staffSlipContext"];
    assert_eq!(slip["item"]["fromServicePoint"], "Name of desk-2");
    assert_eq!(slip["item"]["toServicePoint"], "Name of desk-1");
    assert_eq!(slip["item"]["status"], "In transit");
    assert_eq!(slip["request"], json!({"requestID": "r1", "servicePointPickup": "Name of desk-1"}));
    assert_eq!(slip["requester"]["patronGroup"], "Staff");
    assert_eq!(
        plan.answer()["item"]["inTransitDestinationServicePoint"],
        json!({"id": "desk-1", "name": "Name of desk-1"})
    );
}
