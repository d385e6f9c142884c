//! The time of the next reminder of a loan.

use jiff::{SignedDuration, Timestamp, ToSpan, Unit};
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use super::reminder_reason;
use crate::closed_library::ServicePointHours;
use crate::document::{text, value_at};
use crate::plan::{Scheduled, event};
use crate::policy::{Format, OverdueFinePolicy, Timing};

impl ServicePointHours<'_> {
    /// Whether the service point is open on the day of the instant; one without opening hours is always open.
    pub(super) fn is_open(&self, at: Timestamp) -> bool {
        self.days_until_open(at) == Some(0)
    }

    /// `None` if the calendar has no open day from then on.
    fn days_until_open(&self, at: Timestamp) -> Option<i64> {
        let date = at.to_zoned(self.zone.clone()).date();
        let Some(openings) = self.openings(date) else { return Some(0) };
        if openings.requested.open {
            return Some(0);
        }
        let days = openings.next.date.since((Unit::Day, date)).map_or(0, |span| i64::from(span.get_days()));
        openings.next.open.then_some(days)
    }

    /// The same time on the next open day. If the calendar has none yet, the job waits for one.
    fn move_to_open_day(&self, at: Timestamp) -> Timestamp {
        let days = self.days_until_open(at).unwrap_or(0);
        at.checked_add(SignedDuration::from_hours(24 * days)).unwrap_or(at)
    }
}

pub(crate) struct NextReminder {
    pub(crate) at: Timestamp,
    pub(crate) notice: Scheduled,
}

/// The reminder after those that a loan has had. `from` is the due date, or when the last reminder was sent: of that FOLIO keeps
/// the hour alone.
pub(crate) fn next_reminder(
    policy: &OverdueFinePolicy,
    loan: &Value,
    from: Timestamp,
    place: ServicePointHours<'_>,
    follows_another: bool,
) -> Option<NextReminder> {
    let reminders = policy.reminders()?;
    let had = value_at(loan, &["reminders", "lastFeeBilled", "number"]).and_then(Value::as_i64).unwrap_or(0);
    let reminder = reminders.reminder(had + 1)?;
    let mut due = reminder.due_after(from)?;
    if !reminders.counts_closed_days() {
        due = place.move_to_open_day(due);
    }
    if follows_another {
        let past_the_hour = due.as_millisecond().rem_euclid(3_600_000).milliseconds();
        due = due.checked_sub(past_the_hour).unwrap_or(due);
    }
    let record = json!({
        "loanId": text(loan, &["id"])?,
        "recipientUserId": text(loan, &["userId"])?,
        "nextRunTime": folio_time(due),
        "triggeringEvent": event::REMINDER,
        "noticeConfig": {
            "timing": Timing::After,
            "templateId": reminder.template_id()?,
            // Storage requires a format; the policy is read again when the notice is due.
            "format": reminder.format().unwrap_or(Format::Email),
            "sendInRealTime": true,
        },
    });
    Some(NextReminder { at: due, notice: Scheduled { record, because: reminder_reason(policy) } })
}
