//! An item is declared lost.
//!
//! The fees are those of the lost item fee policy; without fees the loan is closed at once and the item is lost and paid. Fees that were
//! charged when the item aged to lost are refunded first; those of a loss before a renewal are not. If the patron had claimed to have
//! returned the item, a note is created.

use octavo_kernel::{Outcome, Refusal, parse_time};
use serde_json::Value;

use crate::command::DeclareLost;
use crate::document::{set, set_time, value_at};
use crate::facts::{Facts, ItemStatus, Loan};
use crate::fees::{Loss, RefundReason, charge_lost_item, refund_lost_fees};
use crate::loan_in_question::{change_status, close_as_lost_and_paid, item_is, open_loan, write_loan};
use crate::moment::to_millisecond;
use crate::patron_note::note_on_borrower;
use crate::plan::Plan;
use crate::policy::LostItemPolicy;
use crate::refusals::missing_parameter;
use crate::trace::Step;

pub fn declare_lost(facts: &Facts, id: &str, command: &DeclareLost) -> Outcome<Plan> {
    let service_point_id =
        command.service_point_id.as_deref().filter(|id| !id.trim().is_empty()).ok_or_else(|| {
            missing_parameter("A service point is required for item to be declared lost", "servicePointId")
        })?;
    let declared = declared_at(facts, command)?;
    let stored = open_loan(facts, id)?;
    if item_is(facts, ItemStatus::DeclaredLost) {
        let item_id = stored.item_id().unwrap_or_default();
        return Err(Refusal::new("The item is already declared lost").about("itemId", item_id).into());
    }
    let mut plan = Plan::default();
    let mut loan = stored.record.clone();
    set(&mut loan, "action", "declaredLost");
    set(&mut loan, "actionComment", command.comment.as_deref().unwrap_or_default());
    set_time(&mut loan, "declaredLostDate", declared);
    if item_is(facts, ItemStatus::ClaimedReturned) {
        note_on_borrower(facts, &loan, "Claimed returned item marked declared lost", &mut plan)?;
    }
    change_status(facts, ItemStatus::DeclaredLost, &mut loan, &mut plan);
    write_loan(facts, loan.clone(), &mut plan);
    let declared = Loan { record: loan.clone() };
    if let Some(lost) = replaced_loss(facts, stored, &declared) {
        refund_lost_fees(facts, lost, Some(service_point_id), RefundReason::DeclaredLost, &mut plan)?;
    }

    let policy = lost_item_policy(facts, stored).filter(|policy| charges_for_declared_lost(policy));
    if let Some(policy) = policy {
        if let Some(item) = &facts.item {
            let loss = Loss::Declared(service_point_id);
            charge_lost_item(facts, &declared, item, policy, loss, &mut plan)?;
        }
        plan.publish_loan("ITEM_DECLARED_LOST", &loan);
    } else {
        plan.add_step(Step::NothingToPayForLostItem);
        close_as_lost_and_paid(facts, &loan, &mut plan);
    }
    Ok(plan)
}

/// The present time by default.
fn declared_at(facts: &Facts, command: &DeclareLost) -> Result<jiff::Timestamp, Refusal> {
    let Some(text) = command.declared_lost_date_time.as_deref() else { return Ok(facts.now()) };
    let message = || format!("Text '{text}' could not be parsed as a date");
    let at = parse_time(text).map(to_millisecond);
    at.ok_or_else(|| Refusal::new(message()).about("declaredLostDateTime", text))
}

/// The loan with the date of the loss whose fees give way to those of the declaration; `None` if the item is not lost so far.
fn replaced_loss<'a>(facts: &Facts, stored: &'a Loan, declared: &'a Loan) -> Option<&'a Loan> {
    // A renewal removes the member from the loan of an item that had aged to lost.
    let billed = value_at(&stored.record, &["agedToLostDelayedBilling", "lostItemHasBeenBilled"]);
    let billed = billed.and_then(Value::as_bool);
    if billed.unwrap_or_else(|| item_is(facts, ItemStatus::AgedToLost)) {
        return Some(declared);
    }
    // The item may have been declared lost before the patron claimed to have returned it. Then the patron does not pay twice.
    item_is(facts, ItemStatus::ClaimedReturned).then_some(stored)
}

/// The policy that was in force when the loan began.
fn lost_item_policy<'a>(facts: &'a Facts, loan: &Loan) -> Option<&'a LostItemPolicy> {
    facts.policies.lost_item.get(loan.lost_item_policy_id()?)
}

