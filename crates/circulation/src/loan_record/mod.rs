//! Loans written as records, `POST /circulation/loans` and `PUT /circulation/loans/{id}`: the client gives the loan, the decision changes
//! the item and its requests. Only the first reason to refuse is reported.
//!
//! The record has no members that only answers have (see [`stored_form`]).

mod checks;
mod create;
mod replace;

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::document::{remove, set};
use crate::facts::Facts;
use crate::status::OpenOrClosed;

pub use create::create_loan;
pub use replace::replace_loan;

/// The members of a loan that answers have and storage does not.
const RESPONSE_ONLY: &str = "\
    item borrower checkinServicePoint checkoutServicePoint loanPolicy overdueFinePolicy lostItemPolicy \
    feesAndFines patronGroupAtCheckout dueDateChangedByHold dueDateChangedByNearExpireUser";

/// A loan that is written without a status is open.
fn with_default_status(loan: &mut Value) {
    if loan.get("status").is_none() {
        set(loan, "status", json!({"name": OpenOrClosed::Open}));
        if loan.get("action").is_none() {
            set(loan, "action", "checkedout");
        }
    }
}

/// The facts with the requests for the item alone. As in FOLIO, those for its title stand against no loan that is written as a record,
/// and are not filled by it.
fn without_title_requests(facts: &Facts) -> Facts {
    let mut own = facts.clone();
    let item = facts.item.as_ref().map(|item| item.id());
    own.queue.retain(|request| !request.is_title_level() && request.item_id() == item);
    own
}

/// Converts a loan from the form of answers, which clients send back, to the stored form.
pub fn stored_form(mut loan: Value) -> Value {
    if let Some(group) = loan["patronGroupAtCheckout"]["id"].as_str().map(str::to_owned) {
        set(&mut loan, "patronGroupIdAtCheckout", group);
    }
    for field in RESPONSE_ONLY.split(' ') {
        remove(&mut loan, field);
    }
    if let Some(reminders) = loan.get_mut("reminders") {
        remove(reminders, "renewalBlocked");
    }
    loan
}
