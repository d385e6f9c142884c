//! Accounts and requests for tests.

use serde_json::json;

use super::FeeFacts;
use super::command::{Amount, Details, NamedAccounts, Settlement};
use crate::facts::{Account, FeeFineAction};
use crate::plan::{Plan, RecordKind, Write};

/// Open accounts `a0`, `a1`, ... with these amounts, of which nothing has been paid.
pub(super) fn charged(amounts: &[f64]) -> FeeFacts {
    let account = |(at, amount): (usize, &f64)| Account {
        record: json!({"id": format!("a{at}"), "userId": "ada", "feeFineId": "type", "ownerId": "owner",
            "loanId": "loan-1", "amount": amount, "remaining": amount, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "shelfMark": "kept"}),
    };
    let facts = FeeFacts {
        now: crate::desk::NOW.parse().unwrap(),
        acting_user_id: Some("clerk".into()),
        accounts: amounts.iter().enumerate().map(account).collect(),
        actions: Vec::new(),
        fresh_ids: Vec::new(),
    };
    with_ids(facts)
}

fn with_ids(mut facts: FeeFacts) -> FeeFacts {
    let count = 2 * (facts.accounts.len() + facts.actions.len());
    facts.fresh_ids = (0..count).map(|at| format!("action-{}-{at}", facts.actions.len())).collect();
    facts
}

/// The facts after the plan was carried out.
pub(super) fn facts_after_plan(mut facts: FeeFacts, plan: &Plan) -> FeeFacts {
    for write in &plan.writes {
        match write {
            Write::Update { record: RecordKind::Account, id, document } => {
                let account = facts.accounts.iter_mut().find(|account| account.id() == id).unwrap();
                account.record = serde_json::Value::clone(document);
            }
            Write::Insert { record: RecordKind::FeeFineAction, document, .. } => {
                facts.actions.push(FeeFineAction { record: serde_json::Value::clone(document) });
            }
            other => panic!("nobody asked for {other:?}"),
        }
    }
    with_ids(facts)
}

pub(super) fn one_account(at: usize) -> NamedAccounts {
    NamedAccounts::One(format!("a{at}"))
}

pub(super) fn all_accounts(facts: &FeeFacts) -> NamedAccounts {
    NamedAccounts::Several(facts.accounts.iter().map(|account| account.id().to_owned()).collect())
}

pub(super) fn amount(named: NamedAccounts, text: &str) -> Amount {
    Amount { accounts: named, text: text.to_owned() }
}

pub(super) fn settlement(named: NamedAccounts, text: &str) -> Settlement {
    settlement_by(named, text, "Cash")
}

/// The payment method of a transfer is the account that it goes to.
pub(super) fn settlement_by(named: NamedAccounts, text: &str, method: &str) -> Settlement {
    let details = Details {
        comments: Some("STAFF : fine".into()),
        transaction_info: Some("check 7".into()),
        notify_patron: true,
        service_point_id: Some("desk-1".into()),
        user_name: Some("Clerk, Carla".into()),
        payment_method: Some(method.into()),
    };
    Settlement { amount: amount(named, text), details }
}
