//! An item is declared lost: it will not come back as far as anybody knows.
//!
//! Where the lost item fee policy charges nothing the loan is over at once; then the item was lost and is paid for. Not
//! decided here yet: the fees (their accounts, the owner that they need, actual cost records), what was billed before
//! because the item had aged to lost, and the note on the user whose claim to have returned the item was wrong.

use octavo_kernel::{Outcome, Refusal, parse_time};
use serde_json::json;

use crate::command::DeclareLost;
use crate::document::{set, set_time};
use crate::facts::{Facts, ItemStatus, Loan};
use crate::loan_in_question::{change_status, close_as_lost_and_paid, item_is, open_loan, write_loan};
use crate::moment::to_millisecond;
use crate::plan::Plan;
use crate::policy::LostItemPolicy;
use crate::refusals::missing;
use crate::trace::Step;

pub fn declare_lost(facts: &Facts, id: &str, command: &DeclareLost) -> Outcome<Plan> {
    if command.service_point_id.as_deref().is_none_or(|id| id.trim().is_empty()) {
        let message = "A service point is required for item to be declared lost";
        return Err(missing(message, "servicePointId").into());
    }
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
    change_status(facts, ItemStatus::DeclaredLost, &mut loan, &mut plan);
    write_loan(facts, loan.clone(), &mut plan);

    let policy = lost_item_policy(facts, stored);
    if policy.is_some_and(charges_for_declared_lost) {
        plan.publish("ITEM_DECLARED_LOST", json!({"userId": loan["userId"], "loanId": loan["id"]}));
    } else {
        plan.note(Step::NothingToPayForLostItem);
        close_as_lost_and_paid(facts, &loan, &mut plan);
    }
    Ok(plan)
}

/// Now, where the desk does not say.
fn declared_at(facts: &Facts, command: &DeclareLost) -> Result<jiff::Timestamp, Refusal> {
    let Some(text) = command.declared_lost_date_time.as_deref() else { return Ok(facts.now()) };
    let message = || format!("Text '{text}' could not be parsed as a date");
    let at = parse_time(text).map(to_millisecond);
    at.ok_or_else(|| Refusal::new(message()).about("declaredLostDateTime", text))
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
    use serde_json::Value;

    use super::*;
    use crate::desk::{about_loan, messages, set_item_status, with_lost_item_policy};
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
            &Write::Update { record: RecordKind::Loan, ref document, .. } => Some(document),
            _ => None,
        };
        plan.writes.iter().filter_map(loan).collect()
    }

    #[test]
    fn a_lost_item_that_costs_something_leaves_the_loan_open() {
        let mut facts = about_loan();
        with_lost_item_policy(
            &mut facts,
            json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0}}),
        );
        let plan = declare_lost(&facts, "loan-1", &command()).unwrap();
        let [loan] = loans(&plan)[..] else { panic!("{plan:#?}") };
        assert_eq!(loan["status"]["name"], "Open");
        assert_eq!(loan["action"], "declaredLost");
        assert_eq!(loan["actionComment"], "left on a train");
        assert_eq!(loan["declaredLostDate"], "2026-03-01T09:00:00.000+00:00");
        assert_eq!(loan["itemStatus"], "Declared lost");
        assert_eq!(plan.events[0].name, "ITEM_DECLARED_LOST");
        assert_eq!(plan.sentences(), ["The item was Checked out and is Declared lost."]);
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
        assert_eq!(closed["returnDate"], "2026-03-02T10:00:00.000+00:00");
        assert!(closed.get("actionComment").is_none());
        assert_eq!(plan.events[0].name, "LOAN_CLOSED");
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
