//! When a timer runs: after a delay, again and again, or at the times that a cron line names.

use std::fmt;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::cron::Cron;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    Every { delay: i64, unit: Unit },
    Cron { line: String, zone: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

impl Unit {
    const ALL: [(Unit, &'static str, i64); 5] = [
        (Unit::Millisecond, "millisecond", 1),
        (Unit::Second, "second", 1_000),
        (Unit::Minute, "minute", 60_000),
        (Unit::Hour, "hour", 3_600_000),
        (Unit::Day, "day", 86_400_000),
    ];

    pub fn parse(name: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(unit, ..)| unit)
    }

    pub fn name(self) -> &'static str {
        Unit::ALL.into_iter().find(|(unit, ..)| *unit == self).map_or("", |(_, name, _)| name)
    }

    fn milliseconds(self) -> i64 {
        Unit::ALL.into_iter().find(|(unit, ..)| *unit == self).map_or(0, |(.., milliseconds)| milliseconds)
    }
}

impl Schedule {
    /// `every 30 minute` or `cron 1 0 * * * CET`, as the facts and the database write it.
    pub fn parse(text: &str) -> Option<Schedule> {
        if let Some(rest) = text.strip_prefix("every ") {
            let (delay, unit) = rest.split_once(' ')?;
            return Some(Schedule::Every { delay: delay.parse().ok()?, unit: Unit::parse(unit)? });
        }
        let (line, zone) = text.strip_prefix("cron ")?.rsplit_once(' ')?;
        Schedule::cron(line, zone)
    }

    /// `None` if one of the two cannot be read.
    pub fn cron(line: &str, zone: &str) -> Option<Schedule> {
        Cron::parse(line)?;
        TimeZone::get(zone).ok()?;
        Some(Schedule::Cron { line: line.to_owned(), zone: zone.to_owned() })
    }

    /// The first run after an instant; a delay of nothing means never.
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        match self {
            Schedule::Every { delay, .. } if *delay <= 0 => None,
            Schedule::Every { delay, unit } => {
                let delay = SignedDuration::from_millis(delay.checked_mul(unit.milliseconds())?);
                after.checked_add(delay).ok()
            }
            Schedule::Cron { line, zone } => {
                Cron::parse(line)?.next(&after.to_zoned(TimeZone::get(zone).ok()?))
            }
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Every { delay, unit } => write!(f, "every {delay} {}", unit.name()),
            Schedule::Cron { line, zone } => write!(f, "cron {line} {zone}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_written_as_they_are_read() {
        for text in ["every 30 minute", "every 1 second", "cron 1 0 * * * CET"] {
            assert_eq!(Schedule::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "every minute", "every 1 moon", "cron 1 0 * * *", "cron 1 0 * * CET", "at noon"] {
            assert_eq!(Schedule::parse(text), None, "{text}");
        }
    }

    #[test]
    fn when_a_timer_runs_next() {
        let after: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
        for (text, next) in [
            ("every 30 minute", Some("2026-03-02T10:30:00Z")),
            ("every 2 day", Some("2026-03-04T10:00:00Z")),
            ("every 0 day", None),
            // One minute past midnight in winter is 23:01 the day before.
            ("cron 1 0 * * * CET", Some("2026-03-02T23:01:00Z")),
        ] {
            let expected = next.map(|next| next.parse().unwrap());
            assert_eq!(Schedule::parse(text).unwrap().next(after), expected, "{text}");
        }
    }
}
