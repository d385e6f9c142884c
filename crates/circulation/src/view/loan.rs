//! The loan as clients of mod-circulation see it.

use std::collections::HashMap;

use serde_json::Value;

use super::item::name_object;
use super::{Fields, ResponseValue, item_summary, service_point_summary};
use crate::document::{computed_time, text, time, value_at};
use crate::facts::{Facts, Item, Patron, PatronGroup};
use crate::policy::Policies;

/// A stored loan and the records that it refers to. As in FOLIO, those that were not read are `None` and left out.
#[derive(Debug, Clone)]
pub struct LoanView<'a> {
    pub loan: &'a Value,
    pub item: Option<&'a Item>,
    pub borrower: Option<&'a Patron>,
    /// In FOLIO the loan endpoints and the answer to a check-out have it, not the answers to other operations.
    pub patron_group_at_checkout: Option<&'a PatronGroup>,
    /// The policies, of which the names are shown.
    pub policies: &'a Policies,
    pub service_points: &'a HashMap<String, Value>,
    /// Whether service points are shown: in FOLIO by the loan endpoints, not by the answers to operations.
    pub with_service_points: bool,
    /// The remaining amount of the loan's open accounts; 0 in FOLIO's answers to operations.
    pub amount_remaining_to_pay: f64,
    pub due_date_changed_by_hold: bool,
    pub due_date_changed_by_near_expire_user: bool,
    /// The members with instants that the operation has computed, which have another form than stored ones.
    pub computed: &'static [&'static str],
}

impl<'a> LoanView<'a> {
    /// A loan in the answer to an operation on it.
    pub(crate) fn after_operation(
        facts: &'a Facts,
        loan: &'a Value,
        item: &'a Item,
        borrower: Option<&'a Patron>,
    ) -> LoanView<'a> {
        LoanView {
            loan,
            item: Some(item),
            borrower,
            patron_group_at_checkout: None,
            policies: &facts.policies,
            service_points: &facts.service_points,
            with_service_points: false,
            amount_remaining_to_pay: 0.0,
            due_date_changed_by_hold: false,
            due_date_changed_by_near_expire_user: false,
            computed: &[],
        }
    }
}

pub fn loan_view<'a>(view: &LoanView<'a>) -> Fields<'a> {
    let stored = view.loan;
    let mut loan = Fields::from_record(stored);
    for internal in ["itemStatus", "agedToLostDelayedBilling", "patronGroupIdAtCheckout"] {
        loan.remove(internal);
    }
    for field in view.computed {
        if let Some(at) = time(stored, &[field]) {
            loan.set(field, computed_time(at));
        }
    }
    if let Some(item) = view.item {
        loan.set("item", item_summary(item, view.service_points));
    }
    for (flag, holds) in [
        ("dueDateChangedByHold", view.due_date_changed_by_hold),
        ("dueDateChangedByNearExpireUser", view.due_date_changed_by_near_expire_user),
    ] {
        if holds {
            loan.set(flag, true);
        }
    }
    if view.with_service_points {
        for (id, name) in [
            ("checkinServicePointId", "checkinServicePoint"),
            ("checkoutServicePointId", "checkoutServicePoint"),
        ] {
            if let Some(record) = text(stored, &[id]).and_then(|id| view.service_points.get(id)) {
                loan.set(name, service_point_summary(record));
            }
        }
    }
    if let Some(borrower) = view.borrower {
        loan.set("borrower", borrower_summary(borrower));
    }
    if let Some(group) = view.patron_group_at_checkout {
        let name = group.name.as_deref().map(ResponseValue::from);
        loan.set(
            "patronGroupAtCheckout",
            Fields::with_nulls([("id", Some(group.id.as_str().into())), ("name", name)]),
        );
    }
    add_policies(&mut loan, stored, view.policies);
    let remaining = Some(ResponseValue::Amount(view.amount_remaining_to_pay));
    loan.set("feesAndFines", Fields::with_nulls([("amountRemainingToPay", remaining)]));
    loan
}

fn borrower_summary(borrower: &Patron) -> Fields<'_> {
    let personal = |field: &'static str| (field, borrower.personal(field).map(ResponseValue::from));
    Fields::with_nulls([
        personal("firstName"),
        personal("lastName"),
        personal("middleName"),
        ("barcode", borrower.barcode().map(ResponseValue::from)),
    ])
}

fn add_policies<'a>(loan: &mut Fields<'a>, stored: &'a Value, policies: &'a Policies) {
    let id = |key: &str| text(stored, &[key]);
    let loan_policy = id("loanPolicyId").and_then(|id| policies.loan.get(id));
    let overdue = id("overdueFinePolicyId").and_then(|id| policies.overdue_fine.get(id));
    let lost = id("lostItemPolicyId").and_then(|id| policies.lost_item.get(id));
    let blocks_renewal = overdue
        .filter(|policy| policy.reminders().is_some())
        .filter(|_| value_at(stored, &["reminders", "lastFeeBilled", "number"]).is_some())
        .map(|policy| policy.forbids_renewal_after_reminders());
    loan.set("loanPolicy", name_object(loan_policy.map(|policy| policy.name.as_str())));
    loan.set("overdueFinePolicy", name_object(overdue.and_then(|policy| policy.name.as_deref())));
    loan.set("lostItemPolicy", name_object(lost.and_then(|policy| policy.name.as_deref())));
    if let Some(blocks) = blocks_renewal {
        let mut reminders = Fields::from_record(&stored["reminders"]);
        reminders.set("renewalBlocked", blocks);
        loan.set("reminders", reminders);
    }
}
