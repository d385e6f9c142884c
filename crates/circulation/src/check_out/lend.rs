//! The changes of a check-out that nothing refuses.

use jiff::{Timestamp, Zoned};
use octavo_kernel::{Outcome, folio_time, json_text, parse_time};
use serde_json::{Value, json};

use super::validate::Validated;
use crate::Undecided;
use crate::command::CheckOut;
use crate::document::{remove, set, set_some};
use crate::due_date::{Management, alternate_period_applies, initial_due_date, managed_due_date};
use crate::facts::{Facts, Item, ItemStatus, Loan, Patron, QueuedRequest};
use crate::governing::trace_rule;
use crate::loan_in_question::change_item;
use crate::moment::to_millisecond;
use crate::plan::{Plan, RecordKind};
use crate::policy::{LostItemPolicy, OverdueFinePolicy};
use crate::queue::{SearchPurpose, first_fulfillable};
use crate::recall::{Recalled, shorten_if_recalled};
use crate::rules::PolicyKind;
use crate::status::{OpenOrClosed, RequestStatus};
use crate::trace::Step;
use crate::view::{LoanView, loan_view};

struct Due {
    at: Timestamp,
    changed_by_hold: bool,
    changed_by_patron_expiration: bool,
}

pub(super) fn lend(
    facts: &Facts,
    command: &CheckOut,
    ready: &Validated<'_>,
    loan_date: &Zoned,
) -> Result<Plan, Undecided> {
    let overdue = facts.policies.overdue_fine_policy(&ready.found)?;
    let lost = facts.policies.lost_item_policy(&ready.found)?;
    let mut plan = Plan::default();
    trace_policies(&mut plan, facts, ready, overdue, lost);
    let due = due_date(facts, command, ready, loan_date, &mut plan.trace)?;

    let rest = fill_request(facts, ready.item, ready.patron, &mut plan)?;
    let item = change_item(facts, ready.item, ItemStatus::CheckedOut, &mut plan);
    let mut loan = Loan { record: open_loan(facts, command, ready, loan_date, due.at).into() };
    let recalled = Recalled {
        governing: &ready.governing,
        patron_expires: ready.patron.expiration_date(),
        is_out: false,
    };
    let shortened = shorten_if_recalled(facts, &recalled, &rest, &mut loan, &mut plan)?;
    let truncated = shortened.is_some_and(|shortened| shortened.changed_by_patron_expiration);
    let loan = loan.record;
    plan.insert(RecordKind::Loan, &facts.fresh_ids.loan, loan.clone());
    plan.add_step(Step::LoanOpened { loan_id: facts.fresh_ids.loan.clone() });
    plan.insert_session(facts, ready.patron.id(), &facts.fresh_ids.loan, "Check-out", None);
    publish(&mut plan, ready, &loan);

    plan.response = json_text(&loan_view(&LoanView {
        due_date_changed_by_hold: due.changed_by_hold,
        due_date_changed_by_near_expire_user: due.changed_by_patron_expiration || truncated,
        patron_group_at_checkout: ready.patron.group.as_ref(),
        ..LoanView::after_operation(facts, &loan, &item, Some(ready.patron))
    }));
    Ok(plan)
}

fn trace_policies(
    plan: &mut Plan,
    facts: &Facts,
    ready: &Validated<'_>,
    overdue: &OverdueFinePolicy,
    lost: &LostItemPolicy,
) {
    trace_rule(&ready.found, &facts.policies, &mut plan.trace);
    for (kind, id, name) in [
        (PolicyKind::OverdueFine, &overdue.id, &overdue.name),
        (PolicyKind::LostItemFee, &lost.id, &lost.name),
    ] {
        plan.add_step(Step::PolicyChosen { kind, id: id.clone(), name: name.clone().unwrap_or_default() });
    }
    for block in &ready.overridden {
        plan.add_step(Step::Overridden { block: block.name().into() });
    }
}

