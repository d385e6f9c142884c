//! Records of the circulation log.

use serde::Serialize;
use serde_json::Value;

use crate::status::{LogAction, LogObject};

/// A record of the circulation log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Logged {
    pub object: LogObject,
    pub action: LogAction,
    /// When it was done; `None` for the time of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    pub source: Source,
    pub user_id: Option<String>,
    pub user_barcode: Option<String>,
    pub item_id: Option<String>,
    pub item_barcode: Option<String>,
    pub loan_id: Option<String>,
    /// The request or the fee/fine.
    pub about_id: Option<String>,
    pub service_point_id: Option<String>,
    pub description: String,
    /// A cancellation reason, whose description ends this one.
    pub reason_id: Option<String>,
    /// What few records have: `items`, if there are several, and further ids for `linkToIds`.
    pub more: Option<Value>,
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// The user who asked for the change.
    Caller,
    User(String),
    Named(Option<String>),
}

impl Source {
    pub fn system() -> Source {
        Source::Named(Some("System".to_owned()))
    }
}

impl Logged {
    pub fn new(object: LogObject, action: LogAction) -> Logged {
        Logged {
            object,
            action,
            at: None,
            source: Source::Caller,
            user_id: None,
            user_barcode: None,
            item_id: None,
            item_barcode: None,
            loan_id: None,
            about_id: None,
            service_point_id: None,
            description: String::new(),
            reason_id: None,
            more: None,
        }
    }
}
