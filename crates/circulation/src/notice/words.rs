//! The values for the template of a notice, about patron, item, loan, request and fee.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::document::{computed_time, object, set, set_some, text, time, value_at};
use crate::facts::{Item, Patron, PersonNames, QueuedRequest};
use crate::fees::comment_for;
use crate::policy::{LoanPolicy, Policies};
use crate::view::staff_slip::{StaffSlip, item_context, request_context, title_context, user_context};

/// The subject of a notice with its records. The values of a record that is `None` are left out.
#[derive(Debug, Clone, Copy)]
pub struct TemplateRecords<'a> {
    pub now: Timestamp,
    pub user: Option<&'a Patron>,
    pub item: Option<&'a Item>,
    /// The title of a request without an item, as an item that has nothing else.
    pub title: Option<&'a Item>,
    pub loan: Option<&'a Value>,
    /// The last comment of staff for the patron about the loan.
    pub patron_comment: Option<&'a str>,
    pub request: Option<&'a QueuedRequest>,
    /// The public description of the request's cancellation reason.
    pub cancellation_reason: Option<&'a str>,
    pub account: Option<&'a Value>,
    /// The action that the notice is about, if it is not about the charge.
    pub action: Option<&'a Value>,
    /// The action that charged the account.
    pub charge: Option<&'a Value>,
    pub policies: &'a Policies,
    pub service_points: &'a HashMap<String, Value>,
    pub person_names: &'a PersonNames,
}

/// `user`, `item`, `loan`, `request`, `feeCharge` and `feeAction`.
pub fn template_context(about: &TemplateRecords<'_>) -> Value {
    let mut words = json!({});
    let nothing = Item::default();
    let slip = StaffSlip {
        now: about.now,
        item: about.item.unwrap_or(&nothing),
        request: about.request,
        from_service_point_id: None,
        service_points: about.service_points,
        person_names: about.person_names,
    };
    if let Some(user) = about.user {
        set(&mut words, "user", user_context(user, None, about.person_names));
    }
    match (about.item, about.title) {
        (Some(item), _) => set(&mut words, "item", item_context(item, &slip)),
        (None, Some(title)) => set(&mut words, "item", title_context(title)),
        (None, None) => {}
    }
    if let Some(loan) = about.loan {
        set(&mut words, "loan", loan_context(loan, about.patron_comment, about.policies));
    }
    if let Some(request) = about.request {
        let mut request_words = Value::from(request_context(request, &slip));
        let reason = text(&request.record, &["cancellationAdditionalInformation"]);
        set_some(&mut request_words, "additionalInfo", reason);
        set_some(&mut request_words, "reasonForCancellation", about.cancellation_reason);
        set(&mut words, "request", request_words);
    }
    if let Some(account) = about.account {
        set(&mut words, "feeCharge", charge_context(account, about.charge));
        for (word, member) in OF_ITEM_AND_ACCOUNT {
            let own = text(account, &[member]).filter(|_| value_at(&words, &["item", word]).is_none());
            if let Some(own) = own {
                words["item"][word] = own.into();
            }
        }
    }
    if let (Some(action), Some(_)) = (about.action, about.account) {
        set(&mut words, "feeAction", action_context(action));
    }
    words
}

/// The words about an item that an account keeps, with its members: for items that are no longer there, or that have no such word.
const OF_ITEM_AND_ACCOUNT: [(&str, &str); 5] = [
    ("barcode", "barcode"),
    ("title", "title"),
    ("callNumber", "callNumber"),
    ("effectiveLocationSpecific", "location"),
    ("materialType", "materialType"),
];

fn loan_context(loan: &Value, told_patron: Option<&str>, policies: &Policies) -> Value {
    let taken = value_at(loan, &["renewalCount"]).and_then(Value::as_i64).unwrap_or(0);
    let policy = text(loan, &["loanPolicyId"]).and_then(|id| policies.loan.get(id));
    let (allowed, remaining) = policy.map_or_else(Default::default, |policy| renewals(policy, taken));
    object([
        ("initialBorrowDate", date(loan, &["loanDate"])),
        ("dueDate", date(loan, &["dueDate"])),
        ("checkedInDate", date(loan, &["returnDate"])),
        ("numberOfRenewalsTaken", Some(taken.to_string().into())),
        ("numberOfRenewalsAllowed", Some(allowed.into())),
        ("numberOfRenewalsRemaining", Some(remaining.into())),
        ("additionalInfo", told_patron.map(Value::from)),
    ])
}

fn renewals(policy: &LoanPolicy, taken: i64) -> (String, String) {
    let renewals = &policy.renewals_policy;
    if policy.renewable && renewals.unlimited {
        return ("unlimited".to_owned(), "unlimited".to_owned());
    }
    let allowed = renewals.number_allowed.filter(|_| policy.renewable).unwrap_or(0.0) as i64;
    (allowed.to_string(), (allowed - taken).max(0).to_string())
}

/// An account, with the comment for the patron of its charge.
fn charge_context(account: &Value, charge: Option<&Value>) -> Value {
    let charged = date(account, &["metadata", "createdDate"]);
    object([
        ("owner", owned_member(account, "feeFineOwner")),
        ("type", owned_member(account, "feeFineType")),
        ("paymentStatus", text(account, &["paymentStatus", "name"]).map(Value::from)),
        ("amount", money(account, "amount")),
        ("remainingAmount", money(account, "remaining")),
        ("chargeDate", charged.clone()),
        ("chargeDateTime", charged),
        ("additionalInfo", charge.map(|charge| comment_for(charge, "PATRON").into())),
    ])
}

fn action_context(action: &Value) -> Value {
    let done = date(action, &["dateAction"]);
    object([
        ("type", owned_member(action, "typeAction")),
        ("actionDate", done.clone()),
        ("actionDateTime", done),
        ("amount", money(action, "amountAction")),
        ("remainingAmount", money(action, "balance")),
        ("additionalInfo", Some(comment_for(action, "PATRON").into())),
    ])
}

fn owned_member(record: &Value, name: &str) -> Option<Value> {
    text(record, &[name]).map(Value::from)
}

fn money(record: &Value, name: &str) -> Option<Value> {
    record.get(name).and_then(Value::as_f64).map(|amount| format!("{amount:.2}").into())
}

fn date(record: &Value, path: &[&str]) -> Option<Value> {
    time(record, path).map(|at| computed_time(at).into())
}
