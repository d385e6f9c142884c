//! The patron claims to have returned an item that the library does not have. The loan stays open until that is resolved.

use octavo_kernel::{Outcome, parse_time};

use crate::command::ClaimReturned;
use crate::document::{set, set_time};
use crate::facts::{Facts, ItemStatus};
use crate::loan_in_question::{change_status, open_loan, write_loan};
use crate::moment::to_millisecond;
use crate::plan::Plan;
use crate::refusals::missing_parameter;

pub fn claim_returned(facts: &Facts, id: &str, command: &ClaimReturned) -> Outcome<Plan> {
    let claimed = command.item_claimed_returned_date_time.as_deref().and_then(parse_time).map(to_millisecond);
    let claimed = claimed.ok_or_else(|| {
        missing_parameter("Item claimed returned date is a required field", "itemClaimedReturnedDateTime")
    })?;
    let stored = open_loan(facts, id)?;
    let mut plan = Plan::default();
    let mut loan = stored.record.clone();
    set(&mut loan, "action", "claimedReturned");
    // As in FOLIO, without a new comment the loan keeps that of the former action.
    if let Some(comment) = command.comment.as_deref().filter(|comment| !comment.trim().is_empty()) {
        set(&mut loan, "actionComment", comment);
    }
    set_time(&mut loan, "claimedReturnedDate", claimed);
    change_status(facts, ItemStatus::ClaimedReturned, &mut loan, &mut plan);
    plan.publish_loan("ITEM_CLAIMED_RETURNED", &loan);
    write_loan(facts, loan, &mut plan);
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, messages, written_document};
    use crate::plan::RecordKind;

    fn command() -> ClaimReturned {
        let date = Some("2026-03-01T09:00:00Z".to_owned());
        ClaimReturned { item_claimed_returned_date_time: date, comment: Some("at the branch".to_owned()) }
    }

    #[test]
    fn the_loan_stays_open_with_the_claim() {
        let plan = claim_returned(&about_loan(), "loan-1", &command()).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!((&loan["action"], &loan["status"]["name"]), (&json!("claimedReturned"), &json!("Open")));
        assert_eq!(loan["claimedReturnedDate"], "2026-03-01T09:00:00.000+00:00");
        assert_eq!(loan["actionComment"], "at the branch");
        assert_eq!(written_document(&plan, RecordKind::Item).unwrap()["status"]["name"], "Claimed returned");
    }

    #[test]
    fn a_claim_needs_its_date_and_an_open_loan() {
        let required = "Item claimed returned date is a required field";
        let undated = ClaimReturned { item_claimed_returned_date_time: None, ..command() };
        assert_eq!(messages(&claim_returned(&about_loan(), "loan-1", &undated).unwrap_err()), [required]);
        let mut facts = about_loan();
        set(&mut facts.loan.as_mut().unwrap().record, "status", json!({"name": "Closed"}));
        assert_eq!(messages(&claim_returned(&facts, "loan-1", &command()).unwrap_err()), ["Loan is closed"]);
    }
}
