//! Check-out at the desk.

use std::sync::Arc;

use octavo_kernel::{Body, Permissions, Refusal};
use serde_json::{Value, json};

use super::*;
use crate::desk::{self, messages, patron, queued_hold, with_loan_policy, with_rules, written_document};
use crate::document::set;
use crate::facts::{AutomatedBlock, Loan, ManualBlock, OpenLoanSummary, Proxy, QueuedRequest};
use crate::plan::{PlaceChange, QueueOf, RecordKind};
use crate::policy::Policies;

fn command(extra: Value) -> CheckOut {
    let mut body = json!({"itemBarcode": "200", "userBarcode": "100", "servicePointId": "desk-1"});
    if let Value::Object(fields) = extra {
        for (key, value) in fields {
            set(&mut body, &key, value);
        }
    }
    serde_json::from_value(body).unwrap()
}

fn refusal_messages(facts: &Facts, extra: Value) -> Vec<String> {
    check_out(facts, &command(extra)).map_or_else(|fault| messages(&fault), |_| Vec::new())
}

fn set_status(facts: &mut Facts, status: &str) {
    set(&mut facts.item.as_mut().unwrap().record, "status", json!({"name": status}));
}

type Change = fn(&mut Facts);

#[test]
fn why_a_patron_or_proxy_may_not_borrow() {
    let cases: Vec<(&str, Change, Value, &str)> = vec![
        (
            "no service point",
            |_| {},
            json!({"servicePointId": null}),
            "Check out must be performed at a service point",
        ),
        (
            "unknown patron",
            |facts| facts.patron = None,
            json!({}),
            "Could not find user with matching barcode",
        ),
        (
            "blocked by staff",
            |facts| {
                facts.manual_blocks = vec![
                    ManualBlock { record: json!({"desc": "rude", "borrowing": true}) },
                    ManualBlock { record: json!({"desc": "loud", "requests": true}) },
                ];
            },
            json!({}),
            "Patron blocked from borrowing",
        ),
        (
            "blocked by a limit",
            |facts| {
                let message = "Too many books".to_owned();
                facts.automated_blocks =
                    vec![AutomatedBlock { message, borrowing: true, ..AutomatedBlock::default() }];
            },
            json!({}),
            "Too many books",
        ),
        (
            "inactive patron",
            |facts| set(&mut facts.patron.as_mut().unwrap().record, "active", false),
            json!({}),
            "Cannot check out to inactive user",
        ),
        (
            "patron without state",
            |facts| crate::document::remove(&mut facts.patron.as_mut().unwrap().record, "active"),
            json!({}),
            "Cannot determine if user is active or not",
        ),
        (
            "unknown proxy",
            |_| {},
            json!({"proxyUserBarcode": "7"}),
            "Could not find user with matching barcode",
        ),
        (
            "proxy without relationship",
            |facts| facts.proxy = Some(Proxy { patron: patron("bob", "7"), relationships: vec![] }),
            json!({"proxyUserBarcode": "7"}),
            "Cannot check out item via proxy when relationship is invalid",
        ),
        (
            "proxy of oneself",
            |facts| facts.proxy = Some(Proxy { patron: patron("ada", "100"), relationships: vec![] }),
            json!({"proxyUserBarcode": "100"}),
            "User cannot be proxy for themselves",
        ),
    ];
    assert_refusals(cases);
}

#[test]
fn why_an_item_may_not_go_out() {
    let cases: Vec<(&str, Change, Value, &str)> = vec![
        ("unknown item", |facts| facts.item = None, json!({}), "No item with barcode 200 could be found"),
        ("item is out", |facts| set_status(facts, "Checked out"), json!({}), "Item is already checked out"),
        (
            "lost item",
            |facts| set_status(facts, "Declared lost"),
            json!({}),
            "Notes (Book) (Barcode: 200) has the item status Declared lost and cannot be checked out",
        ),
        (
            "item aged to lost",
            |facts| set_status(facts, "Aged to lost"),
            json!({}),
            "Notes (Book) (Barcode: 200) has the item status Aged to lost and cannot be checked out",
        ),
        (
            "item has a loan",
            |facts| facts.open_loans_of_item = vec![Loan::default()],
            json!({}),
            "Cannot check out item that already has an open loan",
        ),
        (
            "someone else waits",
            |facts| facts.queue = vec![queued_hold("r1", "bob", 1), queued_hold("r2", "ada", 2)],
            json!({}),
            "Notes (Barcode: 200) cannot be checked out to user Lovelace, Ada because it has been requested by another patron",
        ),
        (
            "not loanable",
            |facts| with_loan_policy(facts, |policy| set(policy, "loanable", false)),
            json!({}),
            "Item is not loanable",
        ),
        (
            "no due date",
            |facts| with_loan_policy(facts, |policy| set(policy, "loansPolicy", json!({"profileId": "Odd"}))),
            json!({}),
            "profile \"Odd\" in the loan policy is not recognised",
        ),
    ];
    assert_refusals(cases);
}

