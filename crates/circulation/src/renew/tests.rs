//! Renewal, by the rules and against them.

use octavo_kernel::{Body, Permissions};
use serde_json::json;

use super::*;
use crate::desk::{self, messages, queued_hold, with_loan_policy, written_document};
use crate::document::set;
use crate::facts::{AutomatedBlock, ManualBlock};

fn by_barcode(overrides: Value) -> Renew {
    let mut body = json!({"itemBarcode": "200", "userBarcode": "100"});
    set(&mut body, "overrideBlocks", overrides);
    Renew::ByBarcode(serde_json::from_value(body).unwrap())
}

fn refusal_messages(facts: &Facts, overrides: Value) -> Vec<String> {
    renew(facts, &by_barcode(overrides)).map_or_else(|fault| messages(&fault), |_| Vec::new())
}

/// Name of the block that would help, if any.
fn block(facts: &Facts) -> Option<&'static str> {
    match renew(facts, &by_barcode(json!({}))).unwrap_err().body {
        Body::Refusals(refusals) => refusals[0].overridable.as_ref().map(|block| block.name),
        _ => None,
    }
}

fn set_status(facts: &mut Facts, status: &str) {
    set(&mut facts.item.as_mut().unwrap().record, "status", json!({"name": status}));
}

fn recall(id: &str) -> crate::facts::QueuedRequest {
    let mut recall = queued_hold(id, "bob", 1);
    set(&mut recall.record, "requestType", "Recall");
    recall
}

type Change = fn(&mut Facts);

#[test]
fn why_a_renewal_is_refused() {
    let holds = "Items with this loan policy cannot be renewed when there is an active, pending hold request";
    let at_hand = Some("renewalBlock");
    let required = Some("renewalDueDateRequiredBlock");
    let cases: Vec<(Change, &str, Option<&str>)> = vec![
        (|facts| facts.item = None, "No item with barcode 200 exists", None),
        (
            |facts| set(&mut facts.patron.as_mut().unwrap().record, "barcode", "101"),
            "Cannot renew item checked out to different user",
            None,
        ),
        (|facts| facts.patron = None, "user is not found", None),
        (
            |facts| set(&mut facts.patron.as_mut().unwrap().record, "active", false),
            "Cannot renew loan when user is inactive or expired",
            None,
        ),
        (
            |facts| {
                facts.manual_blocks = vec![ManualBlock { record: json!({"desc": "d", "renewals": true}) }];
            },
            "Patron blocked from renewing",
            Some("patronBlock"),
        ),
        (
            |facts| {
                let message = "Too many".to_owned();
                facts.automated_blocks =
                    vec![AutomatedBlock { message, renewals: true, ..AutomatedBlock::default() }];
            },
            "Too many",
            Some("patronBlock"),
        ),
        (
            |facts| with_loan_policy(facts, |policy| set(policy, "loanable", false)),
            "item is not loanable",
            required,
        ),
        (
            |facts| facts.queue = vec![recall("r1")],
            "items cannot be renewed when there is an active recall request",
            at_hand,
        ),
        (|facts| set_status(facts, "Aged to lost"), "item is Aged to lost", at_hand),
        (|facts| set_status(facts, "Declared lost"), "item is Declared lost", at_hand),
        (
            |facts| set(&mut facts.open_loans_of_item[0].record, "renewalCount", 2),
            "loan at maximum renewal number",
            at_hand,
        ),
        (
            |facts| with_loan_policy(facts, |policy| set(policy, "renewable", false)),
            "loan is not renewable",
            required,
        ),
        (|facts| facts.queue = vec![queued_hold("r1", "bob", 1)], holds, required),
        (|facts| set_status(facts, "Claimed returned"), "item is Claimed returned", None),
        (
            |facts| set(&mut facts.open_loans_of_item[0].record, "dueDate", "2026-03-23T10:00:00.000+00:00"),
            "renewal would not change the due date",
            required,
        ),
        (
            |facts| {
                with_loan_policy(facts, |policy| set(policy, "renewalsPolicy", json!({"unlimited": true})));
            },
            "cannot determine when to renew from",
            required,
        ),
    ];
    for (change, expected, overridable) in cases {
        let mut facts = desk::on_loan();
        change(&mut facts);
        assert_eq!(refusal_messages(&facts, json!({})), [expected]);
        assert_eq!(block(&facts), overridable, "{expected}");
    }
}

#[test]
fn a_fixed_policy_with_periods_for_renewal_contradicts_itself_when_a_hold_waits() {
    let mut facts = desk::on_loan();
    facts.queue = vec![queued_hold("r1", "bob", 1)];
    let week = json!({"duration": 1, "intervalId": "Weeks"});
    with_loan_policy(&mut facts, |policy| {
        set(policy, "loansPolicy", json!({"profileId": "Fixed"}));
        set(policy, "renewalsPolicy", json!({"unlimited": true, "differentPeriod": true, "period": week}));
        let holds = json!({"renewItemsWithRequest": true, "alternateRenewalLoanPeriod": week});
        set(policy, "requestManagement", json!({"holds": holds}));
    });
    assert_eq!(
        refusal_messages(&facts, json!({})),
        [
            "Item's loan policy has fixed profile but alternative renewal period for holds is specified",
            "Item's loan policy has fixed profile but renewal period is specified",
            "renewal date falls outside of date ranges in fixed loan policy",
        ]
    );
}

#[test]
fn without_an_open_loan_there_is_nothing_to_renew() {
    let mut facts = desk::on_loan();
    facts.open_loans_of_item.clear();
    assert_eq!(refusal_messages(&facts, json!({})), ["No open loan could be found for item 200"]);
}

