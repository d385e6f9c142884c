//! Renewal: a loan gets a later due date. All reasons to refuse are reported together.

mod find;
mod overriding;
mod regular;

use octavo_kernel::{Outcome, json_text};
use serde_json::Value;

use crate::command::Renew;
use crate::document::{Document, flag, remove, set, set_time};
use crate::facts::{Facts, Item, ItemStatus, Loan, Patron};
use crate::fees::{Occasion, RefundReason, charge_overdue_fine, refund_lost_fees};
use crate::governing::{apply_rules, trace_rule};
use crate::loan_in_question::change_item;
use crate::plan::{Plan, RecordKind};
use crate::policy::GoverningLoanPolicy;
use crate::queue::waiting_recalls;
use crate::refusals::Refusals;
use crate::refusals::blocked_patron::{Action, refuse_automatically_blocked, refuse_manually_blocked};
use crate::refusals::inactive_patron::refuse_renewal_of_inactive_patron;
use crate::refusals::overrides::Block;
use crate::trace::Step;
use crate::view::{LoanView, loan_view};

#[cfg(test)]
mod tests;

struct Renewal<'a> {
    facts: &'a Facts,
    command: &'a Renew,
    loan: &'a Loan,
    item: &'a Item,
    patron: &'a Patron,
    governing: GoverningLoanPolicy<'a>,
}

#[derive(Clone, Copy)]
struct Renewed {
    due: jiff::Timestamp,
    through_override: bool,
    /// The new status that an override gives to a lost item, which is on loan again.
    item_status: Option<ItemStatus>,
    changed_by_patron_expiration: bool,
}

pub fn renew(facts: &Facts, command: &Renew) -> Outcome<Plan> {
    let overrides = command.override_blocks();
    let overriding = overrides.renewal_block.is_some() || overrides.renewal_due_date_required_block.is_some();
    let mut refusals = Refusals::default();

    let found = find::find(facts, command, &mut refusals)?;
    if let Some((_, _, patron)) = found {
        patron_refusals(facts, command, patron, &mut refusals);
    }
    if overriding {
        refusals.extend(Block::Renewal.insufficient_permissions(&facts.permissions));
    }
    let Some((loan, item, patron)) = found else {
        refusals.into_outcome()?;
        return Err(octavo_kernel::Fault::internal("a renewal without a loan was not refused"));
    };
    if !overriding {
        refusals.extend(regular::refuse_after_reminders(facts, loan));
    }

    let rule = apply_rules(&facts.policies, item, Some(patron))?;
    let governing = facts.policies.governing_loan_policy(&rule)?;
    let renewal = Renewal { facts, command, loan, item, patron, governing };
    let mut plan = Plan::default();
    trace_rule(&rule, &facts.policies, &mut plan.trace);
    let renewed = if overriding {
        overriding::renew(&renewal, &mut refusals, &mut plan.trace)
    } else {
        regular::renew(&renewal, &mut refusals, &mut plan.trace)
    };
    refusals.into_outcome()?;
    let renewed = renewed.ok_or_else(|| octavo_kernel::Fault::internal("a renewal without result"))?;
    let renewed = if overriding { renewed } else { regular::manage(&renewal, renewed, &mut plan.trace)? };
    renewal.carry_out(&renewed, plan)
}

fn patron_refusals(facts: &Facts, command: &Renew, patron: &Patron, refusals: &mut Refusals) {
    let permissions = &facts.permissions;
    refusals.extend(refuse_renewal_of_inactive_patron(patron, facts.now()));
    if command.override_blocks().patron_block.is_some() {
        refusals.extend(Block::Patron.insufficient_permissions(permissions));
        return;
    }
    let manual = refuse_manually_blocked(facts, Action::Renewing).into_iter();
    let blocks = manual.chain(refuse_automatically_blocked(facts, Action::Renewing));
    refusals.overridable(Block::Patron, blocks, permissions);
}

impl Renewal<'_> {
    fn carry_out(&self, renewed: &Renewed, mut plan: Plan) -> Outcome<Plan> {
        let facts = self.facts;
        let item = match renewed.item_status {
            Some(status) => change_item(facts, self.item, status, &mut plan),
            None => self.item.clone(),
        };
        let loan = self.loan_after(renewed, &item);
        let renewals = self.loan.renewal_count() + 1;
        plan.update(RecordKind::Loan, self.loan.id(), loan.clone());
        plan.add_step(Step::LoanRenewed { loan_id: self.loan.id().to_owned(), renewals });
        if renewed.item_status.is_some() && self.item.is_one_of(ItemStatus::LOST_OR_PAID) {
            let service_point_id = self.command.service_point_id();
            refund_lost_fees(facts, self.loan, service_point_id, RefundReason::Renewed, &mut plan)?;
        }
        charge_overdue_fine(facts, self.loan, self.item, Occasion::Renewal, &mut plan);
        plan.publish_due_date(&loan);
        plan.response = json_text(&loan_view(&LoanView {
            due_date_changed_by_near_expire_user: renewed.changed_by_patron_expiration,
            computed: &["dueDate"],
            ..LoanView::after_operation(facts, &loan, &item, Some(self.patron))
        }));
        Ok(plan)
    }

    fn loan_after(&self, renewed: &Renewed, item: &Item) -> Document {
        let mut loan = self.loan.record.clone();
        set_time(&mut loan, "dueDate", renewed.due);
        set(&mut loan, "renewalCount", self.loan.renewal_count() + 1);
        set(&mut loan, "loanPolicyId", self.governing.policy.id.as_str());
        set(&mut loan, "itemStatus", item.status());
        remove(&mut loan, "reminders");
        remove(&mut loan, "actionComment");
        if renewed.through_override {
            set(&mut loan, "action", "renewedThroughOverride");
            if let Some(comment) = &self.command.override_blocks().comment {
                set(&mut loan, "actionComment", comment.as_str());
            }
        } else {
            set(&mut loan, "action", "renewed");
        }
        if renewed.item_status.is_some() && self.item.is(ItemStatus::AgedToLost) {
            remove_aged_to_lost_billing(&mut loan);
        }
        let item_id = self.loan.item_id().unwrap_or_default();
        let recalled = waiting_recalls(&self.facts.queue).any(|request| request.is_for_item(item_id));
        if flag(&loan, &["dueDateChangedByRecall"]) && !recalled {
            set(&mut loan, "dueDateChangedByRecall", false);
        }
        self.facts.set_metadata(&mut loan);
        loan
    }
}

/// Removes the billing for an item that has aged to lost, and keeps the date of ageing.
pub(crate) fn remove_aged_to_lost_billing(loan: &mut Value) {
    if let Some(billing) = loan.get_mut("agedToLostDelayedBilling") {
        remove(billing, "lostItemHasBeenBilled");
        remove(billing, "dateLostItemShouldBeBilled");
    }
}
