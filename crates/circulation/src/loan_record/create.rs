//! Creates a loan as a record, without checks of blocks, limits and the loan policy's periods, but with those of the item.

use octavo_kernel::{Refusal, json_text};
use serde_json::Value;

use super::checks::{found_item, refuse_loan, refuse_proxy};
use super::{with_default_status, without_title_requests};
use crate::Undecided;
use crate::check_out::fill_request;
use crate::document::{set, set_some, text};
use crate::facts::{Facts, Item, ItemStatus, Loan, Patron};
use crate::governing::{apply_rules, trace_rule};
use crate::loan_in_question::change_item;
use crate::plan::{Plan, RecordKind};
use crate::recall::{Recalled, shorten_if_recalled};
use crate::refusals::item_status::{refuse_already_checked_out, refuse_loan_of_status};
use crate::refusals::requested_by_another::refuse_requested_by_another;
use crate::trace::Step;
use crate::view::{LoanView, loan_view};

pub fn create_loan(facts: &Facts, record: &Value) -> Result<Plan, Undecided> {
    let mut loan = Loan { record: record.clone().into() };
    with_default_status(&mut loan.record);
    let facts = &without_title_requests(facts);
    let (item, patron) = check(facts, &loan)?;
    let rule = apply_rules(&facts.policies, item, Some(patron))?;
    let mut plan = Plan::default();
    trace_rule(&rule, &facts.policies, &mut plan.trace);

    let mut lent = item.clone();
    if !loan.is_closed() {
        let rest = fill_request(facts, item, patron, &mut plan)?;
        let governing = facts.policies.governing_loan_policy(&rule)?;
        let recalled =
            Recalled { governing: &governing, patron_expires: patron.expiration_date(), is_out: false };
        shorten_if_recalled(facts, &recalled, &rest, &mut loan, &mut plan)?;
        lent = change_item(facts, item, ItemStatus::CheckedOut, &mut plan);
    }
    let mut loan = loan.record;
    if text(&loan, &["id"]).is_none() {
        set(&mut loan, "id", facts.fresh_ids.loan.as_str());
    }
    for (key, id) in [
        ("loanPolicyId", &rule.policies.loan),
        ("overdueFinePolicyId", &rule.policies.overdue),
        ("lostItemPolicyId", &rule.policies.lost_item),
    ] {
        set(&mut loan, key, id.as_str());
    }
    set(&mut loan, "itemStatus", lent.status());
    set_some(&mut loan, "patronGroupIdAtCheckout", patron.patron_group_id());
    facts.set_metadata(&mut loan);
    let id = loan["id"].as_str().unwrap_or_default().to_owned();
    plan.insert(RecordKind::Loan, &id, loan.clone());
    plan.add_step(Step::LoanOpened { loan_id: id });
    plan.publish_due_date(&loan);
    plan.response = json_text(&loan_view(&LoanView {
        with_service_points: true,
        ..LoanView::after_operation(facts, &loan, &lent, Some(patron))
    }));
    Ok(plan)
}

fn check<'a>(facts: &'a Facts, loan: &Loan) -> Result<(&'a Item, &'a Patron), Undecided> {
    let fail = |refusal: Option<Refusal>| refusal.map_or(Ok(()), Err);
    fail(refuse_loan(facts, &loan.record))?;
    let item = found_item(facts, loan)?;
    fail(refuse_already_checked_out(item, ("itemId", item.id())))?;
    fail(refuse_loan_of_status(item))?;
    fail(refuse_proxy(facts, &loan.record))?;
    let user_id = loan.user_id().unwrap_or_default();
    let unknown = || Refusal::new("user is not found").about("userId", user_id);
    let patron = facts.patron.as_ref().ok_or_else(unknown)?;
    fail(refuse_requested_by_another(facts, item, patron, ("userId", user_id))?)?;
    Ok((item, patron))
}
