//! Letters for later: when each is due, as the record that waits for it.

use jiff::Timestamp;
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use super::policy::{Configured, NoticePolicy};
use super::{About, Because, Scheduled};
use crate::document::set_some;

/// The letters about an instant that a policy wants.
pub(super) fn schedule(
    policy: &NoticePolicy,
    because: &Because,
    event: &str,
    at: Timestamp,
    recipient_id: &str,
    about: &About,
) -> Vec<Scheduled> {
    let letter = |configured: &Configured| {
        let next = configured.first_run(at)?;
        let record = record(configured, event, next, recipient_id, about);
        Some(Scheduled { record, because: because.clone() })
    };
    policy.upon(event).filter_map(letter).collect()
}

fn record(configured: &Configured, event: &str, next: Timestamp, recipient_id: &str, about: &About) -> Value {
    let mut record = json!({
        "recipientUserId": recipient_id,
        "nextRunTime": folio_time(next),
        "triggeringEvent": event,
        "noticeConfig": {
            "timing": configured.timing(),
            "templateId": configured.template_id,
            "format": configured.format,
            "sendInRealTime": configured.real_time,
        },
    });
    set_some(&mut record, "loanId", about.loan_id.as_deref());
    set_some(&mut record, "requestId", about.request_id.as_deref());
    set_some(&mut record, "feeFineActionId", about.fee_fine_action_id.as_deref());
    if let Some(period) = configured.repeats() {
        record["noticeConfig"]["recurringPeriod"] =
            json!({"duration": period.duration, "intervalId": period.interval_id});
    }
    record
}
