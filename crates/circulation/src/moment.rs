//! Instants that remember the offset they were written with.
//!
//! FOLIO adds a loan period to the loan date in the offset in which the client wrote that date, and
//! everything that it stored or took from its clock is UTC. Days and weeks are therefore always 24 and 168
//! hours, also where the clocks change; only months look at the calendar.

use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use octavo_kernel::parse_time;

/// Reads an instant, cut to milliseconds, in its own offset.
pub fn parse_moment(text: &str) -> Option<Zoned> {
    let at = to_millisecond(parse_time(text)?);
    let offset = Pieces::parse(text).ok().and_then(|pieces| pieces.to_numeric_offset());
    Some(at.to_zoned(offset.map_or(TimeZone::UTC, TimeZone::fixed)))
}

pub fn utc(at: Timestamp) -> Zoned {
    at.to_zoned(TimeZone::UTC)
}

/// FOLIO compares instants at this precision, so decisions begin with it.
pub fn to_millisecond(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// 23:59:59 of the day on which the instant falls in the zone.
pub fn end_of_day(at: Timestamp, zone: &TimeZone) -> Timestamp {
    end_of_date(at.to_zoned(zone.clone()).date(), zone)
}

/// One second before the next day begins, also if clocks change in that night.
pub fn end_of_date(date: jiff::civil::Date, zone: &TimeZone) -> Timestamp {
    let next = date.tomorrow().and_then(|next| next.to_zoned(zone.clone()));
    let second = jiff::SignedDuration::from_secs(1);
    next.ok().and_then(|next| next.timestamp().checked_sub(second).ok()).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use octavo_kernel::folio_time;

    use super::*;

    #[test]
    fn a_moment_keeps_the_offset_it_was_written_with() {
        for (text, local) in [
            ("2026-03-31T00:30:00.5+02:00", "2026-03-31T00:30:00.5"),
            ("2026-03-31T00:30:00Z", "2026-03-31T00:30:00"),
            ("2026-03-31T00:30:00-0500", "2026-03-31T00:30:00"),
            ("2026-03-31", "2026-03-31T00:00:00"),
        ] {
            assert_eq!(parse_moment(text).unwrap().datetime().to_string(), local, "{text}");
        }
        assert!(parse_moment("soon").is_none());
    }

    #[test]
    fn the_day_ends_at_the_last_second_of_the_local_day() {
        for (zone, at, end) in [
            ("UTC", "2026-03-31T00:00:00Z", "2026-03-31T23:59:59.000+00:00"),
            ("Europe/Berlin", "2026-03-31T23:30:00Z", "2026-04-01T21:59:59.000+00:00"),
            ("America/New_York", "2026-03-08T05:30:00Z", "2026-03-09T03:59:59.000+00:00"),
            ("America/New_York", "2026-11-01T04:30:00Z", "2026-11-02T04:59:59.000+00:00"),
        ] {
            let zone = TimeZone::get(zone).unwrap();
            assert_eq!(folio_time(end_of_day(at.parse().unwrap(), &zone)), end, "{at}");
        }
    }
}
