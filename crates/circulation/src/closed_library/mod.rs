//! The strategies for due dates on which the library is closed.
//!
//! The opening hours come from a [`Calendar`]; the strategies that keep the due date need none.

mod hours;
mod openings;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_kernel::Refusal;

use crate::moment::{end_of_date, end_of_day};
use crate::policy::{ClosedLibraryStrategy, Period};

pub use openings::{Calendar, OpeningDay, ServicePointHours, SurroundingOpenings};

/// The facts of a strategy beside the due date and the openings around it.
#[derive(Debug, Clone)]
pub struct Circumstances<'a> {
    pub zone: &'a TimeZone,
    /// The loan date at check-out, now at renewal.
    pub current_time: Timestamp,
    pub opening_time_offset: &'a Period,
}

/// `openings` surround the due date's day in the tenant's zone; `None` if the calendar does not have the service point.
pub fn apply_closed_library(
    strategy: ClosedLibraryStrategy,
    due: Timestamp,
    circumstances: &Circumstances<'_>,
    openings: Option<&SurroundingOpenings>,
) -> Result<Timestamp, Refusal> {
    use ClosedLibraryStrategy as Strategy;
    let zone = circumstances.zone;
    let openings = match strategy {
        Strategy::CurrentDueDate => return Ok(end_of_day(due, zone)),
        Strategy::CurrentDueDateTime => return Ok(due),
        _ => openings.ok_or_else(calendar_not_found)?,
    };
    match strategy {
        Strategy::EndOfThePreviousOpenDay => end_of_open_day(due, openings, &openings.previous, zone),
        Strategy::EndOfTheNextOpenDay => end_of_open_day(due, openings, &openings.next, zone),
        Strategy::EndOfTheCurrentServicePointHours => hours::end_of_current(due, circumstances, openings),
        _ => hours::beginning_of_next(due, circumstances, openings),
    }
}

/// If the patron expires before the due date, the loan is due at the end of the interval before the expiration. `openings` surround the
/// day of the expiration.
pub fn truncate_to_patron_expiration(
    strategy: ClosedLibraryStrategy,
    expires: Timestamp,
    zone: &TimeZone,
    openings: Option<&SurroundingOpenings>,
) -> Result<Timestamp, Refusal> {
    use ClosedLibraryStrategy as Strategy;
    match strategy {
        Strategy::CurrentDueDate | Strategy::CurrentDueDateTime => Ok(expires),
        Strategy::EndOfThePreviousOpenDay | Strategy::EndOfTheNextOpenDay => {
            let previous = &openings.ok_or_else(calendar_not_found)?.previous;
            if previous.open { Ok(end_of_date(previous.date, zone)) } else { Err(timetable_absent()) }
        }
        Strategy::EndOfTheCurrentServicePointHours | Strategy::BeginningOfTheNextOpenServicePointHours => {
            hours::end_of_interval_before(expires, zone, openings.ok_or_else(calendar_not_found)?)
        }
    }
}

fn end_of_open_day(
    due: Timestamp,
    openings: &SurroundingOpenings,
    neighbour: &OpeningDay,
    zone: &TimeZone,
) -> Result<Timestamp, Refusal> {
    if openings.requested.open {
        Ok(end_of_day(due, zone))
    } else if neighbour.open {
        Ok(end_of_date(neighbour.date, zone))
    } else {
        Err(timetable_absent())
    }
}

fn calendar_not_found() -> Refusal {
    Refusal::new("Calendar open periods are not found")
}

fn timetable_absent() -> Refusal {
    Refusal::new("Calendar timetable is absent for requested date")
}

#[cfg(test)]
mod tests;
