//! What a new request does to queue, item and loan.

use std::sync::Arc;

use super::*;
use crate::facts::Location;

#[test]
fn a_page_takes_the_item_off_the_shelf() {
    let plan = create_request(&facts(), &page_request()).unwrap();
    assert_eq!(positions(&plan), [("new-request".into(), Some(1))]);
    assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Paged");
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert_eq!(stored["status"], "Open - Not yet filled");
    assert_eq!(stored["searchIndex"]["callNumberComponents"]["callNumber"], "QA 76");
    assert_eq!(stored["requester"]["barcode"], "100");
    assert_eq!(plan.answer()["item"]["status"], "Paged");
    assert_eq!(plan.answer()["pickupServicePoint"]["name"], "Name of desk-1");
    assert_eq!(plan.answer().get("searchIndex"), None);
}

#[test]
fn old_clients_name_an_item_only() {
    let body = without(page_request(), &["requestLevel", "holdingsRecordId", "instanceId"]);
    let plan = create_request(&facts(), &body).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert_eq!(stored["requestLevel"], "Item");
    assert_eq!(stored["holdingsRecordId"], "holdings-1");
    assert_eq!(stored["instanceId"], "instance-1");
}

#[test]
fn a_request_expires_at_the_end_of_its_day() {
    let body = with(page_request(), "requestExpirationDate", json!("2026-03-10T12:00:00Z"));
    let plan = create_request(&facts(), &body).unwrap();
    assert_eq!(plan.answer()["requestExpirationDate"], "2026-03-10T22:59:59.000+00:00");
}

#[test]
fn a_request_that_is_posted_closed_stays_closed_and_changes_nothing_else() {
    for status in ["Closed - Filled", "Closed - Cancelled", "Closed - Unfilled", "Closed - Pickup expired"] {
        for (facts, body) in [(facts(), page_request()), (facts_on_loan(), of_type("Recall"))] {
            let plan = create_request(&facts, &with(body, "status", json!(status))).unwrap();
            assert_eq!(plan.answer()["status"], status);
            assert_eq!(positions(&plan), [("new-request".into(), None)]);
            assert_eq!(documents(&plan, RecordKind::Item), []);
            assert_eq!(documents(&plan, RecordKind::Loan), []);
            assert!(plan.trace.is_empty(), "no notice is due: {:?}", plan.trace);
        }
    }
}

#[test]
fn new_requests_join_the_end() {
    let mut facts = facts_on_loan();
    facts.desk.queue = vec![queued_hold("r1", "cy", 1), queued_hold("r2", "di", 2)];
    let plan = create_request(&facts, &of_type("Hold")).unwrap();
    assert_eq!(positions(&plan), [("new-request".into(), Some(3))]);
    assert_eq!(documents(&plan, RecordKind::Loan), [], "a hold leaves the loan alone");
}

#[test]
fn a_title_level_hold_names_no_item() {
    let plan = create_request(&with_title_requests(facts_on_loan()), &title_request("Hold")).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert!(stored.get("itemId").is_none(), "{stored}");
}

#[test]
fn a_title_is_recalled_from_who_must_return_it_first() {
    let mut facts = with_title_requests(facts_on_loan());
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    facts.items.push(other);
    let mut loan = facts.open_loans[0].clone();
    for (key, value) in [("id", "loan-2"), ("itemId", "book-2"), ("dueDate", "2026-03-12T22:59:59.000+00:00")]
    {
        set(&mut loan.record, key, value);
    }
    facts.open_loans.push(loan);
    let recalled = |facts: &RequestFacts| {
        create_request(facts, &title_request("Recall")).unwrap().answer()["itemId"].clone()
    };
    assert_eq!(recalled(&facts), "book-2");
    let mut recall = queued_hold("r1", "cy", 1);
    set(&mut recall.record, "requestType", "Recall");
    set(&mut recall.record, "itemId", "book-2");
    facts.desk.queue = vec![recall];
    assert_eq!(recalled(&facts), "book-1", "one that nobody has recalled yet");
}

fn location(id: &str, library: &str, campus: &str, institution: &str, point: &str) -> Location {
    Location {
        id: id.into(),
        library_id: Some(library.into()),
        campus_id: Some(campus.into()),
        institution_id: Some(institution.into()),
        primary_service_point_id: Some(point.into()),
        ..Location::default()
    }
}

