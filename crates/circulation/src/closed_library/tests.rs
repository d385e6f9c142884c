//! A library in Berlin, open Monday to Friday 9:00 to 17:00, in the week of the change to winter time.

use ClosedLibraryStrategy as Strategy;
use jiff::civil::{Date, Time, date, time};
use octavo_kernel::folio_time;

use super::*;

const NINE: Time = time(9, 0, 0, 0);
const FIVE: Time = time(17, 0, 0, 0);

fn open(date: Date) -> OpeningDay {
    OpeningDay::open(date, vec![(NINE, FIVE)])
}

/// Friday 23, Saturday 24 closed, Monday 26 October 2026.
fn weekend() -> SurroundingOpenings {
    SurroundingOpenings {
        previous: open(date(2026, 10, 23)),
        requested: OpeningDay::closed(date(2026, 10, 24)),
        next: open(date(2026, 10, 26)),
    }
}

fn weekday() -> SurroundingOpenings {
    SurroundingOpenings {
        previous: open(date(2026, 10, 22)),
        requested: open(date(2026, 10, 23)),
        next: open(date(2026, 10, 26)),
    }
}

fn moved(
    strategy: Strategy,
    due: &str,
    now: &str,
    offset: &Period,
    openings: Option<&SurroundingOpenings>,
) -> Result<String, String> {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let circumstances =
        Circumstances { zone: &zone, current_time: now.parse().unwrap(), opening_time_offset: offset };
    apply_closed_library(strategy, due.parse().unwrap(), &circumstances, openings)
        .map(folio_time)
        .map_err(|refusal| refusal.message)
}

#[test]
fn where_a_due_date_goes_when_the_library_is_closed() {
    let none = Period::default();
    let saturday = "2026-10-24T10:00:00Z";
    let friday_noon = "2026-10-23T10:00:00Z";
    for (strategy, due, now, offset, openings, expected) in [
        (Strategy::CurrentDueDate, saturday, friday_noon, &none, None, "2026-10-24T21:59:59.000+00:00"),
        // the day on which the clocks go back ends in winter time
        (
            Strategy::CurrentDueDate,
            "2026-10-25T10:00:00Z",
            friday_noon,
            &none,
            None,
            "2026-10-25T22:59:59.000+00:00",
        ),
        (Strategy::CurrentDueDateTime, saturday, friday_noon, &none, None, "2026-10-24T10:00:00.000+00:00"),
        (
            Strategy::EndOfThePreviousOpenDay,
            saturday,
            friday_noon,
            &none,
            Some(weekend()),
            "2026-10-23T21:59:59.000+00:00",
        ),
        (
            Strategy::EndOfTheNextOpenDay,
            saturday,
            friday_noon,
            &none,
            Some(weekend()),
            "2026-10-26T22:59:59.000+00:00",
        ),
        (
            Strategy::EndOfTheNextOpenDay,
            friday_noon,
            friday_noon,
            &none,
            Some(weekday()),
            "2026-10-23T21:59:59.000+00:00",
        ),
    ] {
        let found = moved(strategy, due, now, offset, openings.as_ref());
        assert_eq!(found.as_deref(), Ok(expected), "{strategy:?} {due}");
    }
}

#[test]
fn where_a_due_time_goes_when_the_service_point_is_closed() {
    let none = Period::default();
    let offset = Period::new(2, "Hours");
    let long = Period::new(12, "Hours");
    let saturday = "2026-10-24T10:00:00Z";
    let friday_noon = "2026-10-23T10:00:00Z";
    for (strategy, due, now, offset, openings, expected) in [
        // open at the due time: unchanged; at night: end of the hours that contain now
        (
            Strategy::EndOfTheCurrentServicePointHours,
            "2026-10-23T12:00:00Z",
            friday_noon,
            &none,
            Some(weekday()),
            "2026-10-23T12:00:00.000+00:00",
        ),
        (
            Strategy::EndOfTheCurrentServicePointHours,
            "2026-10-23T20:00:00Z",
            friday_noon,
            &none,
            Some(weekday()),
            "2026-10-23T15:00:00.000+00:00",
        ),
        // closed now as well: end of the following opening
        (
            Strategy::EndOfTheCurrentServicePointHours,
            "2026-10-24T10:00:00Z",
            "2026-10-23T18:00:00Z",
            &none,
            Some(weekend()),
            "2026-10-26T16:00:00.000+00:00",
        ),
        (
            Strategy::BeginningOfTheNextOpenServicePointHours,
            saturday,
            friday_noon,
            &none,
            Some(weekend()),
            "2026-10-26T08:00:00.000+00:00",
        ),
        (
            Strategy::BeginningOfTheNextOpenServicePointHours,
            saturday,
            friday_noon,
            &offset,
            Some(weekend()),
            "2026-10-26T10:00:00.000+00:00",
        ),
        // the offset leads past the last known hours, or into a gap
        (
            Strategy::BeginningOfTheNextOpenServicePointHours,
            saturday,
            friday_noon,
            &long,
            Some(weekend()),
            "2026-10-26T16:00:00.000+00:00",
        ),
        (
            Strategy::BeginningOfTheNextOpenServicePointHours,
            "2026-10-22T20:00:00Z",
            friday_noon,
            &long,
            Some(weekday()),
            "2026-10-23T15:00:00.000+00:00",
        ),
    ] {
        let found = moved(strategy, due, now, offset, openings.as_ref());
        assert_eq!(found.as_deref(), Ok(expected), "{strategy:?} {due}");
    }
}

