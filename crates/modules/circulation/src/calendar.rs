//! mod-calendar 3.1.0: calendars, and the opening hours of service points that follow from them.
//!
//! What a calendar means is decided in `octavo-calendar`. Here it is stored, and asked: by clients, and by the desk, which
//! finds the [`Calendars`] of the tenant's snapshot among its facts. Facts: `errors.tsv` and `endpoints.tsv` of
//! mod-calendar.

mod change;
mod dates;
mod faults;
mod parameters;
mod record;
mod search;
mod service_points;

use octavo_engine::{Call, Method, Module, Notation, answering};

pub use record::CALENDAR;
pub use service_points::Calendars;

pub static MODULE: Module = Module {
    name: "mod-calendar",
    notation: Notation::SPRING,
    hidden: &[&CALENDAR],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/calendar/calendars", |request| answering(search::list(request))),
    Call::new(Method::Post, "/calendar/calendars", |request| answering(change::create(request))),
    Call::new(Method::Delete, "/calendar/calendars", |request| answering(change::delete_several(request))),
    Call::new(Method::Get, "/calendar/calendars/{calendarId}", |request| answering(search::get(request))),
    Call::new(Method::Put, "/calendar/calendars/{calendarId}", |request| answering(change::replace(request))),
    Call::new(Method::Delete, "/calendar/calendars/{calendarId}", |request| {
        answering(change::delete(request))
    }),
    Call::new(Method::Get, "/calendar/dates/{servicePointId}/surrounding-openings", |request| {
        answering(dates::surrounding(request))
    }),
    Call::new(Method::Get, "/calendar/dates/{servicePointId}/all-openings", |request| {
        answering(dates::all(request))
    }),
];

octavo_pg::statements!(within = [change, search]);
