//! Which notices follow from what, as tables.

mod requests;

use std::sync::Arc;

use jiff::Timestamp;
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use super::{
    DecisionFacts, NoticeOutcome, Subject, TemplateRecords, VisitLoan, announce, announce_undone,
    notice_outcome, notices_of_session, template_context,
};
use crate::command::{ChangeDueDate, CheckIn, CheckOut, Renew, RenewById};
use crate::desk::{about_loan, facts, on_loan, patron, policies, queued_hold, three_weeks};
use crate::facts::{Facts, TitleTemplates};
use crate::plan::{Plan, RecordKind, Write, event};
use crate::policy::NoticePolicy;
use crate::remembered::{StoredDecision, remember};
use crate::undo::{UndoFacts, undo};

const RULES: &str = "priority: last-line\nfallback-policy: l three-weeks r any n notices o fine i lost";

/// The usual library, with a policy of these notices: section, event, how.
fn with_notices(facts: &mut Facts, notices: &[(&str, &str, Value)]) {
    let mut record = json!({"id": "notices", "name": "Notices"});
    for (section, when, options) in notices {
        let mut options = options.clone();
        options["sendWhen"] = json!(when);
        let notice = json!({"templateId": format!("about {when}"), "format": "Email", "realTime": true,
            "frequency": "Recurring", "sendOptions": options});
        match record[section].as_array_mut() {
            Some(known) => known.push(notice),
            None => record[section] = json!([notice]),
        }
    }
    let policy: NoticePolicy = serde_json::from_value(record).unwrap();
    let mut changed = policies(RULES, three_weeks());
    changed.notice.insert("notices".to_owned(), policy);
    facts.policies = Arc::new(changed);
}

fn announced(facts: &Facts, mut plan: Plan) -> Plan {
    announce(DecisionFacts { facts, items: &[] }, &mut plan);
    plan
}

fn events(plan: &Plan) -> Vec<(&str, &str)> {
    plan.notices.iter().map(|notice| (notice.event.as_str(), notice.recipient_id.as_str())).collect()
}

fn days(days: i64) -> Value {
    json!({"duration": days, "intervalId": "Days"})
}

fn lending() -> CheckOut {
    CheckOut {
        item_barcode: "200".into(),
        user_barcode: "100".into(),
        service_point_id: Some("desk-1".into()),
        ..CheckOut::default()
    }
}

#[test]
fn a_loan_schedules_what_is_said_about_its_due_date() {
    let mut facts = facts();
    with_notices(
        &mut facts,
        &[
            (
                "loanNotices",
                "Due date",
                json!({"sendHow": "Before", "sendBy": days(2), "sendEvery": days(1)}),
            ),
            ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
            ("loanNotices", "Renewed", json!({})),
        ],
    );
    let plan = announced(&facts, crate::check_out(&facts, &lending()).unwrap());
    assert_eq!(events(&plan), []);
    let due = plan.answer()["dueDate"].as_str().unwrap().replace('Z', "+00:00");
    let runs: Vec<&str> =
        plan.scheduled.iter().map(|notice| notice.record["nextRunTime"].as_str().unwrap()).collect();
    assert_eq!(runs[1], due);
    assert!(runs[0] < runs[1]);
    let first = &plan.scheduled[0];
    assert_eq!(first.record["noticeConfig"]["recurringPeriod"], days(1));
    assert_eq!(
        (&first.record["loanId"], &first.record["recipientUserId"]),
        (&json!("new-loan"), &json!("ada"))
    );
    assert_eq!((first.because.rule_line, first.because.policy_name.as_deref()), (Some(2), Some("Notices")));
    assert_eq!(plan.unscheduled, []);
}

#[test]
fn a_library_without_notices_gets_the_same_plan() {
    let facts = facts();
    let plan = crate::check_out(&facts, &lending()).unwrap();
    assert_eq!(announced(&facts, plan.clone()), plan);
}

