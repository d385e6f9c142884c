//! The due date that a renewal proposes.

use jiff::Timestamp;
use octavo_kernel::Refusal;

use super::initial::limited_by_schedule;
use super::{policy_refusal, unrecognised_period, unrecognised_profile};
use crate::moment::utc;
use crate::policy::{FixedDueDateSchedule, GoverningLoanPolicy, Profile};
use crate::trace::Step;

/// `with_hold`: the first request for the item is a hold, for which the policy may have a period of its own.
pub fn renewal_due_date(
    governing: &GoverningLoanPolicy<'_>,
    now: Timestamp,
    current_due: Timestamp,
    with_hold: bool,
    trace: &mut Vec<Step>,
) -> Result<Timestamp, Refusal> {
    match governing.policy.profile() {
        Profile::Unknown(name) => Err(unrecognised_profile(governing.policy, &name)),
        Profile::Fixed => fixed_due_date(governing, now, trace),
        Profile::Rolling => rolling_due_date(governing, now, current_due, with_hold, trace),
    }
}

/// The schedule that limits rolling renewals: the alternate one where the policy has it.
pub(super) fn limiting_schedule<'a>(governing: &GoverningLoanPolicy<'a>) -> Option<&'a FixedDueDateSchedule> {
    let different = governing.policy.renewals_policy.different_period;
    governing.alternate_renewal_schedule.filter(|_| different).or(governing.schedule)
}

/// The schedule of fixed renewals: the alternate one where the policy differs for renewals, even if it
/// then has none.
pub(super) fn fixed_schedule<'a>(governing: &GoverningLoanPolicy<'a>) -> Option<&'a FixedDueDateSchedule> {
    if governing.policy.renewals_policy.different_period {
        governing.alternate_renewal_schedule
    } else {
        governing.schedule
    }
}

fn fixed_due_date(
    governing: &GoverningLoanPolicy<'_>,
    now: Timestamp,
    trace: &mut Vec<Step>,
) -> Result<Timestamp, Refusal> {
    let due = fixed_schedule(governing).and_then(|schedule| schedule.due_date_for(now)).ok_or_else(|| {
        policy_refusal(governing.policy, "renewal date falls outside of date ranges in fixed loan policy")
    })?;
    trace.push(Step::ScheduleDueDate { date: now, due });
    Ok(due)
}

fn rolling_due_date(
    governing: &GoverningLoanPolicy<'_>,
    now: Timestamp,
    current_due: Timestamp,
    with_hold: bool,
    trace: &mut Vec<Step>,
) -> Result<Timestamp, Refusal> {
    let policy = governing.policy;
    let from = match policy.renewals_policy.renew_from_id.as_deref() {
        Some("SYSTEM_DATE") => now,
        Some("CURRENT_DUE_DATE") => current_due,
        _ => return Err(policy_refusal(policy, "cannot determine when to renew from")),
    };
    let period = policy.renewal_period(with_hold);
    let due = period.add_to(&utc(from)).map_err(|defect| unrecognised_period(policy, defect))?.timestamp();
    let because_of_hold =
        with_hold && policy.request_management.holds.alternate_renewal_loan_period.is_some();
    trace.push(Step::PeriodAdded { from, period: period.to_string(), because_of_hold, due });

    let outside = || policy_refusal(policy, "renewal date falls outside of date ranges in the loan policy");
    limited_by_schedule(limiting_schedule(governing), from, due, outside, trace)
}
