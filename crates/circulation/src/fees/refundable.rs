//! The refundable amounts of an account: payments to the patron, transfers to their transfer accounts.
//!
//! When FOLIO spreads a refund over several recipients it ignores earlier refunds, and can refund too much to one of them. Here no
//! recipient gets more than was paid or transferred.

use super::FeeFacts;
use crate::Money;
use crate::document::text;
use crate::facts::{Account, FeeFineAction};
use crate::status::PaymentStatus::{self, *};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Refundable {
    /// All that was ever paid and transferred: a refund is full if it is of that.
    pub(super) paid: Money,
    pub(super) transferred: Money,
    pub(super) to_patron: Money,
    /// Transfer accounts by name, in the order in which they took something.
    pub(super) to_transfer_accounts: Vec<(String, Money)>,
}

impl Refundable {
    pub(super) fn from_accounts(facts: &FeeFacts, accounts: &[&Account]) -> Vec<Refundable> {
        let of_account = |account: &&Account| {
            let actions = facts.actions.iter();
            Refundable::from_actions(actions.filter(|action| action.account_id() == account.id()))
        };
        accounts.iter().map(of_account).collect()
    }

    fn from_actions<'a>(actions: impl Iterator<Item = &'a FeeFineAction>) -> Refundable {
        let mut refundable = Refundable::default();
        let mut refunds = Vec::new();
        for action in actions {
            match PaymentStatus::spelled(action.kind()) {
                Some(PaidPartially | PaidFully) => refundable.add_payment(action.amount()),
                Some(TransferredPartially | TransferredFully) => {
                    let name = text(&action.record, &["paymentMethod"]).unwrap_or_default();
                    refundable.add_transfer(name, action.amount());
                }
                Some(RefundedPartially | RefundedFully) => refunds.push(action),
                _ => {}
            }
        }
        for refund in refunds {
            refundable.subtract_refund(refund);
        }
        refundable
    }

    pub(super) fn total(&self) -> Money {
        self.to_patron + self.transfers()
    }

    fn transfers(&self) -> Money {
        self.to_transfer_accounts.iter().map(|(_, amount)| *amount).sum()
    }

    fn add_payment(&mut self, amount: Money) {
        self.paid = self.paid + amount;
        self.to_patron = self.to_patron + amount;
    }

    fn add_transfer(&mut self, name: &str, amount: Money) {
        self.transferred = self.transferred + amount;
        match self.to_transfer_accounts.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum = *sum + amount,
            None => self.to_transfer_accounts.push((name.to_owned(), amount)),
        }
    }

    /// Subtracts an earlier refund from the recipient that it names. What exceeds the amount of this one is subtracted from the others in order.
    fn subtract_refund(&mut self, refund: &FeeFineAction) {
        let info = text(&refund.record, &["transactionInformation"]).unwrap_or_default();
        let recipient = info.strip_prefix("Refunded to ").unwrap_or_default();
        let mut rest = refund.amount();
        let take = |from: &mut Money, rest: &mut Money| {
            let part = (*from).min(*rest);
            *from = *from - part;
            *rest = *rest - part;
        };
        if let Some((_, sum)) = self.to_transfer_accounts.iter_mut().find(|(name, _)| name == recipient) {
            take(sum, &mut rest);
        }
        take(&mut self.to_patron, &mut rest);
        for (_, sum) in &mut self.to_transfer_accounts {
            take(sum, &mut rest);
        }
    }
}
