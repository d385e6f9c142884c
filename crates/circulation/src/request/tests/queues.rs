//! Whole queues: what expires in them, and how they are numbered when the library changes whose they are.

use super::*;
use crate::facts::QueuedRequest;

const PAST: &str = "2026-03-01T22:59:59.000+00:00";

fn with_status(mut request: QueuedRequest, status: &str, until: &str) -> QueuedRequest {
    set(&mut request.record, "status", status);
    set(&mut request.record, until, PAST);
    request
}

fn of_copy(mut request: QueuedRequest, item: &str) -> QueuedRequest {
    set(&mut request.record, "itemId", item);
    request
}

fn queue_of(requests: Vec<QueuedRequest>) -> RequestFacts {
    let mut facts = facts();
    item_status(&mut facts, "Paged");
    facts.desk.queue = requests;
    facts
}

/// It is 2 March.
#[test]
fn what_becomes_of_a_request_whose_time_has_passed() {
    let (unfilled, not_fetched) = ("Closed - Unfilled", "Closed - Pickup expired");
    for (status, until, becomes) in [
        ("Open - Not yet filled", "requestExpirationDate", Some(unfilled)),
        ("Open - In transit", "requestExpirationDate", Some(unfilled)),
        ("Open - Awaiting delivery", "requestExpirationDate", Some(unfilled)),
        ("Open - Awaiting pickup", "holdShelfExpirationDate", Some(not_fetched)),
        ("Open - Awaiting pickup", "requestExpirationDate", None),
        ("Open - Not yet filled", "holdShelfExpirationDate", None),
    ] {
        let facts = queue_of(vec![
            queued_hold("r1", "ada", 1),
            with_status(queued_hold("r2", "bob", 2), status, until),
            queued_hold("r3", "cy", 3),
        ]);
        let plan = expire_requests(&facts);
        let requests = documents(&plan, RecordKind::Request);
        let Some(becomes) = becomes else {
            assert_eq!(requests, [], "{status} {until}");
            continue;
        };
        assert_eq!((&requests[0].0[..], &requests[0].1["status"]), ("r2", &json!(becomes)));
        assert_eq!(positions(&plan), [("r2".into(), None)], "{status}");
        assert_eq!(places(&plan), order_of(&[("r3", 2)]), "{status}");
        let closed = requests[0].1.get("awaitingPickupRequestClosedDate").is_some();
        assert_eq!(closed, becomes == not_fetched);
        assert_eq!(documents(&plan, RecordKind::Item), [], "others want the item");
    }
}

#[test]
fn a_request_lives_until_the_last_moment_of_its_day() {
    let mut request = queued_hold("r1", "ada", 1);
    set(&mut request.record, "requestExpirationDate", "2026-03-02T22:59:59.000+00:00");
    assert_eq!(expire_requests(&queue_of(vec![request])), Plan::default());
}

#[test]
fn what_was_paged_for_nobody_else_is_available() {
    let mut page = with_status(queued_hold("r1", "ada", 1), "Open - Not yet filled", "requestExpirationDate");
    set(&mut page.record, "requestType", "Page");
    let mut facts = queue_of(vec![page]);
    let plan = expire_requests(&facts);
    assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Available");
    item_status(&mut facts, "Awaiting pickup");
    assert_eq!(documents(&expire_requests(&facts), RecordKind::Item), [], "staff clear the hold shelf");
}

#[test]
fn only_queues_that_lose_somebody_move_up() {
    let expired = with_status(queued_hold("r1", "ada", 1), "Open - Not yet filled", "requestExpirationDate");
    let others = [queued_hold("r2", "bob", 2), of_copy(queued_hold("r3", "cy", 7), "book-2")];
    let mut facts = queue_of([vec![expired], others.to_vec()].concat());
    assert_eq!(positions(&expire_requests(&facts)), [("r1".into(), None)]);
    assert_eq!(places(&expire_requests(&facts)), order_of(&[("r2", 1)]));
    facts = with_title_requests(facts);
    let all = order_of(&[("r2", 1), ("r3", 2)]);
    assert_eq!(places(&expire_requests(&facts)), all, "a title has one queue");
}

#[test]
fn queues_become_one_and_one_becomes_many() {
    let asked = |mut request: QueuedRequest, date: &str| {
        set(&mut request.record, "requestDate", date);
        request
    };
    let facts = queue_of(vec![
        asked(queued_hold("r1", "ada", 1), "2026-02-02T10:00:00Z"),
        asked(of_copy(queued_hold("r2", "bob", 1), "book-2"), "2026-02-01T10:00:00Z"),
        asked(queued_hold("r3", "cy", 2), "2026-02-03T10:00:00Z"),
    ]);
    assert_eq!(places(&renumber_queues(&facts)), [], "each copy's queue is in order");
    let mut one = with_title_requests(facts);
    assert_eq!(
        places(&renumber_queues(&one)),
        order_of(&[("r1", 2), ("r3", 3)]),
        "who asked first stands first"
    );
    for (request, place) in one.desk.queue.iter_mut().zip([2, 1, 3]) {
        set(&mut request.record, "position", place);
    }
    one.title_level.enabled = false;
    assert_eq!(places(&renumber_queues(&one)), order_of(&[("r1", 1), ("r3", 2)]));
}
