//! An item that the patron claims to have returned is not found: it becomes missing, the loan is closed, and the patron gets a note.

use octavo_kernel::{Outcome, Refusal};

use crate::command::MarkMissing;
use crate::facts::{Facts, ItemStatus};
use crate::loan_in_question::{change_status, close_loan, item_is, open_loan, write_loan};
use crate::patron_note::note_on_borrower;
use crate::plan::Plan;
use crate::refusals::missing_parameter;
use crate::trace::Step;

pub fn mark_missing(facts: &Facts, id: &str, command: &MarkMissing) -> Outcome<Plan> {
    let comment = command
        .comment
        .as_deref()
        .ok_or_else(|| missing_parameter("Comment is a required field", "comment"))?;
    let stored = open_loan(facts, id)?;
    if !item_is(facts, ItemStatus::ClaimedReturned) {
        let item_id = stored.item_id().unwrap_or_default();
        return Err(Refusal::new("Item is not Claimed returned").about("itemId", item_id).into());
    }
    let mut plan = Plan::default();
    let mut loan = stored.record.clone();
    note_on_borrower(facts, &loan, "Claimed returned item marked missing", &mut plan)?;
    change_status(facts, ItemStatus::Missing, &mut loan, &mut plan);
    close_loan(&mut loan, "markedMissing", Some(comment));
    plan.add_step(Step::LoanClosed { loan_id: stored.id().to_owned(), action: "markedMissing".into() });
    plan.publish_loan("LOAN_CLOSED", &loan);
    write_loan(facts, loan, &mut plan);
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, messages, set_item_status, written_document};
    use crate::plan::RecordKind;

    fn command() -> MarkMissing {
        MarkMissing { comment: Some("searched twice".to_owned()) }
    }

    #[test]
    fn the_loan_is_closed_with_its_comment() {
        let mut facts = about_loan();
        set_item_status(&mut facts, "Claimed returned");
        let plan = mark_missing(&facts, "loan-1", &command()).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["status"]["name"]), (&json!("markedMissing"), &json!("Closed")));
        assert_eq!(loan["actionComment"], "searched twice");
        assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Missing");
        assert_eq!(
            written_document(&plan, RecordKind::Note).unwrap()["title"],
            "Claimed returned item marked missing"
        );
        facts.general_note_type = None;
        let fault = mark_missing(&facts, "loan-1", &command()).unwrap_err();
        assert_eq!(messages(&fault), ["No General note type found"]);
    }

    #[test]
    fn only_what_was_claimed_returned_becomes_missing_and_with_a_comment() {
        for (command, message) in [
            (command(), "Item is not Claimed returned"),
            (MarkMissing::default(), "Comment is a required field"),
        ] {
            assert_eq!(messages(&mark_missing(&about_loan(), "loan-1", &command).unwrap_err()), [message]);
        }
    }
}
