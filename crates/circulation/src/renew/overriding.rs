//! Renewal against the rules, by staff with the permission.
//!
//! There must be a block to override; the first case that applies determines the source of the due date.

use jiff::Timestamp;
use octavo_kernel::{Refusal, parse_time};

use super::{Renewal, Renewed};
use crate::due_date::{policy_refusal, renewal_due_date};
use crate::facts::ItemStatus;
use crate::moment::to_millisecond;
use crate::refusals::overrides::Block;
use crate::refusals::{Refusals, missing_parameter};
use crate::trace::Step;

const NO_CASE: &str = "Override renewal does not match any of expected cases: item is not loanable, item is not \
    renewable, reached number of renewals limit,renewal date falls outside of the date ranges in the loan policy, \
    items cannot be renewed when there is an active recall request, item is Declared lost, item is Aged to lost, \
    renewal would not change the due date, loan has reminder fees";

pub(super) fn renew(
    renewal: &Renewal<'_>,
    refusals: &mut Refusals,
    trace: &mut Vec<Step>,
) -> Option<Renewed> {
    match renewal.overridden_due_date(trace) {
        Ok(due) => {
            trace.push(Step::Overridden { block: renewal.block().name().into() });
            trace.push(Step::DueDateGiven { due });
            Some(Renewed {
                due,
                through_override: true,
                item_status: Some(ItemStatus::CheckedOut),
                changed_by_patron_expiration: false,
            })
        }
        Err(refusal) => {
            refusals.extend([refusal]);
            None
        }
    }
}

impl Renewal<'_> {
    fn block(&self) -> Block {
        match self.command.override_blocks().renewal_due_date_required_block {
            Some(_) => Block::RenewalDueDateRequired,
            None => Block::Renewal,
        }
    }

    fn overridden_due_date(&self, trace: &mut Vec<Step>) -> Result<Timestamp, Refusal> {
        let overrides = self.command.override_blocks();
        if overrides.comment.as_deref().is_none_or(|comment| comment.trim().is_empty()) {
            return Err(missing_parameter("Override renewal request must have a comment", "comment"));
        }
        let required = overrides.renewal_due_date_required_block.as_ref();
        let given = required.and_then(|block| block.due_date.as_deref()).and_then(parse_time);
        let given = given.map(to_millisecond);

        let policy = self.governing.policy;
        let now = self.facts.now();
        let current = self.loan.due_date().unwrap_or(now);
        let proposed = renewal_due_date(&self.governing, now, current, false, trace);
        let proposed = match proposed {
            Ok(proposed) if policy.loanable && policy.renewable => proposed,
            _ => return given.ok_or_else(due_date_must_be_given),
        };
        let is_later = proposed > current;
        let lost = self.item.is_one_of(ItemStatus::LOST);
        let reminded = self.loan.reminders_billed().is_some_and(|number| number > 0);
        let limit_reached = policy.has_reached_renewal_limit(self.loan.renewal_count());
        if !(limit_reached || self.first_recall_id().is_some() || lost || !is_later || reminded) {
            return Err(policy_refusal(policy, NO_CASE));
        }
        let due = if is_later { proposed } else { given.ok_or_else(due_date_is_required)? };
        if due > current {
            Ok(due)
        } else {
            Err(policy_refusal(policy, "renewal would not change the due date"))
        }
    }
}

fn due_date_must_be_given() -> Refusal {
    Refusal::new("New due date must be specified when due date calculation fails").about("dueDate", "null")
}

fn due_date_is_required() -> Refusal {
    Refusal::new("New due date is required when renewal would not change the due date")
        .about("dueDate", "null")
}
