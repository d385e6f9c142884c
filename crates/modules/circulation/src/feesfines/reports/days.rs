//! The span of a report: whole days in the library's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use octavo_kernel::{Fault, Kind, Outcome, folio_time};
use serde_json::Value;

/// The first instant, and the first after the span, in the form of stored times.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Days {
    pub(super) from: Option<String>,
    pub(super) before: Option<String>,
}

impl Days {
    pub(super) fn from_body(wanted: &Value, zone: &TimeZone) -> Outcome<Days> {
        let (start, end) = (wanted["startDate"].as_str(), wanted["endDate"].as_str());
        let unreadable = || Fault::new(Kind::Refused, "Invalid startDate or endDate parameter");
        let start = start.map(|text| day(text).ok_or_else(unreadable)).transpose()?;
        let end = end.map(|text| day(text).ok_or_else(unreadable)).transpose()?;
        let from = start.map(|day| begin(day, zone).ok_or_else(unreadable)).transpose()?;
        let after = |day: Date| begin(day.tomorrow().ok()?, zone);
        let before = end.map(|day| after(day).ok_or_else(unreadable)).transpose()?;
        Ok(Days { from, before })
    }
}

/// A day without a time: `2026-03-29`.
fn day(text: &str) -> Option<Date> {
    Date::strptime("%Y-%m-%d", text).ok()
}

/// The beginning of a day. If clocks are put forward at midnight, it is an hour later.
fn begin(day: Date, zone: &TimeZone) -> Option<String> {
    Some(folio_time(day.to_zoned(zone.clone()).ok()?.timestamp()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn days_are_as_long_as_they_are_where_the_library_is() {
        for (zone, start, end, from, before) in [
            ("UTC", "2026-01-01", "2026-01-01", "2026-01-01T00:00:00", "2026-01-02T00:00:00"),
            ("America/New_York", "2026-01-01", "2026-01-15", "2026-01-01T05:00:00", "2026-01-16T05:00:00"),
            // The clocks go forward in the night to the 29th.
            ("Europe/Berlin", "2026-03-29", "2026-03-29", "2026-03-28T23:00:00", "2026-03-29T22:00:00"),
            // And forward at midnight: this day begins at one.
            ("Asia/Beirut", "2026-03-29", "2026-03-29", "2026-03-28T22:00:00", "2026-03-29T21:00:00"),
        ] {
            let zone = TimeZone::get(zone).unwrap();
            let days = Days::from_body(&json!({"startDate": start, "endDate": end}), &zone).unwrap();
            let stored = |at: &str| Some(format!("{at}.000+00:00"));
            assert_eq!(days, Days { from: stored(from), before: stored(before) }, "{start} {zone:?}");
        }
    }

    #[test]
    fn a_day_that_is_none_is_refused() {
        let days =
            |wanted: Value| Days::from_body(&wanted, &TimeZone::UTC).map_err(|fault| fault.body.render());
        assert_eq!(days(json!({})), Ok(Days { from: None, before: None }));
        for wrong in ["", "not-a-date", "1 Jan 2021", "2026-02-30", "2026-01-01T00:00:00Z", "9999-12-31"] {
            let told = Err("Invalid startDate or endDate parameter".to_owned());
            assert_eq!(days(json!({"startDate": "2026-01-01", "endDate": wrong})), told, "{wrong}");
        }
    }
}
