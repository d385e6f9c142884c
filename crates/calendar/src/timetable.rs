//! A calendar in the form in which days are looked up. The search for an open day skips days that cannot be open, so that a
//! calendar of thousands of closed years takes no more time than one of a month.

use std::iter::successors;
use std::sync::Arc;

use jiff::civil::{Date, Time};

use crate::day::LAST_MINUTE;
use crate::week::Week;
use crate::{Calendar, Day, ExceptionalOpening};

#[derive(Debug)]
pub struct Timetable {
    pub start: Date,
    /// The last day.
    pub end: Date,
    week: Week,
    /// In order; they do not overlap.
    exceptions: Vec<Exception>,
}

#[derive(Debug)]
struct Exception {
    name: Arc<str>,
    start: Date,
    end: Date,
    openings: Vec<ExceptionalOpening>,
}

impl Timetable {
    pub fn from_calendar(calendar: &Calendar) -> Timetable {
        let mut exceptions: Vec<Exception> = calendar
            .exceptions
            .iter()
            .map(|range| Exception {
                name: range.name.as_str().into(),
                start: range.start_date,
                end: range.end_date,
                openings: range.openings.clone(),
            })
            .collect();
        exceptions.sort_by_key(|exception| exception.start);
        Timetable {
            start: calendar.start_date,
            end: calendar.end_date,
            week: Week::from_normal_hours(&calendar.normal_hours),
            exceptions,
        }
    }

    pub fn covers(&self, date: Date) -> bool {
        self.start <= date && date <= self.end
    }

    /// An exception replaces the normal hours. Outside of the calendar every day is closed.
    pub fn day(&self, date: Date) -> Day {
        if !self.covers(date) {
            return Day::closed(date);
        }
        match self.exception(date) {
            Some(exception) => {
                Day::exceptional(date, Arc::clone(&exception.name), exception.openings_on(date))
            }
            None => {
                let hours = self.week.slices_on(date.weekday()).iter().map(|slice| (slice.start, slice.end));
                Day::normal(date, hours.collect())
            }
        }
    }

    pub(crate) fn open_from(&self, date: Date) -> Option<Day> {
        let dates = successors(Some(date.max(self.start)), |date| self.next_possible_day(*date));
        dates.take_while(|date| *date <= self.end).map(|date| self.day(date)).find(Day::is_open)
    }

    /// The last open day up to `date`.
    pub(crate) fn open_until(&self, date: Date) -> Option<Day> {
        let dates = successors(Some(date.min(self.end)), |date| self.previous_possible_day(*date));
        dates.take_while(|date| *date >= self.start).map(|date| self.day(date)).find(Day::is_open)
    }

    /// The next day after a closed one that may be open.
    fn next_possible_day(&self, date: Date) -> Option<Date> {
        if let Some(exception) = self.exception(date) {
            let starts = exception.openings.iter().map(|opening| opening.start_date);
            let next = starts.filter(|start| date < *start && *start <= exception.end).min();
            return next.or_else(|| exception.end.tomorrow().ok());
        }
        if self.week.is_empty() {
            return self.exceptions.get(self.count_started_by(date)).map(|exception| exception.start);
        }
        date.tomorrow().ok()
    }

    /// The last day before a closed one that may be open.
    fn previous_possible_day(&self, date: Date) -> Option<Date> {
        if let Some(exception) = self.exception(date) {
            let ends = exception.openings.iter().map(|opening| opening.end_date);
            let before = ends.filter(|end| exception.start <= *end && *end < date).max();
            return before.or_else(|| exception.start.yesterday().ok());
        }
        if self.week.is_empty() {
            return self.exceptions[..self.count_started_by(date)].last().map(|exception| exception.end);
        }
        date.yesterday().ok()
    }

    fn exception(&self, date: Date) -> Option<&Exception> {
        self.exceptions[..self.count_started_by(date)].last().filter(|exception| date <= exception.end)
    }

    /// How many exceptions begin on the day or before.
    fn count_started_by(&self, date: Date) -> usize {
        self.exceptions.partition_point(|exception| exception.start <= date)
    }
}

impl Exception {
    /// The parts of the exception's openings that fall on a date, each as its first and last minute.
    fn openings_on(&self, date: Date) -> Vec<(Time, Time)> {
        let on =
            self.openings.iter().filter(|opening| opening.start_date <= date && date <= opening.end_date);
        let mut hours: Vec<(Time, Time)> = on
            .map(|opening| {
                let start = if opening.start_date == date { opening.start_time } else { Time::midnight() };
                let end = if opening.end_date == date { opening.end_time } else { LAST_MINUTE };
                (start, end)
            })
            .collect();
        hours.sort_unstable();
        hours
    }
}

#[cfg(test)]
pub(crate) mod tests;
