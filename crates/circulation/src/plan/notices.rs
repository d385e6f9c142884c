//! The patron notices of a plan: to be written at once, later, or no longer.

use serde::Serialize;
use serde_json::Value;

use crate::policy::Format;

/// A notice that is to be written at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// FOLIO's name of the event, such as `Renewed`.
    pub event: String,
    #[serde(flatten)]
    pub because: NoticeReason,
    pub template_id: String,
    pub format: Format,
    pub recipient_id: String,
    #[serde(flatten)]
    pub about: NoticeSubject,
}

/// A notice for later, as a record of `/scheduled-notice-storage/scheduled-notices` without an id.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scheduled {
    pub record: Value,
    pub because: NoticeReason,
}

/// Scheduled notices about a loan or request that have become void.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unscheduled {
    #[serde(flatten)]
    pub about: NoticeSubject,
    pub event: &'static str,
    /// Only those for the time of the event or later.
    pub late_only: bool,
}

impl Unscheduled {
    pub(crate) fn all(about: NoticeSubject, event: &'static str) -> Unscheduled {
        Unscheduled { about, event, late_only: false }
    }

    pub(crate) fn late(about: NoticeSubject, event: &'static str) -> Unscheduled {
        Unscheduled { about, event, late_only: true }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticeReason {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_name: Option<String>,
    /// The line of the circulation rules that set the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_line: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticeSubject {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_fine_action_id: Option<String>,
}

impl NoticeSubject {
    pub(crate) fn from_loan_id(id: &str) -> NoticeSubject {
        NoticeSubject { loan_id: Some(id.to_owned()), ..NoticeSubject::default() }
    }
}

/// FOLIO's names of the events of notices.
pub mod event {
    pub const CHECK_OUT: &str = "Check out";
    pub const CHECK_IN: &str = "Check in";
    pub const RENEWED: &str = "Renewed";
    pub const DUE_DATE: &str = "Due date";
    pub const REMINDER: &str = "Due date - with reminder fee";
    pub const DUE_DATE_CHANGED: &str = "Manual due date change";
    pub const RECALLED: &str = "Item recalled";
    pub const AGED_TO_LOST: &str = "Aged to lost";
    pub const AGED_TO_LOST_CHARGED: &str = "Aged to lost - fine charged";
    pub const LOST_RETURNED: &str = "Aged to lost & item returned - fine adjusted";
    pub const FINE_RETURNED: &str = "Overdue fine returned";
    pub const FINE_RENEWED: &str = "Overdue fine renewed";
    pub const FEE_CHARGED: &str = "Fee/fine charge";
    pub const FEE_ACTION: &str = "Fee/fine action";
    pub const PAGING: &str = "Paging request";
    pub const HOLD: &str = "Hold request";
    pub const RECALL: &str = "Recall request";
    pub const CANCELLED: &str = "Request cancellation";
    pub const AVAILABLE: &str = "Available";
    pub const REQUEST_EXPIRATION: &str = "Request expiration";
    pub const HOLD_EXPIRATION: &str = "Hold expiration";
    pub const TITLE_EXPIRATION: &str = "Title level request expiration";
}
