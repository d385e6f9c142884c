//! The modules of the desk: circulation and its records, fees/fines, patron blocks, patron notices with e-mail and print, notes, and
//! calendars. The rules of circulation are in `octavo-circulation`; this crate depends on no module of inventory or users.

pub mod audit;
pub mod batch_print;
pub mod calendar;
pub mod circulation;
pub mod circulation_storage;
pub mod dcb;
mod decide;
pub mod email;
pub mod event_config;
pub mod feesfines;
pub mod notes;
mod notice_ledger;
pub mod notify;
pub mod patron;
pub mod patron_blocks;
mod rests;
pub mod sender;

octavo_pg::statements! {
    within = [batch_print, calendar, circulation, circulation_storage, dcb, email, feesfines, notes, notice_ledger, notify, patron, patron_blocks, rests],
}

/// The hand-written SQL statements of this crate.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
