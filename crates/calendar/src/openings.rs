//! All calendars of one service point: the days around a date, the days of a span.

use std::sync::Arc;

use jiff::civil::Date;

use crate::{Day, Timetable};

/// The timetables of a service point, in order. They do not overlap.
#[derive(Debug, Clone, Default)]
pub struct Openings {
    timetables: Vec<Arc<Timetable>>,
}

/// The days that are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    pub start: Date,
    /// The last day.
    pub end: Date,
    /// Whether days on which no calendar has openings are listed too. Closed days of exceptions always are.
    pub include_closed: bool,
    pub offset: usize,
    pub limit: usize,
}

/// The days of one page, and how many days the span has in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayPage {
    pub days: Vec<Day>,
    pub total: usize,
}

/// More than [`MOST_DAYS`] would have to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// A hundred years.
pub const MOST_DAYS: i32 = 36_525;

impl Openings {
    pub fn from_timetables(mut timetables: Vec<Arc<Timetable>>) -> Openings {
        timetables.sort_by_key(|timetable| timetable.start);
        Openings { timetables }
    }

    pub fn day(&self, date: Date) -> Day {
        let at = self.count_started_by(date);
        self.timetables[..at].last().map_or_else(|| Day::closed(date), |timetable| timetable.day(date))
    }

    /// The open day before, the day itself, the open day after. Where there is none, the neighbouring date stands in,
    /// closed.
    pub fn surrounding(&self, date: Date) -> [Day; 3] {
        let (yesterday, tomorrow) = (date.yesterday(), date.tomorrow());
        let before = yesterday.as_ref().ok().and_then(|date| {
            let begun = &self.timetables[..self.count_started_by(*date)];
            begun.iter().rev().find_map(|timetable| timetable.open_until(*date))
        });
        let after = tomorrow.as_ref().ok().and_then(|date| {
            let over = self.timetables.partition_point(|timetable| timetable.end < *date);
            self.timetables[over..].iter().find_map(|timetable| timetable.open_from(*date))
        });
        [
            before.unwrap_or_else(|| Day::closed(yesterday.unwrap_or(date))),
            self.day(date),
            after.unwrap_or_else(|| Day::closed(tomorrow.unwrap_or(date))),
        ]
    }

    pub fn days_in_span(&self, span: &Span) -> Result<DayPage, TooLong> {
        let Some((start, end)) = self.dates_to_search(span) else {
            return Ok(DayPage { days: Vec::new(), total: 0 });
        };
        if start.until(end).map_or(i32::MAX, |length| length.get_days()) >= MOST_DAYS {
            return Err(TooLong);
        }
        let told = |day: &Day| span.include_closed || day.is_open() || day.exception.is_some();
        let mut listed = DayPage { days: Vec::new(), total: 0 };
        for day in start.series(jiff::Span::new().days(1)).take_while(|date| *date <= end) {
            let day = self.day(day);
            if told(&day) {
                if listed.total >= span.offset && listed.days.len() < span.limit {
                    listed.days.push(day);
                }
                listed.total += 1;
            }
        }
        Ok(listed)
    }

    /// The first and the last date to look at. If closed days are not listed, these are within the dates of the timetables.
    fn dates_to_search(&self, span: &Span) -> Option<(Date, Date)> {
        let (mut start, mut end) = (span.start, span.end);
        if !span.include_closed {
            start = start.max(self.timetables.first()?.start);
            end = end.min(self.timetables.iter().map(|timetable| timetable.end).max()?);
        }
        (start <= end).then_some((start, end))
    }

    /// How many timetables begin on the day or before.
    fn count_started_by(&self, date: Date) -> usize {
        self.timetables.partition_point(|timetable| timetable.start <= date)
    }
}

#[cfg(test)]
mod tests;
