use jiff::civil::date;
use serde_json::json;

use super::*;
use crate::Calendar;
use crate::timetable::tests::complex;

fn openings(calendars: &[Calendar]) -> Openings {
    Openings::from_timetables(
        calendars.iter().map(|calendar| Arc::new(Timetable::from_calendar(calendar))).collect(),
    )
}

/// Open from nine to five on Mondays.
fn mondays(start: &str, end: &str) -> Calendar {
    Calendar::from_value(json!({"name": "Mondays", "startDate": start, "endDate": end, "assignments": [],
        "exceptions": [],
        "normalHours": [{"startDay": "MONDAY", "startTime": "09:00", "endDay": "MONDAY", "endTime": "17:00"}]}))
    .unwrap()
}

/// `+` an open day, `-` a closed one.
fn around(openings: &Openings, date: Date) -> String {
    let told = |day: &Day| format!("{}{}", if day.is_open() { '+' } else { '-' }, day.date);
    openings.surrounding(date).each_ref().map(told).join(" ")
}

#[test]
fn three_days_always_surround_a_date() {
    let library = openings(&[complex()]);
    for (day, expected) in [
        (date(2000, 1, 1), "-1999-12-31 -2000-01-01 +2000-01-03"),
        (date(2000, 1, 6), "+2000-01-05 +2000-01-06 +2000-01-07"),
        (date(2000, 1, 21), "+2000-01-20 -2000-01-21 +2000-01-25"),
        (date(2000, 3, 13), "+2000-02-29 -2000-03-13 +2000-04-03"),
        (date(2001, 6, 1), "+2000-12-29 -2001-06-01 -2001-06-02"),
    ] {
        assert_eq!(around(&library, day), expected);
    }
    assert_eq!(around(&openings(&[]), date(2026, 2, 28)), "-2026-02-27 -2026-02-28 -2026-03-01");
    let last = Date::MAX;
    assert_eq!(around(&openings(&[]), last), "-9999-12-30 -9999-12-31 -9999-12-31");
}

#[test]
fn open_days_are_looked_for_in_every_calendar() {
    // Given in the wrong order, with a month between them; the one in between has no Monday.
    let library = openings(&[
        mondays("2026-03-01", "2026-03-31"),
        mondays("2026-02-10", "2026-02-12"),
        mondays("2026-01-01", "2026-01-31"),
    ]);
    assert_eq!(around(&library, date(2026, 2, 11)), "+2026-01-26 -2026-02-11 +2026-03-02");
    assert_eq!(around(&library, date(2026, 2, 20)), "+2026-01-26 -2026-02-20 +2026-03-02");
    assert_eq!(around(&library, date(2026, 1, 26)), "+2026-01-19 +2026-01-26 +2026-03-02");
    assert_eq!(around(&library, date(2025, 6, 1)), "-2025-05-31 -2025-06-01 +2026-01-05");
    assert_eq!(around(&library, date(2027, 6, 1)), "+2026-03-30 -2027-06-01 -2027-06-02");
}

fn span(start: Date, end: Date, include_closed: bool) -> Span {
    Span { start, end, include_closed, offset: 0, limit: usize::MAX }
}

#[test]
fn all_days_of_a_span_or_those_of_which_a_calendar_says_something() {
    let library = openings(&[complex()]);
    let (start, end) = (date(2000, 1, 1), date(2000, 4, 1));
    let every = library.days_in_span(&span(start, end, true)).unwrap();
    assert_eq!((every.days.len(), every.total), (92, 92));
    let said = library.days_in_span(&span(start, end, false)).unwrap();
    assert_eq!((said.days.len(), said.total), (79, 79));
    assert!(said.days.iter().all(|day| day.is_open() || day.exception.is_some()));
    assert_eq!(every.days[0], Day::closed(start));
    let backwards = library.days_in_span(&span(end, start, true)).unwrap();
    assert_eq!(backwards, DayPage { days: Vec::new(), total: 0 });
}

#[test]
fn a_page_is_a_part_of_all_days() {
    let library = openings(&[complex()]);
    for include_closed in [true, false] {
        let span = span(date(2000, 1, 1), date(2000, 4, 1), include_closed);
        let all = library.days_in_span(&span).unwrap();
        for (offset, limit) in [(0, 0), (0, 10), (5, 10), (75, 10), (1000, 10), (usize::MAX, usize::MAX)] {
            let page = library.days_in_span(&Span { offset, limit, ..span }).unwrap();
            let expected: Vec<Day> = all.days.iter().skip(offset).take(limit).cloned().collect();
            assert_eq!(page, DayPage { days: expected, total: all.total }, "{offset} {limit}");
        }
    }
}

#[test]
fn no_more_than_a_hundred_years_are_listed() {
    let ever = (date(0, 1, 1), date(9999, 12, 31));
    let library = openings(&[complex()]);
    assert_eq!(library.days_in_span(&span(ever.0, ever.1, true)), Err(TooLong));
    // Without the closed days only the calendars' own years are looked at.
    assert!(library.days_in_span(&span(ever.0, ever.1, false)).is_ok_and(|listed| listed.total > 200));
    assert_eq!(
        openings(&[]).days_in_span(&span(ever.0, ever.1, false)),
        Ok(DayPage { days: Vec::new(), total: 0 })
    );
    let long = openings(&[mondays("0000-01-01", "9999-12-31")]);
    assert_eq!(long.days_in_span(&span(ever.0, ever.1, false)), Err(TooLong));
}
