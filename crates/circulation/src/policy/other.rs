//! The policies of which this slice needs little: names, and what decides about renewals and requests.

use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OverdueFinePolicy {
    pub id: String,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    reminder_fees_policy: Option<ReminderFeesPolicy>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReminderFeesPolicy {
    reminder_schedule: Vec<serde_json::Value>,
    allow_renewal_of_items_with_reminder_fees: Option<FlexibleFlag>,
}

/// The flag is a boolean in the schema, but older records hold it as text.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum FlexibleFlag {
    Flag(bool),
    Text(String),
}

impl OverdueFinePolicy {
    pub fn charges_reminder_fees(&self) -> bool {
        self.reminder_fees_policy.as_ref().is_some_and(|policy| !policy.reminder_schedule.is_empty())
    }

    /// Of loans for which a reminder was billed.
    pub fn allows_renewal_after_reminders(&self) -> bool {
        let flag = self
            .reminder_fees_policy
            .as_ref()
            .and_then(|policy| policy.allow_renewal_of_items_with_reminder_fees.as_ref());
        match flag {
            Some(FlexibleFlag::Flag(flag)) => *flag,
            Some(FlexibleFlag::Text(text)) => text == "true",
            None => false,
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPolicy {
    pub id: String,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub request_types: Vec<String>,
}

impl RequestPolicy {
    pub fn allows(&self, request_type: &str) -> bool {
        self.request_types.iter().any(|allowed| allowed == request_type)
    }
}
