//! The fees for a lost item: the cost of the item and the processing fee, and whether they are paid. If staff set the cost, an actual
//! cost record is created.

use jiff::Timestamp;
use octavo_kernel::Refusal;

use super::actual_cost::{self, ACTUAL_COST_FEE};
use super::charge::{Charge, Ids, charge};
use crate::Money;
use crate::document::{text, time};
use crate::facts::{Account, Facts, Item, Loan, LostFees, NamedRecord};
use crate::plan::Plan;
use crate::policy::LostItemPolicy;
use crate::status::{ActualCostStatus, ItemStatus, OpenOrClosed};
use crate::trace::Step;

pub(crate) const LOST_ITEM_FEE: &str = "Lost item fee";
pub(crate) const PROCESSING_FEE: &str = "Lost item processing fee";

#[derive(Debug, Clone, Copy)]
pub(crate) enum Loss<'a> {
    /// The item was declared lost at this service point.
    Declared(&'a str),
    Aged,
}

/// Charges the fees of the policy. It needs an owner for the item's permanent or effective location, and the automatic types.
pub(crate) fn charge_lost_item(
    facts: &Facts,
    loan: &Loan,
    item: &Item,
    policy: &LostItemPolicy,
    loss: Loss<'_>,
    plan: &mut Plan,
) -> Result<(), Refusal> {
    let charging = &facts.charging;
    // FOLIO's message about a loss by age says that the location is the effective one.
    let (whose, processing_fee, service_point_id) = match loss {
        Loss::Declared(service_point_id) => {
            ("permanent", policy.processing_fee_when_declared(), Some(service_point_id))
        }
        Loss::Aged => ("effective", policy.processing_fee_when_aged(), None),
    };
    let place = item.permanent_location.as_deref();
    let no_owner = || {
        let location = place.map(|place| place.id.as_str()).unwrap_or_default();
        let message = format!("No fee/fine owner found for item's {whose} location");
        Refusal::new(message).about("locationId", location)
    };
    let owner = charging.owner_of_location(place).ok_or_else(no_owner)?;
    let kind_of = |name: &str| {
        let unknown =
            || Refusal::new(format!("Expected automated fee of type {name}")).about("feeFineType", name);
        charging.automatic_type(name).ok_or_else(unknown)
    };
    if policy.charges_actual_cost() {
        let kind = kind_of(ACTUAL_COST_FEE)?;
        actual_cost::ask_for_cost(facts, &cost(facts, loan, item, policy, loss, (owner, kind)), plan);
    }
    let ids = &facts.fresh_ids;
    for (name, amount, account, action) in [
        (LOST_ITEM_FEE, policy.fixed_cost(), &ids.account, &ids.fee_fine_action),
        (PROCESSING_FEE, processing_fee, &ids.second_account, &ids.second_fee_fine_action),
    ] {
        let Some(amount) = amount.and_then(|amount| Money::parse(&amount.to_string())) else { continue };
        let kind = kind_of(name)?;
        let ids = Ids { account, action };
        let by_clock = matches!(loss, Loss::Aged);
        let fee = Charge { ids, kind, owner, amount, service_point_id, by_clock };
        charge(facts, loan, item, &fee, None, plan);
        plan.add_step(Step::LostFeeCharged {
            kind: name.into(),
            account_id: account.clone(),
            amount: amount.to_string(),
        });
    }
    Ok(())
}

fn cost<'a>(
    facts: &Facts,
    loan: &'a Loan,
    item: &'a Item,
    policy: &'a LostItemPolicy,
    loss: Loss<'_>,
    (owner, kind): (&'a NamedRecord, &'a NamedRecord),
) -> actual_cost::Loss<'a> {
    let aged = || time(&loan.record, &["agedToLostDelayedBilling", "agedToLostDate"]);
    let (how, when) = match loss {
        Loss::Declared(_) => (ItemStatus::DeclaredLost, facts.now()),
        Loss::Aged => (ItemStatus::AgedToLost, aged().unwrap_or_else(|| facts.now())),
    };
    actual_cost::Loss { loan, item, policy, owner, kind, item_status: how, lost_at: when }
}

/// Whether the fees for a lost item are closed and no actual cost is awaited. mod-circulation counts them as settled also if nothing was
/// charged or awaited.
pub(crate) fn lost_fees_are_settled(lost: &LostFees, now: Timestamp) -> bool {
    let kind = |account: &Account| {
        let kind = text(&account.record, &["feeFineType"]).unwrap_or_default().to_owned();
        Some(kind).filter(|kind| [LOST_ITEM_FEE, PROCESSING_FEE, ACTUAL_COST_FEE].contains(&kind.as_str()))
    };
    let fees: Vec<(String, bool)> = lost
        .accounts
        .iter()
        .filter_map(|account| Some((kind(account)?, OpenOrClosed::Closed.is_of(&account.record))))
        .collect();
    if fees.iter().any(|(_, closed)| !closed) {
        return false;
    }
    let Some(record) = lost.actual_costs.first() else { return true };
    text(record, &["status"]) == Some(ActualCostStatus::Cancelled.name())
        || fees.iter().any(|(kind, _)| kind == ACTUAL_COST_FEE)
        || time(record, &["expirationDate"]).is_some_and(|expires| expires < now)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_lost_item_is_paid_when_all_that_was_charged_for_it_is_closed() {
        let account = |kind: &str, status: &str| json!({"feeFineType": kind, "status": {"name": status}});
        let record = |status: &str, expires: &str| vec![json!({"status": status, "expirationDate": expires})];
        let (item, work) = (account(LOST_ITEM_FEE, "Closed"), account(PROCESSING_FEE, "Closed"));
        let (fine, billed) = (account("Overdue fine", "Open"), account(ACTUAL_COST_FEE, "Closed"));
        let (past, future) = ("2026-03-02T09:59:59Z", "2026-03-02T10:00:00Z");
        for (accounts, actual_costs, settled) in [
            (vec![item.clone(), work.clone()], vec![], true),
            (vec![item.clone(), fine.clone()], vec![], true),
            (vec![item, account(PROCESSING_FEE, "Open")], vec![], false),
            (vec![fine], vec![], true),
            (vec![], vec![], true),
            (vec![work.clone()], record("Open", future), false),
            (vec![work.clone()], record("Cancelled", future), true),
            (vec![], record("Cancelled", future), true),
            (vec![work.clone(), billed], record("Billed", future), true),
            (vec![work.clone(), account(ACTUAL_COST_FEE, "Open")], record("Billed", past), false),
            (vec![work], record("Expired", past), true),
            (vec![], record("Expired", past), true),
        ] {
            let accounts: Vec<Account> =
                accounts.into_iter().map(|record: Value| Account { record }).collect();
            let lost = LostFees { accounts, actual_costs, ..LostFees::default() };
            assert_eq!(lost_fees_are_settled(&lost, crate::desk::NOW.parse().unwrap()), settled, "{lost:?}");
        }
    }
}