fn assert_refusals(cases: Vec<(&str, Change, Value, &str)>) {
    for (title, change, extra, expected) in cases {
        let mut facts = desk::facts();
        change(&mut facts);
        assert_eq!(refusal_messages(&facts, extra), [expected], "{title}");
    }
}

#[test]
fn a_patron_may_have_only_so_many_items_of_a_kind() {
    let by_material = "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost\n\
                       m book: l three-weeks r any n none o fine i lost";
    let mut facts = desk::facts();
    with_rules(&mut facts, by_material, |policy| policy["loansPolicy"]["itemLimit"] = json!(1));
    assert_eq!(refusal_messages(&facts, json!({})), Vec::<String>::new());
    facts.open_loans_of_patron = vec![OpenLoanSummary {
        count: 1,
        material_type_id: Some("book".into()),
        ..OpenLoanSummary::default()
    }];
    assert_eq!(
        refusal_messages(&facts, json!({})),
        ["Patron has reached maximum limit of 1 items for material type"]
    );
}

#[test]
fn all_reasons_are_given_at_once_in_order() {
    let mut facts = desk::facts();
    facts.manual_blocks = vec![ManualBlock { record: json!({"desc": "rude", "borrowing": true}) }];
    set(&mut facts.patron.as_mut().unwrap().record, "active", false);
    set_status(&mut facts, "Checked out");
    facts.open_loans_of_item = vec![Loan::default()];
    facts.queue = vec![queued_hold("r1", "bob", 1)];
    with_loan_policy(&mut facts, |policy| set(policy, "loanable", false));
    assert_eq!(
        refusal_messages(&facts, json!({"servicePointId": ""})),
        [
            "Check out must be performed at a service point",
            "Patron blocked from borrowing",
            "Cannot check out to inactive user",
            "Item is already checked out",
            "Cannot check out item that already has an open loan",
            "Notes (Barcode: 200) cannot be checked out to user Lovelace, Ada because it has been requested by another patron",
            "Item is not loanable",
        ]
    );
}

#[test]
fn a_refusal_names_its_parameters_code_and_missing_permissions() {
    let mut facts = desk::facts();
    with_loan_policy(&mut facts, |policy| set(policy, "loanable", false));
    let Err(Undecided::Refused(fault)) = check_out(&facts, &command(json!({}))) else { panic!() };
    let expected = Refusal::new("Item is not loanable")
        .about("loanPolicyId", "three-weeks")
        .about("loanPolicyName", "Three weeks")
        .about("itemBarcode", "200")
        .code("ITEM_NOT_LOANABLE")
        .overridable("itemNotLoanableBlock", vec!["circulation.override-item-not-loanable-block".into()]);
    assert_eq!((fault.status, fault.body), (422, Body::Refusals(vec![expected])));
}

#[test]
fn rules_that_cannot_be_applied_are_no_refusal() {
    let mut facts = desk::facts();
    facts.policies = Arc::new(Policies::default());
    assert_eq!(refusal_messages(&facts, json!({})), ["500 Cannot apply blank circulation rules"]);

    let mut facts = desk::facts();
    crate::document::remove(&mut facts.patron.as_mut().unwrap().record, "patronGroup");
    assert_eq!(
        refusal_messages(&facts, json!({})),
        ["500 Unable to apply circulation rules to a user with null value as patronGroupId"]
    );

    let mut facts = desk::facts();
    with_loan_policy(&mut facts, |policy| set(policy, "id", "other"));
    assert_eq!(
        refusal_messages(&facts, json!({})),
        ["500 Loan policy three-weeks could not be found, please check circulation rules"]
    );
}

