//! The due date of a new loan before closed-library management.

use jiff::{Timestamp, Zoned};
use octavo_kernel::Refusal;

use super::{policy_refusal, unrecognised_period, unrecognised_profile};
use crate::facts::QueuedRequest;
use crate::policy::{FixedDueDateSchedule, GoverningLoanPolicy, LoanPolicy, Period, Profile};
use crate::trace::Step;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InitialDueDate {
    pub due: Timestamp,
    pub changed_by_hold: bool,
}

/// Whether a hold waits for the item, or for any item of the title, and the policy has a period for that case.
pub fn alternate_period_applies(policy: &LoanPolicy, queue: &[QueuedRequest], item_id: &str) -> bool {
    policy.request_management.holds.alternate_checkout_loan_period.is_some()
        && queue.iter().any(|request| {
            let waits_for_item = request.item_id().is_none_or(|id| id == item_id);
            request.is_hold() && request.is_not_yet_filled() && waits_for_item
        })
}

pub fn initial_due_date(
    governing: &GoverningLoanPolicy<'_>,
    loan_date: &Zoned,
    hold_waits: bool,
    trace: &mut Vec<Step>,
) -> Result<InitialDueDate, Refusal> {
    let policy = governing.policy;
    let profile = policy.profile();
    let period = match &profile {
        Profile::Unknown(name) => return Err(unrecognised_profile(policy, name)),
        Profile::Fixed if !hold_waits => return fixed_due_date(governing, loan_date.timestamp(), trace),
        _ if hold_waits => alternate_period(policy),
        _ => policy.loan_period(),
    };
    let due = period.add_to(loan_date).map_err(|defect| unrecognised_period(policy, defect))?.timestamp();
    trace.push(Step::PeriodAdded {
        from: loan_date.timestamp(),
        period: period.to_string(),
        because_of_hold: hold_waits,
        due,
    });
    let outside = || outside_of_ranges(policy);
    let due = limited_by_schedule(governing.schedule, loan_date.timestamp(), due, outside, trace)?;
    Ok(InitialDueDate { due, changed_by_hold: hold_waits && profile == Profile::Rolling })
}

fn alternate_period(policy: &LoanPolicy) -> Period {
    policy.request_management.holds.alternate_checkout_loan_period.clone().unwrap_or_default()
}

fn fixed_due_date(
    governing: &GoverningLoanPolicy<'_>,
    loan_date: Timestamp,
    trace: &mut Vec<Step>,
) -> Result<InitialDueDate, Refusal> {
    let due = governing
        .schedule
        .and_then(|schedule| schedule.due_date_for(loan_date))
        .ok_or_else(|| outside_of_ranges(governing.policy))?;
    trace.push(Step::ScheduleDueDate { date: loan_date, due });
    Ok(InitialDueDate { due, changed_by_hold: false })
}

/// Limits a due date to that of the schedule, if there is one, for loans or renewals of this date.
pub(super) fn limited_by_schedule(
    schedule: Option<&FixedDueDateSchedule>,
    date: Timestamp,
    due: Timestamp,
    outside_of_ranges: impl FnOnce() -> Refusal,
    trace: &mut Vec<Step>,
) -> Result<Timestamp, Refusal> {
    let Some(schedule) = schedule else { return Ok(due) };
    let limit = schedule.due_date_for(date).ok_or_else(outside_of_ranges)?;
    if limit < due {
        trace.push(Step::ScheduleLimit { before: due, limit });
    }
    Ok(due.min(limit))
}

fn outside_of_ranges(policy: &LoanPolicy) -> Refusal {
    policy_refusal(policy, "loan date falls outside of the date ranges in the loan policy")
}
