use serde_json::json;

use super::Role::{Borrower, BorrowingPickup, Lender, Pickup};
use super::Status::{AwaitingPickup, Cancelled, Closed, Created, Error, ItemCheckedIn, ItemCheckedOut, Open};
use super::*;
use crate::plan::{DcbEvent, DcbSubject, Plan, RecordKind, Write};

/// The steps as words, or the refusal's text.
fn steps_as_text(role: Role, from: Status, to: Status) -> String {
    match steps("t", role, from, to) {
        Ok(steps) => {
            let words: Vec<String> = steps.iter().map(|(to, act)| format!("{} {act:?}", to.name())).collect();
            words.join(", ")
        }
        Err(fault) => {
            assert_eq!(fault.status, 400);
            fault.body.render()
        }
    }
}

#[test]
fn what_the_hub_says_is_done_step_by_step() {
    let cases: &[(Role, Status, Status, &str)] = &[
        (Lender, Open, AwaitingPickup, "AWAITING_PICKUP CheckInAtPickup"),
        (Lender, AwaitingPickup, ItemCheckedOut, "ITEM_CHECKED_OUT CheckOut"),
        (Lender, ItemCheckedOut, ItemCheckedIn, "ITEM_CHECKED_IN Nothing"),
        (
            Lender,
            Open,
            ItemCheckedIn,
            "AWAITING_PICKUP CheckInAtPickup, ITEM_CHECKED_OUT CheckOut, ITEM_CHECKED_IN Nothing",
        ),
        (Lender, Created, Cancelled, "CANCELLED CancelRequest"),
        (Lender, AwaitingPickup, Cancelled, "CANCELLED CancelRequest"),
        (Borrower, Created, Open, "OPEN CheckInElsewhere"),
        (Borrower, Open, AwaitingPickup, "AWAITING_PICKUP CheckInAtPickup"),
        (Borrower, AwaitingPickup, ItemCheckedOut, "ITEM_CHECKED_OUT CheckOut"),
        (Borrower, ItemCheckedOut, ItemCheckedIn, "ITEM_CHECKED_IN CheckInElsewhere"),
        (Borrower, ItemCheckedIn, Closed, "CLOSED Nothing"),
        (
            Borrower,
            Created,
            Closed,
            "OPEN CheckInElsewhere, AWAITING_PICKUP CheckInAtPickup, ITEM_CHECKED_OUT CheckOut, ITEM_CHECKED_IN CheckInElsewhere, CLOSED Nothing",
        ),
        (Borrower, Open, Cancelled, "CANCELLED CancelRequest"),
        (Pickup, Created, Open, "OPEN CheckInElsewhere"),
        (Pickup, ItemCheckedIn, Closed, "CLOSED Nothing"),
        (Pickup, Open, Cancelled, "CANCELLED CancelRequest"),
        (Pickup, Error, Cancelled, "CANCELLED CancelRequest"),
        (BorrowingPickup, Created, Open, "OPEN CheckInElsewhere"),
        (BorrowingPickup, ItemCheckedIn, Closed, "CLOSED Nothing"),
        (BorrowingPickup, AwaitingPickup, Cancelled, "CANCELLED CancelRequest"),
    ];
    for (role, from, to, steps) in cases {
        assert_eq!(steps_as_text(*role, *from, *to), *steps, "{role:?} {from:?} {to:?}");
    }
}

#[test]
fn what_cannot_follow_is_refused_in_folios_words() {
    let equal = "Current transaction status equal to new transaction status: dcbTransactionId: t, status: ";
    let late = "Cannot cancel transaction dcbTransactionId: t. Transaction already in status: ";
    let impossible = "Status transition will not be possible from ";
    let unknown = "updateTransactionStatus:: status update from ";
    let cases: &[(Role, Status, Status, &str, &str)] = &[
        (Lender, Open, Open, equal, "OPEN"),
        (Pickup, Cancelled, Cancelled, equal, "CANCELLED"),
        (Lender, ItemCheckedOut, Cancelled, late, "ITEM_CHECKED_OUT: "),
        (BorrowingPickup, ItemCheckedIn, Cancelled, late, "ITEM_CHECKED_IN: "),
        (Borrower, Closed, Cancelled, late, "CLOSED: "),
        (Borrower, Closed, Open, late, "CLOSED: "),
        (Lender, Created, Open, impossible, "CREATED to OPEN"),
        (Lender, Created, AwaitingPickup, impossible, "CREATED to AWAITING_PICKUP"),
        (Lender, ItemCheckedIn, Closed, impossible, "ITEM_CHECKED_IN to CLOSED"),
        (Lender, Open, Closed, impossible, "OPEN to CLOSED"),
        (Lender, AwaitingPickup, Open, impossible, "AWAITING_PICKUP to OPEN"),
        (Lender, Error, Cancelled, impossible, "ERROR to CANCELLED"),
        (Borrower, Cancelled, Open, impossible, "CANCELLED to OPEN"),
        (Borrower, Created, Error, impossible, "CREATED to ERROR"),
        (Pickup, Created, AwaitingPickup, unknown, "CREATED to AWAITING_PICKUP is not implemented"),
        (Pickup, Open, AwaitingPickup, unknown, "OPEN to AWAITING_PICKUP is not implemented"),
        (Pickup, Cancelled, Open, unknown, "CANCELLED to OPEN is not implemented"),
        (
            BorrowingPickup,
            AwaitingPickup,
            ItemCheckedOut,
            unknown,
            "AWAITING_PICKUP to ITEM_CHECKED_OUT is not implemented",
        ),
        (BorrowingPickup, Created, Error, unknown, "CREATED to ERROR is not implemented"),
    ];
    for (role, from, to, start, end) in cases {
        assert_eq!(steps_as_text(*role, *from, *to), format!("{start}{end}"), "{role:?} {from:?} {to:?}");
    }
}

