//! An item that is overdue for longer than its lost item fee policy allows counts as lost.
//!
//! This decides only the ageing; the fees are billed later, at the date that the loan then has.

use serde_json::json;

use crate::document::{remove, set, set_time};
use crate::facts::{Facts, FreshIds, Item, ItemStatus, Loan};
use crate::loan_in_question::{change_status, write_loan};
use crate::plan::Plan;
use crate::trace::Step;

/// Items with these statuses do not age: the borrower no longer has them, or they are lost already.
const NOT_AGEING: [ItemStatus; 3] =
    [ItemStatus::ClaimedReturned, ItemStatus::AgedToLost, ItemStatus::DeclaredLost];

/// `None` if the loan of the facts does not age to lost now.
pub fn age_to_lost(facts: &Facts) -> Option<Plan> {
    let stored = facts.loan.as_ref().filter(|loan| !loan.is_closed())?;
    let item = facts.item.as_ref()?;
    if item.is_one_of(&NOT_AGEING) {
        return None;
    }
    let (now, due) = (facts.now(), stored.due_date()?);
    let recalled = stored.due_date_was_changed_by_recall();
    let policy = facts.policies.lost_item.get(stored.lost_item_policy_id()?)?;
    let lost = policy.ages_to_lost_at(due, recalled).filter(|lost| *lost <= now)?;
    let billed = policy.billed_at(now, recalled);

    let mut plan = Plan::default();
    plan.add_step(Step::AgedToLost { due, lost, recalled, billed });
    let mut loan = stored.record.clone();
    set(&mut loan, "action", "itemAgedToLost");
    remove(&mut loan, "actionComment");
    let mut billing = json!({"lostItemHasBeenBilled": false});
    set_time(&mut billing, "agedToLostDate", now);
    set_time(&mut billing, "dateLostItemShouldBeBilled", billed);
    set(&mut loan, "agedToLostDelayedBilling", billing);
    change_status(facts, ItemStatus::AgedToLost, &mut loan, &mut plan);
    plan.publish_loan("ITEM_AGED_TO_LOST", &loan);
    write_loan(facts, loan, &mut plan);
    Some(plan)
}

impl Facts {
    /// Replaces the loan, for jobs that decide about many loans of one library.
    pub fn set_loan(&mut self, loan: Loan, item: Item, fresh_ids: FreshIds) {
        self.loan = Some(loan);
        self.item = Some(item);
        self.fresh_ids = fresh_ids;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{about_loan, set_item_status, with_lost_item_policy, written_document};
    use crate::plan::RecordKind;

    /// Due on 1 March at 10:00; it is 2 March, 10:00.
    fn overdue(change: impl FnOnce(&mut Facts)) -> Option<Plan> {
        let mut facts = about_loan();
        set(&mut facts.loan.as_mut().unwrap().record, "dueDate", "2026-03-01T10:00:00.000+00:00");
        with_lost_item_policy(
            &mut facts,
            json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Days"},
                "patronBilledAfterAgedLost": {"duration": 1, "intervalId": "Weeks"},
                "recalledItemAgedLostOverdue": {"duration": 2, "intervalId": "Days"}}),
        );
        change(&mut facts);
        age_to_lost(&facts)
    }

    #[test]
    fn an_item_ages_to_lost_when_the_interval_has_passed_to_the_millisecond() {
        let plan = overdue(|_| {}).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["status"]["name"]), (&json!("itemAgedToLost"), &json!("Open")));
        assert_eq!(loan["itemStatus"], "Aged to lost");
        assert_eq!(
            loan["agedToLostDelayedBilling"],
            json!({"lostItemHasBeenBilled": false, "agedToLostDate": "2026-03-02T10:00:00.000+00:00",
                "dateLostItemShouldBeBilled": "2026-03-09T10:00:00.000+00:00"})
        );
        assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Aged to lost");
        assert_eq!(
            plan.sentences()[0],
            "The item was due at 2026-03-01T10:00:00.000+00:00 and counts as lost from \
             2026-03-02T10:00:00.000+00:00; billed at 2026-03-09T10:00:00.000+00:00."
        );
    }

    #[test]
    fn what_does_not_age() {
        let due =
            |facts: &mut Facts, due: &str| set(&mut facts.loan.as_mut().unwrap().record, "dueDate", due);
        let cases: [fn(&mut Facts); 4] = [
            |facts| set_item_status(facts, "Claimed returned"),
            |facts| set_item_status(facts, "Declared lost"),
            |facts| with_lost_item_policy(facts, json!({})),
            // A recalled item has its own interval.
            |facts| set(&mut facts.loan.as_mut().unwrap().record, "dueDateChangedByRecall", true),
        ];
        for change in cases {
            assert_eq!(overdue(change), None);
        }
        assert_eq!(overdue(|facts| due(facts, "2026-03-01T10:00:00.001+00:00")), None);
    }
}
