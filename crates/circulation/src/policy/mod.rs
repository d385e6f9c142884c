//! Policies and schedules, with types for the members that decisions read.

mod loan_policy;
mod lost_item;
mod notice;
mod other;
mod period;
mod reminders;
mod schedule;

use std::collections::HashMap;

use octavo_kernel::{Fault, Kind, Outcome};

use crate::rules::{AppliedConditions, Match, Rules};

pub use loan_policy::{
    ClosedLibraryStrategy, Holds, LoanPolicy, LoansPolicy, Profile, Recalls, RenewalsPolicy,
    RequestManagement,
};
pub use lost_item::LostItemPolicy;
pub(crate) use notice::shift_by_period;
pub use notice::{ConfiguredNotice, Format, NoticePolicy, Timing};
pub use other::{Fine, OverdueFinePolicy, RequestPolicy};
pub(crate) use period::unit;
pub use period::{Period, PeriodDefect};
pub use reminders::{Reminder, RemindersPolicy};
pub use schedule::{DateRange, FixedDueDateSchedule};

/// All policies and schedules by id, a part of the tenant's snapshot.
#[derive(Debug, Clone, Default)]
pub struct Policies {
    /// None if the tenant has no rules or blank ones.
    pub rules: Option<Rules>,
    pub loan: HashMap<String, LoanPolicy>,
    pub fixed_due_date_schedules: HashMap<String, FixedDueDateSchedule>,
    pub overdue_fine: HashMap<String, OverdueFinePolicy>,
    pub lost_item: HashMap<String, LostItemPolicy>,
    pub request: HashMap<String, RequestPolicy>,
    pub notice: HashMap<String, NoticePolicy>,
}

/// A loan policy that rules chose, with the schedules it names.
#[derive(Debug, Clone, Copy)]
pub struct GoverningLoanPolicy<'a> {
    pub policy: &'a LoanPolicy,
    pub schedule: Option<&'a FixedDueDateSchedule>,
    pub alternate_renewal_schedule: Option<&'a FixedDueDateSchedule>,
    pub conditions: AppliedConditions,
}

impl Policies {
    pub fn governing_loan_policy(&self, found: &Match) -> Outcome<GoverningLoanPolicy<'_>> {
        let id = &found.policies.loan;
        let governing = self.loan_policy_by_id(id).ok_or_else(|| unknown("Loan policy", id))?;
        Ok(GoverningLoanPolicy { conditions: found.applied, ..governing })
    }

    /// The policy of an existing loan; the rule that chose it is no longer known.
    pub fn loan_policy_by_id(&self, id: &str) -> Option<GoverningLoanPolicy<'_>> {
        let policy = self.loan.get(id)?;
        let schedule = |id: Option<&str>| id.and_then(|id| self.fixed_due_date_schedules.get(id));
        Some(GoverningLoanPolicy {
            policy,
            schedule: schedule(policy.schedule_id()),
            alternate_renewal_schedule: schedule(policy.alternate_renewal_schedule_id()),
            conditions: AppliedConditions::default(),
        })
    }

    pub fn overdue_fine_policy(&self, found: &Match) -> Outcome<&OverdueFinePolicy> {
        let id = &found.policies.overdue;
        self.overdue_fine.get(id).ok_or_else(|| unknown("Overdue fine policy", id))
    }

    pub fn lost_item_policy(&self, found: &Match) -> Outcome<&LostItemPolicy> {
        let id = &found.policies.lost_item;
        self.lost_item.get(id).ok_or_else(|| unknown("Lost item fee policy", id))
    }

    pub fn request_policy(&self, found: &Match) -> Outcome<&RequestPolicy> {
        let id = &found.policies.request;
        self.request.get(id).ok_or_else(|| unknown("Request policy", id))
    }
}

fn unknown(kind: &str, id: &str) -> Fault {
    Fault::new(Kind::Failed, format!("{kind} {id} could not be found, please check circulation rules"))
}