#[test]
fn a_new_due_date_is_told_and_notices_about_the_old_one_go() {
    let mut facts = about_loan();
    with_notices(
        &mut facts,
        &[
            ("loanNotices", "Manual due date change", json!({})),
            ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
        ],
    );
    let command = ChangeDueDate { due_date: Some("2026-04-01T00:00:00Z".into()) };
    let plan = announced(&facts, crate::change_due_date(&facts, "loan-1", &command).unwrap());
    assert_eq!(events(&plan), [("Manual due date change", "ada")]);
    assert_eq!(plan.unscheduled.len(), 1);
    assert_eq!(plan.scheduled[0].record["nextRunTime"], "2026-04-01T00:00:00.000+00:00");
}

#[test]
fn a_renewal_is_told() {
    let mut facts = on_loan();
    with_notices(&mut facts, &[("loanNotices", "Renewed", json!({}))]);
    let command = Renew::ById(RenewById {
        item_id: Some("book-1".into()),
        user_id: Some("ada".into()),
        ..RenewById::default()
    });
    let plan = announced(&facts, crate::renew(&facts, &command).unwrap());
    assert_eq!(events(&plan), [("Renewed", "ada")]);
    assert_eq!(plan.notices[0].template_id, "about Renewed");
    assert_eq!(plan.notices[0].about.loan_id.as_deref(), Some("loan-1"));
}

#[test]
fn who_writes_a_loan_as_a_record_tells_of_a_new_due_date_and_of_nothing_else() {
    let notices = [
        ("loanNotices", "Manual due date change", json!({})),
        ("loanNotices", "Renewed", json!({})),
        ("loanNotices", "Item recalled", json!({})),
        ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
    ];
    let mut lending = facts();
    with_notices(&mut lending, &notices);
    let record = json!({"userId": "ada", "itemId": "book-1", "loanDate": "2026-03-01T10:00:00.000+00:00",
        "dueDate": "2026-03-09T10:00:00.000+00:00", "checkoutServicePointId": "desk-1"});
    let plan = announced(&lending, crate::create_loan(&lending, &record).unwrap());
    assert_eq!((events(&plan), plan.scheduled.len(), plan.unscheduled.len()), (vec![], 0, 0));

    for earlier in ["checkedout", "renewed", "recallrequested"] {
        let mut facts = about_loan();
        with_notices(&mut facts, &notices);
        let mut record = facts.loan.clone().unwrap().record;
        record["action"] = json!(earlier);
        let same = announced(&facts, crate::replace_loan(&facts, "loan-1", &record).unwrap());
        assert_eq!((events(&same), same.scheduled.len()), (vec![], 0), "{earlier}");
        record["dueDate"] = json!("2026-04-01T00:00:00.000+00:00");
        let plan = announced(&facts, crate::replace_loan(&facts, "loan-1", &record).unwrap());
        assert_eq!(events(&plan), [("Manual due date change", "ada")], "{earlier}");
        assert_eq!(runs(&plan), ["2026-04-01T00:00:00.000+00:00"], "{earlier}");
    }
}

#[test]
fn of_several_notices_upon_an_event_the_first_is_written_at_once_and_each_is_scheduled() {
    let mut facts = about_loan();
    with_notices(
        &mut facts,
        &[
            ("loanNotices", "Manual due date change", json!({})),
            ("loanNotices", "Manual due date change", json!({})),
            ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
            ("loanNotices", "Due date", json!({"sendHow": "After", "sendBy": days(1)})),
        ],
    );
    let command = ChangeDueDate { due_date: Some("2026-04-01T00:00:00Z".into()) };
    let plan = announced(&facts, crate::change_due_date(&facts, "loan-1", &command).unwrap());
    assert_eq!(events(&plan), [("Manual due date change", "ada")]);
    assert_eq!(runs(&plan), ["2026-04-01T00:00:00.000+00:00", "2026-04-02T00:00:00.000+00:00"]);
}

