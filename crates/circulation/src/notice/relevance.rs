//! Decides about a scheduled notice that is due: it is written, it waits, or it has become void.

use jiff::Timestamp;
use octavo_kernel::parse_time;
use serde_json::Value;

use crate::document::{text, time};
use crate::fees::{ACTUAL_COST_FEE, LOST_ITEM_FEE, PROCESSING_FEE};
use crate::plan::event;
use crate::policy::{Period, shift_by_period};
use crate::request::is_closed;
use crate::status::RequestStatus::{self, Cancelled, Filled, NotYetFilled, PickupExpired};
use crate::status::{ItemStatus, OpenOrClosed};

/// The present state of the subject of a scheduled notice.
#[derive(Debug, Clone, Copy, Default)]
pub struct Subject<'a> {
    pub loan: Option<&'a Value>,
    pub item: Option<&'a Value>,
    pub request: Option<&'a Value>,
    pub account: Option<&'a Value>,
    /// The types of the fees/fines of the loan, if the notice is about ageing to lost.
    pub fee_types: &'a [String],
    pub user: Option<&'a Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeOutcome {
    /// The notice is written; the next one is due at `next_run`.
    Write { next_run: Option<Timestamp> },
    /// The next run decides again.
    Wait,
    /// It is never written.
    Drop { why: &'static str },
}

/// `scheduled` is the record of the notice.
pub fn notice_outcome(scheduled: &Value, subject: &Subject<'_>, now: Timestamp) -> NoticeOutcome {
    if subject.user.is_none() {
        return NoticeOutcome::Drop { why: "the patron is not known any more" };
    }
    let ground = match text(scheduled, &["triggeringEvent"]).unwrap_or_default() {
        event::DUE_DATE => due_date(scheduled, subject, now),
        event::AGED_TO_LOST => aged_to_lost(subject),
        event::REQUEST_EXPIRATION | event::TITLE_EXPIRATION => request(scheduled, subject, false),
        event::HOLD_EXPIRATION => request(scheduled, subject, true),
        event::FINE_RETURNED | event::FINE_RENEWED | event::AGED_TO_LOST_CHARGED => fine(subject),
        event::LOST_RETURNED => fee(subject),
        _ => Relevance::Void("notices of this kind are not sent"),
    };
    match ground {
        Relevance::Void(why) => NoticeOutcome::Drop { why },
        Relevance::NotYet => NoticeOutcome::Wait,
        Relevance::Relevant => NoticeOutcome::Write { next_run: next_run_after(scheduled, subject, now) },
    }
}

