//! Opening hours: what a calendar says of a day, which open days surround another, and what is wrong with a calendar.
//!
//! Knows civil dates and times only: time zones and the days on which the clocks change are the caller's. Knows no SQL, no
//! HTTP, no clock, and nothing of what opening hours are good for. Behaviour and messages are those of mod-calendar 3.1.0
//! (Quesnelia).

mod calendar;
mod day;
mod defect;
mod form;
mod openings;
mod overlap;
mod timetable;
mod week;
mod words;

pub use calendar::{Calendar, ExceptionRange, ExceptionalOpening, NormalHours};
pub use day::Day;
pub use defect::{Code, Defect, MOST_RIVALS_NAMED, defects};
pub use form::parse_date;
pub use openings::{DayPage, MOST_DAYS, Openings, Span, TooLong};
pub use timetable::Timetable;
