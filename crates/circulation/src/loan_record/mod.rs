//! Loans written as records, `POST /circulation/loans` and `PUT /circulation/loans/{id}`: the client says what the loan is,
//! the library sees to the item and to who waits for it. The first reason to refuse ends it.
//!
//! The record comes without what only answers carry (see [`stored_form`]). Not decided here: notices, reminders, the due
//! date that a recall shortens.

mod checks;
mod create;
mod replace;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::document::{remove, set};

pub use create::create_loan;
pub use replace::replace_loan;

/// What answers say of a loan and storage does not keep.
const SHOWN_ONLY: [&str; 11] = [
    "item",
    "borrower",
    "checkinServicePoint",
    "checkoutServicePoint",
    "loanPolicy",
    "overdueFinePolicy",
    "lostItemPolicy",
    "feesAndFines",
    "patronGroupAtCheckout",
    "dueDateChangedByHold",
    "dueDateChangedByNearExpireUser",
];

/// A loan as clients send it, often one that they were shown before, as storage keeps it.
pub fn stored_form(mut loan: Value) -> Value {
    if let Some(group) = loan["patronGroupAtCheckout"]["id"].as_str().map(str::to_owned) {
        set(&mut loan, "patronGroupIdAtCheckout", group);
    }
    for field in SHOWN_ONLY {
        remove(&mut loan, field);
    }
    if let Some(reminders) = loan.get_mut("reminders") {
        remove(reminders, "renewalBlocked");
    }
    loan
}