enum Relevance {
    Relevant,
    NotYet,
    Void(&'static str),
}

fn due_date(scheduled: &Value, subject: &Subject<'_>, now: Timestamp) -> Relevance {
    let Some(loan) = subject.loan else { return Relevance::Void("the loan is gone") };
    let Some(item) = subject.item else { return Relevance::Void("the item is gone") };
    let overdue = time(loan, &["dueDate"]).is_some_and(|due| due < now);
    if OpenOrClosed::Closed.is_of(loan) {
        Relevance::Void("the loan is closed")
    } else if timing(scheduled) == "Before" && overdue {
        Relevance::Void("the due date has passed")
    } else {
        match item_status(item) {
            Some(ItemStatus::DeclaredLost) => Relevance::Void("the item is declared lost"),
            Some(ItemStatus::AgedToLost) => Relevance::Void("the item counts as lost"),
            Some(ItemStatus::ClaimedReturned) => {
                Relevance::Void("the patron claims to have returned the item")
            }
            _ => Relevance::Relevant,
        }
    }
}

fn aged_to_lost(subject: &Subject<'_>) -> Relevance {
    let (Some(loan), Some(item)) = (subject.loan, subject.item) else {
        return Relevance::Void("the loan or the item is gone");
    };
    let is_for_loss =
        |kind: &String| matches!(kind.as_str(), LOST_ITEM_FEE | PROCESSING_FEE | ACTUAL_COST_FEE);
    let charged = subject.fee_types.iter().any(is_for_loss);
    let renewed = text(loan, &["action"]).is_some_and(|action| action.starts_with("renewed"));
    match item_status(item) {
        _ if OpenOrClosed::Closed.is_of(loan) => Relevance::Void("the loan is closed"),
        _ if renewed => Relevance::Void("the loan was renewed"),
        Some(ItemStatus::DeclaredLost) => Relevance::Void("the item is declared lost"),
        Some(ItemStatus::ClaimedReturned) => Relevance::Void("the patron claims to have returned the item"),
        _ if charged => Relevance::Void("the lost item is billed"),
        _ => Relevance::Relevant,
    }
}

fn item_status(item: &Value) -> Option<ItemStatus> {
    text(item, &["status", "name"]).and_then(ItemStatus::spelled)
}

/// Upon the expiration a notice waits until the request is closed. One about the hold shelf is void if the item left it otherwise.
fn request(scheduled: &Value, subject: &Subject<'_>, of_hold_shelf: bool) -> Relevance {
    let Some(request) = subject.request else { return Relevance::Void("the request is gone") };
    if text(request, &["itemId"]).is_some() && subject.item.is_none() {
        return Relevance::Void("the item is gone");
    }
    let upon = timing(scheduled) == "Upon At";
    let status = text(request, &["status"]).and_then(RequestStatus::spelled);
    let has_left_shelf = match status {
        Some(NotYetFilled) => upon,
        Some(PickupExpired) => !upon,
        _ => is_closed(request),
    };
    if of_hold_shelf && has_left_shelf {
        Relevance::Void("the item does not wait on the hold shelf any more")
    } else if !of_hold_shelf && matches!(status, Some(Filled | Cancelled)) {
        // FOLIO tells patrons of the expiration all the same.
        Relevance::Void("the request has not expired")
    } else if upon && status.is_some_and(RequestStatus::counts_as_open) {
        // The job that closes expired requests has not run yet.
        Relevance::NotYet
    } else {
        Relevance::Relevant
    }
}

fn fine(subject: &Subject<'_>) -> Relevance {
    let closed = |account: &Value| OpenOrClosed::Closed.is_of(account);
    match subject.account.is_some_and(closed) {
        true => Relevance::Void("the fee/fine is closed"),
        false => fee(subject),
    }
}

/// Notices about refunds are written for closed fees, too, because the refund mostly closes them.
fn fee(subject: &Subject<'_>) -> Relevance {
    if subject.account.is_none() {
        Relevance::Void("the fee/fine is gone")
    } else if subject.loan.is_none() || subject.item.is_none() {
        Relevance::Void("the loan or the item is gone")
    } else {
        Relevance::Relevant
    }
}

fn timing(scheduled: &Value) -> &str {
    text(scheduled, &["noticeConfig", "timing"]).unwrap_or_default()
}

/// The next run, counted from the due one. Missed runs are skipped.
fn next_run_after(scheduled: &Value, subject: &Subject<'_>, now: Timestamp) -> Option<Timestamp> {
    let period = scheduled.get("noticeConfig")?.get("recurringPeriod").filter(|period| period.is_object())?;
    let period: Period = serde_json::from_value(period.clone()).ok()?;
    let run = text(scheduled, &["nextRunTime"]).and_then(parse_time)?;
    let next = shift_by_period(run, &period, 1)
        .filter(|next| *next > now)
        .or_else(|| shift_by_period(now, &period, 1))?;
    let before = timing(scheduled) == "Before";
    let over = match subject.request {
        Some(request) => {
            let ends = ["requestExpirationDate", "holdShelfExpirationDate"];
            is_closed(request)
                || before && ends.iter().any(|end| time(request, &[end]).is_some_and(|end| next > end))
        }
        None => before && subject.loan.and_then(|loan| time(loan, &["dueDate"])).is_none_or(|due| next > due),
    };
    (!over).then_some(next)
}
