//! Refunding payments and transfers. The amount is owed again until the fee is cancelled.
//!
//! Each recipient gets two actions: the credit, which does not change the balance and about which patrons are not notified, and the
//! refund, which adds to it.

use octavo_kernel::Outcome;

use super::FeeFacts;
use super::check;
use super::command::{Details, Settlement};
use super::ledger::{Entry, Ledger};
use super::refundable::Refundable;
use super::split::split;
use crate::Money;
use crate::document::set;
use crate::facts::Account;
use crate::plan::Plan;
use crate::status::OpenOrClosed;
use crate::status::PaymentStatus::{CreditedFully, CreditedPartially, RefundedFully, RefundedPartially};

/// Recipients, with the amount for each and whether it is all that was ever paid in this way.
type Shares = Vec<(String, Money, bool)>;

/// `POST .../refund`
pub fn refund(facts: &FeeFacts, command: &Settlement) -> Outcome<Plan> {
    let (named, text) = (&command.amount.accounts, &command.amount.text);
    let accounts = facts.named_accounts(named)?;
    let refundable = Refundable::from_accounts(facts, &accounts);
    let allowed = check::refund(&refundable, text).map_err(|message| named.refused(Some(text), message))?;
    let rooms: Vec<Money> = refundable.iter().map(Refundable::total).collect();
    let shares = split(allowed.amount, &rooms);
    let mut ledger = Ledger::new(facts);
    let mut remaining = None;
    for ((account, share), refundable) in accounts.into_iter().zip(shares).zip(&refundable) {
        if !share.is_positive() {
            continue;
        }
        let mut account = account.clone();
        refund_amount(&mut ledger, &mut account, &command.details, &shares_of(share, refundable))?;
        remaining = Some(account.remaining());
        ledger.settle(account, OpenOrClosed::Open);
    }
    Ok(ledger.into_plan(named, Some(allowed.amount), remaining))
}

/// Spreads an amount over the payments first, then over the transfers evenly.
fn shares_of(amount: Money, refundable: &Refundable) -> Shares {
    let to_patron = amount.min(refundable.to_patron);
    let transfers = amount - to_patron;
    let mut shares = vec![("patron".to_owned(), to_patron, to_patron == refundable.paid)];
    let rooms: Vec<Money> = refundable.to_transfer_accounts.iter().map(|(_, amount)| *amount).collect();
    let full = transfers == refundable.transferred;
    let names = refundable.to_transfer_accounts.iter().map(|(name, _)| name.clone());
    shares.extend(names.zip(split(transfers, &rooms)).map(|(name, share)| (name, share, full)));
    shares.retain(|(_, share, _)| share.is_positive());
    shares
}

pub(super) fn refund_all(
    ledger: &mut Ledger<'_>,
    account: &mut Account,
    details: &Details,
    refundable: &Refundable,
) -> Outcome<()> {
    refund_amount(ledger, account, details, &shares_of(refundable.total(), refundable))
}

fn refund_amount(
    ledger: &mut Ledger<'_>,
    account: &mut Account,
    of_request: &Details,
    shares: &Shares,
) -> Outcome<()> {
    for (step, partly, fully, is_owed_again) in [
        ("Refund", CreditedPartially, CreditedFully, false),
        ("Refunded", RefundedPartially, RefundedFully, true),
    ] {
        for (recipient, share, full) in shares {
            let kind = if *full { fully } else { partly }.name();
            let balance = account.remaining() + if is_owed_again { *share } else { Money::ZERO };
            let mut details = of_request.action_members();
            set(&mut details, "transactionInformation", format!("{step} to {recipient}"));
            let notifies = of_request.notify_patron && is_owed_again;
            ledger.record(account, &Entry { kind, amount: share.to_json(), balance, notifies, details })?;
        }
    }
    Ok(())
}
