//! Reminder fees: an overdue loan is reminded by the schedule of its overdue fine policy, each reminder a notice, a fee, or
//! both, until the item is back.
//!
//! A reminder for which the loan no longer gives cause ends the reminders; one that cannot be sent today waits for the next run of the job.

mod schedule;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::document::{set, text};
use crate::facts::{Facts, Item, Loan};
use crate::fees::charge_reminder_fee;
use crate::loan_in_question::write_loan;
use crate::plan::{Notice, NoticeReason, NoticeSubject, Plan, Unscheduled, event};
use crate::policy::{OverdueFinePolicy, Reminder, RemindersPolicy};
use crate::status::ItemStatus;
use crate::trace::Step;

pub(crate) use schedule::next_reminder;

/// What happens with a due reminder: it is sent, it waits for the next run of the job, or the reminders of the loan end.
#[derive(Debug, Clone, PartialEq)]
pub enum ReminderOutcome {
    Sent(Box<Plan>),
    Waits { why: String },
    Ends { why: &'static str },
}

/// `scheduled` is the record of the notice; the facts are about its loan.
pub fn remind(facts: &Facts, scheduled: &Value, template_is_there: bool) -> ReminderOutcome {
    let due = match DueReminder::find(facts, template_is_there) {
        Ok(due) => due,
        Err(why) => return ReminderOutcome::Ends { why },
    };
    if !facts.service_point_hours(due.loan.checkout_service_point_id()).is_open(facts.now()) {
        return ReminderOutcome::Waits { why: "the library is closed today".to_owned() };
    }
    match due.send(facts, scheduled) {
        Ok(plan) => ReminderOutcome::Sent(Box::new(plan)),
        Err(why) => ReminderOutcome::Waits { why },
    }
}

struct DueReminder<'a> {
    loan: &'a Loan,
    item: &'a Item,
    policy: &'a OverdueFinePolicy,
    reminders: &'a RemindersPolicy,
    reminder: &'a Reminder,
    number: i64,
}

impl<'a> DueReminder<'a> {
    fn find(facts: &'a Facts, template_is_there: bool) -> Result<DueReminder<'a>, &'static str> {
        let loan = facts.loan.as_ref().ok_or("the loan is gone")?;
        let item = facts.item.as_ref().ok_or("the item is gone")?;
        if facts.patron.is_none() {
            return Err("the patron is not known any more");
        }
        if loan.is_closed() {
            return Err("the loan is closed");
        }
        if item.is(ItemStatus::DeclaredLost) {
            return Err("the item is declared lost");
        }
        if item.is(ItemStatus::ClaimedReturned) {
            return Err("the patron claims to have returned the item");
        }
        if !template_is_there {
            return Err("the template is gone");
        }
        let policy = loan.overdue_fine_policy_id().and_then(|id| facts.policies.overdue_fine.get(id));
        let policy = policy.ok_or("the overdue fine policy is gone")?;
        let reminders = policy.reminders().ok_or("the policy has no reminders any more")?;
        let number = loan.reminders_billed().unwrap_or(0) + 1;
        let reminder = reminders.reminder(number).ok_or("the policy has no further reminder")?;
        Ok(DueReminder { loan, item, policy, reminders, reminder, number })
    }

    fn send(&self, facts: &Facts, scheduled: &Value) -> Result<Plan, String> {
        let mut plan = Plan::default();
        let DueReminder { loan, item, policy, number, .. } = *self;
        let name = policy.name.clone().unwrap_or_default();
        plan.add_step(Step::FinePolicy { id: policy.id.clone(), name });
        plan.add_step(Step::Reminded { number, of: self.reminders.count(), due: loan.due_date() });
        let fee = self.reminder.fee();
        if let Some(fee) = fee {
            charge_reminder_fee(facts, loan, item, fee, number, &mut plan)?;
        }
        let mut changed = loan.record.clone();
        let billed = json!({"number": number, "date": octavo_kernel::folio_time(facts.now())});
        set(&mut changed, "reminders", json!({"lastFeeBilled": billed}));
        set(&mut changed, "action", "reminderFee");
        let action_id = fee.map(|_| facts.fresh_ids.fee_fine_action.clone());
        self.write(action_id, scheduled, &mut plan);
        plan.unscheduled.push(Unscheduled::all(NoticeSubject::from_loan_id(loan.id()), event::REMINDER));
        let place = facts.service_point_hours(loan.checkout_service_point_id());
        let next = next_reminder(policy, &changed, facts.now(), place, true);
        plan.add_step(Step::NextReminder { at: next.as_ref().map(|next| next.at) });
        plan.scheduled.extend(next.map(|next| next.notice));
        write_loan(facts, changed, &mut plan);
        Ok(plan)
    }

    /// Writes the notice as it was scheduled.
    fn write(&self, action_id: Option<String>, scheduled: &Value, plan: &mut Plan) {
        let template = text(scheduled, &["noticeConfig", "templateId"]).or(self.reminder.template_id());
        let (Some(format), Some(template), Some(borrower)) =
            (self.reminder.format(), template, self.loan.user_id())
        else {
            return;
        };
        plan.notices.push(Notice {
            event: event::REMINDER.to_owned(),
            because: reminder_reason(self.policy),
            template_id: template.to_owned(),
            format,
            recipient_id: borrower.to_owned(),
            about: NoticeSubject {
                fee_fine_action_id: action_id,
                ..NoticeSubject::from_loan_id(self.loan.id())
            },
        });
    }
}

/// Reminders are set by the overdue fine policy, not by the notice policy.
fn reminder_reason(policy: &OverdueFinePolicy) -> NoticeReason {
    NoticeReason { policy_id: Some(policy.id.clone()), policy_name: policy.name.clone(), rule_line: None }
}
