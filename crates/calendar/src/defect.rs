//! The defects of a calendar. All of them are reported at once, with mod-calendar's messages and in its order.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::overlap::overlapping;
use crate::week::Week;
use crate::{Calendar, ExceptionRange, ExceptionalOpening, NormalHours, words};

#[derive(Debug, Clone, PartialEq)]
pub struct Defect {
    pub code: Code,
    pub message: String,
    /// The values in the request that cause the defect.
    pub parameters: Value,
    /// What clients may show beside the message.
    pub data: Option<Value>,
}

/// mod-calendar's error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    TooLarge,
    NoName,
    InvalidDateRange,
    DateOverlap,
    InvalidNormalOpenings,
    InvalidExceptionName,
    InvalidExceptionDateOrder,
    InvalidExceptionDateBoundary,
    InvalidExceptions,
    InvalidExceptionOpeningBoundary,
    InvalidExceptionOpenings,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::TooLarge => "invalidRequest",
            Code::NoName => "calendarNoName",
            Code::InvalidDateRange => "calendarInvalidDateRange",
            Code::DateOverlap => "calendarDateOverlap",
            Code::InvalidNormalOpenings => "calendarInvalidNormalOpenings",
            Code::InvalidExceptionName => "calendarInvalidExceptionName",
            Code::InvalidExceptionDateOrder => "calendarInvalidExceptionDateOrder",
            Code::InvalidExceptionDateBoundary => "calendarInvalidExceptionDateBoundary",
            Code::InvalidExceptions => "calendarInvalidExceptions",
            Code::InvalidExceptionOpeningBoundary => "calendarInvalidExceptionOpeningBoundary",
            Code::InvalidExceptionOpenings => "calendarInvalidExceptionOpenings",
        }
    }
}

/// How many of the calendars that overlap with a new one its refusal names.
pub const MOST_RIVALS_NAMED: usize = 100;

/// How many assignments, hours, exceptions and their openings a calendar may have. A library has some dozens.
const MOST_PARTS: usize = 10_000;

/// `rivals` are the other calendars that may share a service point and dates with this one.
pub fn defects(calendar: &Calendar, rivals: &[Calendar]) -> Vec<Defect> {
    if calendar.count_parts() > MOST_PARTS {
        let message =
            format!("A calendar can have at most {MOST_PARTS} assignments, hours, exceptions and openings");
        return vec![Defect::new(Code::TooLarge, message, json!({}))];
    }
    let mut defects = Vec::new();
    defects.extend(name(calendar));
    defects.extend(dates(calendar));
    defects.extend(rivals.iter().filter_map(|rival| overlap(calendar, rival)).take(MOST_RIVALS_NAMED));
    defects.extend(normal_hours(&calendar.normal_hours));
    defects.extend(exception_names(&calendar.exceptions));
    defects.extend(calendar.exceptions.iter().filter_map(date_order));
    defects.extend(calendar.exceptions.iter().filter_map(|range| date_boundary(calendar, range)));
    defects.extend(exceptions(&calendar.exceptions));
    defects.extend(calendar.exceptions.iter().filter_map(opening_boundary));
    defects.extend(calendar.exceptions.iter().filter_map(openings));
    defects
}

impl Defect {
    fn new(code: Code, message: impl Into<String>, parameters: Value) -> Defect {
        Defect { code, message: message.into(), parameters, data: None }
    }

    fn with(mut self, data: Value) -> Defect {
        self.data = Some(data);
        self
    }

    /// A defect of one exception. FOLIO puts all exceptions of the calendar into the parameters of each such defect. That grows
    /// with the square of their number, so here the parameters have only the exception with the defect.
    fn of_exception(code: Code, message: String, range: &ExceptionRange) -> Defect {
        Defect::new(code, message, json!({"exceptions": [range]}))
    }
}

fn name(calendar: &Calendar) -> Option<Defect> {
    let blank = calendar.name.trim().is_empty();
    blank.then(|| {
        let parameters = json!({"name": calendar.name});
        Defect::new(Code::NoName, "Please provide a non-empty calendar name", parameters)
    })
}

fn dates(calendar: &Calendar) -> Option<Defect> {
    let (start, end) = (calendar.start_date, calendar.end_date);
    (start > end).then(|| {
        let message =
            format!("Start date ({}) cannot be after end date ({})", words::date(start), words::date(end));
        Defect::new(Code::InvalidDateRange, message, json!({"startDate": start, "endDate": end}))
    })
}

fn overlap(calendar: &Calendar, rival: &Calendar) -> Option<Defect> {
    if rival.start_date > calendar.end_date || rival.end_date < calendar.start_date {
        return None;
    }
    let theirs: HashSet<_> = rival.assignments.iter().collect();
    let shared: Vec<_> = calendar.assignments.iter().filter(|point| theirs.contains(point)).collect();
    if shared.is_empty() {
        return None;
    }
    let message = format!(
        "This calendar overlaps with another calendar (“{}” from {} to {})",
        rival.name,
        words::date(rival.start_date),
        words::date(rival.end_date)
    );
    let parameters = json!({"assignments": calendar.assignments, "startDate": calendar.start_date,
        "endDate": calendar.end_date});
    Some(
        Defect::new(Code::DateOverlap, message, parameters)
            .with(json!({"conflictingServicePointIds": shared})),
    )
}

