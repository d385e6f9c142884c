//! The events of patron notices about actions on fees.

use serde_json::Value;

use crate::document::text;
use crate::fees::{ACTUAL_COST_FEE, LOST_ITEM_FEE, OVERDUE_FINE, PROCESSING_FEE};
use crate::plan::{Plan, RecordKind, event};
use crate::status::OpenOrClosed;

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
        LOST_ITEM_FEE | PROCESSING_FEE if kind == of_type => {
            // Borrowers of items that were declared lost get no such notice, also if the item had aged to lost before.
            let aged = loan.is_none_or(|loan| loan.get("agedToLostDelayedBilling").is_some());
            (is_open && aged && !declares_lost(plan)).then_some(event::AGED_TO_LOST_CHARGED)
        }
        // Staff bill the actual cost after the loss, so that this is the first notice of it.
        ACTUAL_COST_FEE if kind == of_type => is_open.then_some(event::AGED_TO_LOST_CHARGED),
        LOST_ITEM_FEE | PROCESSING_FEE | ACTUAL_COST_FEE => {
            let renewed = plan.events.iter().any(|event| event.name == "LOAN_DUE_DATE_CHANGED");
            let returned = !renewed && !declares_lost(plan);
            // A credit is a step of the refund, which has a notice of its own.
            (returned && !kind.starts_with("Credited")).then_some(event::LOST_RETURNED)
        }
        _ => None,
    }
}

/// Whether the plan declares an item lost. Its events do not say so if the loan is closed at once.
fn declares_lost(plan: &Plan) -> bool {
    plan.documents(RecordKind::Loan).any(|(_, loan)| text(loan, &["action"]) == Some("declaredLost"))
}
