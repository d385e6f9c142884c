//! Fees and fines: what staff may do with them, and the changes of their accounts.
//!
//! An account is one fee or fine with its remaining amount; each action on it is recorded. The amounts of the actions always add up to
//! the account's balance. Amounts are whole cents. Behaviour is that of mod-feesfines 19.1 (Quesnelia).

mod account;
mod act;
mod actual_cost;
mod cancel;
mod charge;
mod check;
mod command;
mod comment;
mod lost;
mod money;
mod overdue;
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

pub use account::{Account, FeeFacts, FeeFineAction};
pub use act::{pay, transfer, waive};
pub(crate) use actual_cost::ACTUAL_COST_FEE;
pub use actual_cost::{bill_actual_cost, cancel_actual_cost, expire_actual_cost, unknown_actual_cost};
pub use cancel::cancel;
pub use charge::Charging;
pub(crate) use charge::{OVERDUE_FINE, Occasion, charge_overdue_fine};
pub use check::{check_payment, check_refund};
pub use command::{Amount, Cancellation, Details, Named, Settlement};
pub use comment::comment_to;
pub(crate) use lost::{LOST_ITEM_FEE, Loss, PROCESSING_FEE, charge_lost_item, lost_fees_are_settled};
pub use money::Money;
pub use overdue::{Overdue, overdue_fine};
pub use refund::refund;
pub(crate) use reminder::charge_reminder_fee;
pub use turned_up::LostFees;
pub(crate) use turned_up::{TurnedUp, give_back_lost_fees};
