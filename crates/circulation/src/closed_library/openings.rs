//! Opening hours around a day, as mod-calendar answers them to `surrounding-openings`.

use std::fmt::Debug;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningDay {
    pub date: Date,
    pub open: bool,
    /// Whether an open day is open from midnight to midnight.
    pub all_day: bool,
    /// Begin and end of each opening, in order.
    pub hours: Vec<(Time, Time)>,
}

/// A day and the nearest open days before and after it. If there is no such day, the neighbouring date is given as closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurroundingOpenings {
    pub previous: OpeningDay,
    pub requested: OpeningDay,
    pub next: OpeningDay,
}

/// Opening hours by service point; a part of the tenant's snapshot.
pub trait Calendar: Debug + Send + Sync {
    /// `None` where FOLIO's calendar would answer 404.
    fn surrounding(&self, service_point_id: &str, date: Date) -> Option<SurroundingOpenings>;
}

/// A service point whose opening hours count, and the time zone of the library.
#[derive(Debug, Clone, Copy)]
pub struct ServicePointHours<'a> {
    pub zone: &'a TimeZone,
    pub calendar: Option<&'a dyn Calendar>,
    pub service_point_id: Option<&'a str>,
}

impl ServicePointHours<'_> {
    pub(crate) fn openings(&self, day: Date) -> Option<SurroundingOpenings> {
        self.calendar?.surrounding(self.service_point_id?, day)
    }
}

impl OpeningDay {
    pub fn closed(date: Date) -> Self {
        OpeningDay { date, open: false, all_day: true, hours: Vec::new() }
    }

    pub fn all_day(date: Date) -> Self {
        OpeningDay { date, open: true, all_day: true, hours: Vec::new() }
    }

    pub fn open(date: Date, hours: Vec<(Time, Time)>) -> Self {
        OpeningDay { date, open: true, all_day: false, hours }
    }
}
