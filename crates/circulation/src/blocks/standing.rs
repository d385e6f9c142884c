//! The open loans and fees of a patron, and what conditions count of them.

use jiff::Timestamp;

use crate::Money;
use crate::policy::{LoanPolicy, Policies};
use crate::status::ItemStatus;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    pub loans: Vec<OpenLoan>,
    /// The number of loans that are neither overdue nor claimed to be returned.
    pub other_loans: usize,
    /// How many of these have lost items.
    pub other_lost_loans: usize,
    pub fees: Vec<OpenFee>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenLoan {
    pub id: String,
    pub due: Option<Timestamp>,
    /// Whether a recall changed the due date.
    pub recalled: bool,
    /// The item's status as the loan keeps it; compared without regard to case.
    pub item_status: String,
    pub loan_policy_id: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenFee {
    pub id: String,
    pub type_id: String,
    pub loan_id: Option<String>,
    pub balance: Money,
}

/// The numbers that conditions compare. Items that the patron claims to have returned do not count.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct StandingCounts {
    pub(super) items: usize,
    pub(super) lost: usize,
    pub(super) overdue: usize,
    pub(super) overdue_recalls: usize,
    /// The longest overdue recall in days; a day that has begun counts.
    pub(super) longest_overdue_recall: Option<i64>,
    pub(super) balance: Money,
}

impl Standing {
    pub(super) fn is_empty(&self) -> bool {
        self.loans.is_empty() && self.other_loans == 0 && self.fees.is_empty()
    }

    pub(super) fn counts(&self, policies: &Policies, now: Timestamp) -> StandingCounts {
        let mut counted = StandingCounts::default();
        for loan in self.loans.iter().filter(|loan| !loan.is_claimed_returned()) {
            counted.items += 1;
            counted.lost += usize::from(loan.is_lost());
            let minutes = loan.overdue_minutes(policies, now);
            if minutes > 0 {
                counted.overdue += 1;
            }
            if minutes > 0 && loan.recalled {
                let days = (minutes + MINUTES_OF_A_DAY - 1) / MINUTES_OF_A_DAY;
                counted.overdue_recalls += 1;
                counted.longest_overdue_recall = counted.longest_overdue_recall.max(Some(days));
            }
        }
        counted.items += self.other_loans;
        counted.lost += self.other_lost_loans;
        let claimed = |fee: &&OpenFee| {
            let of_loan =
                |loan: &OpenLoan| fee.loan_id.as_deref() == Some(&loan.id) && loan.is_claimed_returned();
            self.loans.iter().any(of_loan)
        };
        counted.balance = self.fees.iter().filter(|fee| !claimed(fee)).map(|fee| fee.balance).sum();
        counted
    }
}

const MINUTES_OF_A_DAY: i64 = 24 * 60;

impl OpenLoan {
    pub fn is_claimed_returned(&self) -> bool {
        ItemStatus::read(&self.item_status) == Some(ItemStatus::ClaimedReturned)
    }

    pub fn is_lost(&self) -> bool {
        ItemStatus::read(&self.item_status).is_some_and(|status| ItemStatus::LOST.contains(&status))
    }

    /// Whole minutes past the due date, if they are more than the grace period; closed hours do not matter.
    fn overdue_minutes(&self, policies: &Policies, now: Timestamp) -> i64 {
        let Some(due) = self.due else { return 0 };
        let minutes = (now.as_millisecond() - due.as_millisecond()) / 60_000;
        if minutes > self.grace_minutes(policies) { minutes } else { 0 }
    }

    fn grace_minutes(&self, policies: &Policies) -> i64 {
        let policy = self.loan_policy_id.as_deref().and_then(|id| policies.loan.get(id));
        policy.map_or(0, LoanPolicy::grace_minutes)
    }
}
