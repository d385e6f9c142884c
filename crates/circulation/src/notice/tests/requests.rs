//! Notices about requests whose time is set, moved, or over, and about fees for lost items.

use std::sync::Arc;

use super::*;
use crate::command::DeclareLost;
use crate::desk::set_item_status;
use crate::document::set;
use crate::facts::{Account, Charging};
use crate::plan::RecordKind;
use crate::trace::Step;

const EARLY: &str = "2026-03-10T22:59:59.000+00:00";
const LATE: &str = "2026-03-20T22:59:59.000+00:00";

/// Ben's hold with these members.
fn hold_with(members: &Value) -> crate::facts::QueuedRequest {
    let mut request = queued_hold("hold-1", "ben", 1);
    for (name, value) in members.as_object().into_iter().flatten() {
        set(&mut request.record, name, value.clone());
    }
    request
}

/// What follows when a request becomes another: what is scheduled, and what is not any more.
fn changed(before: Option<Value>, after: &Value) -> (Vec<(String, String)>, Vec<&'static str>) {
    let mut facts = on_loan();
    with_notices(
        &mut facts,
        &[
            ("requestNotices", "Request expiration", json!({"sendHow": "Upon At"})),
            ("requestNotices", "Hold expiration", json!({"sendHow": "Before", "sendBy": days(1)})),
        ],
    );
    let mut plan = Plan::default();
    let after = hold_with(after).record;
    let status = |record: &Value| record["status"].as_str().unwrap().to_owned();
    match before {
        Some(before) => {
            let before = hold_with(&before);
            let (from, to) = (status(&before.record), status(&after));
            plan.add_step(Step::RequestChanged { request_id: "hold-1".into(), from, to });
            facts.queue = vec![before];
        }
        None => {
            plan.add_step(Step::RequestMade { request_id: "hold-1".into(), position: 1 });
            facts.patron = Some(patron("ben", "300"));
        }
    }
    plan.update(RecordKind::Request, "hold-1", after);
    let plan = announced(&facts, plan);
    let of = |record: &Value, name: &str| record[name].as_str().unwrap().to_owned();
    let scheduled = plan.scheduled.iter().map(|notice| &notice.record);
    let scheduled = scheduled.map(|record| (of(record, "triggeringEvent"), of(record, "nextRunTime")));
    (scheduled.collect(), plan.unscheduled.iter().map(|gone| gone.event).collect())
}

#[test]
fn notices_follow_the_time_of_a_request() {
    let (request, shelf) = ("Request expiration", "Hold expiration");
    let open = |more: Value| {
        let mut members = json!({"status": "Open - Not yet filled"});
        for (name, value) in more.as_object().into_iter().flatten() {
            members[name] = value.clone();
        }
        members
    };
    let on_shelf =
        |until: &str| open(json!({"status": "Open - Awaiting pickup", "holdShelfExpirationDate": until}));
    let until = |date: &str| open(json!({"requestExpirationDate": date}));
    let in_transit = open(json!({"status": "Open - In transit", "holdShelfExpirationDate": EARLY}));
    let cancelled = open(json!({"status": "Closed - Cancelled", "requestExpirationDate": LATE}));
    let of_time = vec![request, shelf, "Title level request expiration"];
    let day_before = "2026-03-09T22:59:59.000+00:00";
    let later_day_before = "2026-03-19T22:59:59.000+00:00";
    for (before, after, scheduled, gone) in [
        (None, open(json!({})), vec![], vec![]),
        (None, until(EARLY), vec![(request, EARLY)], vec![]),
        (Some(until(EARLY)), until(EARLY), vec![], vec![]),
        (Some(until(EARLY)), until(LATE), vec![(request, LATE)], vec![request]),
        (Some(open(json!({}))), until(LATE), vec![(request, LATE)], vec![]),
        (Some(until(EARLY)), open(json!({})), vec![], vec![request]),
        (Some(open(json!({}))), on_shelf(EARLY), vec![(shelf, day_before)], vec![]),
        (Some(on_shelf(EARLY)), on_shelf(LATE), vec![(shelf, later_day_before)], vec![shelf]),
        (Some(on_shelf(EARLY)), on_shelf(EARLY), vec![], vec![]),
        (Some(in_transit), on_shelf(EARLY), vec![(shelf, day_before)], vec![shelf]),
        (Some(until(EARLY)), cancelled, vec![], of_time.clone()),
        (Some(on_shelf(EARLY)), open(json!({"status": "Closed - Filled"})), vec![], of_time),
        // Whoever was not served in time is still to hear of it.
        (Some(until(EARLY)), open(json!({"status": "Closed - Unfilled"})), vec![], vec![]),
        (Some(on_shelf(EARLY)), open(json!({"status": "Closed - Pickup expired"})), vec![], vec![]),
    ] {
        let told = format!("{before:?} to {after}");
        let expected: Vec<(String, String)> =
            scheduled.into_iter().map(|(event, run)| (event.to_owned(), run.to_owned())).collect();
        assert_eq!(changed(before, &after), (expected, gone), "{told}");
    }
}

