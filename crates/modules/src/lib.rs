//! The FOLIO modules that Octavo has built in, one folder each: their record types, and the operations that are more than
//! records. Knows no HTTP connection and no PostgreSQL client; rules of circulation are in `octavo-circulation`.

pub mod calls;
mod decide;
pub mod facts;
pub mod grants;
pub mod operator;
pub mod timers;
pub mod tokens;

pub mod administrator;
pub mod batch_print;
pub mod calendar;
pub mod circulation;
pub mod circulation_items;
mod circulation_records;
pub mod circulation_storage;
pub mod configuration;
pub mod email;
pub mod event_config;
mod fee_records;
pub mod feesfines;
pub mod inventory;
mod inventory_records;
pub mod inventory_storage;
pub mod laboratory;
pub mod login;
pub mod notes;
mod notice_ledger;
pub mod notify;
pub mod okapi;
pub mod password_validator;
mod passwords;
pub mod patron_blocks;
pub mod permissions;
mod persons;
pub mod remote_storage;
pub mod rtac;
pub mod search;
pub mod sender;
pub mod settings;
pub mod source_records;
pub mod tags;
pub mod template_engine;
mod user_records;
pub mod users;
pub mod users_bl;

use octavo_engine::Module;

/// Every module with something built, in the order in which their tables refer to each other.
pub static MODULES: &[&Module] = &[
    &okapi::MODULE,
    &users::MODULE,
    &login::MODULE,
    &permissions::MODULE,
    &configuration::MODULE,
    &settings::MODULE,
    &tags::MODULE,
    &users_bl::MODULE,
    &inventory_storage::MODULE,
    &source_records::MODULE,
    &inventory::MODULE,
    &calendar::MODULE,
    &template_engine::MODULE,
    &event_config::MODULE,
    &circulation_storage::MODULE,
    &feesfines::MODULE,
    &patron_blocks::MODULE,
    &circulation::MODULE,
    &circulation::notices::MODULE,
    &batch_print::MODULE,
    &email::MODULE,
    &notify::MODULE,
    &sender::MODULE,
    &rtac::MODULE,
    &notes::MODULE,
    &password_validator::MODULE,
    &circulation_items::MODULE,
    &remote_storage::MODULE,
    &search::MODULE,
    &laboratory::MODULE,
];

octavo_pg::statements! {
    within = [
        administrator, batch_print, calendar, circulation, circulation_storage, email, feesfines, grants,
        inventory, inventory_records, inventory_storage, login, notes, notice_ledger, notify, okapi, operator, password_validator, passwords,
        patron_blocks, permissions, persons, remote_storage, rtac, search, source_records, users, users_bl,
    ],
}

/// Every statement of the modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}

#[cfg(test)]
mod tests {
    use super::MODULES;
    use super::facts::FACTS;
    use super::timers::timers;

    #[test]
    fn every_timer_of_the_facts_has_a_schedule_and_okapis_number() {
        let told: usize = FACTS.modules.values().map(|module| module.timers().count()).sum();
        let timers = timers(MODULES);
        assert_eq!(timers.len(), told);
        let age = timers.iter().find(|timer| timer.path == "/circulation/scheduled-age-to-lost").unwrap();
        assert_eq!(
            (age.id.as_str(), age.schedule.to_string()),
            ("mod-circulation_9", "every 30 minute".into())
        );
        assert!(age.answer.is_some());
    }
}
