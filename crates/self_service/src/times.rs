//! Dates and times of messages, in the library's time zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_sip2::{Moment, Zone};
use serde_json::Value;

pub(crate) fn format_time(at: Timestamp, zone: &TimeZone) -> String {
    Moment::write(at.to_zoned(zone.clone()).datetime())
}

/// A time in a record as SIP2 writes it; `None` if the value is no time.
pub(crate) fn format_record_time(value: &Value, zone: &TimeZone) -> Option<String> {
    Some(format_time(octavo_kernel::parse_time(value.as_str()?)?, zone))
}

/// Parses a time that a machine sends; `None` if it is none.
pub(crate) fn parse_time(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let moment = Moment::read(text)?;
    let zone = match moment.zone {
        Zone::Utc => &TimeZone::UTC,
        Zone::Local => zone,
    };
    zone.to_timestamp(moment.at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_the_librarys() {
        let zone = TimeZone::get("Europe/Copenhagen").unwrap();
        let at: Timestamp = "2026-07-01T10:00:00Z".parse().unwrap();
        assert_eq!(format_time(at, &zone), "20260701    120000");
        assert_eq!(parse_time("20260701    120000", &zone), Some(at));
        assert_eq!(parse_time("20260701   Z100000", &zone), Some(at));
        assert_eq!(parse_time("", &zone), None);
        assert_eq!(
            format_record_time(&"2026-07-01T10:00:00.000+00:00".into(), &zone).as_deref(),
            Some("20260701    120000")
        );
    }
}
