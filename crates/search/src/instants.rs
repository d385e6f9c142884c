//! Instants as records and queries write them.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// The first and the last microsecond since 1970 that a text stands for: a whole day for `2024-02-29`, one instant for a date with time.
/// Without an offset it is UTC.
pub(crate) fn instant_range(text: &str) -> Option<(i64, i64)> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some((instant.as_microsecond(), instant.as_microsecond()));
    }
    let utc = |at: DateTime| Some(at.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond());
    if text.contains('T') {
        let at = utc(text.trim_end_matches('Z').parse().ok()?)?;
        return Some((at, at));
    }
    let day: Date = text.parse().ok()?;
    let first = utc(day.to_datetime(Time::midnight()))?;
    let next = utc(day.checked_add(1.day()).ok()?.to_datetime(Time::midnight()))?;
    Some((first, next - 1))
}

#[cfg(test)]
mod tests {
    use super::instant_range;

    #[test]
    fn a_day_is_all_of_its_instants_and_a_time_is_one() {
        let day = 86_400_000_000;
        for (text, expected) in [
            ("1970-01-01", Some((0, day - 1))),
            ("1970-01-02T00:00:00Z", Some((day, day))),
            ("1970-01-02T01:00:00.000+01:00", Some((day, day))),
            ("1970-01-02T00:00:00.5", Some((day + 500_000, day + 500_000))),
            ("1969-12-31T23:59:59.999999Z", Some((-1, -1))),
            ("1970", None),
            ("yesterday", None),
            ("", None),
            ("1970-13-01", None),
        ] {
            assert_eq!(instant_range(text), expected, "{text}");
        }
    }
}