#[test]
fn a_borrower_is_told_of_a_recall_that_leaves_the_due_date_as_it_is() {
    let mut facts = about_loan();
    with_notices(&mut facts, &[("loanNotices", "Item recalled", json!({}))]);
    let plan = Plan { recalled_again: vec![facts.loan.clone().unwrap().record], ..Plan::default() };
    let plan = announced(&facts, plan);
    assert_eq!(events(&plan), [("Item recalled", "ada")]);
    assert_eq!((plan.scheduled.len(), plan.unscheduled.len()), (0, 0));
}

#[test]
fn a_visit_is_one_notice_for_each_policy() {
    let mut facts = on_loan();
    with_notices(
        &mut facts,
        &[("loanNotices", "Check in", json!({})), ("loanNotices", "Check in", json!({}))],
    );
    // Both policies name the same template.
    let mut changed = (*facts.policies).clone();
    let mut other = changed.notice["notices"].clone();
    other.id = "other".to_owned();
    changed.notice.insert("other".to_owned(), other);
    let rules = "priority: last-line\nfallback-policy: l three-weeks r any n notices o fine i lost\n\
        m cd: l three-weeks r any n other o fine i lost";
    changed.rules = policies(rules, three_weeks()).rules;
    facts.policies = Arc::new(changed);
    let returned = facts.item.take().unwrap();
    let ended = |kind: &str| {
        let mut item = returned.clone();
        item.record["materialTypeId"] = json!(kind);
        VisitLoan { loan: json!({"id": "l"}), item }
    };
    let visit = [ended("book"), ended("cd"), ended("book")];
    let notices = notices_of_session(&facts, &patron("ada", "100"), "Check-in", &visit);
    let told: Vec<(Option<&str>, &[usize])> =
        notices.iter().map(|notice| (notice.because.policy_id.as_deref(), &notice.loans[..])).collect();
    assert_eq!(told, [(Some("notices"), &[0, 2][..]), (Some("other"), &[1][..])]);
}

#[test]
fn whoever_was_charged_for_the_loss_hears_no_more_of_the_ageing() {
    let (user, item) = (json!({"id": "ada"}), json!({"status": {"name": "Aged to lost"}}));
    let loan =
        json!({"status": {"name": "Open"}, "agedToLostDelayedBilling": {"lostItemHasBeenBilled": true}});
    let notice = json!({"triggeringEvent": "Aged to lost", "nextRunTime": "2026-03-02T09:00:00.000+00:00",
        "noticeConfig": {"timing": "After"}});
    let billed = NoticeOutcome::Drop { why: "the lost item is billed" };
    for (kinds, expected) in [
        // An actual cost that staff have not billed yet is no charge.
        (vec![], NoticeOutcome::Write { next_run: None }),
        (vec!["Overdue fine"], NoticeOutcome::Write { next_run: None }),
        (vec!["Overdue fine", "Lost item fee"], billed.clone()),
        (vec!["Lost item processing fee"], billed.clone()),
        (vec!["Lost item fee (actual cost)"], billed),
    ] {
        let fee_types: Vec<String> = kinds.iter().map(ToString::to_string).collect();
        let subject = Subject {
            loan: Some(&loan),
            item: Some(&item),
            user: Some(&user),
            fee_types: &fee_types,
            ..Subject::default()
        };
        assert_eq!(
            notice_outcome(&notice, &subject, "2026-03-02T10:00:00Z".parse().unwrap()),
            expected,
            "{kinds:?}"
        );
    }
}

/// When scheduled notices are due.
fn runs(plan: &Plan) -> Vec<&str> {
    plan.scheduled.iter().map(|notice| notice.record["nextRunTime"].as_str().unwrap()).collect()
}

