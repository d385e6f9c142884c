//! Which reminder comes when and what it does, as tables.

use std::sync::Arc;

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{ReminderOutcome, remind};
use crate::closed_library::{Calendar, OpeningDay, SurroundingOpenings};
use crate::command::{ChangeDueDate, CheckOut};
use crate::desk::{about_loan, facts, patron, policies, set_item_status, three_weeks, written_document};
use crate::document::{remove, set};
use crate::facts::{Charging, Facts};
use crate::notice::{DecisionFacts, announce};
use crate::plan::{Plan, RecordKind, Scheduled};

const RULES: &str = "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost";

/// Three reminders, of which the second is free.
fn policy() -> Value {
    let step = |interval: i64, unit: &str, fee: f64, format: &str, template: &str| {
        json!({"interval": interval, "timeUnitId": unit, "reminderFee": fee, "noticeFormat": format,
            "noticeTemplateId": template})
    };
    json!({"id": "fine", "name": "Reminders", "reminderFeesPolicy": {
        "countClosed": true, "allowRenewalOfItemsWithReminderFees": false,
        "reminderSchedule": [
            step(1, "day", 1.5, "Email", "first"), step(2, "day", 0.0, "Print", "second"), step(1, "week", 2.25, "Email", "third"),
        ],
    }})
}

fn with_reminders(facts: &mut Facts, change: impl FnOnce(&mut Value)) {
    let mut record = policy();
    change(&mut record["reminderFeesPolicy"]);
    let mut changed = policies(RULES, three_weeks());
    changed.overdue_fine.insert("fine".to_owned(), serde_json::from_value(record).unwrap());
    facts.policies = Arc::new(changed);
    let kind = json!({"id": "type-6", "feeFineType": "Reminder fee", "automatic": true});
    let owner = json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
    facts.charging = Charging::read([kind].iter(), [owner].iter()).into();
}

/// Due on 1 March at 10:00, reminded so many times; it is 2 March, 10:00, a Monday.
fn overdue(had: i64, change: impl FnOnce(&mut Facts)) -> Facts {
    let mut facts = about_loan();
    let loan = &mut facts.loan.as_mut().unwrap().record;
    set(loan, "dueDate", "2026-03-01T10:00:00.000+00:00");
    if had > 0 {
        set(
            loan,
            "reminders",
            json!({"lastFeeBilled": {"number": had, "date": "2026-03-01T23:00:00.000+00:00"}}),
        );
    }
    with_reminders(&mut facts, |_| {});
    change(&mut facts);
    facts
}

fn notice(template: &str) -> Value {
    json!({"triggeringEvent": "Due date - with reminder fee", "noticeConfig": {"templateId": template, "format": "Email"}})
}

fn sent(facts: &Facts) -> Plan {
    match remind(facts, &notice("first"), true) {
        ReminderOutcome::Sent(plan) => *plan,
        other => panic!("{other:?}"),
    }
}

/// Open on weekdays at the first desk.
#[derive(Debug)]
struct Weekdays;

impl Calendar for Weekdays {
    fn surrounding(&self, service_point_id: &str, date: Date) -> Option<SurroundingOpenings> {
        let opening =
            |date: Date| match service_point_id == "desk-1" && date.weekday().to_monday_one_offset() <= 5 {
                true => OpeningDay::all_day(date),
                false => OpeningDay::closed(date),
            };
        let mut next = date.tomorrow().unwrap();
        while service_point_id == "desk-1" && !opening(next).open {
            next = next.tomorrow().unwrap();
        }
        Some(SurroundingOpenings {
            previous: opening(date.yesterday().unwrap()),
            requested: opening(date),
            next: opening(next),
        })
    }
}

