//! The modules of the desk: circulation with its records, fees/fines, patron blocks and patron notices with the ways that these
//! leave the house, notes, and calendars. Knows neither how inventory keeps its records nor how users log in; rules of circulation
//! are in `octavo-circulation`.

pub mod batch_print;
pub mod calendar;
pub mod circulation;
pub mod circulation_storage;
mod decide;
pub mod email;
pub mod event_config;
pub mod feesfines;
pub mod notes;
mod notice_ledger;
pub mod notify;
pub mod patron_blocks;
pub mod sender;

octavo_pg::statements! {
    within = [batch_print, calendar, circulation, circulation_storage, email, feesfines, notes, notice_ledger, notify, patron_blocks],
}

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
