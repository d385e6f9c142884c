//! Staff set the cost of a lost item, or decide not to, or let its actual cost record expire.

use octavo_kernel::{Fault, Kind, Outcome, json_text};
use serde_json::Value;

use crate::Money;
use crate::close_paid::close_if_settled;
use crate::command::{BillActualCost, CancelActualCost};
use crate::document::{remove, set, set_some, text, time, value_at};
use crate::facts::{Facts, Loan, NamedRecord};
use crate::fees::actual_cost::{has_status, write_with_status};
use crate::fees::{ACTUAL_COST_FEE, Charge, Ids, record_charge};
use crate::plan::Plan;
use crate::status::ActualCostStatus;
use crate::trace::Step;

/// `POST /actual-cost-fee-fine/bill`: staff set the cost.
pub fn bill_actual_cost(facts: &Facts, command: &BillActualCost) -> Outcome<Plan> {
    let (mut record, loan) = open_record(facts, &command.actual_cost_record_id)?;
    let amount =
        Money::read(&command.amount).ok_or_else(|| Fault::new(Kind::Refused, "Invalid amount entered"))?;
    let named = |id: &str, name: &str| {
        let part = |name: &str| text(&record, &["feeFine", name]).unwrap_or_default().to_owned();
        NamedRecord { id: part(id), name: part(name) }
    };
    let (owner, kind) = (named("ownerId", "owner"), named("typeId", "type"));
    let ids = Ids { account: &facts.fresh_ids.account, action: &facts.fresh_ids.fee_fine_action };
    let service_point_id = command.service_point_id.as_deref();
    let charge = Charge { ids, kind: &kind, owner: &owner, amount, service_point_id, by_clock: false };
    let account = account(facts, &record, loan, &charge);
    let mut plan = Plan::default();
    let comments = comments(&command.additional_info_for_staff, &command.additional_info_for_patron);
    record_charge(facts, account, &charge, comments, &mut plan);
    plan.add_step(Step::LostFeeCharged {
        kind: ACTUAL_COST_FEE.into(),
        account_id: charge.ids.account.to_owned(),
        amount: amount.to_string(),
    });
    if let Some(fee) = record.get_mut("feeFine") {
        set(fee, "accountId", charge.ids.account);
        set(fee, "billedAmount", amount.to_json());
    }
    inform(&mut record, &command.additional_info_for_staff, &command.additional_info_for_patron);
    plan.response = json_text(&write_with_status(facts, record, ActualCostStatus::Billed, &mut plan));
    Ok(plan)
}

/// `POST /actual-cost-fee-fine/cancel`: staff decide not to bill. Without other fees, the loan is closed.
pub fn cancel_actual_cost(facts: &Facts, command: &CancelActualCost) -> Outcome<Plan> {
    let (mut record, loan) = open_record(facts, &command.actual_cost_record_id)?;
    inform(&mut record, &command.additional_info_for_staff, &command.additional_info_for_patron);
    let mut plan = Plan::default();
    plan.response = json_text(&write_with_status(facts, record, ActualCostStatus::Cancelled, &mut plan));
    plan.publish_closed_fee(loan.id(), &Value::Null);
    close_if_settled(facts, &mut plan);
    Ok(plan)
}

/// Ends an expired record. `None` if that of the loan of the facts has not expired.
pub fn expire_actual_cost(facts: &Facts) -> Option<Plan> {
    let now = facts.now();
    let expired = |record: &&Value| {
        has_status(record, ActualCostStatus::Open)
            && time(record, &["expirationDate"]).is_some_and(|expires| expires < now)
    };
    let mut plan = Plan::default();
    for record in facts.lost.actual_costs.iter().filter(expired) {
        write_with_status(facts, record.clone(), ActualCostStatus::Expired, &mut plan);
    }
    if plan.writes.is_empty() {
        return None;
    }
    close_if_settled(facts, &mut plan);
    Some(plan)
}

/// 422 as plain text, as FOLIO has it.
fn open_record<'a>(facts: &'a Facts, id: &str) -> Outcome<(Value, &'a Loan)> {
    let mut records = facts.lost.actual_costs.iter();
    let record =
        records.find(|record| text(record, &["id"]).is_some_and(|found| found.eq_ignore_ascii_case(id)));
    let record = record.ok_or_else(|| unknown_actual_cost(id))?;
    if !has_status(record, ActualCostStatus::Open) {
        let status = text(record, &["status"]).unwrap_or_default();
        return Err(Fault::new(Kind::Refused, format!("Actual cost record {id} is already {status}")));
    }
    let gone = || {
        let loan = text(record, &["loan", "id"]).unwrap_or_default();
        Fault::new(Kind::Refused, format!("Loan {loan} was not found"))
    };
    let loan = facts.loan.as_ref().ok_or_else(gone)?;
    Ok((record.clone(), loan))
}

pub fn unknown_actual_cost(id: &str) -> Fault {
    Fault::new(Kind::Refused, format!("ActualCostRecord {id} was not found"))
}

fn inform(record: &mut Value, staff: &Option<String>, patron: &Option<String>) {
    for (name, told) in [("additionalInfoForStaff", staff), ("additionalInfoForPatron", patron)] {
        remove(record, name);
        set_some(record, name, told.as_deref());
    }
}

fn account(facts: &Facts, record: &Value, loan: &Loan, charge: &Charge<'_>) -> Value {
    let mut account = charge.account(loan);
    let paths: [(&str, &[&str]); 12] = [
        ("title", &["instance", "title"]),
        ("contributors", &["instance", "contributors"]),
        ("instanceId", &["instance", "id"]),
        ("barcode", &["item", "barcode"]),
        ("callNumber", &["item", "effectiveCallNumberComponents", "callNumber"]),
        ("location", &["item", "effectiveLocation"]),
        ("materialTypeId", &["item", "materialTypeId"]),
        ("materialType", &["item", "materialType"]),
        ("itemId", &["item", "id"]),
        ("holdingsRecordId", &["item", "holdingsRecordId"]),
        ("loanId", &["loan", "id"]),
        ("userId", &["user", "id"]),
    ];
    for (key, path) in paths {
        set_some(&mut account, key, value_at(record, path).cloned());
    }
    facts.set_metadata(&mut account);
    account
}

/// The comments of an action, in the form in which FOLIO's desk writes them.
fn comments(staff: &Option<String>, patron: &Option<String>) -> Option<String> {
    let told = |to: &str, text: &Option<String>| {
        let text = text.as_deref().filter(|text| !text.trim().is_empty())?;
        Some(format!("{to} : {text}"))
    };
    let told: Vec<String> = told("STAFF", staff).into_iter().chain(told("PATRON", patron)).collect();
    (!told.is_empty()).then(|| told.join(" \n "))
}

#[cfg(test)]
mod tests;