fn charges_for_declared_lost(policy: &LostItemPolicy) -> bool {
    policy.has_lost_item_fee() || policy.processing_fee_when_declared().is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, messages, set_item_status, with_lost_item_policy};
    use crate::facts::Charging;
    use crate::plan::{RecordKind, Write};

    fn command() -> DeclareLost {
        DeclareLost {
            service_point_id: Some("desk-1".to_owned()),
            declared_lost_date_time: Some("2026-03-01T09:00:00Z".to_owned()),
            comment: Some("left on a train".to_owned()),
        }
    }

    fn loans(plan: &Plan) -> Vec<&Value> {
        let loan = |write| match write {
            &Write::Update { record: RecordKind::Loan, ref document, .. } => Some(&**document),
            _ => None,
        };
        plan.writes.iter().filter_map(loan).collect()
    }

    /// A library that charges ten for the item and five for the work.
    fn charging() -> Facts {
        let mut facts = about_loan();
        let item = json!({"chargeType": "anotherCost", "amount": 10.0});
        with_lost_item_policy(
            &mut facts,
            json!({"chargeAmountItem": item, "lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true}),
        );
        let kind = |id: &str, name: &str| json!({"id": id, "feeFineType": name, "automatic": true});
        let kinds = [kind("type-1", "Lost item fee"), kind("type-2", "Lost item processing fee")];
        let owner =
            json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
        facts.charging = Charging::read(kinds.iter(), [owner].iter()).into();
        if let Some(item) = &mut facts.item {
            item.permanent_location = item.location.clone();
        }
        facts
    }

    #[test]
    fn a_lost_item_that_costs_something_leaves_the_loan_open() {
        let facts = charging();
        let plan = declare_lost(&facts, "loan-1", &command()).unwrap();
        let [loan] = loans(&plan)[..] else { panic!("{plan:#?}") };
        assert_eq!(loan["status"]["name"], "Open");
        assert_eq!(loan["action"], "declaredLost");
        assert_eq!(loan["actionComment"], "left on a train");
        assert_eq!(loan["declaredLostDate"], "2026-03-01T09:00:00.000+00:00");
        assert_eq!(loan["itemStatus"], "Declared lost");
        assert_eq!(plan.events.last().unwrap().name, "ITEM_DECLARED_LOST");
        assert_eq!(
            plan.sentences(),
            [
                "The item was Checked out and is Declared lost.",
                "Lost item fee: 10.00 are charged (account new-account).",
                "Lost item processing fee: 5.00 are charged (account second-account).",
            ]
        );
        let accounts: Vec<(&Value, &Value)> = plan
            .writes
            .iter()
            .filter_map(|write| match write {
                Write::Insert { record: RecordKind::Account, document, .. } => {
                    Some((&document["feeFineType"], &document["remaining"]))
                }
                _ => None,
            })
            .collect();
        let (item, work) = (json!("Lost item fee"), json!("Lost item processing fee"));
        assert_eq!(accounts, [(&item, &json!(10.0)), (&work, &json!(5.0))]);
    }

    #[test]
    fn a_lost_item_that_costs_nothing_closes_the_loan_and_both_are_remembered() {
        let plan = declare_lost(&about_loan(), "loan-1", &command()).unwrap();
        let [declared, closed] = loans(&plan)[..] else { panic!("{plan:#?}") };
        assert_eq!(
            (&declared["action"], &declared["status"]["name"]),
            (&json!("declaredLost"), &json!("Open"))
        );
        assert_eq!((&closed["action"], &closed["status"]["name"]), (&json!("closedLoan"), &json!("Closed")));
        assert_eq!(closed["itemStatus"], "Lost and paid");
        assert!(closed.get("returnDate").is_none(), "nothing was returned");
        assert!(closed.get("actionComment").is_none());
        assert_eq!(plan.events[0].name, "LOAN_CLOSED");
    }

    #[test]
    fn a_note_says_that_a_claim_to_have_returned_the_item_was_wrong() {
        for (status, notes) in [("Checked out", 0), ("Aged to lost", 0), ("Claimed returned", 1)] {
            let mut facts = charging();
            set_item_status(&mut facts, status);
            let plan = declare_lost(&facts, "loan-1", &command()).unwrap();
            assert_eq!(plan.documents(RecordKind::Note).count(), notes, "{status}");
        }
        let mut facts = charging();
        set_item_status(&mut facts, "Claimed returned");
        let plan = declare_lost(&facts, "loan-1", &command()).unwrap();
        let (_, note) = plan.documents(RecordKind::Note).next().unwrap();
        let text = "Claimed returned item marked declared lost";
        assert_eq!((&note["title"], &note["content"]), (&json!(text), &json!(text)));
        assert_eq!((&note["typeId"], &note["domain"]), (&json!("general"), &json!("users")));
        assert_eq!(note["links"], json!([{"id": "ada", "type": "user"}]));

        facts.general_note_type = None;
        let fault = declare_lost(&facts, "loan-1", &command()).unwrap_err();
        assert_eq!(messages(&fault), ["No General note type found"]);
    }

    #[test]
    fn what_costs_something_needs_an_owner_and_its_types() {
        let refused = |change: fn(&mut Facts)| {
            let mut facts = charging();
            change(&mut facts);
            messages(&declare_lost(&facts, "loan-1", &command()).unwrap_err()).join("; ")
        };
        let homeless: fn(&mut Facts) = |facts| facts.item.as_mut().unwrap().permanent_location = None;
        assert_eq!(refused(homeless), "No fee/fine owner found for item's permanent location");
        let untyped: fn(&mut Facts) = |facts| {
            let owner =
                json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
            facts.charging = Charging::read([].iter(), [owner].iter()).into();
        };
        assert_eq!(refused(untyped), "Expected automated fee of type Lost item fee");
    }

    #[test]
    fn what_stands_against_declaring_an_item_lost() {
        let point = "A service point is required for item to be declared lost";
        let cases: [(fn(&mut Facts), DeclareLost, &str); 5] = [
            (|_| {}, DeclareLost { service_point_id: None, ..command() }, point),
            (
                |_| {},
                DeclareLost { declared_lost_date_time: Some("once".to_owned()), ..command() },
                "Text 'once' could not be parsed as a date",
            ),
            (|facts| facts.loan = None, command(), "404 loan record with ID \"loan-1\" cannot be found"),
            (
                |facts| set(&mut facts.loan.as_mut().unwrap().record, "status", json!({"name": "Closed"})),
                command(),
                "Loan is closed",
            ),
            (|facts| set_item_status(facts, "Declared lost"), command(), "The item is already declared lost"),
        ];
        for (change, command, message) in cases {
            let mut facts = about_loan();
            change(&mut facts);
            let fault = declare_lost(&facts, "loan-1", &command).unwrap_err();
            assert_eq!(messages(&fault), [message]);
        }
    }
}
