//! Dates and times of messages, in the library's time zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_sip2::{Moment, Zone};
use serde_json::Value;

pub(crate) fn written(at: Timestamp, zone: &TimeZone) -> String {
    Moment::write(at.to_zoned(zone.clone()).datetime())
}

/// A member of a record, or nothing if it is no time.
pub(crate) fn of_record(value: &Value, zone: &TimeZone) -> Option<String> {
    Some(written(octavo_kernel::parse_time(value.as_str()?)?, zone))
}

/// What a machine says; `None` if it says nothing that is a time.
pub(crate) fn read(text: &str, zone: &TimeZone) -> Option<Timestamp> {
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
        assert_eq!(written(at, &zone), "20260701    120000");
        assert_eq!(read("20260701    120000", &zone), Some(at));
        assert_eq!(read("20260701   Z100000", &zone), Some(at));
        assert_eq!(read("", &zone), None);
        assert_eq!(
            of_record(&"2026-07-01T10:00:00.000+00:00".into(), &zone).as_deref(),
            Some("20260701    120000")
        );
    }
}
