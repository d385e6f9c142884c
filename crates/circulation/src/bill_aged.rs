//! Bills the patron for an item that has aged to lost.
//!
//! If the policy charges nothing, the loan is closed. If staff set the actual cost, a record for it is created.

use octavo_kernel::Outcome;
use serde_json::Value;

use crate::document::{flag, set, time};
use crate::facts::{Facts, ItemStatus, Loan};
use crate::fees::{Loss, charge_lost_item};
use crate::loan_in_question::{close_as_lost_and_paid, item_is, write_loan};
use crate::plan::Plan;
use crate::policy::LostItemPolicy;
use crate::trace::Step;

/// `None` if the loan of the facts is not billed now.
pub fn bill_aged(facts: &Facts) -> Outcome<Option<Plan>> {
    let Some((stored, policy)) = due(facts) else { return Ok(None) };
    let mut plan = Plan::default();
    let mut loan = stored.record.clone();
    if let Some(billing) = loan.get_mut("agedToLostDelayedBilling") {
        set(billing, "lostItemHasBeenBilled", true);
    }
    if !policy.has_lost_item_fee() && policy.processing_fee_when_aged().is_none() {
        plan.add_step(Step::NothingToPayForLostItem);
        close_as_lost_and_paid(facts, &loan, &mut plan);
        return Ok(Some(plan));
    }
    let Some(item) = &facts.item else { return Ok(None) };
    set(&mut loan, "action", "");
    charge_lost_item(facts, stored, item, policy, Loss::Aged, &mut plan)?;
    write_loan(facts, loan, &mut plan);
    Ok(Some(plan))
}

fn due(facts: &Facts) -> Option<(&Loan, &LostItemPolicy)> {
    let loan = facts.loan.as_ref().filter(|loan| !loan.is_closed())?;
    let billing: &Value = loan.record.get("agedToLostDelayedBilling")?;
    let billed = flag(billing, &["lostItemHasBeenBilled"]);
    let day = time(billing, &["dateLostItemShouldBeBilled"])?;
    if billed || day > facts.now() || !item_is(facts, ItemStatus::AgedToLost) {
        return None;
    }
    Some((loan, facts.policies.lost_item.get(loan.lost_item_policy_id()?)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, messages, set_item_status, with_lost_item_policy, written_document};
    use crate::facts::Charging;
    use crate::plan::RecordKind;

    /// Billed from 2 March, 10:00, which it is.
    fn aged(policy: Value) -> Facts {
        let mut facts = about_loan();
        set_item_status(&mut facts, "Aged to lost");
        let billing = json!({"lostItemHasBeenBilled": false, "dateLostItemShouldBeBilled": "2026-03-02T10:00:00.000+00:00"});
        set(&mut facts.loan.as_mut().unwrap().record, "agedToLostDelayedBilling", billing);
        with_lost_item_policy(&mut facts, policy);
        let kind = json!({"id": "type-2", "feeFineType": "Lost item processing fee", "automatic": true});
        let owner =
            json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
        facts.charging = Charging::read([kind].iter(), [owner].iter()).into();
        let item = facts.item.as_mut().unwrap();
        item.permanent_location = item.location.clone();
        facts
    }

    fn five() -> Value {
        json!({"lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true})
    }

    #[test]
    fn the_patron_is_billed_once() {
        let mut facts = aged(five());
        let plan = bill_aged(&facts).unwrap().unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["status"]["name"]), (&json!(""), &json!("Open")));
        assert_eq!(loan["agedToLostDelayedBilling"]["lostItemHasBeenBilled"], true);
        assert_eq!(written_document(&plan, RecordKind::Account).unwrap()["amount"], 5.0);
        facts.loan = Some(Loan { record: loan.clone().into() });
        assert_eq!(bill_aged(&facts).unwrap(), None);
    }

    #[test]
    fn the_fee_is_owed_to_whoever_owns_the_permanent_location() {
        let mut facts = aged(five());
        facts.item.as_mut().unwrap().location = None;
        let plan = bill_aged(&facts).unwrap().unwrap();
        assert_eq!(written_document(&plan, RecordKind::Account).unwrap()["ownerId"], "owner-1");
    }

    #[test]
    fn where_nothing_is_charged_the_loan_is_over() {
        let plan = bill_aged(&aged(json!({}))).unwrap().unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!(loan["itemStatus"], "Lost and paid");
        assert_eq!(
            loan["agedToLostDelayedBilling"]["lostItemHasBeenBilled"], true,
            "there is nothing more to come"
        );
    }

    #[test]
    fn who_is_not_billed() {
        let early = |facts: &mut Facts| {
            let loan = &mut facts.loan.as_mut().unwrap().record;
            loan["agedToLostDelayedBilling"]["dateLostItemShouldBeBilled"] =
                json!("2026-03-02T10:00:00.001Z");
        };
        let mut facts = aged(five());
        early(&mut facts);
        assert_eq!(bill_aged(&facts).unwrap(), None);
        let mut facts = aged(five());
        set_item_status(&mut facts, "Declared lost");
        assert_eq!(bill_aged(&facts).unwrap(), None);
        let mut facts = aged(five());
        facts.charging = Charging::default().into();
        let fault = bill_aged(&facts).unwrap_err();
        assert_eq!(messages(&fault), ["No fee/fine owner found for item's effective location"]);
    }
}