/// The plan that undoes another one's, and its notices.
fn undone(facts: &Facts, mut plan: Plan) -> Plan {
    remember(facts, "decision", &mut plan);
    let documents = plan.writes.iter().filter_map(|write| match write {
        Write::Insert { record, document, .. } | Write::Update { record, document, .. } => {
            Some((*record, Value::clone(document)))
        }
        _ => None,
    });
    let records: Vec<(RecordKind, Value)> = documents.collect();
    let kept = plan.writes.iter().find_map(|write| match write {
        Write::Remember { text, .. } => Some(text),
        _ => None,
    });
    let decision: StoredDecision = serde_json::from_str(kept.unwrap()).unwrap();
    let undoing =
        UndoFacts { now: facts.now(), decision: Some(decision.clone()), records, ..UndoFacts::default() };
    let mut plan = undo(&undoing).unwrap();
    announce_undone(DecisionFacts { facts, items: &[] }, &decision, &mut plan);
    plan
}

#[test]
fn notices_about_the_old_due_date_wait_again_when_a_renewal_is_undone() {
    let renewal = || {
        Renew::ById(RenewById {
            item_id: Some("book-1".into()),
            user_id: Some("ada".into()),
            ..RenewById::default()
        })
    };
    // The loan is due on 13 March, a minute before midnight in the library's zone.
    for (now, expected) in [
        ("2026-03-02T10:00:00Z", vec!["2026-03-11", "2026-03-13", "2026-03-14"]),
        // The first warning has been sent, the next one has not.
        ("2026-03-12T10:00:00Z", vec!["2026-03-12", "2026-03-13", "2026-03-14"]),
        ("2026-03-13T23:00:00Z", vec!["2026-03-14"]),
        ("2026-03-16T10:00:00Z", vec!["2026-03-16"]),
    ] {
        let mut facts = on_loan();
        facts.now = now.parse().unwrap();
        with_notices(
            &mut facts,
            &[
                (
                    "loanNotices",
                    "Due date",
                    json!({"sendHow": "Before", "sendBy": days(2), "sendEvery": days(1)}),
                ),
                ("loanNotices", "Due date", json!({"sendHow": "Upon At"})),
                (
                    "loanNotices",
                    "Due date",
                    json!({"sendHow": "After", "sendBy": days(1), "sendEvery": days(2)}),
                ),
                ("loanNotices", "Renewed", json!({})),
                ("loanNotices", "Manual due date change", json!({})),
            ],
        );
        let plan = undone(&facts, crate::renew(&facts, &renewal()).unwrap());
        assert_eq!(events(&plan), [], "{now}");
        let expected: Vec<String> = expected.iter().map(|day| format!("{day}T22:59:59.000+00:00")).collect();
        assert_eq!(runs(&plan), expected, "renewed and undone at {now}");
        let gone: Vec<&str> = plan.unscheduled.iter().map(|gone| gone.event).collect();
        assert!(gone.contains(&event::DUE_DATE), "{gone:?}");
    }
}

#[test]
fn an_undone_loan_leaves_no_notices_and_an_undone_claim_brings_them_back() {
    let notices = [("loanNotices", "Due date", json!({"sendHow": "Upon At"}))];
    let mut lending = facts();
    with_notices(&mut lending, &notices);
    let plan = undone(&lending, crate::check_out(&lending, &self::lending()).unwrap());
    assert_eq!(runs(&plan), [""; 0]);
    assert!(
        plan.unscheduled.iter().all(|gone| gone.about.loan_id.as_deref() == Some("new-loan"))
            && plan.unscheduled.len() == 3
    );

    let mut facts = about_loan();
    with_notices(&mut facts, &notices);
    let command = crate::command::ClaimReturned {
        item_claimed_returned_date_time: Some("2026-03-01T10:00:00Z".into()),
        ..Default::default()
    };
    let plan = undone(&facts, crate::claim_returned(&facts, "loan-1", &command).unwrap());
    assert_eq!(runs(&plan), ["2026-03-13T22:59:59.000+00:00"], "what is wanted back is due again");
}

