//! What a new request does to queue, item and loan.

use super::*;

#[test]
fn a_page_takes_the_item_off_the_shelf() {
    let plan = create_request(&facts(), &page()).unwrap();
    assert_eq!(positions(&plan), [("new-request".into(), Some(1))]);
    assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Paged");
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert_eq!(stored["status"], "Open - Not yet filled");
    assert_eq!(stored["searchIndex"]["callNumberComponents"]["callNumber"], "QA 76");
    assert_eq!(stored["requester"]["barcode"], "100");
    assert_eq!(plan.answer()["item"]["status"], "Paged");
    assert_eq!(plan.answer()["pickupServicePoint"]["name"], "Name of desk-1");
}

#[test]
fn old_clients_name_an_item_only() {
    let body = without(page(), &["requestLevel", "holdingsRecordId", "instanceId"]);
    let plan = create_request(&facts(), &body).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert_eq!(stored["requestLevel"], "Item");
    assert_eq!(stored["holdingsRecordId"], "holdings-1");
    assert_eq!(stored["instanceId"], "instance-1");
}

#[test]
fn a_request_expires_at_the_end_of_its_day() {
    let body = with(page(), "requestExpirationDate", json!("2026-03-10T12:00:00Z"));
    let plan = create_request(&facts(), &body).unwrap();
    assert_eq!(plan.answer()["requestExpirationDate"], "2026-03-10T22:59:59.000+00:00");
}

#[test]
fn new_requests_join_the_end() {
    let mut facts = lent();
    facts.desk.queue = vec![hold("r1", "cy", 1), hold("r2", "di", 2)];
    let plan = create_request(&facts, &of_type("Hold")).unwrap();
    assert_eq!(positions(&plan), [("new-request".into(), Some(3))]);
    assert_eq!(documents(&plan, RecordKind::Loan), [], "a hold leaves the loan alone");
}

#[test]
fn a_title_level_hold_names_no_item() {
    let plan = create_request(&titles(lent()), &title("Hold")).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert!(stored.get("itemId").is_none(), "{stored}");
}

#[test]
fn a_title_is_recalled_from_who_must_return_it_first() {
    let mut facts = titles(lent());
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    facts.items.push(other);
    let mut loan = facts.open_loans[0].clone();
    for (key, value) in [("id", "loan-2"), ("itemId", "book-2"), ("dueDate", "2026-03-12T22:59:59.000+00:00")]
    {
        set(&mut loan.record, key, value);
    }
    facts.open_loans.push(loan);
    let recalled =
        |facts: &RequestFacts| create_request(facts, &title("Recall")).unwrap().answer()["itemId"].clone();
    assert_eq!(recalled(&facts), "book-2");
    let mut recall = hold("r1", "cy", 1);
    set(&mut recall.record, "requestType", "Recall");
    set(&mut recall.record, "itemId", "book-2");
    facts.desk.queue = vec![recall];
    assert_eq!(recalled(&facts), "book-1", "one that nobody has recalled yet");
}

/// The book went out on 20 February and is due on 13 March; today is 2 March.
#[test]
fn a_recall_shortens_the_loan_once() {
    let days = |days: i64| json!({"duration": days, "intervalId": "Days"});
    let cases = [
        (json!({}), "2026-03-02T22:59:59.000+00:00", "at once where the policy says nothing"),
        (json!({"recallReturnInterval": days(3)}), "2026-03-05T22:59:59.000+00:00", "the return interval"),
        (
            json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(14)}),
            "2026-03-06T22:59:59.000+00:00",
            "the guaranteed period",
        ),
        (json!({"recallReturnInterval": days(30)}), "2026-03-13T22:59:59.000+00:00", "never later"),
        (
            json!({"recallReturnInterval": days(30), "allowRecallsToExtendOverdueLoans": true}),
            "2026-04-01T21:59:59.000+00:00",
            "unless the policy extends",
        ),
    ];
    for (recalls, due, why) in cases {
        let mut facts = lent();
        with_loan_policy(&mut facts.desk, |policy| policy["requestManagement"] = json!({"recalls": recalls}));
        let plan = create_request(&facts, &of_type("Recall")).unwrap();
        let (_, loan) = documents(&plan, RecordKind::Loan).remove(0);
        assert_eq!((&loan["dueDate"], &loan["action"]), (&json!(due), &json!("recallrequested")), "{why}");
        assert_eq!(loan["dueDateChangedByRecall"], true);
        assert_eq!(plan.answer()["loan"]["dueDate"], due);
        assert_eq!(plan.events[0].name, "LOAN_DUE_DATE_CHANGED");
    }
    let mut facts = lent();
    set(&mut facts.open_loans[0].record, "dueDateChangedByRecall", true);
    let plan = create_request(&facts, &of_type("Recall")).unwrap();
    assert_eq!(documents(&plan, RecordKind::Loan), []);
}

#[test]
fn the_rules_say_which_policy_a_recalled_loan_has_now() {
    let mut facts = lent();
    set(&mut facts.open_loans[0].record, "loanPolicyId", "a policy of old");
    with_loan_policy(&mut facts.desk, |policy| {
        let interval = json!({"recallReturnInterval": {"duration": 3, "intervalId": "Days"}});
        policy["requestManagement"] = json!({"recalls": interval});
    });
    let due = |facts: &RequestFacts| {
        let plan = create_request(facts, &of_type("Recall")).unwrap();
        documents(&plan, RecordKind::Loan).pop().map(|(_, loan)| loan["dueDate"].clone())
    };
    assert_eq!(due(&facts), Some(json!("2026-03-05T22:59:59.000+00:00")));
    set(&mut facts.borrowers[0].record, "expirationDate", "2026-03-04T12:00:00Z");
    assert_eq!(due(&facts), Some(json!("2026-03-04T12:00:00.000+00:00")), "no longer than the borrower");
    facts.borrowers.clear();
    assert_eq!(due(&facts), None, "nobody knows what was agreed");
    set(&mut facts.open_loans[0].record, "loanPolicyId", "three-weeks");
    assert_eq!(due(&facts), Some(json!("2026-03-05T22:59:59.000+00:00")));
}
