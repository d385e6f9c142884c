//! Five fields of a Unix cron line: minute, hour, day of the month, month, day of the week.

use jiff::civil::{DateTime, Time};
use jiff::{Timestamp, ToSpan, Zoned};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cron {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Where both kinds of day are named, one is enough.
    either_day: bool,
}

impl Cron {
    pub(super) fn parse(line: &str) -> Option<Cron> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = fields.as_slice() else { return None };
        let mut week = values(weekdays, 0, 7)?;
        // Sunday is 0 and 7.
        week |= week >> 7;
        Some(Cron {
            minutes: values(minutes, 0, 59)?,
            hours: values(hours, 0, 23)?,
            days: values(days, 1, 31)?,
            months: values(months, 1, 12)?,
            weekdays: week & 0x7f,
            either_day: *days != "*" && *weekdays != "*",
        })
    }

    /// The first minute after `after` that the clocks of its time zone show and the line names; none within four years is none.
    /// A time that summer time skips is run an hour later, one that it repeats is run once.
    pub(super) fn next(&self, after: &Zoned) -> Option<Timestamp> {
        let minute = after.datetime().with().second(0).subsec_nanosecond(0).build().ok()?;
        let mut at = minute.checked_add(1.minute()).ok()?;
        let last = at.checked_add(4.years()).ok()?;
        while at < last {
            at = if !self.names_day(at) {
                at.date().tomorrow().ok()?.to_datetime(Time::midnight())
            } else if !has(self.hours, at.hour()) {
                at.with().minute(0).build().ok()?.checked_add(1.hour()).ok()?
            } else if !has(self.minutes, at.minute()) {
                at.checked_add(1.minute()).ok()?
            } else {
                let due = at.to_zoned(after.time_zone().clone()).ok()?.timestamp();
                // In an hour that is repeated, the clocks name times that have been.
                if due > after.timestamp() {
                    return Some(due);
                }
                at.checked_add(1.minute()).ok()?
            };
        }
        None
    }

    fn names_day(&self, at: DateTime) -> bool {
        let day = has(self.days, at.day());
        let weekday = has(self.weekdays, at.weekday().to_sunday_zero_offset());
        let named = if self.either_day { day || weekday } else { day && weekday };
        named && has(self.months, at.month())
    }
}

fn has(values: u64, value: i8) -> bool {
    values >> value & 1 == 1
}

/// A bit for each value of `*`, `5`, `1-5`, `*/10`, `0-30/10`, and lists of these.
fn values(field: &str, first: u32, last: u32) -> Option<u64> {
    let mut bits = 0;
    for part in field.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, step.parse::<u32>().ok().filter(|step| *step > 0)?),
            None => (part, 1),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (first, last),
            Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
            None => (range.parse().ok()?, if step > 1 { last } else { range.parse().ok()? }),
        };
        if from < first || to > last || from > to {
            return None;
        }
        bits |= (from..=to).step_by(step as usize).fold(0, |bits, value| bits | 1 << value);
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_time_that_a_line_names() {
        // A Monday.
        let after: Zoned = "2026-03-02T10:00:00[Europe/Berlin]".parse().unwrap();
        for (line, next) in [
            ("* * * * *", Some("2026-03-02T10:01:00+01:00")),
            ("1 0 * * *", Some("2026-03-03T00:01:00+01:00")),
            ("*/15 8-17 * * 1-5", Some("2026-03-02T10:15:00+01:00")),
            ("0 10 * * 7", Some("2026-03-08T10:00:00+01:00")),
            ("30 6 29 2 *", Some("2028-02-29T06:30:00+01:00")),
            ("0 0 15 * 3", Some("2026-03-04T00:00:00+01:00")),
            ("0,30 9 1 4 *", Some("2026-04-01T09:00:00+02:00")),
            ("0 0 31 2 *", None),
        ] {
            let expected = next.map(|next| next.parse::<Timestamp>().unwrap());
            assert_eq!(Cron::parse(line).unwrap().next(&after), expected, "{line}");
        }
    }

    #[test]
    fn summer_time_costs_no_run_and_adds_none() {
        for (zone, line, after, next) in [
            // In Berlin there is no half past two on this day.
            ("Europe/Berlin", "30 2 * * *", "2026-03-29T01:59:00+01:00", "2026-03-29T03:30:00+02:00"),
            ("Europe/Berlin", "30 2 * * *", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"),
            // In Santiago there is no midnight on this day.
            ("America/Santiago", "1 0 * * *", "2026-09-05T12:00:00-04:00", "2026-09-06T01:01:00-03:00"),
            // Half past two comes twice.
            ("Europe/Berlin", "30 2 * * *", "2026-10-25T01:00:00+02:00", "2026-10-25T02:30:00+02:00"),
            ("Europe/Berlin", "30 2 * * *", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"),
            // A job that ended when the clocks showed the hour anew.
            ("Europe/Berlin", "50 2 * * *", "2026-10-25T02:05:00+01:00", "2026-10-26T02:50:00+01:00"),
            ("Europe/Berlin", "*/10 * * * *", "2026-10-25T02:05:00+01:00", "2026-10-25T03:00:00+01:00"),
        ] {
            let after: Timestamp = after.parse().unwrap();
            let after = after.to_zoned(jiff::tz::TimeZone::get(zone).unwrap());
            let expected: Timestamp = next.parse().unwrap();
            assert_eq!(Cron::parse(line).unwrap().next(&after), Some(expected), "{line} after {after}");
        }
    }

    #[test]
    fn a_step_leaves_both_kinds_of_day_named() {
        // The first of every second day, and every Monday.
        let after: Zoned = "2026-03-01T10:00:00[Europe/Berlin]".parse().unwrap();
        let expected: Timestamp = "2026-03-02T00:00:00+01:00".parse().unwrap();
        assert_eq!(Cron::parse("0 0 */2 * 1").unwrap().next(&after), Some(expected));
    }

    #[test]
    fn what_is_no_cron_line() {
        for line in [
            "",
            "* * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "5-1 * * * *",
            "*/0 * * * *",
            "a * * * *",
        ] {
            assert_eq!(Cron::parse(line), None, "{line}");
        }
    }
}
