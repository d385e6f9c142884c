//! Accounts that clients write as records: events about the changes are published, and closing the last fee of a lost item ends its loan.

use serde_json::{Value, json};

use super::FeeFacts;
use crate::Money;
use crate::document::{set, set_metadata, set_some, text};
use crate::facts::Account;
use crate::plan::{Plan, RecordKind};
use crate::status::OpenOrClosed;

const BALANCE_CHANGED: &str = "FEE_FINE_BALANCE_CHANGED";

/// The event about what is owed on an account: its name and its payload.
pub fn balance_changed(account: &Value) -> (&'static str, Value) {
    let mut payload = json!({"feeFineId": account["id"], "balance": account["remaining"]});
    for (name, member) in [("userId", "userId"), ("feeFineTypeId", "feeFineId"), ("loanId", "loanId")] {
        set_some(&mut payload, name, text(account, &[member]));
    }
    (BALANCE_CHANGED, payload)
}

/// The loan of a fee that is closed with nothing left to pay: the loan may end with it.
pub(crate) fn loan_of_closed_account(account: &Value) -> Option<&str> {
    let is_settled = OpenOrClosed::Closed.is_of(account) && account["remaining"].as_f64() == Some(0.0);
    text(account, &["loanId"]).filter(|_| is_settled)
}

impl Plan {
    /// Publishes the events about an account that is changed.
    pub(super) fn publish_change(&mut self, account: &Value) {
        let (name, payload) = balance_changed(account);
        self.publish(name, payload);
        if let Some(loan) = loan_of_closed_account(account) {
            self.publish_closed_fee(loan, &account["id"]);
        }
    }

    /// `fee` is null if the cost of a lost item is not billed.
    pub(crate) fn publish_closed_fee(&mut self, loan: &str, fee: &Value) {
        self.publish("LOAN_RELATED_FEE_FINE_CLOSED", json!({"loanId": loan, "feeFineId": fee}));
    }
}

/// `PUT /accounts/{id}` of the account `stored`.
pub fn replace_account(facts: &FeeFacts, stored: &Account, record: &Value) -> Plan {
    let mut record = record.clone();
    set(&mut record, "id", stored.id());
    set_some(&mut record, "metadata", stored.record.get("metadata").cloned());
    set_metadata(&mut record, facts.now, facts.acting_user_id.as_deref());
    let mut plan = Plan::default();
    plan.publish_change(&record);
    plan.update(RecordKind::Account, stored.id(), record);
    plan
}

/// `DELETE /accounts/{id}`. Nothing is owed any more.
pub fn delete_account(stored: &Account) -> Plan {
    let mut plan = Plan::default();
    let (name, payload) = balance_changed(&json!({"id": stored.id(), "remaining": Money::ZERO.to_json()}));
    plan.publish(name, payload);
    plan.delete(RecordKind::Account, stored.id());
    plan
}