#[test]
fn by_id_a_different_user_is_reported_with_everything_else() {
    let mut facts = desk::on_loan();
    facts.queue = vec![recall("r1")];
    let command = |user: &str| {
        Renew::ById(crate::command::RenewById {
            item_id: Some("book-1".into()),
            user_id: Some(user.into()),
            ..Default::default()
        })
    };
    assert_eq!(
        messages(&renew(&facts, &command("bob")).unwrap_err()),
        [
            "Cannot renew item checked out to different user",
            "items cannot be renewed when there is an active recall request",
        ]
    );
    facts.queue.clear();
    assert!(renew(&facts, &command("ada")).is_ok());
}

#[test]
fn a_renewal_moves_the_due_date_and_counts() {
    let mut facts = desk::on_loan();
    let loan = &mut facts.open_loans_of_item[0].record;
    set(loan, "renewalCount", 1);
    set(loan, "actionComment", "old");
    set(loan, "dueDateChangedByRecall", true);
    let plan = renew(&facts, &by_barcode(json!({}))).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!(loan["dueDate"], "2026-03-23T22:59:59.000+00:00");
    assert_eq!((&loan["renewalCount"], &loan["action"]), (&json!(2), &json!("renewed")));
    assert_eq!((&loan["dueDateChangedByRecall"], &loan["shelfMark"]), (&json!(false), &json!("kept")));
    assert!(loan.get("actionComment").is_none());
    assert_eq!(written_document(&plan, RecordKind::Item), None);
    assert_eq!(plan.events[0].name, "LOAN_DUE_DATE_CHANGED");
}

#[test]
fn billed_reminders_forbid_renewal_where_the_overdue_policy_says_so() {
    let mut facts = desk::on_loan();
    set(&mut facts.open_loans_of_item[0].record, "reminders", json!({"lastFeeBilled": {"number": 1}}));
    let policies = std::sync::Arc::get_mut(&mut facts.policies).unwrap();
    let reminding = json!({"id": "fine", "reminderFeesPolicy": {"reminderSchedule": [{}]}});
    policies.overdue_fine.insert("fine".into(), serde_json::from_value(reminding).unwrap());
    assert_eq!(refusal_messages(&facts, json!({})), ["Renewals not allowed for loans with reminders."]);
    assert_eq!(block(&facts), Some("renewalBlock"));
}

#[test]
fn what_an_override_of_the_renewal_says_or_does() {
    let given = json!({"comment": "ok", "renewalDueDateRequiredBlock": {"dueDate": "2026-04-01T10:00:00Z"}});
    let early = json!({"comment": "ok", "renewalDueDateRequiredBlock": {"dueDate": "2026-03-13T10:00:00Z"}});
    let plain = json!({"comment": "ok", "renewalBlock": {}});
    let silent = json!({"renewalBlock": {}});
    let not_renewable: Change = |facts| with_loan_policy(facts, |policy| set(policy, "renewable", false));
    let due_late: Change =
        |facts| set(&mut facts.open_loans_of_item[0].record, "dueDate", "2026-03-30T10:00:00.000+00:00");
    let lost: Change = |facts| set_status(facts, "Declared lost");
    let cases: Vec<(Change, &Value, &str)> = vec![
        (lost, &silent, "Override renewal request must have a comment"),
        (not_renewable, &plain, "New due date must be specified when due date calculation fails"),
        (not_renewable, &given, "2026-04-01T10:00:00.000Z"),
        (lost, &plain, "2026-03-23T10:00:00.000Z"),
        (lost, &given, "2026-03-23T10:00:00.000Z"),
        (due_late, &plain, "New due date is required when renewal would not change the due date"),
        (due_late, &given, "2026-04-01T10:00:00.000Z"),
        (due_late, &early, "renewal would not change the due date"),
        (
            |_| {},
            &plain,
            "Override renewal does not match any of expected cases: item is not loanable, item is not renewable, \
             reached number of renewals limit,renewal date falls outside of the date ranges in the loan policy, \
             items cannot be renewed when there is an active recall request, item is Declared lost, item is Aged to \
             lost, renewal would not change the due date, loan has reminder fees",
        ),
    ];
    for (change, overrides, expected) in cases {
        let mut facts = desk::on_loan();
        facts.permissions = Permissions::all();
        change(&mut facts);
        let found = match renew(&facts, &by_barcode(overrides.clone())) {
            Ok(plan) => plan.answer()["dueDate"].as_str().unwrap().to_owned(),
            Err(fault) => messages(&fault).join("; "),
        };
        assert_eq!(found, expected, "{overrides}");
    }
}

#[test]
fn an_override_brings_a_lost_item_back_to_its_borrower() {
    let mut facts = desk::on_loan();
    set_status(&mut facts, "Aged to lost");
    let billing = json!({"agedToLostDate": "2026-03-01", "lostItemHasBeenBilled": true});
    set(&mut facts.open_loans_of_item[0].record, "agedToLostDelayedBilling", billing);
    let overrides = json!({"comment": "found", "renewalBlock": {}});
    assert_eq!(refusal_messages(&facts, overrides.clone()), ["Insufficient override permissions"]);

    facts.permissions = Permissions::all();
    let plan = renew(&facts, &by_barcode(overrides)).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!(
        (&loan["action"], &loan["actionComment"]),
        (&json!("renewedThroughOverride"), &json!("found"))
    );
    assert_eq!(loan["agedToLostDelayedBilling"], json!({"agedToLostDate": "2026-03-01"}));
    assert_eq!(loan["itemStatus"], "Checked out");
    assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Checked out");
}
