//! The datestamps of the protocol, and the span of time that a harvest is about. Pure.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::errors::{Code, ProtocolError};
use super::settings::Settings;

/// A period of time, from `from` up to, but without, `before`; in microseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: i64,
    pub(super) before: i64,
}

const DAY: i64 = 86_400_000_000;
const SECOND: i64 = 1_000_000;

/// A parsed datestamp: its beginning in microseconds since 1970, and its length (a day or a second) in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    begins: i64,
    length: i64,
}

fn parse_stamp(text: &str, settings: &Settings) -> Option<Stamp> {
    let at = |local: DateTime| local.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp().as_microsecond());
    if is_day(text) {
        let begins = at(text.parse::<Date>().ok()?.to_datetime(jiff::civil::Time::midnight()))?;
        return Some(Stamp { begins, length: DAY });
    }
    let local = text.strip_suffix('Z').filter(|local| local.len() == 19 && !settings.by_day)?;
    let is_local = local.as_bytes().get(10) == Some(&b'T');
    let begins = at(local.parse::<DateTime>().ok().filter(|_| is_local)?)?;
    Some(Stamp { begins, length: SECOND })
}

pub(super) fn is_day(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], [year, month, day] if [year.len(), month.len(), day.len()] == [4, 2, 2]
        && [year, month, day].into_iter().all(digits))
}

/// The period between two datestamps, including both of them.
pub(super) fn parse_span(
    from: Option<&str>,
    until: Option<&str>,
    settings: &Settings,
) -> Result<Span, Vec<ProtocolError>> {
    let mut errors = Vec::new();
    let mut read = |name: &str, text: Option<&str>| {
        let text = text.filter(|text| !text.is_empty())?;
        let found = parse_stamp(text, settings);
        if found.is_none() {
            let message = format!("Bad datestamp format for '{name}={text}' argument.");
            errors.push(Code::BadArgument.with_message(message));
        }
        found
    };
    let (from, until) = (read("from", from), read("until", until));
    if let (Some(from), Some(until)) = (from, until) {
        let mut wrong = |rest: &str| {
            errors.push(
                Code::BadArgument.with_message(format!("Invalid date range: 'from' must {rest} 'until'.")),
            );
        };
        if from.length != until.length {
            wrong("have the same granularity as");
        } else if from.begins > until.begins {
            wrong("be less than or equal to");
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Span {
        from: from.map_or(i64::MIN, |from| from.begins),
        before: until.map_or(i64::MAX, |until| until.begins.saturating_add(until.length)),
    })
}

/// The datestamp of a moment, in microseconds since 1970.
pub(super) fn datestamp(at: i64, settings: &Settings) -> String {
    let at = Timestamp::from_microsecond(at).unwrap_or(Timestamp::UNIX_EPOCH);
    at.strftime(if settings.by_day { "%Y-%m-%d" } else { "%Y-%m-%dT%H:%M:%SZ" }).to_string()
}

/// A time to the second: the form of `responseDate` and of a token's expiry.
pub(super) fn format_second(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

pub(super) fn format_day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(by_day: bool) -> Settings {
        Settings { by_day, ..Settings::default_for_tests() }
    }

    #[test]
    fn both_ends_belong_to_a_span_in_either_granularity() {
        let seconds = settings(false);
        let day = parse_span(Some("1970-01-02"), Some("1970-01-02"), &seconds).unwrap();
        assert_eq!(day, Span { from: DAY, before: 2 * DAY });
        let second =
            parse_span(Some("1970-01-01T00:00:01Z"), Some("1970-01-01T00:00:01Z"), &seconds).unwrap();
        assert_eq!(second, Span { from: SECOND, before: 2 * SECOND });
        assert_eq!(parse_span(None, Some(""), &seconds).unwrap(), Span { from: i64::MIN, before: i64::MAX });
    }

    #[test]
    fn dates_that_are_none_and_spans_that_are_none_are_refused() {
        let bad = |name: &str, text: &str| format!("Bad datestamp format for '{name}={text}' argument.");
        let cases = [
            (false, "junk", "", vec![bad("from", "junk")]),
            (false, "2024-02-30", "2024-1-01", vec![bad("from", "2024-02-30"), bad("until", "2024-1-01")]),
            (false, "2024-02-01T00:00:00", "", vec![bad("from", "2024-02-01T00:00:00")]),
            (false, "2024-02-01 00:00:00Z", "", vec![bad("from", "2024-02-01 00:00:00Z")]),
            (true, "2024-02-01T00:00:00Z", "", vec![bad("from", "2024-02-01T00:00:00Z")]),
            (
                false,
                "2024-02-01",
                "2024-02-02T00:00:00Z",
                vec!["Invalid date range: 'from' must have the same granularity as 'until'.".to_owned()],
            ),
            (
                false,
                "2024-02-02",
                "2024-02-01",
                vec!["Invalid date range: 'from' must be less than or equal to 'until'.".to_owned()],
            ),
        ];
        for (by_day, from, until, expected) in cases {
            let errors = parse_span(Some(from), Some(until), &settings(by_day)).unwrap_err();
            let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            assert_eq!(messages, expected, "{from} {until}");
        }
    }

    #[test]
    fn a_datestamp_is_as_fine_as_the_repository() {
        assert_eq!(datestamp(1_500_000, &settings(false)), "1970-01-01T00:00:01Z");
        assert_eq!(datestamp(DAY + 1, &settings(true)), "1970-01-02");
    }
}