#[test]
fn a_reminder_is_a_notice_a_fee_and_a_mark_on_the_loan() {
    let plan = sent(&overdue(0, |_| {}));
    let loan = written_document(&plan, RecordKind::Loan).unwrap();
    assert_eq!((&loan["action"], &loan["status"]["name"]), (&json!("reminderFee"), &json!("Open")));
    assert_eq!(
        loan["reminders"],
        json!({"lastFeeBilled": {"number": 1, "date": "2026-03-02T10:00:00.000+00:00"}})
    );
    let account = written_document(&plan, RecordKind::Account).unwrap();
    for (member, value) in [
        ("amount", json!(1.5)),
        ("remaining", json!(1.5)),
        ("feeFineType", json!("Reminder fee")),
        ("feeFineOwner", json!("Main Circ")),
        ("loanId", json!("loan-1")),
        ("dueDate", json!("2026-03-01T10:00:00.000+00:00")),
        ("overdueFinePolicyId", json!("fine")),
    ] {
        assert_eq!(account[member], value, "{member}");
    }
    let action = written_document(&plan, RecordKind::FeeFineAction).unwrap();
    for (member, value) in [
        ("typeAction", "Reminder fee"),
        ("source", "System"),
        ("createdAt", "desk-1"),
        ("comments", "STAFF: Reminder fee 1"),
    ] {
        assert_eq!(action[member], value, "{member}");
    }
    let [notice] = &plan.notices[..] else { panic!("{:?}", plan.notices) };
    assert_eq!((notice.template_id.as_str(), notice.recipient_id.as_str()), ("first", "ada"));
    assert_eq!(notice.about.fee_fine_action_id.as_deref(), Some("new-action"));
    assert_eq!(plan.unscheduled.len(), 1);
    let [next] = &plan.scheduled[..] else { panic!("{:?}", plan.scheduled) };
    assert_eq!(next.record["noticeConfig"]["templateId"], "second");
    assert_eq!(next.record["noticeConfig"]["format"], "Print");
    let told = plan.sentences();
    assert!(
        told.contains(&"A reminder fee of 1.50 is charged as fee/fine new-account.".to_owned()),
        "{told:#?}"
    );
    assert!(
        told.contains(
            &"This is reminder 1 of 3; the item was due at 2026-03-01T10:00:00.000+00:00.".to_owned()
        ),
        "{told:#?}"
    );
}

#[test]
fn reminders_follow_each_other_to_the_last() {
    for (had, fee, next) in [
        (0, Some("1.5"), Some("2026-03-04T10:00:00.000+00:00")),
        (1, None, Some("2026-03-09T10:00:00.000+00:00")),
        (2, Some("2.25"), None),
    ] {
        let plan = sent(&overdue(had, |_| {}));
        let account =
            written_document(&plan, RecordKind::Account).map(|account| account["amount"].to_string());
        assert_eq!(account.as_deref(), fee, "after {had}");
        assert_eq!(plan.notices[0].about.fee_fine_action_id.is_some(), fee.is_some());
        assert_eq!(plan.scheduled.first().and_then(|next| next.record["nextRunTime"].as_str()), next);
        let billed =
            &written_document(&plan, RecordKind::Loan).unwrap()["reminders"]["lastFeeBilled"]["number"];
        assert_eq!(billed, &json!(had + 1));
    }
}

#[test]
fn what_has_no_ground_ends_and_what_cannot_be_done_yet_waits() {
    let closed = |facts: &mut Facts| {
        facts.loan.as_mut().unwrap().record["status"] = json!({"name": "Closed"});
    };
    let sunday = |facts: &mut Facts| {
        facts.calendar = Some(Arc::new(Weekdays));
        facts.now = "2026-03-08T10:00:00Z".parse().unwrap();
    };
    let ends: [(fn(&mut Facts), &str); 6] = [
        (closed, "the loan is closed"),
        (|facts| set_item_status(facts, "Declared lost"), "the item is declared lost"),
        (|facts| set_item_status(facts, "Claimed returned"), "the patron claims to have returned the item"),
        (|facts| facts.patron = None, "the patron is not known any more"),
        (
            |facts| with_reminders(facts, |policy| policy["reminderSchedule"] = json!([])),
            "the policy has no reminders any more",
        ),
        (
            |facts| {
                let loan = &mut facts.loan.as_mut().unwrap().record;
                set(loan, "reminders", json!({"lastFeeBilled": {"number": 3}}));
            },
            "the policy has no further reminder",
        ),
    ];
    for (change, why) in ends {
        assert_eq!(remind(&overdue(0, change), &notice("first"), true), ReminderOutcome::Ends { why });
    }
    assert_eq!(
        remind(&overdue(0, |_| {}), &notice("first"), false),
        ReminderOutcome::Ends { why: "the template is gone" }
    );
    let waits: [(fn(&mut Facts), &str); 3] = [
        (sunday, "the library is closed today"),
        (
            |facts| facts.charging = Charging::default().into(),
            "No fee/fine owner found for item's effective location",
        ),
        (
            |facts| {
                let owner = json!({"id": "o", "owner": "O", "servicePointOwner": [{"value": "desk-1"}]});
                facts.charging = Charging::read([].iter(), [owner].iter()).into();
            },
            "Expected automated fee of type Reminder fee",
        ),
    ];
    for (change, why) in waits {
        let waits = ReminderOutcome::Waits { why: why.to_owned() };
        assert_eq!(remind(&overdue(0, change), &notice("first"), true), waits);
    }
    // An item that aged to lost is reminded of all the same, and a free reminder needs no owner.
    sent(&overdue(0, |facts| set_item_status(facts, "Aged to lost")));
    sent(&overdue(1, |facts| facts.charging = Charging::default().into()));
}

