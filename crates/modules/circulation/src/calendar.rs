//! mod-calendar 3.1.0: calendars, and the opening hours of service points that follow from them.
//!
//! The rules of calendars are in `octavo-calendar`. Here calendars are stored and queried, by clients and by the desk, which reads
//! the [`Calendars`] of the tenant's snapshot. Facts: `errors.tsv` and `endpoints.tsv` of mod-calendar.

mod assign;
mod change;
mod dates;
mod faults;
mod parameters;
mod record;
mod search;
mod service_points;

use octavo_engine::{Call, Module, Notation, calls};

pub(crate) use assign::assign;
pub use record::CALENDAR;
pub use service_points::Calendars;

pub static MODULE: Module = Module {
    name: "mod-calendar",
    notation: Notation::SPRING,
    hidden_records: &[&CALENDAR],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/calendar/calendars" => search::list;
    Post "/calendar/calendars" => change::create;
    Delete "/calendar/calendars" => change::delete_several;
    Get "/calendar/calendars/{calendarId}" => search::get;
    Put "/calendar/calendars/{calendarId}" => change::replace;
    Delete "/calendar/calendars/{calendarId}" => change::delete;
    Get "/calendar/dates/{servicePointId}/surrounding-openings" => dates::surrounding;
    Get "/calendar/dates/{servicePointId}/all-openings" => dates::all;
};

octavo_pg::statements!(within = [assign, change, search]);