#[test]
fn a_title_without_an_item_has_the_notice_of_the_settings_moved_with_its_time() {
    let facts = |before: &Value| {
        let mut facts = on_loan();
        facts.queue = vec![hold_with(before)];
        crate::document::remove(&mut facts.queue[0].record, "itemId");
        facts
    };
    let title = Arc::new(TitleTemplates { expiration: Some("over".into()), ..TitleTemplates::default() });
    for (before, after, scheduled, gone) in
        [(EARLY, EARLY, vec![], vec![]), (EARLY, LATE, vec![LATE], vec!["Title level request expiration"])]
    {
        let status = "Open - Not yet filled".to_owned();
        let mut facts = facts(&json!({"status": status, "requestExpirationDate": before}));
        facts.title_templates = title.clone();
        let mut record = facts.queue[0].record.clone();
        set(&mut record, "requestExpirationDate", after);
        let mut plan = Plan::default();
        plan.add_step(Step::RequestChanged { request_id: "hold-1".into(), from: status.clone(), to: status });
        plan.update(RecordKind::Request, "hold-1", record);
        announce(DecisionFacts { facts: &facts, items: &[] }, &mut plan);
        let runs: Vec<&str> =
            plan.scheduled.iter().map(|notice| notice.record["nextRunTime"].as_str().unwrap()).collect();
        assert_eq!(runs, scheduled);
        assert_eq!(plan.unscheduled.iter().map(|gone| gone.event).collect::<Vec<_>>(), gone);
    }
}

#[test]
fn a_notice_about_a_request_recurs_until_its_time_is_over() {
    let now: Timestamp = "2026-03-10T10:00:00Z".parse().unwrap();
    let user = json!({"id": "ben"});
    let (open, shelf) = ("Open - Not yet filled", "Open - Awaiting pickup");
    let next = Some("2026-03-11T09:00:00.000+00:00");
    for (event, status, field, ends, expected) in [
        ("Request expiration", open, "requestExpirationDate", "2026-03-12T10:00:00Z", next),
        ("Request expiration", open, "requestExpirationDate", "2026-03-11T08:00:00Z", None),
        ("Hold expiration", shelf, "holdShelfExpirationDate", "2026-03-12T10:00:00Z", next),
        ("Hold expiration", shelf, "holdShelfExpirationDate", "2026-03-11T08:00:00Z", None),
    ] {
        let notice = json!({"triggeringEvent": event, "nextRunTime": "2026-03-10T09:00:00Z",
            "noticeConfig": {"timing": "Before", "recurringPeriod": days(1)}});
        let mut request = json!({"status": status});
        request[field] = json!(ends);
        let subject = Subject { request: Some(&request), user: Some(&user), ..Subject::default() };
        let NoticeOutcome::Write { next_run: again } = notice_outcome(&notice, &subject, now) else {
            panic!("{notice} is not written")
        };
        assert_eq!(again.map(folio_time).as_deref(), expected, "{event} {ends}");
    }
    let upon = json!({"triggeringEvent": "Request expiration", "nextRunTime": "2026-03-10T09:00:00Z",
        "noticeConfig": {"timing": "Upon At", "recurringPeriod": days(1)}});
    let expired = json!({"status": "Closed - Unfilled"});
    let subject = Subject { request: Some(&expired), user: Some(&user), ..Subject::default() };
    assert_eq!(notice_outcome(&upon, &subject, now), NoticeOutcome::Write { next_run: None });
}