#[test]
fn hours_that_join_at_midnight_count_as_one_working_day() {
    let almost_midnight = time(23, 59, 0, 0);
    let openings = SurroundingOpenings {
        previous: OpeningDay::open(date(2026, 6, 1), vec![(NINE, almost_midnight)]),
        requested: OpeningDay::open(date(2026, 6, 2), vec![(Time::midnight(), time(2, 0, 0, 0))]),
        next: open(date(2026, 6, 3)),
    };
    let found = moved(
        Strategy::EndOfTheCurrentServicePointHours,
        "2026-06-02T10:00:00Z",
        "2026-06-01T20:00:00Z",
        &Period::default(),
        Some(&openings),
    );
    assert_eq!(found.as_deref(), Ok("2026-06-02T00:00:00.000+00:00"));
}

#[test]
fn without_a_calendar_only_the_due_date_itself_can_be_kept() {
    let closed = SurroundingOpenings {
        previous: OpeningDay::closed(date(2026, 10, 23)),
        requested: OpeningDay::closed(date(2026, 10, 24)),
        next: OpeningDay::closed(date(2026, 10, 25)),
    };
    for strategy in [
        Strategy::EndOfThePreviousOpenDay,
        Strategy::EndOfTheNextOpenDay,
        Strategy::EndOfTheCurrentServicePointHours,
        Strategy::BeginningOfTheNextOpenServicePointHours,
    ] {
        let saturday = "2026-10-24T10:00:00Z";
        let none = Period::default();
        let unknown = moved(strategy, saturday, saturday, &none, None);
        assert_eq!(unknown, Err("Calendar open periods are not found".to_owned()), "{strategy:?}");
        let never_open = moved(strategy, saturday, saturday, &none, Some(&closed));
        assert_eq!(
            never_open,
            Err("Calendar timetable is absent for requested date".to_owned()),
            "{strategy:?}"
        );
    }
}

#[test]
fn a_patron_who_expires_returns_things_before() {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    for (strategy, expires, openings, due) in [
        (Strategy::CurrentDueDate, "2026-10-24T10:00:00Z", None, "2026-10-24T10:00:00.000+00:00"),
        (Strategy::CurrentDueDateTime, "2026-10-24T10:00:00Z", None, "2026-10-24T10:00:00.000+00:00"),
        (
            Strategy::EndOfTheNextOpenDay,
            "2026-10-23T10:00:00Z",
            Some(weekday()),
            "2026-10-22T21:59:59.000+00:00",
        ),
        (
            Strategy::EndOfThePreviousOpenDay,
            "2026-10-24T10:00:00Z",
            Some(weekend()),
            "2026-10-23T21:59:59.000+00:00",
        ),
        (
            Strategy::EndOfTheCurrentServicePointHours,
            "2026-10-24T10:00:00Z",
            Some(weekend()),
            "2026-10-23T15:00:00.000+00:00",
        ),
        (
            Strategy::BeginningOfTheNextOpenServicePointHours,
            "2026-10-23T10:00:00Z",
            Some(weekday()),
            "2026-10-23T07:00:00.000+00:00",
        ),
    ] {
        let found =
            truncate_to_patron_expiration(strategy, expires.parse().unwrap(), &zone, openings.as_ref());
        assert_eq!(found.map(folio_time).as_deref(), Ok(due), "{strategy:?}");
    }
}
