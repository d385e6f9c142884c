//! The loan as clients of mod-circulation see it.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{item_summary, service_point_summary};
use crate::document::{at, object, own_time, remove, set, set_some, text, time, whole_object};
use crate::facts::{Item, Patron, PatronGroup};
use crate::policy::Policies;

/// A stored loan and what it refers to. What is `None` is left out, as FOLIO does where it did not look.
#[derive(Debug, Clone)]
pub struct LoanView<'a> {
    pub loan: &'a Value,
    pub item: Option<&'a Item>,
    pub borrower: Option<&'a Patron>,
    pub patron_group_at_checkout: Option<&'a PatronGroup>,
    /// The loan's policies are named from here.
    pub policies: &'a Policies,
    /// Service point records by id.
    pub service_points: &'a HashMap<String, Value>,
    /// FOLIO's actions do not look the loan's service points up, its loan endpoints do.
    pub with_service_points: bool,
    /// Of the loan's open accounts; FOLIO's actions say 0.
    pub amount_remaining_to_pay: f64,
    pub due_date_changed_by_hold: bool,
    pub due_date_changed_by_near_expire_user: bool,
    /// Instants that the action computed and FOLIO answers without reading them back: they are written in its own form.
    pub computed: &'static [&'static str],
}

pub fn loan_view(view: &LoanView<'_>) -> Value {
    let mut loan = view.loan.clone();
    for internal in ["itemStatus", "agedToLostDelayedBilling", "patronGroupIdAtCheckout"] {
        remove(&mut loan, internal);
    }
    for field in view.computed {
        set_some(&mut loan, field, time(view.loan, &[field]).map(own_time));
    }
    if let Some(item) = view.item {
        set(&mut loan, "item", item_summary(item, view.service_points));
    }
    for (flag, holds) in [
        ("dueDateChangedByHold", view.due_date_changed_by_hold),
        ("dueDateChangedByNearExpireUser", view.due_date_changed_by_near_expire_user),
    ] {
        if holds {
            set(&mut loan, flag, true);
        }
    }
    if view.with_service_points {
        add_service_point(&mut loan, view, "checkinServicePointId", "checkinServicePoint");
        add_service_point(&mut loan, view, "checkoutServicePointId", "checkoutServicePoint");
    }
    if let Some(borrower) = view.borrower {
        set(&mut loan, "borrower", borrower_summary(borrower));
    }
    if let Some(group) = view.patron_group_at_checkout {
        set(&mut loan, "patronGroupAtCheckout", json!({"id": group.id, "name": group.name}));
    }
    add_policies(&mut loan, view.policies);
    set(&mut loan, "feesAndFines", json!({"amountRemainingToPay": view.amount_remaining_to_pay}));
    loan
}

fn borrower_summary(borrower: &Patron) -> Value {
    let personal = |field: &'static str| (field, borrower.personal(field).map(Value::from));
    whole_object([
        personal("firstName"),
        personal("lastName"),
        personal("middleName"),
        ("barcode", borrower.barcode().map(Value::from)),
    ])
}

fn add_service_point(loan: &mut Value, view: &LoanView<'_>, id_key: &str, key: &str) {
    let Some(record) = text(loan, &[id_key]).and_then(|id| view.service_points.get(id)) else {
        return;
    };
    set(loan, key, service_point_summary(record));
}

fn add_policies(loan: &mut Value, policies: &Policies) {
    let id = |key: &str| text(loan, &[key]);
    let loan_policy = id("loanPolicyId").and_then(|id| policies.loan.get(id));
    let overdue = id("overdueFinePolicyId").and_then(|id| policies.overdue_fine.get(id));
    let lost = id("lostItemPolicyId").and_then(|id| policies.lost_item.get(id));
    let blocks_renewal = overdue
        .filter(|policy| policy.reminders().is_some())
        .filter(|_| at(loan, &["reminders", "lastFeeBilled", "number"]).is_some())
        .map(|policy| policy.forbids_renewal_after_reminders());
    let names = object([
        ("loanPolicy", Some(json!({"name": loan_policy.map(|policy| &policy.name)}))),
        ("overdueFinePolicy", Some(json!({"name": overdue.and_then(|policy| policy.name.as_ref())}))),
        ("lostItemPolicy", Some(json!({"name": lost.and_then(|policy| policy.name.as_ref())}))),
    ]);
    if let (Value::Object(fields), Value::Object(names)) = (&mut *loan, names) {
        fields.extend(names);
    }
    if let (Some(blocks), Some(reminders)) = (blocks_renewal, loan.get_mut("reminders")) {
        set(reminders, "renewalBlocked", blocks);
    }
}
