//! Cases by hand, and the leaps held against looking at every day.

use jiff::civil::{date, time};
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// FOLIO's own example of a calendar that has everything.
pub(crate) fn complex() -> Calendar {
    Calendar::from_value(json!({
        "name": "Complex", "startDate": "2000-01-02", "endDate": "2000-12-31", "assignments": [],
        "normalHours": [
            {"startDay": "MONDAY", "startTime": "07:00", "endDay": "THURSDAY", "endTime": "23:59"},
            {"startDay": "FRIDAY", "startTime": "13:00", "endDay": "FRIDAY", "endTime": "22:00"},
            {"startDay": "FRIDAY", "startTime": "07:00", "endDay": "FRIDAY", "endTime": "12:00"},
        ],
        "exceptions": [
            {"name": "Closure", "startDate": "2000-03-01", "endDate": "2000-03-31", "openings": []},
            {"name": "Opening", "startDate": "2000-01-15", "endDate": "2000-01-31", "openings": [
                {"startDate": "2000-01-25", "startTime": "07:00", "endDate": "2000-01-31", "endTime": "23:00"},
                {"startDate": "2000-01-15", "startTime": "07:00", "endDate": "2000-01-20", "endTime": "23:00"},
            ]},
        ],
    }))
    .unwrap()
}

/// The day in short: `07:00-12:00 13:00-22:00`, an exception's name first.
fn day_in_short(day: &Day) -> String {
    let hours = day.hours.iter().map(|(start, end)| {
        format!("{:02}:{:02}-{:02}:{:02}", start.hour(), start.minute(), end.hour(), end.minute())
    });
    let name = day.exception.as_deref().map(str::to_owned);
    let all_day = day.all_day.then(|| if day.is_open() { "all day" } else { "closed" }.to_owned());
    name.into_iter().chain(all_day).chain(hours).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_day_has_its_exceptions_or_its_normal_hours() {
    let timetable = Timetable::from_calendar(&complex());
    for (month, day, expected) in [
        (1, 1, "closed"),
        (1, 2, "closed"),
        (1, 3, "07:00-23:59"),
        (1, 5, "all day 00:00-23:59"),
        (1, 6, "all day 00:00-23:59"),
        (1, 7, "07:00-12:00 13:00-22:00"),
        (1, 8, "closed"),
        (1, 15, "Opening 07:00-23:59"),
        (1, 16, "Opening all day 00:00-23:59"),
        (1, 20, "Opening 00:00-23:00"),
        (1, 21, "Opening closed"),
        (1, 31, "Opening 00:00-23:00"),
        (2, 1, "all day 00:00-23:59"),
        (3, 13, "Closure closed"),
    ] {
        assert_eq!(day_in_short(&timetable.day(date(2000, month, day))), expected, "{month}-{day}");
    }
}

#[test]
fn thousands_of_closed_years_are_leapt_over() {
    let mut calendar = complex();
    calendar.start_date = date(0, 1, 1);
    calendar.end_date = date(9999, 12, 31);
    calendar.normal_hours.clear();
    let timetable = Timetable::from_calendar(&calendar);
    let found = |day: Option<Day>| day.map(|day| day.date);
    assert_eq!(found(timetable.open_from(date(0, 1, 1))), Some(date(2000, 1, 15)));
    assert_eq!(found(timetable.open_from(date(2000, 2, 1))), None);
    assert_eq!(found(timetable.open_until(date(9999, 12, 31))), Some(date(2000, 1, 31)));
    assert_eq!(found(timetable.open_until(date(2000, 1, 14))), None);
}

prop_compose! {
    /// Up to four exceptions of a few days each, with up to two openings each, some outside of it, one after the other.
    fn exceptions()(
        parts in prop::collection::vec((0..10_i64, 0..6_i64, prop::collection::vec((-1..7_i64, 0..4_i64), 0..3)), 0..5)
    ) -> Vec<crate::ExceptionRange> {
        let mut at = date(2026, 1, 1);
        let days = |count: i64| jiff::Span::new().days(count);
        parts.into_iter().map(|(gap, length, openings)| {
            let start = at + days(gap);
            let end = start + days(length);
            at = end + days(1);
            let opening = |(from, length): (i64, i64)| ExceptionalOpening {
                start_date: start + days(from),
                start_time: time(9, 0, 0, 0),
                end_date: start + days(from + length),
                end_time: time(17, 0, 0, 0),
            };
            let openings = openings.into_iter().map(opening).collect();
            crate::ExceptionRange { name: "x".into(), start_date: start, end_date: end, openings }
        }).collect()
    }
}

proptest! {
    #[test]
    fn leaping_finds_what_looking_at_every_day_finds(
        exceptions in exceptions(), weekdays in prop::collection::vec(1..8_i8, 0..3), at in -3..60_i64
    ) {
        let weekday = |day: i8| jiff::civil::Weekday::from_monday_one_offset(day).unwrap();
        let calendar = Calendar {
            id: None, name: "x".into(), start_date: date(2026, 1, 3), end_date: date(2026, 2, 20),
            assignments: Vec::new(), exceptions,
            normal_hours: weekdays.into_iter().map(|day| crate::NormalHours {
                start_day: weekday(day), start_time: time(9, 0, 0, 0), end_day: weekday(day), end_time: time(17, 0, 0, 0),
            }).collect(),
        };
        let timetable = Timetable::from_calendar(&calendar);
        let from = date(2026, 1, 1) + jiff::Span::new().days(at);
        let span = |days: i64| jiff::Span::new().days(days);
        let every_day = || (0..80).map(|days| timetable.day(from + span(days)));
        prop_assert_eq!(timetable.open_from(from), every_day().find(Day::is_open));
        let every_day_back = || (0..80).map(|days| timetable.day(from - span(days)));
        prop_assert_eq!(timetable.open_until(from), every_day_back().find(Day::is_open));
    }
}
