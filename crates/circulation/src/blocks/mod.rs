//! Automated patron blocks: operations that are blocked because a limit of the patron group is exceeded.
//!
//! They are computed from the patron's present open loans and fees; no counts are stored. Behaviour is that of mod-patron-blocks 1.10
//! (Quesnelia).

mod condition;
mod limits;
mod standing;

use jiff::Timestamp;

use crate::facts::AutomatedBlock;
use crate::policy::Policies;

pub use condition::Condition;
pub use limits::{BlockLimits, ConditionSettings, Limit};
pub use standing::{OpenFee, OpenLoan, Standing};

/// The blocks of a patron of this group, in the order of the conditions.
pub fn automated_blocks(
    limits: &BlockLimits,
    patron_group_id: Option<&str>,
    standing: &Standing,
    policies: &Policies,
    now: Timestamp,
) -> Vec<AutomatedBlock> {
    let Some(group) = patron_group_id else { return Vec::new() };
    // mod-patron-blocks knows nothing of patrons who have nothing: not even a limit of 0 blocks their first loan.
    if standing.is_empty() {
        return Vec::new();
    }
    let counted = standing.counts(policies, crate::moment::to_millisecond(now));
    let block = |(settings, limit): (&ConditionSettings, &Limit)| {
        let (borrowing, others) = limit.condition.exceeded(&counted, limit.value);
        let block = AutomatedBlock {
            condition_id: limit.condition.id().to_owned(),
            message: settings.message.clone(),
            borrowing: borrowing && settings.blocks_borrowing,
            renewals: others && settings.blocks_renewals,
            requests: others && settings.blocks_requests,
        };
        (block.borrowing || block.renewals || block.requests).then_some(block)
    };
    limits.of_group(group).filter_map(block).collect()
}

#[cfg(test)]
mod tests;
