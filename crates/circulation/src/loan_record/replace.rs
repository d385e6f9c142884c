//! Changes a loan as a record: a new due date, or its end.

use octavo_kernel::{Outcome, Refusal};
use serde_json::Value;

use super::checks::{found_item, refuse_loan, refuse_proxy};
use super::{with_default_status, without_title_requests};
use crate::Undecided;
use crate::check_in::fulfil_at;
use crate::document::{set, set_some, text};
use crate::facts::{Facts, Item, ItemStatus, Loan};
use crate::loan_in_question::{any_loan, change_item, write_loan};
use crate::plan::Plan;
use crate::queue::{SearchPurpose, first_fulfillable, waiting_recalls};
use crate::refusals::item_status::refuse_due_date_change_of_status;
use crate::refusals::missing_parameter;
use crate::trace::Step;

/// The members that answers do not have, so that clients cannot send them back.
const KEPT_FROM_STORED: [&str; 4] =
    ["agedToLostDelayedBilling", "patronGroupIdAtCheckout", "itemStatus", "metadata"];

pub fn replace_loan(facts: &Facts, id: &str, record: &Value) -> Result<Plan, Undecided> {
    let stored = any_loan(facts, id)?;
    let mut loan = Loan { record: record.clone().into() };
    set(&mut loan.record, "id", stored.id());
    with_default_status(&mut loan.record);
    let item = check(facts, stored, &loan)?;
    let mut plan = Plan::default();
    let changed = loan.due_date() != stored.due_date();
    let own = without_title_requests(facts);
    let recalled = waiting_recalls(&own.queue).next().is_some();
    if changed && loan.due_date_was_changed_by_recall() && !recalled {
        set(&mut loan.record, "dueDateChangedByRecall", false);
    }
    let status = item_after(facts, &own, &loan, item, &mut plan)?;
    for key in KEPT_FROM_STORED {
        set_some(&mut loan.record, key, stored.record.get(key).cloned());
    }
    set(&mut loan.record, "itemStatus", status);
    if let (true, Some(to)) = (changed, loan.due_date()) {
        plan.add_step(Step::DueDateChanged { from: stored.due_date(), to });
    }
    if loan.is_closed() && !stored.is_closed() {
        plan.add_step(Step::LoanClosed { loan_id: stored.id().to_owned(), action: "by record".into() });
    }
    let loan = loan.record;
    if changed {
        plan.publish_due_date(&loan);
    }
    write_loan(facts, loan, &mut plan);
    Ok(plan)
}

fn check<'a>(facts: &'a Facts, stored: &Loan, loan: &Loan) -> Outcome<&'a Item> {
    let fail = |refusal: Option<Refusal>| refusal.map_or(Ok(()), Err);
    fail(refuse_loan(facts, &loan.record))?;
    if loan.is_closed() && text(&loan.record, &["checkinServicePointId"]).is_none() {
        let message = "A Closed loan must have a Checkin Service Point";
        return Err(missing_parameter(message, "checkinServicePointId").into());
    }
    let item = found_item(facts, loan)?;
    if loan.due_date() != stored.due_date() {
        fail(refuse_due_date_change_of_status(item))?;
    }
    fail(refuse_proxy(facts, &loan.record))?;
    Ok(item)
}

/// The item after the change: a returned one goes to the first request or to its place; one on loan is checked out, unless it is lost.
/// `own` are the facts with the requests for the item alone.
fn item_after(
    facts: &Facts,
    own: &Facts,
    loan: &Loan,
    item: &Item,
    plan: &mut Plan,
) -> Result<&'static str, Undecided> {
    let status = if loan.is_closed() {
        match first_fulfillable(own, item, SearchPurpose::CheckIn)? {
            Some(request) => {
                let service_point = text(&loan.record, &["checkinServicePointId"]).unwrap_or_default();
                fulfil_at(facts, service_point, request, item, plan)?;
                match request.is_for_delivery() {
                    true => ItemStatus::AwaitingDelivery,
                    false => ItemStatus::AwaitingPickup,
                }
            }
            None => ItemStatus::Available,
        }
    } else if item.is(ItemStatus::DeclaredLost) {
        return Ok(ItemStatus::DeclaredLost.name());
    } else {
        ItemStatus::CheckedOut
    };
    change_item(facts, item, status, plan);
    Ok(status.name())
}
