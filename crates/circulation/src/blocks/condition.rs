//! The six conditions, and when the limit of one is exceeded.

use super::standing::StandingCounts;
use crate::Money;

/// The conditions of patron blocks, in the order in which blocks are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    ItemsChargedOut,
    LostItems,
    OverdueItems,
    OverdueRecalls,
    RecallOverdueByDays,
    OutstandingBalance,
}

impl Condition {
    pub const ALL: [Condition; 6] = [
        Condition::ItemsChargedOut,
        Condition::LostItems,
        Condition::OverdueItems,
        Condition::OverdueRecalls,
        Condition::RecallOverdueByDays,
        Condition::OutstandingBalance,
    ];

    /// Its id, which is the same in every tenant of FOLIO.
    pub fn id(self) -> &'static str {
        match self {
            Condition::ItemsChargedOut => "3d7c52dc-c732-4223-8bf8-e5917801386f",
            Condition::LostItems => "72b67965-5b73-4840-bc0b-be8f3f6e047e",
            Condition::OverdueItems => "584fbd4f-6a34-4730-a6ca-73a6a6a9d845",
            Condition::OverdueRecalls => "e5b45031-a202-4abb-917b-e1df9346fe2c",
            Condition::RecallOverdueByDays => "08530ac4-07f2-48e6-9dda-a97bc2bf7053",
            Condition::OutstandingBalance => "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a",
        }
    }

    pub fn from_id(id: &str) -> Option<Condition> {
        Condition::ALL.into_iter().find(|condition| condition.id().eq_ignore_ascii_case(id))
    }

    /// Whether the limit is exceeded for borrowing, and for renewals and requests. Limits of counts have two decimal places, too, so counts
    /// are compared as amounts of money.
    pub(super) fn exceeded(self, counted: &StandingCounts, limit: Money) -> (bool, bool) {
        let over = |count: usize| count_as_money(count) > limit;
        let all = |exceeded: bool| (exceeded, exceeded);
        match self {
            // A patron with exactly the maximum of items can still renew them.
            Condition::ItemsChargedOut => (count_as_money(counted.items) >= limit, over(counted.items)),
            Condition::LostItems => all(over(counted.lost)),
            Condition::OverdueItems => all(over(counted.overdue)),
            Condition::OverdueRecalls => all(over(counted.overdue_recalls)),
            Condition::RecallOverdueByDays => all(counted
                .longest_overdue_recall
                .is_some_and(|days| Money::from_cents(days.saturating_mul(100)) > limit)),
            Condition::OutstandingBalance => all(counted.balance > limit),
        }
    }
}

fn count_as_money(count: usize) -> Money {
    Money::from_cents(i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(100))
}