#[test]
fn whoever_waits_hears_that_it_is_there_and_until_when() {
    let mut facts = on_loan();
    facts.queue = vec![queued_hold("hold-1", "ben", 1)];
    with_notices(
        &mut facts,
        &[
            ("requestNotices", "Available", json!({})),
            ("requestNotices", "Hold expiration", json!({"sendHow": "Before", "sendBy": days(1)})),
        ],
    );
    let command = CheckIn {
        item_barcode: Some("200".into()),
        service_point_id: Some("desk-1".into()),
        check_in_date: Some("2026-03-02T10:00:00Z".into()),
        ..CheckIn::default()
    };
    let plan = announced(&facts, crate::check_in(&facts, &command).unwrap());
    assert_eq!(events(&plan), [("Available", "ben")]);
    let notice = &plan.scheduled[0].record;
    assert_eq!(
        (&notice["triggeringEvent"], &notice["requestId"]),
        (&json!("Hold expiration"), &json!("hold-1"))
    );
    // Five days at the end of which the shelf is cleared, less one.
    assert_eq!(notice["nextRunTime"], "2026-03-06T22:59:59.000+00:00");
}

#[test]
fn what_has_no_ground_any_more_is_not_written() {
    let now: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
    let user = json!({"id": "ada"});
    let open = json!({"status": {"name": "Open"}, "dueDate": "2026-03-05T10:00:00Z"});
    let closed = json!({"status": {"name": "Closed"}, "dueDate": "2026-03-05T10:00:00Z"});
    let late = json!({"status": {"name": "Open"}, "dueDate": "2026-03-01T10:00:00Z"});
    let status = |name: &str| json!({"status": {"name": name}});
    let (out, lost) = (status("Checked out"), status("Declared lost"));
    let notice = |event: &str, timing: &str| json!({"triggeringEvent": event, "nextRunTime": "2026-03-02T09:00:00.000+00:00", "noticeConfig": {"timing": timing}});
    let loan =
        |loan, item| Subject { loan: Some(loan), item: Some(item), user: Some(&user), ..Subject::default() };
    let of = |request| Subject { request: Some(request), user: Some(&user), ..Subject::default() };
    let for_item = json!({"status": "Closed - Unfilled", "itemId": "book-1"});
    let (owed, paid) = (status("Open"), status("Closed"));
    let fee = |account, loan, item| Subject {
        account: Some(account),
        loan,
        item,
        user: Some(&user),
        ..Subject::default()
    };
    let gone = NoticeOutcome::Drop { why: "the loan or the item is gone" };
    let written = NoticeOutcome::Write { next_run: None };
    for (notice, subject, expected) in [
        (notice("Due date", "Before"), loan(&open, &out), written.clone()),
        (
            notice("Due date", "Before"),
            loan(&late, &out),
            NoticeOutcome::Drop { why: "the due date has passed" },
        ),
        (notice("Due date", "After"), loan(&late, &out), written.clone()),
        (notice("Due date", "After"), loan(&closed, &out), NoticeOutcome::Drop { why: "the loan is closed" }),
        (
            notice("Due date", "After"),
            loan(&late, &lost),
            NoticeOutcome::Drop { why: "the item is declared lost" },
        ),
        (
            notice("Request expiration", "Upon At"),
            of(&for_item),
            NoticeOutcome::Drop { why: "the item is gone" },
        ),
        (
            notice("Hold expiration", "Upon At"),
            of(&for_item),
            NoticeOutcome::Drop { why: "the item is gone" },
        ),
        (
            notice("Due date", "After"),
            Subject { loan: None, ..loan(&late, &out) },
            NoticeOutcome::Drop { why: "the loan is gone" },
        ),
        (
            notice("Due date", "After"),
            Subject { item: None, ..loan(&late, &out) },
            NoticeOutcome::Drop { why: "the item is gone" },
        ),
        (notice("Aged to lost", "Upon At"), Subject { item: None, ..loan(&late, &out) }, gone.clone()),
        (notice("Overdue fine returned", "Upon At"), fee(&owed, Some(&closed), Some(&out)), written),
        (notice("Overdue fine returned", "Upon At"), fee(&owed, None, Some(&out)), gone.clone()),
        (notice("Overdue fine renewed", "Upon At"), fee(&owed, Some(&open), None), gone.clone()),
        (notice("Aged to lost - fine charged", "Upon At"), fee(&owed, None, None), gone.clone()),
        (notice("Aged to lost & item returned - fine adjusted", "Upon At"), fee(&paid, None, None), gone),
        (
            notice("Overdue fine returned", "Upon At"),
            fee(&paid, Some(&closed), Some(&out)),
            NoticeOutcome::Drop { why: "the fee/fine is closed" },
        ),
        (
            notice("Due date", "After"),
            Subject::default(),
            NoticeOutcome::Drop { why: "the patron is not known any more" },
        ),
    ] {
        assert_eq!(notice_outcome(&notice, &subject, now), expected, "{notice} about {subject:?}");
    }
}

