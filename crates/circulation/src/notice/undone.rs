//! The notices of a loan after an operation was undone: scheduled ones are scheduled again.
//!
//! FOLIO cannot undo operations. Notices from before the operation are not sent again; those that it has prevented since are sent now.

use jiff::Timestamp;
use octavo_kernel::parse_time;
use serde_json::Value;

use super::DecisionFacts;
use super::schedule::{NoticeOccasion, schedule};
use crate::document::{text, time};
use crate::plan::{NoticeSubject, Plan, RecordKind, Unscheduled, Write, event};
use crate::policy::NoticePolicy;
use crate::remembered::StoredDecision;
use crate::reminders::next_reminder;
use crate::status::{ItemStatus, OpenOrClosed};

/// The members of a loan on which notices depend.
const NOTICE_MEMBERS: [&str; 3] = ["dueDate", "status", "itemStatus"];

pub fn announce_undone(world: DecisionFacts<'_>, undone: &StoredDecision<'_>, plan: &mut Plan) {
    let policies = &world.facts.policies;
    let notices = policies.notice.values().any(NoticePolicy::has_notices);
    let reminders = policies.overdue_fine.values().any(|policy| policy.reminders().is_some());
    let Some(since) = parse_time(&undone.at).filter(|_| notices || reminders) else { return };
    let touched = undone.changes.iter().filter(|change| {
        change.record == RecordKind::Loan
            && (change.made || NOTICE_MEMBERS.iter().any(|name| change.members.contains_key(*name)))
    });
    for change in touched {
        let restored = plan.writes.iter().find_map(|write| match write {
            Write::Update { record: RecordKind::Loan, id, document } if *id == change.id => {
                Some(document.clone())
            }
            _ => None,
        });
        for event in [event::DUE_DATE, event::REMINDER, event::AGED_TO_LOST] {
            plan.unscheduled.push(Unscheduled::all(NoticeSubject::from_loan_id(&change.id), event));
        }
        if let Some(loan) = restored.filter(|loan| !OpenOrClosed::Closed.is_of(loan)) {
            world.reschedule_notices(&loan, since, plan);
            world.reschedule_reminder(&loan, plan);
        }
    }
}

impl DecisionFacts<'_> {
    fn reschedule_notices(self, loan: &Value, since: Timestamp, plan: &mut Plan) {
        let about = text(loan, &["id"]).map(NoticeSubject::from_loan_id).unwrap_or_default();
        let Some(borrower) = text(loan, &["userId"]) else { return };
        let Some(chosen) = self.policy_of_loan(loan) else { return };
        let aged = text(loan, &["itemStatus"]) == Some(ItemStatus::AgedToLost.name());
        let aged = time(loan, &["agedToLostDelayedBilling", "agedToLostDate"]).filter(|_| aged);
        for (event, at) in [(event::DUE_DATE, time(loan, &["dueDate"])), (event::AGED_TO_LOST, aged)] {
            let Some(at) = at else { continue };
            let matter =
                NoticeOccasion { event, at, recipient_id: borrower, about: &about, session_id: None };
            plan.scheduled.extend(schedule(chosen.policy, &chosen.because, matter, Some(since)));
        }
    }

    fn reschedule_reminder(self, loan: &Value, plan: &mut Plan) {
        let policy = text(loan, &["overdueFinePolicyId"]);
        let policy = policy.and_then(|id| self.facts.policies.overdue_fine.get(id));
        let (Some(policy), Some(due)) = (policy, time(loan, &["dueDate"])) else { return };
        let last = time(loan, &["reminders", "lastFeeBilled", "date"]);
        let place = self.facts.service_point_hours(text(loan, &["checkoutServicePointId"]));
        let next = next_reminder(policy, loan, last.unwrap_or(due), place, last.is_some());
        plan.scheduled.extend(next.map(|next| next.notice));
    }
}