#[test]
fn a_notice_about_the_end_of_a_request_waits_for_it_and_one_about_the_hold_shelf_ends_with_it() {
    let user = json!({"id": "ben"});
    let now: Timestamp = "2026-03-10T10:00:00Z".parse().unwrap();
    let off_shelf = NoticeOutcome::Drop { why: "the item does not wait on the hold shelf any more" };
    let written = NoticeOutcome::Write { next_run: None };
    let ended = NoticeOutcome::Drop { why: "the request has not expired" };
    let [upon, before] = ["Upon At", "Before"];
    let [request, title] = ["Request expiration", "Title level request expiration"];
    for (status, of_request, of_shelf, before_shelf) in [
        ("Open - Not yet filled", NoticeOutcome::Wait, off_shelf.clone(), written.clone()),
        ("Open - In transit", NoticeOutcome::Wait, NoticeOutcome::Wait, written.clone()),
        ("Open - Awaiting pickup", NoticeOutcome::Wait, NoticeOutcome::Wait, written.clone()),
        // FOLIO does not count it as open.
        ("Open - Awaiting delivery", written.clone(), written.clone(), written.clone()),
        ("Closed - Filled", ended.clone(), off_shelf.clone(), off_shelf.clone()),
        ("Closed - Cancelled", ended.clone(), off_shelf.clone(), off_shelf.clone()),
        ("Closed - Unfilled", written.clone(), off_shelf.clone(), off_shelf.clone()),
        ("Closed - Pickup expired", written.clone(), written.clone(), off_shelf),
    ] {
        for (event, timing, expected) in [
            (request, upon, &of_request),
            (title, upon, &of_request),
            (request, before, if of_request == ended { &ended } else { &written }),
            ("Hold expiration", upon, &of_shelf),
            ("Hold expiration", before, &before_shelf),
        ] {
            let notice = json!({"triggeringEvent": event, "nextRunTime": "2026-03-10T09:00:00Z",
                "noticeConfig": {"timing": timing}});
            let asked = json!({"status": status});
            let subject = Subject { request: Some(&asked), user: Some(&user), ..Subject::default() };
            assert_eq!(&notice_outcome(&notice, &subject, now), expected, "{event} {timing} {status}");
        }
    }
}

#[test]
fn whoever_returns_a_lost_item_hears_what_is_given_back() {
    let charge = "Lost item fee";
    let renewed = "LOAN_DUE_DATE_CHANGED";
    for (fee, action, status, event, expected) in [
        (charge, "Cancelled item returned", "Closed", "ITEM_CHECKED_IN", true),
        (charge, "Refunded fully", "Closed", "ITEM_CHECKED_IN", true),
        ("Lost item processing fee", "Refunded partially", "Open", "ITEM_CHECKED_IN", true),
        ("Lost item fee (actual cost)", "Cancelled item returned", "Closed", "ITEM_CHECKED_IN", true),
        (charge, "Credited fully", "Closed", "ITEM_CHECKED_IN", false),
        (charge, "Cancelled item renewed", "Closed", renewed, false),
        ("Overdue fine", "Cancelled item returned", "Closed", "ITEM_CHECKED_IN", false),
    ] {
        let mut facts = on_loan();
        with_notices(
            &mut facts,
            &[("feeFineNotices", "Aged to lost & item returned - fine adjusted", json!({}))],
        );
        let mut plan = Plan::default();
        let account = json!({"id": "fee", "userId": "ada", "loanId": "loan-1", "itemId": "book-1",
            "feeFineType": fee, "status": {"name": status}});
        plan.update(RecordKind::Account, "fee", account);
        let document = json!({"id": "act", "accountId": "fee", "typeAction": action,
            "dateAction": "2026-03-02T10:00:00.000+00:00"});
        plan.insert(RecordKind::FeeFineAction, "act", document);
        plan.publish(event, json!({"loanId": "loan-1"}));
        let plan = announced(&facts, plan);
        let about: Vec<&Value> =
            plan.scheduled.iter().map(|notice| &notice.record["feeFineActionId"]).collect();
        assert_eq!(about, vec!["act"; usize::from(expected)], "{fee}: {action}");
        let gone = json!({"status": {"name": "Closed"}});
        let user = json!({"id": "ada"});
        let (loan, item) = (json!({"id": "loan-1"}), json!({"id": "book-1"}));
        let subject = Subject {
            account: Some(&gone),
            user: Some(&user),
            loan: Some(&loan),
            item: Some(&item),
            ..Subject::default()
        };
        for notice in &plan.scheduled {
            assert_eq!(
                notice_outcome(&notice.record, &subject, facts.now),
                NoticeOutcome::Write { next_run: None }
            );
        }
    }
}

#[test]
fn a_charge_for_a_lost_item_is_told_where_its_borrower_does_not_know_of_it() {
    let aged = json!({"id": "loan-1", "itemId": "book-1", "userId": "ada", "agedToLostDelayedBilling": {}});
    let declared = json!({"id": "loan-1", "itemId": "book-1", "userId": "ada"});
    for (fee, loan, expected) in [
        ("Lost item fee", &aged, true),
        ("Lost item fee", &declared, false),
        ("Lost item processing fee", &aged, true),
        ("Lost item fee (actual cost)", &aged, true),
        ("Lost item fee (actual cost)", &declared, true),
        ("Replacement processing fee", &aged, false),
    ] {
        let mut facts = on_loan();
        with_notices(&mut facts, &[("feeFineNotices", "Aged to lost - fine charged", json!({}))]);
        let mut plan = Plan::default();
        plan.update(RecordKind::Loan, "loan-1", loan.clone());
        let account = json!({"id": "fee", "userId": "ada", "loanId": "loan-1", "itemId": "book-1",
            "feeFineType": fee, "status": {"name": "Open"}});
        plan.insert(RecordKind::Account, "fee", account);
        plan.insert(
            RecordKind::FeeFineAction,
            "act",
            json!({"id": "act", "accountId": "fee", "typeAction": fee}),
        );
        assert_eq!(announced(&facts, plan).scheduled.len(), usize::from(expected), "{fee} {loan}");
    }
}