#[test]
fn the_desk_moves_the_transactions_of_its_role() {
    use Event::{CheckedIn, CheckedOut, RequestAwaitingPickup, RequestCancelled, RequestInTransit};
    let cases: &[(Event, [Option<Status>; 4])] = &[
        (RequestInTransit, [Some(Open), None, None, None]),
        (RequestAwaitingPickup, [None, None, Some(AwaitingPickup), Some(AwaitingPickup)]),
        (CheckedOut, [None, None, Some(ItemCheckedOut), Some(ItemCheckedOut)]),
        (CheckedIn, [Some(Closed), None, Some(ItemCheckedIn), Some(ItemCheckedIn)]),
        (RequestCancelled, [Some(Cancelled); 4]),
    ];
    assert_eq!(cases.len(), Event::ALL.len());
    for (event, statuses) in cases {
        assert_eq!(Role::ALL.map(|role| status_after(role, *event)), *statuses, "{event:?}");
    }
}

#[test]
fn what_has_ended_heeds_nothing_and_a_loan_counts_once_the_item_was_there() {
    for event in Event::ALL {
        let heeding: Vec<Status> =
            Status::ALL.into_iter().filter(|status| event_applies(event, *status)).collect();
        let expected: &[Status] = match event {
            Event::CheckedOut | Event::CheckedIn => &[AwaitingPickup, ItemCheckedOut, ItemCheckedIn],
            _ => &[Created, Open, AwaitingPickup, ItemCheckedOut, ItemCheckedIn, Error],
        };
        assert_eq!(heeding, expected, "{event:?}");
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    assert!(
        Role::ALL
            .iter()
            .all(|role| Role::from_name(role.name()) == Some(*role) && json!(role) == role.name())
    );
    assert!(
        Status::ALL.iter().all(|one| Status::from_name(one.name()) == Some(*one) && json!(one) == one.name())
    );
    assert_eq!((Role::from_name("lender"), Status::from_name("EXPIRED")), (None, None));
}

#[test]
fn a_plan_tells_what_happened() {
    let loan = |action: &str| json!({"id": "l", "itemId": "i", "action": action});
    let request = |status: &str| json!({"id": "r", "status": status});
    let cases = [
        (RecordKind::Loan, loan("checkedout"), Some(Event::CheckedOut)),
        (RecordKind::Loan, loan("checkedin"), Some(Event::CheckedIn)),
        (RecordKind::Loan, loan("checkedOutThroughOverride"), None),
        (RecordKind::Loan, loan("renewed"), None),
        (RecordKind::Request, request("Open - In transit"), Some(Event::RequestInTransit)),
        (RecordKind::Request, request("Open - Awaiting pickup"), Some(Event::RequestAwaitingPickup)),
        (RecordKind::Request, request("Closed - Cancelled"), Some(Event::RequestCancelled)),
        (RecordKind::Request, request("Closed - Filled"), None),
    ];
    for (record, document, event) in cases {
        let mut plan = Plan::default();
        plan.update(record, "r", document.clone());
        let subject = match record {
            RecordKind::Loan => DcbSubject::Item("i".into()),
            _ => DcbSubject::Request("r".into()),
        };
        let expected: Vec<DcbEvent> = event.map(|event| DcbEvent { event, subject }).into_iter().collect();
        assert_eq!(dcb_events(&plan), expected, "{document}");
    }
    let mut made = Plan::default();
    made.insert(RecordKind::Request, "r", request("Open - In transit"));
    made.writes.push(Write::Delete { record: RecordKind::Request, id: "r".into() });
    assert_eq!(dcb_events(&made), []);
}
