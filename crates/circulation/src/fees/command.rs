//! The commands about fees: the bodies of mod-feesfines' requests.

use octavo_kernel::{Fault, Kind};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::{set, set_some};

/// The accounts that a request is about: of `/accounts/{id}/...`, or of `/accounts-bulk/...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedAccounts {
    One(String),
    Several(Vec<String>),
}

/// The amount, as the client wrote it.
#[derive(Debug, Clone)]
pub struct Amount {
    pub accounts: NamedAccounts,
    pub text: String,
}

/// Pay, waive, transfer or refund.
#[derive(Debug, Clone)]
pub struct Settlement {
    pub amount: Amount,
    pub details: Details,
}

#[derive(Debug, Clone)]
pub struct Cancellation {
    pub accounts: NamedAccounts,
    /// `Cancelled as error`, if none is given.
    pub reason: Option<String>,
    pub details: Details,
}

/// The members that the records of actions take unchanged.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    pub comments: Option<String>,
    pub transaction_info: Option<String>,
    pub notify_patron: bool,
    pub service_point_id: Option<String>,
    pub user_name: Option<String>,
    pub payment_method: Option<String>,
}

impl NamedAccounts {
    pub fn ids(&self) -> &[String] {
        match self {
            NamedAccounts::One(id) => std::slice::from_ref(id),
            NamedAccounts::Several(ids) => ids,
        }
    }

    /// Names the accounts in an answer.
    pub(super) fn add_account_ids(&self, answer: &mut Value) {
        match self {
            NamedAccounts::One(id) => set(answer, "accountId", id.as_str()),
            NamedAccounts::Several(ids) => set(answer, "accountIds", json!(ids)),
        }
    }

    /// 422 in the form of these operations.
    pub(super) fn refused(&self, amount: Option<&str>, message: &str) -> Fault {
        Fault::json(Kind::Refused.status(), self.failure(amount, message))
    }

    pub(super) fn failure(&self, amount: Option<&str>, message: &str) -> Value {
        let mut body = json!({"errorMessage": message});
        self.add_account_ids(&mut body);
        set_some(&mut body, "amount", amount);
        body
    }
}

impl Details {
    /// The members of an action's record that come from the request.
    pub(super) fn action_members(&self) -> Value {
        let mut action = json!({"notify": self.notify_patron});
        set_some(&mut action, "comments", self.comments.as_deref());
        set_some(&mut action, "transactionInformation", self.transaction_info.as_deref());
        set_some(&mut action, "createdAt", self.service_point_id.as_deref());
        set_some(&mut action, "source", self.user_name.as_deref());
        set_some(&mut action, "paymentMethod", self.payment_method.as_deref());
        action
    }
}
