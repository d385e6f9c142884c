//! The checks of creating and replacing a loan record, in FOLIO's order.

use octavo_kernel::Refusal;
use serde_json::Value;

use crate::document::text;
use crate::facts::{Facts, Item, Loan};
use crate::refusals::missing_parameter;
use crate::status::{OpenOrClosed, RefusalCode};

/// Checks status, borrower and service points.
pub(super) fn refuse_loan(facts: &Facts, loan: &Value) -> Option<Refusal> {
    let status = text(loan, &["status", "name"]);
    let known = status.and_then(OpenOrClosed::spelled);
    if known.is_none() {
        let message = "Loan status must be \"Open\" or \"Closed\"";
        return Some(Refusal::new(message).about("status", status));
    }
    if known == Some(OpenOrClosed::Open) && text(loan, &["userId"]).is_none() {
        return Some(missing_parameter("Open loan must have a user ID", "userId"));
    }
    for (key, message) in [
        ("checkinServicePointId", "Check In Service Point does not exist"),
        ("checkoutServicePointId", "Check Out Service Point does not exist"),
    ] {
        let unknown = text(loan, &[key]).filter(|id| facts.service_point(Some(id)).is_none());
        if let Some(id) = unknown {
            return Some(Refusal::new(message).about(key, id));
        }
    }
    None
}

pub(super) fn found_item<'a>(facts: &'a Facts, loan: &Loan) -> Result<&'a Item, Refusal> {
    let id = loan.item_id().unwrap_or_default();
    let not_found = || Refusal::new(format!("No item with ID {id} could be found")).about("itemId", id);
    facts.item.as_ref().filter(|item| item.id().eq_ignore_ascii_case(id)).ok_or_else(not_found)
}

/// Checks that the proxy may borrow for the patron, and is another user.
pub(super) fn refuse_proxy(facts: &Facts, loan: &Value) -> Option<Refusal> {
    let id = text(loan, &["proxyUserId"])?;
    if text(loan, &["userId"]) == Some(id) {
        let refusal = Refusal::new("User cannot be proxy for themselves").about("proxyUserId", id);
        return Some(refusal.code(RefusalCode::ProxyForThemselves));
    }
    let valid = facts.proxy.as_ref().is_some_and(|proxy| proxy.may_act(facts.now()));
    (!valid).then(|| Refusal::new("proxyUserId is not valid").about("proxyUserId", id))
}
