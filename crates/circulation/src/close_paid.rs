//! Closes the loan of a lost item whose fees are all closed; the item becomes lost and paid.

use serde_json::Value;

use crate::Undecided;
use crate::facts::{Facts, ItemStatus, LostFees};
use crate::fees::{loan_of_closed_account, lost_fees_are_settled};
use crate::loan_in_question::{close_as_lost_and_paid, item_is};
use crate::log::log;
use crate::notice::{DecisionFacts, announce};
use crate::plan::{Plan, RecordKind, Write};
use crate::remembered::remember;
use crate::trace::Step;

/// A decision about fees together with the ends of the loans of lost items whose last fee it closes. `lost` are the ids of the loans with
/// lost items, `loans` the facts about them, which are read only if the payment closes one of their fees.
pub fn with_ends_of_loans(payment: Plan, lost: &[String], loans: &[Facts]) -> Result<Vec<Plan>, Undecided> {
    if !lost.iter().any(|loan| closes_fee_of(&payment, loan)) {
        return Ok(vec![payment]);
    }
    if loans.is_empty() {
        return Err(Undecided::ReadMore);
    }
    let paid = loans
        .iter()
        .filter(|facts| facts.loan.as_ref().is_some_and(|loan| closes_fee_of(&payment, loan.id())));
    let ends = paid.filter_map(|facts| {
        let mut plan = close_paid(facts, &payment)?;
        remember(facts, END_OF_LOST_LOAN, &mut plan);
        let world = DecisionFacts { facts, items: &[] };
        announce(world, &mut plan);
        log(world, &mut plan);
        Some(plan)
    });
    let ends: Vec<Plan> = ends.collect();
    Ok([payment].into_iter().chain(ends).collect())
}

/// The name of the decision in explanations.
pub const END_OF_LOST_LOAN: &str = "end of a lost item's loan";

fn closes_fee_of(payment: &Plan, loan: &str) -> bool {
    payment.writes.iter().any(|write| match write {
        Write::Update { record: RecordKind::Account, document, .. } => {
            loan_of_closed_account(document).is_some_and(|id| id.eq_ignore_ascii_case(loan))
        }
        _ => false,
    })
}

/// The end of the loan of the facts because of a decision about fees, which is committed with it. `None` if the item is not lost or not
/// yet paid.
pub fn close_paid(facts: &Facts, payment: &Plan) -> Option<Plan> {
    let mut plan = Plan::default();
    close_if(facts, &fees_after_plan(&facts.lost, payment), &mut plan);
    (!plan.writes.is_empty()).then_some(plan)
}

/// Closes the loan within a plan that has settled some of its fees.
pub(crate) fn close_if_settled(facts: &Facts, plan: &mut Plan) {
    let lost = fees_after_plan(&facts.lost, plan);
    close_if(facts, &lost, plan);
}

fn close_if(facts: &Facts, fees: &LostFees, plan: &mut Plan) {
    let Some(loan) = facts.loan.as_ref().filter(|loan| !loan.is_closed()) else { return };
    let has_aged = item_is(facts, ItemStatus::AgedToLost);
    let lost = has_aged || item_is(facts, ItemStatus::DeclaredLost);
    // FOLIO ends it all the same, with any other fee of the loan that is paid, and the loss is never billed. An item that is declared
    // lost after it has aged was billed by the declaration.
    let is_billed_later =
        has_aged && loan.record["agedToLostDelayedBilling"]["lostItemHasBeenBilled"] == false;
    if lost && !is_billed_later && lost_fees_are_settled(fees, facts.now()) {
        plan.add_step(Step::LostItemPaid);
        close_as_lost_and_paid(facts, &loan.record, plan);
    }
}

/// The loan's fees and actual cost records as a plan leaves them.
fn fees_after_plan(lost: &LostFees, plan: &Plan) -> LostFees {
    let mut lost = lost.clone();
    let left = |kind, record: &mut Value| {
        let id = record["id"].as_str().unwrap_or_default().to_owned();
        if let Some(written) = plan.last_written(kind, &id) {
            record.clone_from(written);
        }
    };
    lost.accounts.iter_mut().for_each(|account| left(RecordKind::Account, &mut account.record));
    lost.actual_costs.iter_mut().for_each(|record| left(RecordKind::ActualCostRecord, record));
    lost
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, set_item_status, written_document};
    use crate::facts::Account;

    #[test]
    fn a_paid_lost_item_ends_its_loan() {
        let mut facts = about_loan();
        let nothing = Plan::default();
        let record = json!({"id": "fee", "feeFineType": "Lost item fee", "status": {"name": "Closed"}});
        facts.lost.accounts = vec![Account { record }];
        assert_eq!(close_paid(&facts, &nothing), None, "the item is not lost");
        set_item_status(&mut facts, "Aged to lost");
        let plan = close_paid(&facts, &nothing).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["itemStatus"]), (&json!("closedLoan"), &json!("Lost and paid")));
        let mut unbilled = facts.clone();
        let later = json!({"lostItemHasBeenBilled": false});
        crate::document::set(&mut unbilled.loan.as_mut().unwrap().record, "agedToLostDelayedBilling", later);
        assert_eq!(close_paid(&unbilled, &nothing), None, "the loss is still to be billed");
        set_item_status(&mut unbilled, "Declared lost");
        let declared = close_paid(&unbilled, &nothing).unwrap();
        let loan = written_document(&declared, RecordKind::Loan).unwrap();
        assert_eq!(loan["itemStatus"], "Lost and paid", "the declaration has billed the loss");
        facts.lost.accounts[0].record["status"]["name"] = json!("Open");
        assert_eq!(close_paid(&facts, &nothing), None, "there is something to pay");
        let mut payment = Plan::default();
        let paid = json!({"id": "fee", "feeFineType": "Lost item fee", "status": {"name": "Closed"}});
        payment.update(RecordKind::Account, "fee", paid);
        assert_eq!(close_paid(&facts, &payment), Some(plan), "the payment itself settles it");
    }
}
