//! Whether an amount may be paid, waived, transferred or refunded. Only the first error is reported, in FOLIO's order.

use octavo_kernel::{Fault, Kind, Outcome};
use serde_json::{Value, json};

use super::FeeFacts;
use super::command::{Amount, NamedAccounts};
use super::refundable::Refundable;
use crate::Money;
use crate::document::set;
use crate::facts::Account;

/// A valid amount, and the remaining amount after it.
pub(super) struct Allowed {
    pub(super) amount: Money,
    remaining: Money,
}

/// `POST .../check-pay`, `check-waive` and `check-transfer`; a negative answer is a fault.
pub fn check_payment(facts: &FeeFacts, amount: &Amount) -> Outcome<Value> {
    let accounts = facts.named_accounts(&amount.accounts)?;
    answer(amount, payment(&accounts, &amount.text))
}

/// `POST .../check-refund`
pub fn check_refund(facts: &FeeFacts, amount: &Amount) -> Outcome<Value> {
    let accounts = facts.named_accounts(&amount.accounts)?;
    answer(amount, refund(&Refundable::from_accounts(facts, &accounts), &amount.text))
}

pub(super) fn payment(accounts: &[&Account], amount: &str) -> Result<Allowed, &'static str> {
    let amount = positive(amount)?;
    if accounts.iter().any(|account| account.is_closed() && account.remaining() == Money::ZERO) {
        return Err("Fee/fine is already closed");
    }
    let remaining: Money = accounts.iter().map(|account| account.remaining()).sum();
    if amount > remaining {
        return Err("Requested amount exceeds remaining amount");
    }
    Ok(Allowed { amount, remaining: remaining - amount })
}

/// Closed fees can be refunded too.
pub(super) fn refund(refundable: &[Refundable], amount: &str) -> Result<Allowed, &'static str> {
    let amount = positive(amount)?;
    let all: Money = refundable.iter().map(Refundable::total).sum();
    if amount > all {
        return Err("Refund amount must be greater than zero and less than or equal to Selected amount");
    }
    Ok(Allowed { amount, remaining: all - amount })
}

fn positive(amount: &str) -> Result<Money, &'static str> {
    let amount = Money::parse(amount).ok_or("Invalid amount entered")?;
    if amount.is_positive() { Ok(amount) } else { Err("Amount must be positive") }
}

/// For a single account FOLIO answers the amount as it understood it, for several as it was written.
fn answer(asked: &Amount, checked: Result<Allowed, &'static str>) -> Outcome<Value> {
    match checked {
        Ok(allowed) => {
            let amount = match asked.accounts {
                NamedAccounts::One(_) => allowed.amount.to_string(),
                NamedAccounts::Several(_) => asked.text.clone(),
            };
            let remaining = allowed.remaining.to_string();
            let mut body = json!({"amount": amount, "allowed": true, "remainingAmount": remaining});
            asked.accounts.add_account_ids(&mut body);
            Ok(body)
        }
        Err(message) => {
            let mut body = asked.accounts.failure(Some(&asked.text), message);
            set(&mut body, "allowed", false);
            Err(Fault::json(Kind::Refused.status(), body))
        }
    }
}
