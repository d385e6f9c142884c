//! The loan that an operation names by its id, and the steps that such operations share.

use octavo_kernel::{Fault, Kind, Refusal};
use serde_json::{Value, json};

use crate::document::{Document, remove, set};
use crate::facts::{Facts, Item, ItemStatus, Loan};
use crate::plan::{Plan, RecordKind};
use crate::status::OpenOrClosed;
use crate::trace::Step;

pub fn unknown_loan(id: &str) -> Fault {
    Fault::not_found_with(format!("loan record with ID \"{id}\" cannot be found"))
}

pub(crate) fn any_loan<'a>(facts: &'a Facts, id: &str) -> Result<&'a Loan, Fault> {
    facts.loan.as_ref().ok_or_else(|| unknown_loan(id))
}

pub(crate) fn open_loan<'a>(facts: &'a Facts, id: &str) -> Result<&'a Loan, Fault> {
    let loan = any_loan(facts, id)?;
    if loan.is_closed() {
        return Err(Refusal::new("Loan is closed").about("loanId", loan.id()).into());
    }
    Ok(loan)
}

/// Whether the loan's item is there and has this status.
pub(crate) fn item_is(facts: &Facts, status: ItemStatus) -> bool {
    facts.item.as_ref().is_some_and(|item| item.is(status))
}

/// Sets the status of the item, if it still exists, and the item status that the loan keeps.
pub(crate) fn change_status(facts: &Facts, status: ItemStatus, loan: &mut Value, plan: &mut Plan) {
    set(loan, "itemStatus", status.name());
    if let Some(item) = &facts.item {
        change_item(facts, item, status, plan);
    }
}

/// Writes the item with its new status, unless it has that already, and returns it.
pub(crate) fn change_item(facts: &Facts, stored: &Item, status: ItemStatus, plan: &mut Plan) -> Item {
    let mut item = stored.clone();
    item.change_status(status, facts.now());
    if item.record != stored.record {
        facts.write_item(stored.status().to_owned(), &mut item, plan);
    }
    item
}

/// The open loan of the item, if it has one; several are an error in the data.
pub(crate) fn loan_of_item<'a>(facts: &'a Facts, item: &Item) -> Result<Option<&'a Loan>, Fault> {
    match facts.open_loans_of_item.as_slice() {
        [] => Ok(None),
        [loan] => Ok(Some(loan)),
        _ => {
            let barcode = item.barcode().unwrap_or("null");
            Err(Fault::new(Kind::Failed, format!("More than one open loan for item {barcode}")))
        }
    }
}

pub(crate) fn close_loan(loan: &mut Value, action: &'static str, comment: Option<&str>) {
    set(loan, "status", json!({"name": OpenOrClosed::Closed}));
    set(loan, "action", action);
    match comment {
        Some(comment) => set(loan, "actionComment", comment),
        None => remove(loan, "actionComment"),
    }
}

/// Closes the loan of a lost item whose fees are paid. `before` is the loan as the plan has it so far.
pub(crate) fn close_as_lost_and_paid(facts: &Facts, before: &Document, plan: &mut Plan) {
    let mut loan = before.clone();
    close_loan(&mut loan, "closedLoan", None);
    set(&mut loan, "itemStatus", ItemStatus::LostAndPaid.name());
    if let Some(mut item) = facts.item.clone() {
        if let Some(written) = plan.last_written(RecordKind::Item, item.id()) {
            item.record = written.clone();
        }
        change_item(facts, &item, ItemStatus::LostAndPaid, plan);
    }
    write_loan(facts, loan, plan);
    let id = before["id"].as_str().unwrap_or_default().to_owned();
    plan.add_step(Step::LoanClosed { loan_id: id, action: "closedLoan".into() });
    plan.publish_loan("LOAN_CLOSED", before);
}

/// Writes the changed loan with its metadata.
pub(crate) fn write_loan(facts: &Facts, mut loan: Document, plan: &mut Plan) {
    facts.set_metadata(&mut loan);
    let id = loan["id"].as_str().unwrap_or_default().to_owned();
    plan.update(RecordKind::Loan, &id, loan);
}
