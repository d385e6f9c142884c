//! The changes of accounts by a decision about fees, each with an action.

use jiff::Timestamp;
use octavo_kernel::{Fault, Outcome, json_text};
use serde_json::{Value, json};

use super::command::NamedAccounts;
use crate::Money;
use crate::document::{set, set_metadata, set_some, set_time};
use crate::facts::{Account, FeeFineAction};
use crate::plan::{Plan, RecordKind};
use crate::status::OpenOrClosed;
use crate::trace::Step;

#[derive(Debug, Clone)]
pub struct FeeFacts {
    pub now: Timestamp,
    pub acting_user_id: Option<String>,
    /// The accounts that the request names and that exist, locked.
    pub accounts: Vec<Account>,
    /// For refunds: all actions on them, the oldest first.
    pub actions: Vec<FeeFineAction>,
    /// Ids for the actions that may be recorded, two for each account and two for each action.
    pub fresh_ids: Vec<String>,
}

impl FeeFacts {
    /// The accounts in the order in which the request names them, each once.
    pub(super) fn named_accounts(&self, named: &NamedAccounts) -> Outcome<Vec<&Account>> {
        let mut found: Vec<&Account> = Vec::new();
        for id in named.ids() {
            let account = self.accounts.iter().find(|account| account.id().eq_ignore_ascii_case(id));
            let account =
                account.ok_or_else(|| Fault::not_found_with(format!("Fee/fine ID {id} not found")))?;
            if !found.contains(&account) {
                found.push(account);
            }
        }
        Ok(found)
    }
}

/// The changed accounts, while actions on them are recorded.
pub(super) struct Ledger<'a> {
    facts: &'a FeeFacts,
    ids: std::slice::Iter<'a, String>,
    pub(super) plan: Plan,
    actions: Vec<Value>,
}

/// An action with the balance after it.
pub(super) struct Entry<'a> {
    pub(super) kind: &'a str,
    pub(super) amount: Value,
    pub(super) balance: Money,
    pub(super) notifies: bool,
    /// The other members of the record.
    pub(super) details: Value,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(facts: &'a FeeFacts) -> Ledger<'a> {
        Ledger { facts, ids: facts.fresh_ids.iter(), plan: Plan::default(), actions: Vec::new() }
    }

    /// Records an action; `account` takes its balance and names it as payment status.
    pub(super) fn record(&mut self, account: &mut Account, entry: &Entry<'_>) -> Outcome<()> {
        let id = self.ids.next().ok_or_else(|| Fault::internal("there are too few ids for the actions"))?;
        let mut action = entry.details.clone();
        for (key, value) in [
            ("id", json!(id)),
            ("accountId", account.record["id"].clone()),
            ("userId", account.record["userId"].clone()),
            ("typeAction", json!(entry.kind)),
            ("amountAction", entry.amount.clone()),
            ("balance", entry.balance.to_json()),
        ] {
            set(&mut action, key, value);
        }
        set_time(&mut action, "dateAction", self.facts.now);
        set(&mut account.record, "remaining", entry.balance.to_json());
        set(&mut account.record, "paymentStatus", json!({"name": entry.kind}));
        self.plan.insert(RecordKind::FeeFineAction, id, action.clone());
        self.plan.notified_actions.extend(entry.notifies.then(|| id.clone()));
        self.plan.add_step(Step::FeeFineAction {
            account_id: account.id().to_owned(),
            action: entry.kind.to_owned(),
            amount: entry.amount.to_string(),
            balance: entry.balance.to_string(),
        });
        self.actions.push(action);
        Ok(())
    }

    /// Writes the account after its last action.
    pub(super) fn settle(&mut self, mut account: Account, status: OpenOrClosed) {
        set(&mut account.record, "status", json!({"name": status}));
        set_metadata(&mut account.record, self.facts.now, self.facts.acting_user_id.as_deref());
        self.plan.publish_change(&account.record);
        self.plan.update(RecordKind::Account, account.id(), account.record.clone());
    }

    /// FOLIO's answer: the actions, the amount and, for a single account, the remaining amount.
    pub(super) fn into_plan(
        mut self,
        named: &NamedAccounts,
        amount: Option<Money>,
        remaining: Option<Money>,
    ) -> Plan {
        let mut response = json!({"feefineactions": self.actions});
        named.add_account_ids(&mut response);
        set_some(&mut response, "amount", amount.map(|amount| amount.to_string()));
        if matches!(named, NamedAccounts::One(_)) {
            set_some(&mut response, "remainingAmount", remaining.map(|remaining| remaining.to_string()));
        }
        self.plan.response = json_text(&response);
        self.plan
    }
}
