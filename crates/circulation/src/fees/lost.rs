//! What a lost item costs: the accounts for the item itself and for the work that it makes, and whether they are paid.
//!
//! Not decided here yet: actual cost records, in which staff name what an item is worth.

use octavo_kernel::Refusal;
use serde_json::Value;

use super::Money;
use super::charge::{Charge, Ids, charge};
use crate::document::text;
use crate::facts::{Facts, Item, Loan};
use crate::plan::Plan;
use crate::policy::LostItemPolicy;
use crate::trace::Step;

const LOST_ITEM_FEE: &str = "Lost item fee";
const PROCESSING_FEE: &str = "Lost item processing fee";
const ACTUAL_COST_FEE: &str = "Lost item fee (actual cost)";

/// How an item was lost.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Loss<'a> {
    /// At a service point.
    Declared(&'a str),
    Aged,
}

/// Charges what the policy says. It needs an owner for the item's location, permanent or effective, and the automatic types.
pub(crate) fn charge_lost_item(
    facts: &Facts,
    loan: &Loan,
    item: &Item,
    policy: &LostItemPolicy,
    loss: Loss<'_>,
    plan: &mut Plan,
) -> Result<(), Refusal> {
    let charging = &facts.charging;
    let (place, whose, processing_fee, service_point_id) = match loss {
        Loss::Declared(service_point_id) => {
            let fee = policy.processing_fee_when_declared();
            (&item.permanent_location, "permanent", fee, Some(service_point_id))
        }
        Loss::Aged => (&item.location, "effective", policy.processing_fee_when_aged(), None),
    };
    let no_owner = || {
        let location = place.as_ref().map(|place| place.id.as_str()).unwrap_or_default();
        let message = format!("No fee/fine owner found for item's {whose} location");
        Refusal::new(message).about("locationId", location)
    };
    let owner = charging.owner_at(place.as_ref()).ok_or_else(no_owner)?;
    let ids = &facts.fresh_ids;
    for (name, amount, account, action) in [
        (LOST_ITEM_FEE, policy.set_cost(), &ids.account, &ids.fee_fine_action),
        (PROCESSING_FEE, processing_fee, &ids.second_account, &ids.second_fee_fine_action),
    ] {
        let Some(amount) = amount.and_then(|amount| Money::parse(&amount.to_string())) else { continue };
        let unknown =
            || Refusal::new(format!("Expected automated fee of type {name}")).about("feeFineType", name);
        let kind = charging.kind(name).ok_or_else(unknown)?;
        let ids = Ids { account, action };
        charge(facts, loan, item, &Charge { ids, kind, owner, amount, service_point_id }, plan);
        plan.note(Step::LostFeeCharged {
            kind: name,
            account_id: account.clone(),
            amount: amount.to_string(),
        });
    }
    Ok(())
}

/// Whether everything that was charged for a lost item is closed. Where nothing was, nothing is paid.
pub(crate) fn lost_fees_are_closed(accounts: &[Value]) -> bool {
    let is_lost_fee = |account: &&Value| {
        let kind = text(account, &["feeFineType"]).unwrap_or_default();
        [LOST_ITEM_FEE, PROCESSING_FEE, ACTUAL_COST_FEE].contains(&kind)
    };
    let mut fees = accounts.iter().filter(is_lost_fee).peekable();
    fees.peek().is_some() && fees.all(|account| text(account, &["status", "name"]) == Some("Closed"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_lost_item_is_paid_when_all_that_was_charged_for_it_is_closed() {
        let account = |kind: &str, status: &str| json!({"feeFineType": kind, "status": {"name": status}});
        let (item, work) = (account(LOST_ITEM_FEE, "Closed"), account(PROCESSING_FEE, "Closed"));
        let fine = account("Overdue fine", "Open");
        for (accounts, closed) in [
            (vec![item.clone(), work], true),
            (vec![item.clone(), fine.clone()], true),
            (vec![item, account(PROCESSING_FEE, "Open")], false),
            (vec![fine], false),
            (vec![], false),
        ] {
            assert_eq!(lost_fees_are_closed(&accounts), closed, "{accounts:?}");
        }
    }
}
