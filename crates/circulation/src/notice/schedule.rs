//! Scheduled notices as records, with the times at which they are due.

use jiff::Timestamp;
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use crate::document::set_some;
use crate::plan::{NoticeReason, NoticeSubject, Scheduled};
use crate::policy::{ConfiguredNotice, NoticePolicy};

/// The occasion of notices: the event and its instant, the subject and the recipient.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoticeOccasion<'a> {
    pub(super) event: &'a str,
    pub(super) at: Timestamp,
    pub(super) recipient_id: &'a str,
    pub(super) about: &'a NoticeSubject,
    /// The visit at whose end the notices are written together.
    pub(super) session_id: Option<&'a str>,
}

/// The notices of a policy. If notices were sent until `since`, recurring ones continue, and of the others only later ones are scheduled.
pub(super) fn schedule(
    policy: &NoticePolicy,
    because: &NoticeReason,
    matter: NoticeOccasion<'_>,
    since: Option<Timestamp>,
) -> Vec<Scheduled> {
    let notice = |configured: &ConfiguredNotice| {
        let next = match since {
            None => configured.first_run(matter.at)?,
            Some(since) => configured.run_after(matter.at, since)?,
        };
        Some(Scheduled { record: record(configured, matter, next), because: because.clone() })
    };
    policy.notices_upon(matter.event).filter_map(notice).collect()
}

fn record(configured: &ConfiguredNotice, matter: NoticeOccasion<'_>, next: Timestamp) -> Value {
    let NoticeOccasion { event, recipient_id, about, session_id, .. } = matter;
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
    set_some(&mut record, "sessionId", session_id);
    set_some(&mut record, "loanId", about.loan_id.as_deref());
    set_some(&mut record, "requestId", about.request_id.as_deref());
    set_some(&mut record, "feeFineActionId", about.fee_fine_action_id.as_deref());
    if let Some(period) = configured.recurring_period() {
        record["noticeConfig"]["recurringPeriod"] =
            json!({"duration": period.duration, "intervalId": period.interval_id});
    }
    record
}
