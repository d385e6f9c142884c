//! A lost item turns up, or is lost in another way: its fees are refunded and cancelled as its lost item fee policy says.
//!
//! If an item was lost several times in one loan, only the last time counts: the newest fee, and the fee of the other kind
//! that was charged with it. What was waived stays waived.

use jiff::Timestamp;
use octavo_kernel::Outcome;
use serde_json::Value;

use super::actual_cost::{ACTUAL_COST_FEE, cancel_open_record};
use super::cancel::cancel_account;
use super::command::Details;
use super::ledger::{FeeFacts, Ledger};
use super::lost::{LOST_ITEM_FEE, PROCESSING_FEE};
use super::refund::refund_all;
use super::refundable::Refundable;
use crate::document::{text, time};
use crate::facts::{Account, Facts, Loan, LostFees};
use crate::plan::Plan;
use crate::policy::LostItemPolicy;
use crate::status::{OpenOrClosed, PaymentStatus};
use crate::trace::Step;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefundReason {
    Returned,
    Renewed,
    /// The item had aged to lost and is now declared lost, which has fees of its own.
    DeclaredLost,
}

impl RefundReason {
    fn cancellation(self) -> PaymentStatus {
        match self {
            RefundReason::Returned => PaymentStatus::CancelledItemReturned,
            RefundReason::Renewed => PaymentStatus::CancelledItemRenewed,
            RefundReason::DeclaredLost => PaymentStatus::CancelledItemDeclaredLost,
        }
    }

    fn remark(self) -> &'static str {
        match self {
            RefundReason::Returned => "Lost item was returned",
            RefundReason::Renewed => "Lost item was renewed",
            RefundReason::DeclaredLost => "Aged to lost item was declared lost",
        }
    }
}

/// Refunds payments and transfers for the lost item of the loan, and cancels its fees.
pub(crate) fn refund_lost_fees(
    facts: &Facts,
    loan: &Loan,
    service_point_id: Option<&str>,
    reason: RefundReason,
    plan: &mut Plan,
) -> Outcome<()> {
    let unknown = LostItemPolicy::default();
    let policy = loan.lost_item_policy_id().and_then(|id| facts.policies.lost_item.get(id));
    let policy = policy.unwrap_or(&unknown);
    let lost = loan.lost_date();
    if !policy.still_refunds(lost, facts.now()) {
        plan.add_step(Step::LostFeesStand { until: policy.refunds_until(lost).unwrap_or_default() });
        return Ok(());
    }
    let money = FeeFacts {
        now: facts.now(),
        acting_user_id: facts.acting_user_id.clone(),
        accounts: facts.lost.accounts.clone(),
        actions: facts.lost.actions.clone(),
        fresh_ids: facts.lost.fresh_ids.clone(),
    };
    let details = Details {
        notify_patron: true,
        service_point_id: service_point_id.map(str::to_owned),
        user_name: facts.staff.as_ref().map(|staff| staff.personal_name()),
        payment_method: Some("Lost item found".to_owned()),
        ..Details::default()
    };
    let mut ledger = Ledger::new(&money);
    let concerned = fees_to_refund(&facts.lost, policy);
    for (account, refundable) in concerned.iter().zip(Refundable::from_accounts(&money, &concerned)) {
        let mut account = (*account).clone();
        if refundable.total().is_positive() {
            refund_all(&mut ledger, &mut account, &details, &refundable)?;
        }
        if account.remaining().is_positive() {
            cancel_account(&mut ledger, &mut account, reason.cancellation(), &details)?;
            ledger.settle(account, OpenOrClosed::Closed);
        }
    }
    plan.absorb(ledger.plan);
    if policy.charges_actual_cost() {
        cancel_open_record(facts, reason.remark(), plan);
    }
    Ok(())
}

/// The newest of the fees that the policy refunds, and the newest of the other kind if it was charged with it.
fn fees_to_refund<'a>(lost: &'a LostFees, policy: &LostItemPolicy) -> Vec<&'a Account> {
    let item_fee = if policy.charges_actual_cost() { ACTUAL_COST_FEE } else { LOST_ITEM_FEE };
    let kinds: &[&str] =
        if policy.refunds_processing_fee() { &[item_fee, PROCESSING_FEE] } else { &[item_fee] };
    let newest = |kinds: &[&str]| {
        let of_kind = lost.accounts.iter().filter(|account| kinds.contains(&kind(account)));
        // If two are equal, the first one counts.
        of_kind
            .filter_map(|account| Some((created(&account.record)?, account)))
            .rev()
            .max_by_key(|(at, _)| *at)
    };
    let Some((at, first)) = newest(kinds) else { return Vec::new() };
    let at = billed_after(lost, first).unwrap_or(at);
    let others: Vec<&str> = kinds.iter().copied().filter(|name| *name != kind(first)).collect();
    let with_it = newest(&others).filter(|(other, account)| {
        let apart = at.duration_since(*other).abs().as_secs();
        let status = text(&account.record, &["paymentStatus", "name"]).and_then(PaymentStatus::spelled);
        apart <= 60 && !status.is_some_and(PaymentStatus::is_cancelled)
    });
    std::iter::once(first).chain(with_it.map(|(_, account)| account)).collect()
}

/// An actual cost is billed long after the loss; its record is as old as the other fee.
fn billed_after(lost: &LostFees, account: &Account) -> Option<Timestamp> {
    let of_account = |record: &&Value| text(record, &["feeFine", "accountId"]) == Some(account.id());
    created(lost.actual_costs.iter().find(of_account)?)
}

fn created(record: &Value) -> Option<Timestamp> {
    time(record, &["metadata", "createdDate"])
}

fn kind(account: &Account) -> &str {
    text(&account.record, &["feeFineType"]).unwrap_or_default()
}

#[cfg(test)]
mod tests;
