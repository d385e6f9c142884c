//! Fees and fines as stored: an account is one fee or fine, each action on it is a record.

use serde_json::Value;

use super::Loan;
use crate::Money;
use crate::document::{text, texts};
use crate::status::OpenOrClosed;

/// A record of `/accounts`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Account {
    pub record: Value,
}

/// A record of `/feefineactions`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeeFineAction {
    pub record: Value,
}

impl Account {
    texts! {}

    pub fn remaining(&self) -> Money {
        Money::read(&self.record["remaining"]).unwrap_or_default()
    }

    pub(crate) fn is_closed(&self) -> bool {
        text(&self.record, &["status", "name"]).and_then(OpenOrClosed::read) == Some(OpenOrClosed::Closed)
    }
}

impl FeeFineAction {
    pub(crate) fn account_id(&self) -> &str {
        text(&self.record, &["accountId"]).unwrap_or_default()
    }

    pub(crate) fn kind(&self) -> &str {
        text(&self.record, &["typeAction"]).unwrap_or_default()
    }

    pub(crate) fn amount(&self) -> Money {
        Money::read(&self.record["amountAction"]).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Default)]
pub struct LostFees {
    /// The loan of the fees: the item's open one, or its last.
    pub loan: Option<Loan>,
    /// All accounts of the loan, locked.
    pub accounts: Vec<Account>,
    /// All actions on them, the oldest first.
    pub actions: Vec<FeeFineAction>,
    /// The actual cost records of the loan, the newest loss first.
    pub actual_costs: Vec<Value>,
    /// Ids for the actions that may be recorded, two for each account and two for each action.
    pub fresh_ids: Vec<String>,
}
