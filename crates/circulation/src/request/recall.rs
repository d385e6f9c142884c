//! The effect of a recall on the loan of the item: an earlier due date.

use octavo_kernel::Outcome;

use super::RequestFacts;
use super::body::Purpose;
use crate::document::{remove, set};
use crate::facts::{Item, Loan, Patron};
use crate::governing::apply_rules;
use crate::plan::{Plan, RecordKind};
use crate::policy::GoverningLoanPolicy;
use crate::queue::waiting_recalls;
use crate::recall::{Recalled, shorten_loan};

pub(super) fn recall(
    facts: &RequestFacts,
    item: &Item,
    loan: &mut Loan,
    purpose: Purpose,
    plan: &mut Plan,
) -> Outcome<()> {
    if loan.due_date_was_changed_by_recall() {
        // As in FOLIO, a new recall is not told while others wait.
        let others = waiting_recalls(&facts.queue_of(Some(item.id()))).next().is_some();
        if purpose == Purpose::Move || !others {
            plan.recalled_again.push(loan.record.clone());
        }
        return Ok(());
    }
    let borrower = facts.borrowers.iter().find(|borrower| Some(borrower.id()) == loan.user_id());
    let Some(governing) = governing(facts, item, borrower, loan)? else { return Ok(()) };
    let patron_expires = borrower.and_then(Patron::expiration_date);
    shorten_loan(&facts.desk, &Recalled { governing: &governing, patron_expires, is_out: true }, loan, plan)?;
    let record = &mut loan.record;
    set(record, "action", "recallrequested");
    set(record, "itemStatus", item.status());
    remove(record, "actionComment");
    facts.desk.set_metadata(record);
    plan.publish_due_date(record);
    plan.update(RecordKind::Loan, loan.id(), loan.record.clone());
    Ok(())
}

/// The policy that the rules choose now, as for a renewal. If the borrower was deleted, it is that of the loan.
fn governing<'a>(
    facts: &'a RequestFacts,
    item: &Item,
    borrower: Option<&Patron>,
    loan: &Loan,
) -> Outcome<Option<GoverningLoanPolicy<'a>>> {
    let policies = &facts.desk.policies;
    match borrower.filter(|borrower| borrower.patron_group_id().is_some()) {
        Some(borrower) => {
            let found = apply_rules(policies, item, Some(borrower))?;
            policies.governing_loan_policy(&found).map(Some)
        }
        None => Ok(loan.loan_policy_id().and_then(|id| policies.loan_policy_by_id(id))),
    }
}