#[test]
fn a_declaration_that_an_aged_item_is_lost_is_told_neither_as_its_ageing_nor_as_its_return() {
    let processing = "Lost item processing fee";
    let kind = json!({"id": "type-2", "feeFineType": processing, "automatic": true});
    let owner = json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
    let command: DeclareLost = serde_json::from_value(json!({"servicePointId": "desk-1"})).unwrap();
    let cancelled = "Cancelled item declared lost";
    for (costs, expected) in [(true, vec![cancelled, processing]), (false, vec![cancelled])] {
        let mut facts = about_loan();
        with_notices(
            &mut facts,
            &[
                ("feeFineNotices", "Aged to lost - fine charged", json!({})),
                ("feeFineNotices", "Aged to lost & item returned - fine adjusted", json!({})),
            ],
        );
        let policy = json!({"id": "lost", "lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true,
            "chargeAmountItemPatron": costs, "returnedLostItemProcessingFee": true});
        let mut changed = (*facts.policies).clone();
        changed.lost_item.insert("lost".to_owned(), serde_json::from_value(policy).unwrap());
        facts.policies = Arc::new(changed);
        facts.charging = Charging::read([&kind].into_iter(), [&owner].into_iter()).into();
        set_item_status(&mut facts, "Aged to lost");
        let item = facts.item.as_mut().unwrap();
        item.permanent_location = item.location.clone();
        let billing = json!({"lostItemHasBeenBilled": true});
        set(&mut facts.loan.as_mut().unwrap().record, "agedToLostDelayedBilling", billing);
        let record = json!({"id": "aged", "userId": "ada", "loanId": "loan-1", "itemId": "book-1",
            "feeFineType": processing, "amount": 5.0, "remaining": 5.0, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"},
            "metadata": {"createdDate": "2026-03-01T10:00:00.000+00:00"}});
        facts.lost.accounts = vec![Account { record }];
        facts.lost.fresh_ids = vec!["action-1".to_owned(), "action-2".to_owned()];
        let plan = announced(&facts, crate::declare_lost(&facts, "loan-1", &command).unwrap());
        let actions = plan.documents(RecordKind::FeeFineAction);
        let actions: Vec<&str> = actions.filter_map(|(_, action)| action["typeAction"].as_str()).collect();
        assert_eq!(actions, expected);
        assert_eq!(runs(&plan), [""; 0], "{expected:?}");
    }
}

/// Bob brings the book back too late, in a visit.
fn fined(session: Option<&str>) -> Plan {
    let mut facts = on_loan();
    with_notices(
        &mut facts,
        &[
            ("feeFineNotices", "Overdue fine returned", json!({"sendHow": "Upon At"})),
            ("feeFineNotices", "Overdue fine renewed", json!({"sendHow": "Upon At"})),
        ],
    );
    let mut plan = Plan::default();
    let mut loan = facts.open_loans_of_item[0].record.clone();
    set(&mut loan, "status", json!({"name": "Closed"}));
    plan.update(RecordKind::Loan, "loan-1", loan);
    plan.insert_session(&facts, "ada", "loan-1", "Check-in", session);
    let account = json!({"id": "fee", "userId": "ada", "loanId": "loan-1", "itemId": "book-1",
        "feeFineType": "Overdue fine", "status": {"name": "Open"}});
    plan.insert(RecordKind::Account, "fee", account);
    let action = json!({"id": "act", "accountId": "fee", "typeAction": "Overdue fine",
        "dateAction": "2026-03-02T10:00:00.000+00:00"});
    plan.insert(RecordKind::FeeFineAction, "act", action);
    announced(&facts, plan)
}

#[test]
fn who_is_fined_hears_no_more_of_the_due_date_that_has_passed() {
    let plan = fined(None);
    let [gone] = &plan.unscheduled[..] else { panic!("{:?}", plan.unscheduled) };
    assert_eq!(
        (gone.event, gone.late_only, gone.about.loan_id.as_deref()),
        ("Due date", true, Some("loan-1"))
    );
}

#[test]
fn the_notice_about_a_fine_knows_the_visit_that_it_waits_for() {
    for (session, expected) in [(Some("visit-1"), json!("visit-1")), (None, Value::Null)] {
        let plan = fined(session);
        let [notice] = &plan.scheduled[..] else { panic!("{:?}", plan.scheduled) };
        assert_eq!(notice.record["triggeringEvent"], "Overdue fine returned");
        assert_eq!(notice.record["sessionId"], expected);
    }
}