fn normal_hours(hours: &[NormalHours]) -> Option<Defect> {
    let mut conflicting: Vec<usize> = Week::from_normal_hours(hours)
        .slices_by_day()
        .flat_map(|day| {
            let found = overlapping(day.iter().map(|slice| (slice.start, slice.end)));
            found.into_iter().map(|at| day[at].normal_hours_index)
        })
        .collect();
    conflicting.sort_unstable();
    conflicting.dedup();
    if conflicting.is_empty() {
        return None;
    }
    let conflicting: Vec<&NormalHours> = conflicting.into_iter().map(|at| &hours[at]).collect();
    let named: Vec<String> = conflicting.iter().map(|hours| words::normal_hours(hours)).collect();
    let message = format!("The following openings conflict with each other: {}", words::list(&named));
    Some(
        Defect::new(Code::InvalidNormalOpenings, message, json!({"normalHours": hours}))
            .with(json!({"conflicts": conflicting})),
    )
}

fn exception_names(ranges: &[ExceptionRange]) -> Option<Defect> {
    ranges.iter().any(|range| range.name.trim().is_empty()).then(|| {
        let message = "At least one exception is missing a name";
        Defect::new(Code::InvalidExceptionName, message, json!({"exceptions": ranges}))
    })
}

fn date_order(range: &ExceptionRange) -> Option<Defect> {
    (range.start_date > range.end_date).then(|| {
        let message = format!(
            "The start date ({}) is after the end date ({}) for exception “{}”",
            words::date(range.start_date),
            words::date(range.end_date),
            range.name
        );
        Defect::of_exception(Code::InvalidExceptionDateOrder, message, range).with(json!({"range": range}))
    })
}

fn date_boundary(calendar: &Calendar, range: &ExceptionRange) -> Option<Defect> {
    let within = |date| calendar.start_date <= date && date <= calendar.end_date;
    (!within(range.start_date) || !within(range.end_date)).then(|| {
        let message = format!(
            "The exception “{}” ({} to {}) is not fully enclosed by the calendar's start and end dates ({} to {})",
            range.name,
            words::date(range.start_date),
            words::date(range.end_date),
            words::date(calendar.start_date),
            words::date(calendar.end_date)
        );
        Defect::of_exception(Code::InvalidExceptionDateBoundary, message, range).with(json!({"range": range}))
    })
}

fn exceptions(ranges: &[ExceptionRange]) -> Option<Defect> {
    let conflicting = overlapping(ranges.iter().map(|range| (range.start_date, range.end_date)));
    if conflicting.is_empty() {
        return None;
    }
    let conflicting: Vec<&ExceptionRange> = conflicting.into_iter().map(|at| &ranges[at]).collect();
    let named: Vec<String> = conflicting.iter().map(|range| words::exception(range)).collect();
    let message = format!("The following exceptions conflict with each other: {}", words::list(&named));
    Some(
        Defect::new(Code::InvalidExceptions, message, json!({"exceptions": ranges}))
            .with(json!({"conflicts": conflicting})),
    )
}

fn opening_boundary(range: &ExceptionRange) -> Option<Defect> {
    let within =
        |opening: &ExceptionalOpening| range.contains(opening.start_date) && range.contains(opening.end_date);
    let outside: Vec<String> =
        range.openings.iter().filter(|opening| !within(opening)).map(words::opening).collect();
    let counted = match outside.len() {
        0 => return None,
        1 => "an opening",
        _ => "openings",
    };
    let message = format!(
        "The exception “{}” has {counted} outside of the exception's bounds: {}",
        range.name,
        words::list(&outside)
    );
    Some(Defect::of_exception(Code::InvalidExceptionOpeningBoundary, message, range))
}

/// An opening that ends before it begins conflicts with itself; FOLIO fails on it with 500.
fn openings(range: &ExceptionRange) -> Option<Defect> {
    let openings = &range.openings;
    let mut conflicting = overlapping(openings.iter().map(|opening| (opening.start(), opening.end())));
    conflicting.extend((0..openings.len()).filter(|at| openings[*at].start() > openings[*at].end()));
    if conflicting.is_empty() {
        return None;
    }
    conflicting.sort_unstable();
    let named: Vec<String> = conflicting.into_iter().map(|at| words::opening(&openings[at])).collect();
    let message = format!(
        "The following openings within “{}” conflict with each other: {}",
        range.name,
        words::list(&named)
    );
    Some(Defect::of_exception(Code::InvalidExceptionOpenings, message, range))
}

#[cfg(test)]
mod tests;
