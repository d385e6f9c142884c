//! The patron notice policy record (mod-circulation-storage 17.2).

use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

use super::{Period, unit};
use crate::moment::utc;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NoticePolicy {
    pub id: String,
    pub name: Option<String>,
    pub loan_notices: Vec<ConfiguredNotice>,
    pub request_notices: Vec<ConfiguredNotice>,
    pub fee_fine_notices: Vec<ConfiguredNotice>,
}

/// The limit for runs that are computed: a notice each minute for a year.
const MOST_RUNS: usize = 525_600;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfiguredNotice {
    pub template_id: String,
    pub format: Format,
    #[serde(default)]
    pub real_time: bool,
    #[serde(default)]
    frequency: Option<String>,
    send_options: SendOptions,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SendOptions {
    send_when: String,
    #[serde(default)]
    send_how: Option<Timing>,
    #[serde(default)]
    send_by: Option<Period>,
    #[serde(default)]
    send_every: Option<Period>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    Email,
    #[serde(rename = "SMS")]
    Sms,
    Print,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timing {
    #[serde(rename = "Upon At")]
    UponAt,
    Before,
    After,
}

impl Format {
    /// FOLIO's delivery channel; `None` for SMS, which is in its schema but cannot be sent.
    pub fn channel(self) -> Option<&'static str> {
        match self {
            Format::Email => Some("email"),
            Format::Print => Some("mail"),
            Format::Sms => None,
        }
    }
}

impl NoticePolicy {
    /// Whether the policy has any notices.
    pub fn has_notices(&self) -> bool {
        !(self.loan_notices.is_empty() && self.request_notices.is_empty() && self.fee_fine_notices.is_empty())
    }

    /// The notice that is written at once upon an event: as in FOLIO the first that the policy has.
    pub fn first_notice_upon<'a>(&'a self, event: &'a str) -> Option<&'a ConfiguredNotice> {
        self.notices_upon(event).next()
    }

    /// The notices about an event, of all sections, because the names of events are distinct.
    pub fn notices_upon<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a ConfiguredNotice> {
        let sections = [&self.loan_notices, &self.request_notices, &self.fee_fine_notices];
        let wanted = move |notice: &&ConfiguredNotice| {
            notice.send_options.send_when == event && notice.format.channel().is_some()
        };
        sections.into_iter().flatten().filter(wanted)
    }
}

impl ConfiguredNotice {
    pub fn timing(&self) -> Timing {
        self.send_options.send_how.unwrap_or(Timing::UponAt)
    }

    /// When the first notice about an instant is due.
    pub fn first_run(&self, at: Timestamp) -> Option<Timestamp> {
        match (self.timing(), &self.send_options.send_by) {
            (Timing::UponAt, _) => Some(at),
            (Timing::Before, Some(by)) => shift_by_period(at, by, -1),
            (Timing::After, Some(by)) => shift_by_period(at, by, 1),
            (_, None) => None,
        }
    }

    /// When the first notice after `since` is due. There is no notice before an instant that has passed.
    pub(crate) fn run_after(&self, at: Timestamp, since: Timestamp) -> Option<Timestamp> {
        let mut run = self.first_run(at)?;
        let mut runs = 1;
        while run <= since {
            let period = self.recurring_period().filter(|_| runs < MOST_RUNS)?;
            run = shift_by_period(run, period, 1).filter(|next| *next > run)?;
            runs += 1;
        }
        (self.timing() != Timing::Before || run <= at).then_some(run)
    }

    pub fn recurring_period(&self) -> Option<&Period> {
        let recurring = self.frequency.as_deref() == Some("Recurring");
        self.send_options.send_every.as_ref().filter(|_| recurring)
    }
}

/// Adds or subtracts a period by the calendar in UTC, as FOLIO's jobs do.
pub(crate) fn shift_by_period(at: Timestamp, period: &Period, direction: i64) -> Option<Timestamp> {
    let duration = period.duration?.checked_mul(direction)?;
    let unit = match period.interval_id.as_deref()? {
        "Years" => 1.year(),
        other => unit(other)?,
    };
    let span = unit.checked_mul(duration).ok()?;
    utc(at).checked_add(span).ok().map(|at| at.timestamp())
}
