//! The words of a letter: what its template may say about patron, item, loan, request and fee.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::document::{at, object, own_time, set, set_some, text, time};
use crate::facts::{Item, Patron, QueuedRequest};
use crate::policy::{LoanPolicy, Policies};
use crate::view::staff_slip::{StaffSlip, item_words, request_words, user_words};

/// What a letter is about, with everything around it. What is `None` is left out.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    pub now: Timestamp,
    pub user: Option<&'a Patron>,
    pub item: Option<&'a Item>,
    pub loan: Option<&'a Value>,
    pub request: Option<&'a QueuedRequest>,
    /// The name of the request's cancellation reason.
    pub cancellation_reason: Option<&'a str>,
    pub account: Option<&'a Value>,
    pub action: Option<&'a Value>,
    pub policies: &'a Policies,
    /// Service point records by id.
    pub service_points: &'a HashMap<String, Value>,
}

/// `user`, `item`, `loan`, `request`, `feeCharge` and `feeAction`.
pub fn words(about: &Words<'_>) -> Value {
    let mut words = json!({});
    let nothing = Item::default();
    let slip = StaffSlip {
        now: about.now,
        item: about.item.unwrap_or(&nothing),
        request: about.request,
        from_service_point_id: None,
        service_points: about.service_points,
    };
    if let Some(user) = about.user {
        set(&mut words, "user", user_words(user, None));
    }
    if let Some(item) = about.item {
        set(&mut words, "item", item_words(item, &slip));
    }
    if let Some(loan) = about.loan {
        set(&mut words, "loan", loan_words(loan, about.policies));
    }
    if let Some(request) = about.request {
        let mut request_words = Value::from(request_words(request, &slip));
        let reason = text(&request.record, &["cancellationAdditionalInformation"]);
        set_some(&mut request_words, "additionalInfo", reason);
        set_some(&mut request_words, "reasonForCancellation", about.cancellation_reason);
        if about.item.is_none() {
            set(&mut words, "item", title_words(&request.record));
        }
        set(&mut words, "request", request_words);
    }
    if let Some(account) = about.account {
        set(&mut words, "feeCharge", fee_words(account, None));
    }
    if let (Some(action), Some(account)) = (about.action, about.account) {
        set(&mut words, "feeAction", fee_words(account, Some(action)));
    }
    words
}

/// `item` and `loan` of one loan among several.
pub fn loan_of(about: &Words<'_>) -> Value {
    let mut words = words(about);
    crate::document::remove(&mut words, "user");
    words
}

/// A request that is for no item yet knows its title all the same.
fn title_words(request: &Value) -> Value {
    let contributors = at(request, &["instance", "contributorNames"]).and_then(Value::as_array);
    let names: Vec<&str> =
        contributors.into_iter().flatten().filter_map(|contributor| text(contributor, &["name"])).collect();
    object([
        ("title", text(request, &["instance", "title"]).map(Value::from)),
        ("primaryContributor", names.first().map(|name| Value::from(*name))),
        ("allContributors", Some(names.join("; ").into())),
    ])
}

fn loan_words(loan: &Value, policies: &Policies) -> Value {
    let date = |name: &str| time(loan, &[name]).map(|at| own_time(at).into());
    let taken = at(loan, &["renewalCount"]).and_then(Value::as_i64).unwrap_or(0);
    let policy = text(loan, &["loanPolicyId"]).and_then(|id| policies.loan.get(id));
    let (allowed, remaining) = policy.map_or_else(Default::default, |policy| renewals(policy, taken));
    let info = text(loan, &["action"]).filter(|action| *action == "patronInfoAdded");
    object([
        ("initialBorrowDate", date("loanDate")),
        ("dueDate", date("dueDate")),
        ("checkedInDate", date("returnDate")),
        ("numberOfRenewalsTaken", Some(taken.to_string().into())),
        ("numberOfRenewalsAllowed", Some(allowed.into())),
        ("numberOfRenewalsRemaining", Some(remaining.into())),
        ("additionalInfo", info.and_then(|_| text(loan, &["actionComment"])).map(Value::from)),
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

/// An account, or something that was done about it.
pub fn fee_words(account: &Value, action: Option<&Value>) -> Value {
    let own = |record: &Value, name: &str| text(record, &[name]).map(Value::from);
    let money = |record: &Value, name: &str| {
        record.get(name).and_then(Value::as_f64).map(|amount| Value::from(format!("{amount:.2}")))
    };
    let date = |record: &Value, path: &[&str]| time(record, path).map(|at| Value::from(own_time(at)));
    match action {
        Some(action) => object([
            ("type", own(action, "typeAction")),
            ("actionDate", date(action, &["dateAction"])),
            ("amount", money(action, "amountAction")),
            ("remainingAmount", money(action, "balance")),
            ("additionalInfo", own(action, "comments")),
        ]),
        None => object([
            ("owner", own(account, "feeFineOwner")),
            ("type", own(account, "feeFineType")),
            ("paymentStatus", text(account, &["paymentStatus", "name"]).map(Value::from)),
            ("amount", money(account, "amount")),
            ("remainingAmount", money(account, "remaining")),
            ("chargeDate", date(account, &["metadata", "createdDate"])),
            ("additionalInfo", None),
        ]),
    }
}
