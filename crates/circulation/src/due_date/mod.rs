//! The due date of a loan: by the policy's profile, then closed-library management, then the patron's expiration. Refusals have FOLIO's
//! messages.

mod expected;
mod initial;
mod managed;
mod renewal;

use octavo_kernel::Refusal;

use crate::policy::{LoanPolicy, PeriodDefect};

pub use expected::{ExpectedDueDate, LoanDateSpan, due_dates_ahead, expected_due_date};
pub use initial::{InitialDueDate, alternate_period_applies, initial_due_date};
pub use managed::{ManagedDueDate, Management, managed_due_date};
pub use renewal::renewal_due_date;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

/// A refusal that names the loan policy at fault.
pub(crate) fn policy_refusal(policy: &LoanPolicy, message: impl Into<String>) -> Refusal {
    Refusal::new(message).about("loanPolicyId", &policy.id).about("loanPolicyName", &policy.name)
}

fn unrecognised_profile(policy: &LoanPolicy, profile: &str) -> Refusal {
    policy_refusal(policy, format!("profile \"{profile}\" in the loan policy is not recognised"))
}

fn unrecognised_period(policy: &LoanPolicy, defect: PeriodDefect) -> Refusal {
    let message = match defect {
        PeriodDefect::Missing => "the loan period in the loan policy is not recognised".to_owned(),
        PeriodDefect::UnknownInterval(interval) => {
            format!("the interval \"{interval}\" in the loan policy is not recognised")
        }
        PeriodDefect::InvalidDuration(duration) => {
            format!("the duration \"{duration}\" in the loan policy is invalid")
        }
    };
    policy_refusal(policy, message)
}
