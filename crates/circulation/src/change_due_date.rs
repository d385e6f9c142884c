//! Staff set a new due date, which may be earlier than the old one.

use octavo_kernel::{Outcome, Refusal, parse_time};

use crate::command::ChangeDueDate;
use crate::document::{remove, set, set_time};
use crate::facts::Facts;
use crate::loan_in_question::{open_loan, write_loan};
use crate::moment::to_millisecond;
use crate::plan::Plan;
use crate::queue::waiting_recalls;
use crate::refusals::item_status::refuse_due_date_change_of_status;
use crate::refusals::missing_parameter;
use crate::trace::Step;

pub fn change_due_date(facts: &Facts, id: &str, command: &ChangeDueDate) -> Outcome<Plan> {
    let due = command.due_date.as_deref().and_then(parse_time).map(to_millisecond).ok_or_else(|| {
        missing_parameter("A new due date is required in order to change the due date", "dueDate")
    })?;
    let stored = open_loan(facts, id)?;
    if let Some(refusal) = facts.item.as_ref().and_then(refuse_due_date_change_of_status) {
        return Err(Refusal::into(refusal));
    }
    let mut plan = Plan::default();
    let mut loan = stored.record.clone();
    set_time(&mut loan, "dueDate", due);
    remove(&mut loan, "reminders");
    // A recall of another copy of the title counts too, if titles have queues.
    let recalled = waiting_recalls(&facts.queue).next().is_some();
    if stored.due_date_was_changed_by_recall() && !recalled {
        set(&mut loan, "dueDateChangedByRecall", false);
    }
    plan.add_step(Step::DueDateChanged { from: stored.due_date(), to: due });
    plan.publish_due_date(&loan);
    write_loan(facts, loan, &mut plan);
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, messages, queued_hold, set_item_status, written_document};
    use crate::plan::RecordKind;

    const NEW: &str = "2026-03-01T00:00:00.000+00:00";

    fn command() -> ChangeDueDate {
        ChangeDueDate { due_date: Some(NEW.to_owned()) }
    }

    #[test]
    fn any_date_will_do_and_reminders_begin_anew() {
        let mut facts = about_loan();
        let loan = facts.loan.as_mut().unwrap();
        set(&mut loan.record, "reminders", json!({"lastFeeBilled": {"number": 1}}));
        set(&mut loan.record, "dueDateChangedByRecall", true);
        let plan = change_due_date(&facts, "loan-1", &command()).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!(loan["dueDate"], NEW);
        assert_eq!(loan["action"], "checkedout");
        assert_eq!(loan["dueDateChangedByRecall"], false);
        assert!(loan.get("reminders").is_none());
        assert_eq!(plan.events[0].payload["dueDate"], NEW);
    }

    #[test]
    fn a_recall_that_still_waits_keeps_its_mark() {
        let mut facts = about_loan();
        set(&mut facts.loan.as_mut().unwrap().record, "dueDateChangedByRecall", true);
        let mut recall = queued_hold("r1", "bob", 1);
        set(&mut recall.record, "requestType", "Recall");
        for copy in ["book-1", "book-2"] {
            set(&mut recall.record, "itemId", copy);
            facts.queue = vec![recall.clone()];
            let plan = change_due_date(&facts, "loan-1", &command()).unwrap();
            assert_eq!(
                written_document(&plan, RecordKind::Loan).unwrap()["dueDateChangedByRecall"],
                true,
                "{copy}"
            );
        }
    }

    #[test]
    fn what_stands_against_a_new_due_date() {
        let required = "A new due date is required in order to change the due date";
        let cases: [(fn(&mut Facts), ChangeDueDate, &str); 7] = [
            (|_| {}, ChangeDueDate::default(), required),
            (|_| {}, ChangeDueDate { due_date: Some("soon".to_owned()) }, required),
            (|facts| facts.loan = None, command(), "404 loan record with ID \"loan-1\" cannot be found"),
            (
                |facts| set(&mut facts.loan.as_mut().unwrap().record, "status", json!({"name": "Closed"})),
                command(),
                "Loan is closed",
            ),
            (|facts| set_item_status(facts, "Declared lost"), command(), "item is Declared lost"),
            (|facts| set_item_status(facts, "Claimed returned"), command(), "item is Claimed returned"),
            (|facts| set_item_status(facts, "Aged to lost"), command(), "item is Aged to lost"),
        ];
        for (change, command, message) in cases {
            let mut facts = about_loan();
            change(&mut facts);
            let fault = change_due_date(&facts, "loan-1", &command).unwrap_err();
            assert_eq!(messages(&fault), [message]);
        }
    }
}
