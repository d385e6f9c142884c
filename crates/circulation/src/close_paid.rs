//! The fees for a lost item are all closed: the loan is over, the item lost and paid for.

use crate::facts::{Facts, ItemStatus};
use crate::fees::{LostFees, lost_fees_are_settled};
use crate::loan_in_question::{close_as_lost_and_paid, item_is};
use crate::plan::{Plan, RecordKind};
use crate::trace::Step;

/// `None` if the loan of the facts is not lost, or not paid.
pub fn close_paid(facts: &Facts) -> Option<Plan> {
    let mut plan = Plan::default();
    close_if_settled(facts, &mut plan);
    (!plan.writes.is_empty()).then_some(plan)
}

/// The same, with the actual cost records as the plan leaves them.
pub(crate) fn close_if_settled(facts: &Facts, plan: &mut Plan) {
    let Some(loan) = facts.loan.as_ref().filter(|loan| !loan.is_closed()) else { return };
    let lost = item_is(facts, ItemStatus::DeclaredLost) || item_is(facts, ItemStatus::AgedToLost);
    if lost && lost_fees_are_settled(&after(&facts.lost, plan), facts.now()) {
        plan.note(Step::LostItemPaid);
        close_as_lost_and_paid(facts, &loan.record, plan);
    }
}

fn after(lost: &LostFees, plan: &Plan) -> LostFees {
    let mut lost = lost.clone();
    for record in &mut lost.actual_costs {
        let id = record["id"].as_str().unwrap_or_default().to_owned();
        if let Some(written) = plan.last_written(RecordKind::ActualCostRecord, &id) {
            record.clone_from(written);
        }
    }
    lost
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, set_item_status, written};
    use crate::fees::Account;

    #[test]
    fn a_paid_lost_item_ends_its_loan() {
        let mut facts = about_loan();
        let record = json!({"feeFineType": "Lost item fee", "status": {"name": "Closed"}});
        facts.lost.accounts = vec![Account { record }];
        assert_eq!(close_paid(&facts), None, "the item is not lost");
        set_item_status(&mut facts, "Aged to lost");
        let plan = close_paid(&facts).unwrap();
        let loan = written(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["itemStatus"]), (&json!("closedLoan"), &json!("Lost and paid")));
        facts.lost.accounts[0].record["status"]["name"] = json!("Open");
        assert_eq!(close_paid(&facts), None, "there is something to pay");
    }
}
