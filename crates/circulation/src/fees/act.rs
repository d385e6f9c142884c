//! Paying, waiving and transferring, which lower the remaining amount.

use octavo_kernel::Outcome;

use super::FeeFacts;
use super::check::payment;
use super::command::Settlement;
use super::ledger::{Entry, Ledger};
use super::split::split;
use crate::Money;
use crate::plan::Plan;
use crate::status::PaymentStatus::*;
use crate::status::{OpenOrClosed, PaymentStatus};

/// `POST .../pay`
pub fn pay(facts: &FeeFacts, command: &Settlement) -> Outcome<Plan> {
    settle(facts, command, [PaidPartially, PaidFully])
}

/// `POST .../waive`
pub fn waive(facts: &FeeFacts, command: &Settlement) -> Outcome<Plan> {
    settle(facts, command, [WaivedPartially, WaivedFully])
}

/// `POST .../transfer`
pub fn transfer(facts: &FeeFacts, command: &Settlement) -> Outcome<Plan> {
    settle(facts, command, [TransferredPartially, TransferredFully])
}

/// The kind of an action is its name and the account's payment status.
fn settle(facts: &FeeFacts, command: &Settlement, [partly, fully]: [PaymentStatus; 2]) -> Outcome<Plan> {
    let (named, text) = (&command.amount.accounts, &command.amount.text);
    let accounts = facts.named_accounts(named)?;
    let allowed = payment(&accounts, text).map_err(|message| named.refused(Some(text), message))?;
    let rooms: Vec<Money> = accounts.iter().map(|account| account.remaining()).collect();
    let mut ledger = Ledger::new(facts);
    let mut remaining = None;
    for (account, share) in accounts.into_iter().zip(split(allowed.amount, &rooms)) {
        // An amount of a few cents does not reach every account.
        if !share.is_positive() {
            continue;
        }
        let mut account = account.clone();
        let balance = account.remaining() - share;
        let full = balance == Money::ZERO;
        let kind = if full { fully } else { partly }.name();
        let (notifies, details) = (command.details.notify_patron, command.details.action_members());
        ledger.record(&mut account, &Entry { kind, amount: share.to_json(), balance, notifies, details })?;
        ledger.settle(account, if full { OpenOrClosed::Closed } else { OpenOrClosed::Open });
        remaining = Some(balance);
    }
    Ok(ledger.into_plan(named, Some(allowed.amount), remaining))
}
