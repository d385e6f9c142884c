//! Renewal by the rules.

use octavo_kernel::{Outcome, Refusal};

use super::{Renewal, Renewed};
use crate::due_date::{self, Management, policy_refusal, renewal_due_date};
use crate::facts::{Facts, Loan};
use crate::policy::Profile;
use crate::refusals::Refusals;
use crate::refusals::overrides::Block;
use crate::status::ItemStatus;
use crate::trace::Step;

/// Refuses a loan with billed reminders if its overdue fine policy forbids renewal then.
pub(super) fn refuse_after_reminders(facts: &Facts, loan: &Loan) -> Option<Refusal> {
    let policy = facts.policies.overdue_fine.get(loan.overdue_fine_policy_id()?)?;
    let billed = loan.reminders_billed().is_some_and(|number| number > 0);
    let message = "Renewals not allowed for loans with reminders.";
    (billed && policy.forbids_renewal_after_reminders())
        .then(|| Block::Renewal.mark(Refusal::new(message).about("reason", message), &facts.permissions))
}

/// The policy's due date, before closed-library management.
pub(super) fn renew(
    renewal: &Renewal<'_>,
    refusals: &mut Refusals,
    trace: &mut Vec<Step>,
) -> Option<Renewed> {
    let permissions = &renewal.facts.permissions;
    let not_loanable = renewal.refuse_not_loanable();
    let loanable = not_loanable.is_none();
    refusals.overridable(Block::RenewalDueDateRequired, not_loanable, permissions);
    refusals.overridable(Block::Renewal, renewal.refuse_with_due_date_at_hand(), permissions);
    refusals.overridable(Block::RenewalDueDateRequired, renewal.refuse_with_due_date_required(), permissions);
    refusals.extend(renewal.refuse_claimed_returned());
    if !loanable {
        return None;
    }
    match renewal.later_due_date(trace) {
        Ok(due) => {
            let overrides = renewal.command.override_blocks();
            let through_override = overrides.patron_block.is_some();
            Some(Renewed { due, through_override, item_status: None, changed_by_patron_expiration: false })
        }
        Err(refusal) => {
            refusals.overridable(Block::RenewalDueDateRequired, [refusal], permissions);
            None
        }
    }
}

/// Applies closed-library management and the patron's expiration. As in FOLIO, it is not checked again whether the due date is later than
/// before.
pub(super) fn manage(renewal: &Renewal<'_>, renewed: Renewed, trace: &mut Vec<Step>) -> Outcome<Renewed> {
    let now = renewal.facts.now();
    let management = Management {
        governing: &renewal.governing,
        hours: renewal.facts.service_point_hours(renewal.loan.checkout_service_point_id()),
        current_time: now,
        loan_date: renewal.loan.loan_date().map_or(now, |date| date.timestamp()),
        is_renewal: true,
        patron_expires: renewal.patron.expiration_date(),
    };
    let managed = due_date::managed_due_date(renewed.due, &management, trace)?;
    Ok(Renewed {
        due: managed.due,
        changed_by_patron_expiration: managed.changed_by_patron_expiration,
        ..renewed
    })
}

impl Renewal<'_> {
    fn refuse_not_loanable(&self) -> Option<Refusal> {
        let policy = self.governing.policy;
        (!policy.loanable).then(|| policy_refusal(policy, "item is not loanable"))
    }

    /// The refusals that can be overridden without a due date, because the policy still gives one.
    fn refuse_with_due_date_at_hand(&self) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        if let Some(recall) = self.first_recall_id() {
            let message = "items cannot be renewed when there is an active recall request";
            refusals.push(Refusal::new(message).about("requestId", recall));
        }
        if self.item.is_one_of(ItemStatus::LOST) {
            refusals.push(self.item_is());
        }
        let policy = self.governing.policy;
        if policy.has_reached_renewal_limit(self.loan.renewal_count()) {
            refusals.push(policy_refusal(policy, "loan at maximum renewal number"));
        }
        refusals
    }

    /// The refusals that can only be overridden with a due date.
    fn refuse_with_due_date_required(&self) -> Vec<Refusal> {
        let policy = self.governing.policy;
        let mut messages = Vec::new();
        if !policy.renewable {
            messages.push("loan is not renewable");
        }
        if self.hold_is_first() {
            let holds = &policy.request_management.holds;
            if !holds.renew_items_with_request {
                messages.push(
                    "Items with this loan policy cannot be renewed when there is an active, pending hold request",
                );
            }
            let fixed = policy.profile() == Profile::Fixed;
            if fixed && holds.alternate_renewal_loan_period.is_some() {
                messages.push(
                    "Item's loan policy has fixed profile but alternative renewal period for holds is specified",
                );
            }
            if fixed && policy.has_renewal_period() {
                messages.push("Item's loan policy has fixed profile but renewal period is specified");
            }
        }
        messages.into_iter().map(|message| policy_refusal(policy, message)).collect()
    }

    fn refuse_claimed_returned(&self) -> Option<Refusal> {
        self.item.is(ItemStatus::ClaimedReturned).then(|| self.item_is())
    }

    fn item_is(&self) -> Refusal {
        Refusal::new(format!("item is {}", self.item.status())).about("itemId", self.item.id())
    }

    /// The id of the first recall for the item.
    pub(super) fn first_recall_id(&self) -> Option<&str> {
        let mut queue = self.facts.queue.iter();
        let recall = queue.find(|request| request.is_recall() && request.is_for_item(self.item.id()));
        recall.map(|request| request.id())
    }

    /// Whether the first request for the item, or for any item of the title, is a hold.
    fn hold_is_first(&self) -> bool {
        let mut queue = self.facts.queue.iter();
        let first = queue.find(|request| {
            let any_item = request.is_title_level() && request.is_hold() && request.item_id().is_none();
            request.is_for_item(self.item.id()) || any_item
        });
        first.is_some_and(|request| request.is_hold())
    }

    fn later_due_date(&self, trace: &mut Vec<Step>) -> Result<jiff::Timestamp, Refusal> {
        let now = self.facts.now();
        let current = self.loan.due_date().unwrap_or(now);
        let due = renewal_due_date(&self.governing, now, current, self.hold_is_first(), trace)?;
        if due > current {
            Ok(due)
        } else {
            Err(policy_refusal(self.governing.policy, "renewal would not change the due date"))
        }
    }
}
