//! A recall asks the borrower to bring the item back sooner; a loan is shortened once.

use jiff::Timestamp;
use octavo_kernel::{Outcome, Refusal};
use serde_json::json;

use crate::document::{remove, set, set_time};
use crate::due_date::{Management, manage, policy_refusal};
use crate::facts::{Facts, Loan};
use crate::moment::utc;
use crate::plan::{Plan, RecordKind};
use crate::policy::{LoanPolicy, Period, PeriodDefect};
use crate::trace::Step;

pub(super) fn recall(facts: &Facts, loan: &mut Loan, plan: &mut Plan) -> Outcome<()> {
    if loan.due_date_was_changed_by_recall() {
        return Ok(());
    }
    let Some(governing) = loan.loan_policy_id().and_then(|id| facts.policies.loan_policy_by_id(id)) else {
        return Ok(());
    };
    let before = loan.due_date();
    let due = recalled_due_date(facts, loan, governing.policy)?;
    let management = Management {
        governing: &governing,
        zone: &facts.time_zone,
        calendar: facts.calendar.as_deref(),
        service_point_id: loan.checkout_service_point_id(),
        current_time: facts.now(),
        loan_date: due,
        is_renewal: false,
        patron_expires: None,
    };
    let due = manage(due, &management, &mut plan.trace)?.due;
    let record = &mut loan.record;
    set_time(record, "dueDate", due);
    set(record, "dueDateChangedByRecall", true);
    set(record, "action", "recallrequested");
    remove(record, "actionComment");
    remove(record, "reminders");
    facts.stamp(record);
    plan.note(Step::DueDateChanged { from: before, to: due });
    plan.publish(
        "LOAN_DUE_DATE_CHANGED",
        json!({
            "userId": record["userId"],
            "loanId": record["id"],
            "dueDate": record["dueDate"],
            "dueDateChangedByRecall": true,
        }),
    );
    plan.update(RecordKind::Loan, loan.id(), loan.record.clone());
    Ok(())
}

fn recalled_due_date(facts: &Facts, loan: &Loan, policy: &LoanPolicy) -> Outcome<Timestamp> {
    let now = facts.now();
    let recalls = &policy.request_management.recalls;
    let current = loan.due_date().unwrap_or(now);
    let (overdue, extends) = (current < now, recalls.allow_recalls_to_extend_overdue_loans);
    let from_now = |period: &Option<Period>, key: &str| match period {
        Some(period) => plus(period, now, policy, key),
        None => Ok(now),
    };
    let due = if overdue && extends && recalls.alternate_recall_return_interval.is_some() {
        from_now(&recalls.alternate_recall_return_interval, "alternateRecallReturnInterval")?
    } else {
        from_now(&recalls.recall_return_interval, "recallReturnInterval")?
    };
    let guaranteed = match (&recalls.minimum_guaranteed_loan_period, loan.loan_date()) {
        (Some(period), Some(begun)) => {
            Some(plus(period, begun.timestamp(), policy, "minimumGuaranteedLoanPeriod")?)
        }
        _ => None,
    };
    if (overdue || due > current) && !extends {
        return Ok(current);
    }
    Ok(guaranteed.map_or(due, |guaranteed| guaranteed.max(due)))
}

fn plus(period: &Period, from: Timestamp, policy: &LoanPolicy, key: &str) -> Result<Timestamp, Refusal> {
    let refused = |defect| {
        let message = match defect {
            PeriodDefect::Missing => format!("the \"{key}\" in the loan policy is not recognized"),
            PeriodDefect::UnknownInterval(interval) => {
                format!("the interval \"{interval}\" in \"{key}\" is not recognized")
            }
            PeriodDefect::InvalidDuration(duration) => {
                format!("the duration \"{duration}\" in \"{key}\" is invalid")
            }
        };
        policy_refusal(policy, message)
    };
    period.add_to(&utc(from)).map(|at| at.timestamp()).map_err(refused)
}