/// The due date. An override of the not-loanable block has its own, which is taken unchanged.
fn due_date(
    facts: &Facts,
    command: &CheckOut,
    ready: &Validated<'_>,
    loan_date: &Zoned,
    trace: &mut Vec<Step>,
) -> Outcome<Due> {
    let block = command.override_blocks.item_not_loanable_block.as_ref();
    if let Some(due) = block.and_then(|block| block.due_date.as_deref()).and_then(parse_time) {
        let due = to_millisecond(due);
        trace.push(Step::DueDateGiven { due });
        return Ok(Due { at: due, changed_by_hold: false, changed_by_patron_expiration: false });
    }
    let governing = &ready.governing;
    let hold_waits = alternate_period_applies(governing.policy, &facts.queue, ready.item.id());
    let initial = initial_due_date(governing, loan_date, hold_waits, trace)?;
    let management = Management {
        governing,
        hours: facts.service_point_hours(command.service_point_id.as_deref()),
        current_time: loan_date.timestamp(),
        loan_date: loan_date.timestamp(),
        is_renewal: false,
        patron_expires: ready.patron.expiration_date(),
    };
    let managed = managed_due_date(initial.due, &management, trace)?;
    Ok(Due {
        at: managed.due,
        changed_by_hold: initial.changed_by_hold,
        changed_by_patron_expiration: managed.changed_by_patron_expiration,
    })
}

/// Fills the borrower's first request that the item fulfils. Returns the remaining requests, as far as they were read.
pub(crate) fn fill_request<'a>(
    facts: &'a Facts,
    item: &Item,
    borrower: &Patron,
    plan: &mut Plan,
) -> Result<Vec<&'a QueuedRequest>, Undecided> {
    let Some(request) = first_fulfillable(facts, item, SearchPurpose::FillRequestOf(borrower.id()))? else {
        return Ok(facts.queue.iter().collect());
    };
    let mut filled = request.record.clone();
    set(&mut filled, "status", RequestStatus::Filled);
    remove(&mut filled, "position");
    facts.write_request(&request.record, &mut filled, plan);
    plan.close_gap(request, facts.queue_part.of_title);
    Ok(facts.queue.iter().filter(|other| other.id() != request.id()).collect())
}

fn open_loan(
    facts: &Facts,
    command: &CheckOut,
    ready: &Validated<'_>,
    loan_date: &Zoned,
    due: Timestamp,
) -> Value {
    let overridden = !ready.overridden.is_empty();
    let action = if overridden { "checkedOutThroughOverride" } else { "checkedout" };
    let mut loan = json!({
        "id": facts.fresh_ids.loan,
        "userId": ready.patron.id(),
        "itemId": ready.item.id(),
        "status": {"name": OpenOrClosed::Open},
        "action": action,
        "loanDate": folio_time(loan_date.timestamp()),
        "dueDate": folio_time(due),
        "itemStatus": ItemStatus::CheckedOut,
        "loanPolicyId": ready.found.policies.loan,
        "overdueFinePolicyId": ready.found.policies.overdue,
        "lostItemPolicyId": ready.found.policies.lost_item,
    });
    let comment = command.override_blocks.comment.as_deref().filter(|_| overridden);
    let proxy = facts.proxy.as_ref().filter(|_| command.proxy_user_barcode.is_some());
    set_some(&mut loan, "actionComment", comment);
    set_some(&mut loan, "proxyUserId", proxy.map(|proxy| proxy.patron.id()));
    set_some(&mut loan, "checkoutServicePointId", command.service_point_id.as_deref());
    set_some(&mut loan, "itemEffectiveLocationIdAtCheckOut", ready.item.effective_location_id());
    set_some(&mut loan, "patronGroupIdAtCheckout", ready.patron.patron_group_id());
    facts.set_metadata(&mut loan);
    loan
}

fn publish(plan: &mut Plan, ready: &Validated<'_>, loan: &Value) {
    let mut payload = json!({"userId": loan["userId"], "loanId": loan["id"], "dueDate": loan["dueDate"]});
    let loans_policy = ready.governing.policy.loans_policy.as_ref();
    let grace = loans_policy.and_then(|loans| loans.grace_period.as_ref());
    set_some(&mut payload, "gracePeriod", grace.and_then(|grace| serde_json::to_value(grace).ok()));
    plan.publish("ITEM_CHECKED_OUT", payload);
}