#[test]
fn a_check_out_writes_loan_and_item_and_says_why() {
    let facts = desk::facts();
    let plan = check_out(&facts, &command(json!({}))).unwrap();

    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    for (key, expected) in [
        ("id", json!("new-loan")),
        ("userId", json!("ada")),
        ("status", json!({"name": "Open"})),
        ("action", json!("checkedout")),
        ("loanDate", json!("2026-03-02T10:00:00.000+00:00")),
        ("dueDate", json!("2026-03-23T22:59:59.000+00:00")),
        ("itemStatus", json!("Checked out")),
        ("loanPolicyId", json!("three-weeks")),
        ("overdueFinePolicyId", json!("fine")),
        ("lostItemPolicyId", json!("lost")),
        ("checkoutServicePointId", json!("desk-1")),
        ("itemEffectiveLocationIdAtCheckOut", json!("stacks")),
        ("patronGroupIdAtCheckout", json!("staff")),
    ] {
        assert_eq!(loan[key], expected, "{key}");
    }
    let item = written_document(&plan, RecordKind::Item).unwrap();
    assert_eq!(item["status"], json!({"name": "Checked out", "date": "2026-03-02T10:00:00.000+00:00"}));
    assert_eq!(item["shelfMark"], "kept");
    let session = written_document(&plan, RecordKind::PatronActionSession).unwrap();
    assert_eq!((&session["patronId"], &session["actionType"]), (&json!("ada"), &json!("Check-out")));

    assert_eq!(plan.answer()["borrower"]["lastName"], "Lovelace");
    assert_eq!(plan.answer()["item"]["status"]["name"], "Checked out");
    assert_eq!(plan.events[0].name, "ITEM_CHECKED_OUT");
    assert_eq!(
        plan.sentences(),
        [
            "The circulation rule on line 3 applies, by patron group.",
            "It sets the loan policy \"Three weeks\" (three-weeks).",
            "It sets the overdue fine policy \"Ten cents\" (fine).",
            "It sets the lost item fee policy \"Full price\" (lost).",
            "2026-03-02T10:00:00.000+00:00 plus the period of 3 weeks is 2026-03-23T10:00:00.000+00:00.",
            "Closed-library management (keep the due date) moves 2026-03-23T10:00:00.000+00:00 to \
         2026-03-23T22:59:59.000+00:00.",
            "The item was Available and is Checked out.",
            "Loan new-loan is opened.",
        ]
    );
}

#[test]
fn a_proxy_borrows_for_the_sponsor() {
    let mut facts = desk::facts();
    let relationships = vec![json!({"status": "Active"})];
    facts.proxy = Some(Proxy { patron: patron("bob", "7"), relationships });
    let plan = check_out(&facts, &command(json!({"proxyUserBarcode": "7"}))).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!((&loan["userId"], &loan["proxyUserId"]), (&json!("ada"), &json!("bob")));
}

#[test]
fn an_override_needs_permission_and_comment_and_marks_the_loan() {
    let mut facts = desk::facts();
    facts.automated_blocks = vec![AutomatedBlock { borrowing: true, ..AutomatedBlock::default() }];
    with_loan_policy(&mut facts, |policy| set(policy, "loanable", false));
    let both = json!({"overrideBlocks": {"patronBlock": {}, "comment": "ok",
        "itemNotLoanableBlock": {"dueDate": "2026-03-05T12:00:00+01:00"}}});
    assert_eq!(refusal_messages(&facts, both.clone()), ["Insufficient override permissions"; 2]);

    facts.permissions = Permissions::all();
    let no_comment = json!({"overrideBlocks": {"patronBlock": {}, "itemNotLoanableBlock": {}}});
    assert_eq!(
        refusal_messages(&facts, no_comment),
        ["Override should be performed with the comment specified"]
    );

    let plan = check_out(&facts, &command(both)).unwrap();
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!(loan["action"], "checkedOutThroughOverride");
    assert_eq!(loan["actionComment"], "ok");
    assert_eq!(loan["dueDate"], "2026-03-05T11:00:00.000+00:00");
}

#[test]
fn the_patrons_own_request_is_filled_and_the_others_move_up() {
    let mut facts = desk::facts();
    facts.queue = vec![queued_hold("r1", "ada", 1), queued_hold("r2", "bob", 2)];
    let plan = check_out(&facts, &command(json!({}))).unwrap();
    let request = written_document(&plan, RecordKind::Request).unwrap();
    assert_eq!((&request["status"], &request["position"]), (&json!("Closed - Filled"), &Value::Null));
    let queue = QueueOf::Item("book-1".into());
    let places: Vec<&PlaceChange> = plan.place_changes().collect();
    assert_eq!(places, [&PlaceChange::CloseGap { queue, after: 1 }]);
}

#[test]
fn a_waiting_hold_shortens_the_loan_where_the_policy_says_so() {
    let mut facts = desk::facts();
    facts.queue = vec![queued_hold("r1", "ada", 1), queued_hold("r2", "bob", 2)];
    with_loan_policy(&mut facts, |policy| {
        let week = json!({"duration": 1, "intervalId": "Weeks"});
        set(policy, "requestManagement", json!({"holds": {"alternateCheckoutLoanPeriod": week}}));
    });
    let plan = check_out(&facts, &command(json!({}))).unwrap();
    assert_eq!(plan.answer()["dueDate"], "2026-03-09T22:59:59.000+00:00");
    assert_eq!(plan.answer()["dueDateChangedByHold"], true);
}

