//! The fees for a lost item are all closed: the loan is over, the item lost and paid for.

use crate::facts::{Facts, ItemStatus};
use crate::fees::lost_fees_are_closed;
use crate::loan_in_question::{close_as_lost_and_paid, item_is};
use crate::plan::Plan;
use crate::trace::Step;

/// `None` if the loan of the facts is not lost, or not paid.
pub fn close_paid(facts: &Facts) -> Option<Plan> {
    let loan = facts.loan.as_ref().filter(|loan| !loan.is_closed())?;
    let lost = item_is(facts, ItemStatus::DeclaredLost) || item_is(facts, ItemStatus::AgedToLost);
    if !lost || !lost_fees_are_closed(&facts.loan_fees) {
        return None;
    }
    let mut plan = Plan::default();
    plan.note(Step::LostItemPaid);
    close_as_lost_and_paid(facts, &loan.record, &mut plan);
    Some(plan)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, set_item_status, written};
    use crate::plan::RecordKind;

    #[test]
    fn a_paid_lost_item_ends_its_loan() {
        let mut facts = about_loan();
        facts.loan_fees = vec![json!({"feeFineType": "Lost item fee", "status": {"name": "Closed"}})];
        assert_eq!(close_paid(&facts), None, "the item is not lost");
        set_item_status(&mut facts, "Aged to lost");
        let plan = close_paid(&facts).unwrap();
        let loan = written(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["itemStatus"]), (&json!("closedLoan"), &json!("Lost and paid")));
        facts.loan_fees[0]["status"]["name"] = json!("Open");
        assert_eq!(close_paid(&facts), None, "there is something to pay");
    }
}