#[test]
fn a_notice_that_recurs_comes_again_but_not_for_runs_that_were_missed() {
    let now: Timestamp = "2026-03-10T10:00:00Z".parse().unwrap();
    let (user, item) = (json!({"id": "ada"}), json!({"status": {"name": "Checked out"}}));
    for (timing, run, due, next) in [
        ("After", "2026-03-09T10:30:00Z", "2026-03-01T10:00:00Z", Some("2026-03-10T10:30:00.000+00:00")),
        ("After", "2026-03-02T10:30:00Z", "2026-03-01T10:00:00Z", Some("2026-03-11T10:00:00.000+00:00")),
        ("Before", "2026-03-10T09:00:00Z", "2026-03-12T10:00:00Z", Some("2026-03-11T09:00:00.000+00:00")),
        ("Before", "2026-03-10T09:00:00Z", "2026-03-11T08:00:00Z", None),
    ] {
        let notice = json!({"triggeringEvent": "Due date", "nextRunTime": run,
            "noticeConfig": {"timing": timing, "recurringPeriod": days(1)}});
        let loan = json!({"status": {"name": "Open"}, "dueDate": due});
        let subject =
            Subject { loan: Some(&loan), item: Some(&item), user: Some(&user), ..Subject::default() };
        let NoticeOutcome::Write { next_run: again } = notice_outcome(&notice, &subject, now) else {
            panic!("{notice} is not written")
        };
        assert_eq!(again.map(folio_time).as_deref(), next, "{timing} {run}");
    }
}

#[test]
fn the_words_of_a_loan() {
    let facts = on_loan();
    let ada = patron("ada", "100");
    let mut loan = facts.open_loans_of_item[0].record.clone();
    loan["renewalCount"] = json!(1);
    let words = template_context(&TemplateRecords {
        now: facts.now,
        user: Some(&ada),
        item: facts.item.as_ref(),
        title: None,
        loan: Some(&loan),
        patron_comment: None,
        request: None,
        cancellation_reason: None,
        account: None,
        action: None,
        charge: None,
        policies: &facts.policies,
        service_points: &facts.service_points,
        person_names: &facts.person_names,
    });
    assert_eq!(words["user"]["preferredFirstName"], "Ada");
    assert_eq!(words["item"]["title"], "Notes");
    assert_eq!(
        words["loan"],
        json!({
            "initialBorrowDate": "2026-02-20T10:00:00.000Z", "dueDate": "2026-03-13T22:59:59.000Z",
            "numberOfRenewalsTaken": "1", "numberOfRenewalsAllowed": "2", "numberOfRenewalsRemaining": "1",
        })
    );
}