#[test]
fn a_reminder_without_a_notice_costs_the_same() {
    let facts = overdue(0, |facts| {
        with_reminders(facts, |policy| policy["reminderSchedule"][0]["noticeFormat"] = json!("None"));
    });
    let plan = sent(&facts);
    assert_eq!(plan.notices, []);
    assert!(written_document(&plan, RecordKind::Account).is_some());
}

fn first(facts: &Facts, due: &str) -> Vec<Scheduled> {
    let command = ChangeDueDate { due_date: Some(due.into()) };
    let mut plan = crate::change_due_date(facts, "loan-1", &command).unwrap();
    announce(DecisionFacts { facts, items: &[] }, &mut plan);
    assert_eq!(plan.unscheduled.len(), 1);
    plan.scheduled
}

#[test]
fn the_first_reminder_follows_the_due_date_past_closed_days() {
    // 6 March 2026 is a Friday.
    for (due, interval, unit, closed_counts, desk, run) in [
        ("2026-03-04T10:30:00Z", 1, "day", false, "desk-1", "2026-03-05T10:30:00.000+00:00"),
        ("2026-03-06T10:30:00Z", 1, "day", false, "desk-1", "2026-03-09T10:30:00.000+00:00"),
        ("2026-03-06T10:30:00Z", 1, "day", true, "desk-1", "2026-03-07T10:30:00.000+00:00"),
        ("2026-03-06T10:30:00Z", 1, "week", false, "desk-1", "2026-03-13T10:30:00.000+00:00"),
        ("2026-03-06T22:55:00Z", 10, "minute", false, "desk-1", "2026-03-08T23:05:00.000+00:00"),
        ("2026-03-06T10:30:00Z", 2, "DAYS", true, "desk-1", "2026-03-08T10:30:00.000+00:00"),
        // Nobody has entered when this desk is open: its reminders wait until somebody does.
        ("2026-03-06T10:30:00Z", 1, "day", false, "desk-2", "2026-03-07T10:30:00.000+00:00"),
    ] {
        let facts = overdue(0, |facts| {
            facts.calendar = Some(Arc::new(Weekdays));
            facts.loan.as_mut().unwrap().record["checkoutServicePointId"] = json!(desk);
            with_reminders(facts, |policy| {
                policy["countClosed"] = json!(closed_counts);
                policy["reminderSchedule"][0]["interval"] = json!(interval);
                policy["reminderSchedule"][0]["timeUnitId"] = json!(unit);
            });
        });
        let scheduled = first(&facts, due);
        assert_eq!(scheduled[0].record["nextRunTime"], run, "{due} + {interval} {unit} at {desk}");
    }
}

#[test]
fn a_later_reminder_counts_from_the_hour_of_the_one_before() {
    let facts = overdue(0, |facts| {
        facts.now = "2026-03-06T10:40:30Z".parse().unwrap();
        facts.calendar = Some(Arc::new(Weekdays));
        with_reminders(facts, |policy| policy["countClosed"] = json!(false));
    });
    // Two days later is a Sunday.
    assert_eq!(sent(&facts).scheduled[0].record["nextRunTime"], "2026-03-09T10:00:00.000+00:00");
}

#[test]
fn a_loan_begins_its_reminders_and_a_new_due_date_begins_them_anew() {
    let mut lending = facts();
    with_reminders(&mut lending, |_| {});
    let command = CheckOut {
        item_barcode: "200".into(),
        user_barcode: "100".into(),
        service_point_id: Some("desk-1".into()),
        ..CheckOut::default()
    };
    let mut plan = crate::check_out(&lending, &command).unwrap();
    announce(DecisionFacts { facts: &lending, items: &[] }, &mut plan);
    let [notice] = &plan.scheduled[..] else { panic!("{:?}", plan.scheduled) };
    assert_eq!((notice.record["loanId"].as_str(), plan.unscheduled.len()), (Some("new-loan"), 0));
    assert_eq!(notice.record["triggeringEvent"], "Due date - with reminder fee");
    assert_eq!(notice.because.policy_name.as_deref(), Some("Reminders"));

    let reminded = overdue(2, |_| {});
    assert_eq!(first(&reminded, "2026-03-20T10:00:00Z")[0].record["noticeConfig"]["templateId"], "first");
}

#[test]
fn a_loan_without_such_a_policy_gets_the_same_plan() {
    let mut plain = about_loan();
    plain.patron = Some(patron("ada", "100"));
    remove(&mut plain.loan.as_mut().unwrap().record, "overdueFinePolicyId");
    with_reminders(&mut plain, |_| {});
    let command = ChangeDueDate { due_date: Some("2026-04-01T00:00:00Z".into()) };
    let plan = crate::change_due_date(&plain, "loan-1", &command).unwrap();
    let mut announced = plan.clone();
    announce(DecisionFacts { facts: &plain, items: &[] }, &mut announced);
    assert_eq!(announced, plan);
}
