//! Fees and fines: what staff may do with them, and the changes of their accounts.
//!
//! An account is one fee or fine with its remaining amount; each action on it is recorded. The amounts of the actions always add up to
//! the account's balance. Amounts are whole cents. Behaviour is that of mod-feesfines 19.1 (Quesnelia).

mod act;
pub(crate) mod actual_cost;
mod cancel;
mod charge;
mod check;
mod command;
mod comment;
mod ledger;
mod lost;
mod overdue;
mod record;
mod refund;
mod refundable;
mod reminder;
mod split;
mod turned_up;

#[cfg(test)]
mod desk;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use act::{pay, transfer, waive};
pub(crate) use actual_cost::ACTUAL_COST_FEE;
pub use cancel::cancel;
pub(crate) use charge::{Charge, Ids, OVERDUE_FINE, Occasion, charge_overdue_fine, record_charge};
pub use check::{check_payment, check_refund};
pub use command::{Amount, Cancellation, Details, NamedAccounts, Settlement};
pub use comment::comment_for;
pub use ledger::FeeFacts;
pub(crate) use lost::{LOST_ITEM_FEE, Loss, PROCESSING_FEE, charge_lost_item, lost_fees_are_settled};
pub use overdue::{Overdue, overdue_fine};
pub(crate) use record::loan_of_closed_account;
pub use record::{balance_changed, delete_account, replace_account};
pub use refund::refund;
pub(crate) use reminder::charge_reminder_fee;
pub(crate) use turned_up::{RefundReason, refund_lost_fees};
