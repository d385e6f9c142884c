//! The openings of every service point, computed once for each version of the tenant's snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::Date;
use octavo_calendar::{Calendar, Day, Openings, Timetable};
use octavo_circulation::closed_library::{self, OpeningDay, SurroundingOpenings};
use octavo_engine::Snapshot;
use uuid::Uuid;

use super::CALENDAR;

#[derive(Debug, Default)]
pub struct Calendars {
    openings: HashMap<Uuid, Openings>,
    /// The openings of a service point to which no calendar is assigned.
    no_openings: Openings,
}

impl Calendars {
    pub fn from_snapshot(snapshot: &Snapshot) -> Arc<Calendars> {
        snapshot.derive_once(|snapshot| {
            let records = snapshot.all(&CALENDAR).map(|(_, record)| record.clone());
            Calendars::from_calendars(records.filter_map(|record| Calendar::from_value(record).ok()))
        })
    }

    fn from_calendars(calendars: impl Iterator<Item = Calendar>) -> Calendars {
        let mut assigned: HashMap<Uuid, Vec<Arc<Timetable>>> = HashMap::new();
        for calendar in calendars {
            let timetable = Arc::new(Timetable::from_calendar(&calendar));
            for service_point in calendar.assignments {
                assigned.entry(service_point).or_default().push(Arc::clone(&timetable));
            }
        }
        let openings =
            assigned.into_iter().map(|(point, timetables)| (point, Openings::from_timetables(timetables)));
        Calendars { openings: openings.collect(), no_openings: Openings::default() }
    }

    pub fn openings_of(&self, service_point: Uuid) -> &Openings {
        self.openings.get(&service_point).unwrap_or(&self.no_openings)
    }
}

impl closed_library::Calendar for Calendars {
    /// mod-calendar never answers 404: without a calendar all three days are closed.
    fn surrounding(&self, service_point_id: &str, date: Date) -> Option<SurroundingOpenings> {
        let openings =
            Uuid::parse_str(service_point_id).map_or(&self.no_openings, |point| self.openings_of(point));
        let [previous, requested, next] = openings.surrounding(date).map(opening_day);
        Some(SurroundingOpenings { previous, requested, next })
    }
}

fn opening_day(day: Day) -> OpeningDay {
    OpeningDay { date: day.date, open: day.is_open(), all_day: day.all_day, hours: day.hours }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Time, date};
    use octavo_circulation::closed_library::Calendar as _;
    use serde_json::json;

    use super::*;

    const DESK: Uuid = Uuid::from_u128(1);

    #[test]
    fn the_desk_sees_the_days_around_a_date() {
        let calendar = Calendar::from_value(json!({"name": "Weekdays", "startDate": "2026-11-01",
        "endDate": "2026-11-30", "assignments": [DESK], "exceptions": [],
        "normalHours": [
            {"startDay": "MONDAY", "startTime": "09:00", "endDay": "MONDAY", "endTime": "17:00"},
            {"startDay": "FRIDAY", "startTime": "00:00", "endDay": "FRIDAY", "endTime": "23:59"},
        ]}));
        let calendars = Calendars::from_calendars(calendar.into_iter());
        let (nine, five, last) =
            (Time::constant(9, 0, 0, 0), Time::constant(17, 0, 0, 0), Time::constant(23, 59, 0, 0));
        let friday =
            OpeningDay { hours: vec![(Time::midnight(), last)], ..OpeningDay::all_day(date(2026, 11, 20)) };
        let expected = SurroundingOpenings {
            previous: friday,
            requested: OpeningDay::closed(date(2026, 11, 21)),
            next: OpeningDay::open(date(2026, 11, 23), vec![(nine, five)]),
        };
        assert_eq!(calendars.surrounding(&DESK.to_string(), date(2026, 11, 21)), Some(expected));
    }

    #[test]
    fn a_service_point_without_a_calendar_is_closed() {
        let closed = SurroundingOpenings {
            previous: OpeningDay::closed(date(2026, 11, 20)),
            requested: OpeningDay::closed(date(2026, 11, 21)),
            next: OpeningDay::closed(date(2026, 11, 22)),
        };
        for point in [DESK.to_string().as_str(), "no id"] {
            let found = Calendars::default().surrounding(point, date(2026, 11, 21));
            assert_eq!(found.as_ref(), Some(&closed), "{point}");
        }
    }
}
