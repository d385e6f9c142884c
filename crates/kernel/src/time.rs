//! FOLIO's one way of writing an instant: UTC, milliseconds, `+00:00`. Storage compares such
//! strings as text, so everything that is stored goes through [`folio_time`].

use std::fmt::Write;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// The length of an instant with a year of four figures, in bytes.
const LENGTH: usize = "2026-11-21T09:30:00.000+00:00".len();

/// `2026-11-21T09:30:00.000+00:00`
pub fn folio_time(at: Timestamp) -> String {
    let mut text = String::with_capacity(LENGTH);
    // A String takes whatever is written into it.
    let _ = write!(text, "{}", at.strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00"));
    text
}

/// Reads what FOLIO's clients send: any ISO 8601 instant, also with `+0000`, without an offset
/// (then UTC), or a mere date.
pub fn parse_time(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    if text.len() > 10
        && let Ok(local) = text.parse::<DateTime>()
    {
        return local.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    }
    if let Ok(date) = text.parse::<Date>() {
        return date.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_clients_send_is_read_and_written_as_folio_does() {
        for (sent, stored) in [
            ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000+00:00"),
            ("2026-11-21T09:30:00.5+01:00", "2026-11-21T08:30:00.500+00:00"),
            ("2026-11-21T09:30:00.123456+0000", "2026-11-21T09:30:00.123+00:00"),
            ("2026-11-21T09:30:00", "2026-11-21T09:30:00.000+00:00"),
            ("2026-11-21", "2026-11-21T00:00:00.000+00:00"),
        ] {
            assert_eq!(parse_time(sent).map(folio_time).as_deref(), Some(stored), "{sent}");
        }
        assert_eq!(parse_time("tomorrow"), None);
        assert_eq!(parse_time("2026-13-01"), None);
    }
}
