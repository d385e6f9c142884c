//! Which notices actions on fees lead to.

use serde_json::Value;

use super::event;
use crate::document::text;
use crate::plan::Plan;
use crate::status::OpenOrClosed;

/// Names of FOLIO's automatic fee/fine types.
const OVERDUE_FINE: &str = "Overdue fine";
const LOST_ITEM_FEE: &str = "Lost item fee";
const LOST_PROCESSING_FEE: &str = "Lost item processing fee";
const LOST_ACTUAL_COST: &str = "Lost item fee (actual cost)";

/// What a notice about an action on a fee is about, if there is to be one.
pub(super) fn fine_event(
    action: &Value,
    account: &Value,
    loan: Option<&Value>,
    plan: &Plan,
) -> Option<&'static str> {
    let kind = text(action, &["typeAction"]).unwrap_or_default();
    let of_type = text(account, &["feeFineType"])?;
    let is_open = OpenOrClosed::Open.is_of(account);
    match of_type {
        OVERDUE_FINE if !is_open => None,
        OVERDUE_FINE if loan.is_some_and(|loan| OpenOrClosed::Closed.is_of(loan)) => {
            Some(event::FINE_RETURNED)
        }
        OVERDUE_FINE => Some(event::FINE_RENEWED),
        LOST_ITEM_FEE | LOST_PROCESSING_FEE if kind == of_type => {
            // Declared lost items cost the same, but their borrowers know.
            let aged = loan.is_none_or(|loan| loan.get("agedToLostDelayedBilling").is_some());
            (is_open && aged).then_some(event::AGED_TO_LOST_CHARGED)
        }
        // What an item really costs, nobody knows before staff say so.
        LOST_ACTUAL_COST if kind == of_type => is_open.then_some(event::AGED_TO_LOST_CHARGED),
        LOST_ITEM_FEE | LOST_PROCESSING_FEE | LOST_ACTUAL_COST => {
            // Neither renewed nor declared lost after it had aged.
            let otherwise = |name: &str| matches!(name, "LOAN_DUE_DATE_CHANGED" | "ITEM_DECLARED_LOST");
            let returned = !plan.events.iter().any(|event| otherwise(event.name));
            // What is credited is a step of the refund, of which there is a notice.
            (returned && !kind.starts_with("Credited")).then_some(event::LOST_RETURNED)
        }
        _ => None,
    }
}
