//! Dates, times and lists as mod-calendar words them in English.
//!
//! Its spaces between a day and a time, and before AM and PM, do not break a line (U+00A0, U+202F).

use jiff::civil::{Date, Time, Weekday};

use crate::{ExceptionRange, ExceptionalOpening, NormalHours};

/// `Jan 2, 2026`
pub(crate) fn date(date: Date) -> String {
    date.strftime("%b %-d, %-Y").to_string()
}

/// `2:59 PM`
fn time(time: Time) -> String {
    time.strftime("%-I:%M\u{202f}%p").to_string()
}

/// `Mon 9:00 AM - Mon 8:00 PM`
pub(crate) fn normal_hours(hours: &NormalHours) -> String {
    let (from, to) = (short_weekday(hours.start_day), short_weekday(hours.end_day));
    format!("{from}\u{a0}{} - {to}\u{a0}{}", time(hours.start_time), time(hours.end_time))
}

/// `Jan 2, 2026 9:00 AM to Jan 2, 2026 8:00 PM`
pub(crate) fn opening(opening: &ExceptionalOpening) -> String {
    format!(
        "{}\u{a0}{} to {}\u{a0}{}",
        date(opening.start_date),
        time(opening.start_time),
        date(opening.end_date),
        time(opening.end_time)
    )
}

/// `“Christmas” from Dec 25, 2026 to Dec 26, 2026`
pub(crate) fn exception(range: &ExceptionRange) -> String {
    let (name, start, end) = (&range.name, date(range.start_date), date(range.end_date));
    match range.start_date == range.end_date {
        true => format!("“{name}” on {start}"),
        false => format!("“{name}” from {start} to {end}"),
    }
}

/// `a, b, and c`
pub(crate) fn list(parts: &[String]) -> String {
    match parts {
        [first, second] => format!("{first} and {second}"),
        [before @ .., last] if !before.is_empty() => format!("{}, and {last}", before.join(", ")),
        other => other.concat(),
    }
}

fn short_weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_has_twelve_hours() {
        for (hour, minute, told) in [
            (0, 0, "12:00 AM"),
            (4, 5, "4:05 AM"),
            (12, 30, "12:30 PM"),
            (14, 59, "2:59 PM"),
            (23, 59, "11:59 PM"),
        ] {
            assert_eq!(time(Time::constant(hour, minute, 0, 0)).replace('\u{202f}', " "), told);
        }
    }

    #[test]
    fn lists_end_with_and() {
        let list = |parts: &[&str]| list(&parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>());
        assert_eq!(list(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b, and c");
    }
}
