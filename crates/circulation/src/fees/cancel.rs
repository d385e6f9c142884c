//! Cancelling a fee that should not have been charged. The action has the whole amount, even if a part was paid, so that the sum of
//! the actions of a cancelled fee is not its balance.

use octavo_kernel::Outcome;

use super::FeeFacts;
use super::command::{Cancellation, Details};
use super::ledger::{Entry, Ledger};
use crate::Money;
use crate::document::remove;
use crate::facts::Account;
use crate::plan::Plan;
use crate::status::{OpenOrClosed, PaymentStatus};

/// `POST .../cancel`
pub fn cancel(facts: &FeeFacts, command: &Cancellation) -> Outcome<Plan> {
    let named = &command.accounts;
    let accounts = facts.named_accounts(named)?;
    if accounts.iter().any(|account| account.is_closed()) {
        return Err(named.refused(None, "Fee/fine is already closed"));
    }
    let reason = command.reason.as_deref().unwrap_or(PaymentStatus::CancelledAsError.name());
    let unknown = || named.refused(None, &format!("{reason} is no payment status"));
    let reason = PaymentStatus::spelled(reason).ok_or_else(unknown)?;
    let mut ledger = Ledger::new(facts);
    for account in accounts {
        let mut account = account.clone();
        cancel_account(&mut ledger, &mut account, reason, &command.details)?;
        ledger.settle(account, OpenOrClosed::Closed);
    }
    Ok(ledger.into_plan(named, None, Some(Money::ZERO)))
}

/// Cancels an account, of which nothing is owed any more.
pub(super) fn cancel_account(
    ledger: &mut Ledger<'_>,
    account: &mut Account,
    reason: PaymentStatus,
    details: &Details,
) -> Outcome<()> {
    let notifies = details.notify_patron;
    let mut details = details.action_members();
    for never_said in ["notify", "transactionInformation", "paymentMethod"] {
        remove(&mut details, never_said);
    }
    let amount = account.record["amount"].clone();
    ledger.record(account, &Entry { kind: reason.name(), amount, balance: Money::ZERO, notifies, details })
}
