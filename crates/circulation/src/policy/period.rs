//! A duration with its unit, as in policies, and its possible defects.

use std::fmt;

use jiff::{Span, ToSpan, Zoned};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Period {
    pub duration: Option<i64>,
    pub interval_id: Option<String>,
}

/// Why a period cannot be added to an instant. FOLIO's message depends on what the period is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeriodDefect {
    Missing,
    UnknownInterval(String),
    InvalidDuration(i64),
}

impl Period {
    pub fn new(duration: i64, interval_id: &str) -> Self {
        Period { duration: Some(duration), interval_id: Some(interval_id.to_owned()) }
    }

    /// Adds the period by the calendar, in the offset of `from`: a month from 31 January is 28 February.
    pub fn add_to(&self, from: &Zoned) -> Result<Zoned, PeriodDefect> {
        let (Some(interval), Some(duration)) = (self.interval_id.as_deref(), self.duration) else {
            return Err(PeriodDefect::Missing);
        };
        if duration <= 0 {
            return Err(PeriodDefect::InvalidDuration(duration));
        }
        let unknown = || PeriodDefect::UnknownInterval(interval.to_owned());
        let unit = unit(interval).ok_or_else(unknown)?;
        unit.checked_mul(duration)
            .and_then(|span| from.checked_add(span))
            .map_err(|_| PeriodDefect::InvalidDuration(duration))
    }

    /// Reads a period from settings that are not validated: zero is a period, and an unknown unit is read as minutes, which the
    /// settings of loan history spell `minutes`.
    pub fn add_leniently(&self, since: &Zoned) -> Option<Zoned> {
        let unit = unit(self.interval_id.as_deref()?).unwrap_or_else(|| 1.minute());
        since.checked_add(unit.checked_mul(self.duration?).ok()?).ok()
    }

    /// The minutes of the period as fines and blocks count them, with 31 days for a month; `None` if it is no period.
    pub fn minutes(&self) -> Option<i64> {
        let unit = match self.interval_id.as_deref()? {
            "Months" => 31 * 24 * 60,
            "Weeks" => 7 * 24 * 60,
            "Days" => 24 * 60,
            "Hours" => 60,
            "Minutes" => 1,
            _ => return None,
        };
        Some(self.duration?.saturating_mul(unit))
    }

    /// Whether the unit is hours or minutes, for which the time of day matters.
    pub fn is_short_term(&self) -> bool {
        let interval = self.interval_id.as_deref().unwrap_or_default();
        interval.eq_ignore_ascii_case("Hours") || interval.eq_ignore_ascii_case("Minutes")
    }
}

pub(crate) fn unit(name: &str) -> Option<Span> {
    Some(match name {
        "Months" => 1.month(),
        "Weeks" => 1.week(),
        "Days" => 1.day(),
        "Hours" => 1.hour(),
        "Minutes" => 1.minute(),
        _ => return None,
    })
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.duration, &self.interval_id) {
            (Some(duration), Some(interval)) => write!(f, "{duration} {}", interval.to_lowercase()),
            _ => f.write_str("no period"),
        }
    }
}

#[cfg(test)]
mod tests {
    use octavo_kernel::folio_time;

    use super::*;
    use crate::moment::parse_moment;

    #[test]
    fn periods_are_added_in_the_offset_of_the_loan_date() {
        for (from, duration, interval, due) in [
            ("2026-01-31T10:00:00Z", 1, "Months", "2026-02-28T10:00:00.000+00:00"),
            ("2024-01-31T10:00:00Z", 1, "Months", "2024-02-29T10:00:00.000+00:00"),
            // 1 February in Berlin, still 31 January in UTC
            ("2026-02-01T00:30:00+01:00", 1, "Months", "2026-02-28T23:30:00.000+00:00"),
            ("2026-01-31T23:30:00Z", 1, "Months", "2026-02-28T23:30:00.000+00:00"),
            // over the change to summer time a day stays 24 hours
            ("2026-03-28T12:00:00+01:00", 1, "Days", "2026-03-29T11:00:00.000+00:00"),
            ("2026-03-28T12:00:00Z", 2, "Weeks", "2026-04-11T12:00:00.000+00:00"),
            ("2026-03-29T00:30:00Z", 3, "Hours", "2026-03-29T03:30:00.000+00:00"),
            ("2026-10-25T00:30:00Z", 90, "Minutes", "2026-10-25T02:00:00.000+00:00"),
        ] {
            let added = Period::new(duration, interval).add_to(&parse_moment(from).unwrap()).unwrap();
            assert_eq!(folio_time(added.timestamp()), due, "{from} + {duration} {interval}");
        }
    }

    #[test]
    fn what_is_no_period() {
        let from = parse_moment("2026-01-31T10:00:00Z").unwrap();
        for (period, defect) in [
            (Period::default(), PeriodDefect::Missing),
            (Period { duration: Some(1), interval_id: None }, PeriodDefect::Missing),
            (Period { duration: None, interval_id: Some("Days".into()) }, PeriodDefect::Missing),
            (Period::new(0, "Days"), PeriodDefect::InvalidDuration(0)),
            (Period::new(-1, "Aeons"), PeriodDefect::InvalidDuration(-1)),
            (Period::new(1, "Aeons"), PeriodDefect::UnknownInterval("Aeons".into())),
            (Period::new(i64::MAX, "Months"), PeriodDefect::InvalidDuration(i64::MAX)),
        ] {
            assert_eq!(period.add_to(&from).unwrap_err(), defect, "{period:?}");
        }
    }
}
