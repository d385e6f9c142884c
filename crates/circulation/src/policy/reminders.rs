//! The reminder fees of an overdue fine policy (mod-feesfines 19.1, behaviour of mod-circulation 24.2): time, fee and template of each
//! reminder.
//!
//! Not read, as in FOLIO: `ignoreGracePeriodRecall`, `ignoreGracePeriodHolds`, `clearPatronBlockWhenPaid`,
//! `blockTemplateId`.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::Period;
use super::notice::{Format, shift_by_period};
use crate::Money;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RemindersPolicy {
    reminder_schedule: Vec<Reminder>,
    count_closed: Option<Value>,
    allow_renewal_of_items_with_reminder_fees: Option<Value>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reminder {
    interval: Option<i64>,
    time_unit_id: Option<String>,
    /// The fee as it is stored; it is read as a decimal amount of money.
    reminder_fee: Option<Value>,
    notice_format: Option<String>,
    notice_template_id: Option<String>,
}

/// The flags are booleans in the schema, but older records hold them as text.
fn is_set(flag: &Option<Value>) -> bool {
    flag.as_ref().is_some_and(|flag| *flag == true || *flag == "true")
}

impl RemindersPolicy {
    pub fn count(&self) -> usize {
        self.reminder_schedule.len()
    }

    /// The reminder of this number, from 1.
    pub fn reminder(&self, number: i64) -> Option<&Reminder> {
        self.reminder_schedule.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    pub fn counts_closed_days(&self) -> bool {
        is_set(&self.count_closed)
    }

    /// Whether loans may be renewed for which a reminder was billed.
    pub fn allows_renewal(&self) -> bool {
        is_set(&self.allow_renewal_of_items_with_reminder_fees)
    }
}

impl Reminder {
    /// The time of the reminder: its interval after the due date or the former reminder.
    pub fn due_after(&self, at: Timestamp) -> Option<Timestamp> {
        let unit = self.time_unit_id.as_deref()?.trim_end_matches(['s', 'S']);
        let unit = match unit.to_ascii_lowercase().as_str() {
            "minute" => "Minutes",
            "hour" => "Hours",
            "day" => "Days",
            "week" => "Weeks",
            "month" => "Months",
            _ => return None,
        };
        shift_by_period(at, &Period::new(self.interval?, unit), 1)
    }

    pub fn fee(&self) -> Option<Money> {
        self.reminder_fee.as_ref().and_then(Money::read).filter(|fee| fee.is_positive())
    }

    pub fn template_id(&self) -> Option<&str> {
        self.notice_template_id.as_deref().filter(|id| !id.is_empty())
    }

    /// `None` if the fee is charged without a notice.
    pub fn format(&self) -> Option<Format> {
        match self.notice_format.as_deref() {
            Some("None") => None,
            Some("Print") => Some(Format::Print),
            _ => Some(Format::Email),
        }
    }
}