/// The pickup point has shelves of its own, without a copy on them.
#[test]
fn a_title_s_page_takes_the_copy_closest_to_where_it_is_picked_up() {
    let own = location("own", "library", "campus", "institution", "desk-1");
    let elsewhere = |library: &str, campus: &str, institution: &str| {
        location("elsewhere", library, campus, institution, "desk-9")
    };
    let far = || elsewhere("other", "other", "other");
    for (copies, taken) in [
        (vec![far(), far()], "copy-0"),
        (vec![far(), elsewhere("other", "other", "institution")], "copy-1"),
        (
            vec![elsewhere("other", "other", "institution"), elsewhere("other", "campus", "institution")],
            "copy-1",
        ),
        (
            vec![elsewhere("other", "campus", "institution"), elsewhere("library", "campus", "institution")],
            "copy-1",
        ),
        (vec![elsewhere("library", "campus", "institution"), own.clone()], "copy-1"),
        (vec![own.clone(), elsewhere("library", "campus", "institution")], "copy-0"),
    ] {
        let mut facts = with_title_requests(facts());
        let book = facts.items[0].clone();
        facts.locations = Arc::new([("own".to_owned(), Arc::new(own.clone()))].into());
        let copy = |(at, location): (usize, Location)| {
            let mut copy = book.clone();
            set(&mut copy.record, "id", format!("copy-{at}"));
            copy.location = Some(Arc::new(location));
            copy
        };
        facts.items = copies.iter().cloned().enumerate().map(copy).collect();
        let plan = create_request(&facts, &title_request("Page")).unwrap();
        assert_eq!(plan.answer()["itemId"], taken, "{copies:?}");
    }
}

/// Copies of the first material type may be recalled, those of the second may not.
#[test]
fn a_title_s_recall_passes_over_copies_whose_policy_has_none() {
    let rules = "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost\n\
                 m dvd: l three-weeks r no-recall n none o fine i lost\n";
    let due = |day: u32| format!("2026-03-{day:02}T22:59:59.000+00:00");
    // For each copy: material type, the end of its loan if it is checked out, and how often it is recalled.
    for (copies, recalled) in [
        (vec![("dvd", Some(5), 0), ("book", Some(9), 0)], Ok("copy-1")),
        (vec![("book", Some(9), 0), ("book", Some(5), 0)], Ok("copy-1")),
        (vec![("dvd", Some(5), 0), ("book", Some(9), 2), ("book", Some(10), 1)], Ok("copy-2")),
        (vec![("dvd", None, 0), ("book", None, 0)], Ok("copy-1")),
        (
            vec![("dvd", Some(5), 0), ("dvd", None, 0)],
            Err("Recall requests are not allowed for this patron and item combination"),
        ),
    ] {
        let mut facts = with_title_requests(facts_on_loan());
        let mut policies = crate::desk::policies(rules, crate::desk::three_weeks());
        let none = json!({"id": "no-recall", "requestTypes": ["Page", "Hold"]});
        policies.request.insert("no-recall".into(), serde_json::from_value(none).unwrap());
        facts.desk.policies = Arc::new(policies);
        let (book, loan) = (facts.items.remove(0), facts.open_loans.remove(0));
        for (at, (material, ends, recalls)) in copies.iter().enumerate() {
            let id = format!("copy-{at}");
            let mut copy = book.clone();
            set(&mut copy.record, "id", id.as_str());
            set(&mut copy.record, "materialTypeId", *material);
            if let Some(day) = ends {
                let mut of_copy = loan.clone();
                set(&mut of_copy.record, "id", format!("loan-{at}"));
                set(&mut of_copy.record, "itemId", id.as_str());
                set(&mut of_copy.record, "dueDate", due(*day));
                facts.open_loans.push(of_copy);
            } else {
                set(&mut copy.record, "status", json!({"name": "In transit"}));
            }
            facts.items.push(copy);
            for _ in 0..*recalls {
                let place = facts.desk.queue.len() as i64 + 1;
                let mut recall = queued_hold(&format!("r{place}"), "cy", place);
                set(&mut recall.record, "requestType", "Recall");
                set(&mut recall.record, "itemId", id.as_str());
                facts.desk.queue.push(recall);
            }
        }
        let outcome = create_request(&facts, &title_request("Recall"));
        match recalled {
            Ok(copy) => assert_eq!(outcome.unwrap().answer()["itemId"], copy, "{copies:?}"),
            Err(message) => assert_eq!(refusal_messages(outcome), [message], "{copies:?}"),
        }
    }
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
        let mut facts = facts_on_loan();
        with_loan_policy(&mut facts.desk, |policy| policy["requestManagement"] = json!({"recalls": recalls}));
        let plan = create_request(&facts, &of_type("Recall")).unwrap();
        let (_, loan) = documents(&plan, RecordKind::Loan).remove(0);
        assert_eq!((&loan["dueDate"], &loan["action"]), (&json!(due), &json!("recallrequested")), "{why}");
        assert_eq!(loan["dueDateChangedByRecall"], true);
        assert_eq!(plan.answer()["loan"]["dueDate"], due);
        assert_eq!(plan.events[0].name, "LOAN_DUE_DATE_CHANGED");
    }
    let mut facts = facts_on_loan();
    set(&mut facts.open_loans[0].record, "dueDateChangedByRecall", true);
    let plan = create_request(&facts, &of_type("Recall")).unwrap();
    assert_eq!(documents(&plan, RecordKind::Loan), []);
}

#[test]
fn the_rules_say_which_policy_a_recalled_loan_has_now() {
    let mut facts = facts_on_loan();
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