fn recall(id: &str, requester: &str, position: i64) -> QueuedRequest {
    let mut request = queued_hold(id, requester, position);
    set(&mut request.record, "requestType", "Recall");
    request
}

/// It is 2 March; the item would be lent until 23 March.
#[test]
fn a_recall_that_waits_shortens_the_loan_as_it_goes_out() {
    let days = |days: i64| json!({"duration": days, "intervalId": "Days"});
    let (five, ten) = ("2026-03-07T22:59:59.000+00:00", "2026-03-12T22:59:59.000+00:00");
    let (whole, patron_expires) = ("2026-03-23T22:59:59.000+00:00", "2026-03-05T12:00:00.000+00:00");
    let interval = json!({"recallReturnInterval": days(5)});
    let guaranteed = json!({"recallReturnInterval": days(5), "minimumGuaranteedLoanPeriod": days(10)});
    let other_copy = |mut facts: Facts| {
        set(&mut facts.queue[1].record, "itemId", "book-2");
        facts
    };
    let expiring = |mut facts: Facts| {
        set(&mut facts.patron.as_mut().unwrap().record, "expirationDate", "2026-03-05T12:00:00Z");
        facts
    };
    let cases: [(Vec<QueuedRequest>, &Value, fn(Facts) -> Facts, &str, bool); 6] = [
        (vec![recall("r1", "ada", 1), recall("r2", "bob", 2)], &interval, |facts| facts, five, true),
        (vec![queued_hold("r1", "ada", 1), recall("r2", "bob", 2)], &guaranteed, |facts| facts, ten, true),
        (vec![recall("r1", "ada", 1), queued_hold("r2", "bob", 2)], &interval, |facts| facts, whole, false),
        (vec![recall("r1", "ada", 1)], &interval, |facts| facts, whole, false),
        (vec![queued_hold("r1", "ada", 1), recall("r2", "bob", 2)], &interval, other_copy, whole, false),
        (
            vec![queued_hold("r1", "ada", 1), recall("r2", "bob", 2)],
            &interval,
            expiring,
            patron_expires,
            true,
        ),
    ];
    for (queue, recalls, change, due, by_recall) in cases {
        let mut facts = desk::facts();
        facts.queue = queue;
        with_loan_policy(&mut facts, |policy| {
            set(policy, "requestManagement", json!({"recalls": recalls}));
        });
        let plan = check_out(&change(facts), &command(json!({}))).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!(loan["dueDate"], due, "{recalls}");
        assert_eq!(loan["dueDateChangedByRecall"] == true, by_recall, "{recalls}");
        assert_eq!(plan.answer()["dueDate"], due);
        assert_eq!(plan.events[0].payload["dueDate"], due);
    }
}

#[test]
fn a_title_level_hold_of_another_patron_counts_if_rules_let_them_have_the_item() {
    let mut facts = desk::facts();
    let mut request = queued_hold("r1", "bob", 1);
    set(&mut request.record, "requestLevel", "Title");
    crate::document::remove(&mut request.record, "itemId");
    facts.queue = vec![request.clone()];
    assert_eq!(refusal_messages(&facts, json!({})).len(), 1);

    set(&mut request.record, "instanceId", "another");
    facts.queue = vec![request];
    assert_eq!(refusal_messages(&facts, json!({})), Vec::<String>::new());
}

#[test]
fn a_borrower_s_title_level_recall_is_filled_by_whichever_copy_they_take() {
    let mut of_other_copy = recall("r1", "ada", 1);
    set(&mut of_other_copy.record, "requestLevel", "Title");
    set(&mut of_other_copy.record, "itemId", "book-2");
    let mut by_bob = of_other_copy.clone();
    set(&mut by_bob.record, "requesterId", "bob");
    let with_status = |status: &str| {
        let mut request = of_other_copy.clone();
        set(&mut request.record, "status", status);
        request
    };
    for (queue, filled) in [
        (vec![of_other_copy.clone()], Some("r1")),
        (vec![with_status("Open - Awaiting pickup")], None),
        // It waits for its own copy, and who takes another one leaves it alone.
        (vec![by_bob.clone()], None),
        (vec![by_bob, queued_hold("r2", "ada", 2)], Some("r2")),
    ] {
        let mut facts = desk::facts();
        facts.queue_part.of_title = true;
        facts.queue = queue;
        let plan = check_out(&facts, &command(json!({}))).unwrap();
        let request = written_document(&plan, RecordKind::Request);
        assert_eq!(request.as_ref().and_then(|request| request["id"].as_str()), filled, "{:?}", facts.queue);
        assert!(request.is_none_or(|request| request["status"] == "Closed - Filled"));
    }
}
