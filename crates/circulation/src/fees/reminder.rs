//! The fee for a reminder: an account, and an action that names the reminder.

use super::charge::{self, Charge, Ids};
use crate::Money;
use crate::facts::{Facts, Item, Loan};
use crate::plan::Plan;
use crate::trace::Step;

const REMINDER_FEE: &str = "Reminder fee";

/// The error is the reason why the library cannot charge the fee.
pub(crate) fn charge_reminder_fee(
    facts: &Facts,
    loan: &Loan,
    item: &Item,
    amount: Money,
    number: i64,
    plan: &mut Plan,
) -> Result<(), String> {
    let owner = facts.charging.owner_of_location(item.location.as_deref());
    let owner = owner.ok_or("No fee/fine owner found for item's effective location")?;
    let kind = facts.charging.automatic_type(REMINDER_FEE);
    let kind = kind.ok_or_else(|| format!("Expected automated fee of type {REMINDER_FEE}"))?;
    let ids = Ids { account: &facts.fresh_ids.account, action: &facts.fresh_ids.fee_fine_action };
    let service_point_id = item.location.as_ref().and_then(|place| place.primary_service_point_id.as_deref());
    let charge = Charge { ids, kind, owner, amount, service_point_id, by_clock: true };
    let comments = format!("STAFF: {REMINDER_FEE} {number}");
    charge::charge(facts, loan, item, &charge, Some(comments), plan);
    plan.add_step(Step::ReminderFeeCharged {
        account_id: facts.fresh_ids.account.clone(),
        amount: amount.to_string(),
    });
    Ok(())
}
