//! The list of the FOLIO modules that Octavo has built in, and the modules that the program and tests use by name. The modules are in the
//! crates `base`, `cataloging`, `circulation`, `events`, `grails`, `inventory`, `ncip`, `search` and `users`.

use octavo_engine::Module;
pub use octavo_modules_base::api_key_entries::is_api_key;
pub use octavo_modules_base::{calls, circulation_log, facts, operator, timers, tokens};
use octavo_modules_base::{configuration, template_engine};
use octavo_modules_cataloging::{authorities, copycat, data_import, profiles, quick_marc};
pub use octavo_modules_cataloging::{import, mapping, source_manager};
use octavo_modules_circulation::{
    audit, batch_print, calendar, dcb, email, event_config, feesfines, notes, notify, patron, patron_blocks,
    sender,
};
pub use octavo_modules_circulation::{circulation, circulation_storage};
pub use octavo_modules_events as events;
use octavo_modules_grails::{oa, service_interaction};
pub use octavo_modules_inventory::inventory_storage;
use octavo_modules_inventory::{circulation_items, inventory, oai_pmh, remote_storage, rtac, source_records};
use octavo_modules_ncip as ncip;
pub use octavo_modules_search as search;
pub use octavo_modules_users::{administrator, login, okapi, permissions, users};
use octavo_modules_users::{
    authtoken, laboratory, password_validator, settings, tags, user_import, users_bl,
};
use octavo_pg::Registered;

/// Every module with something built, in the order in which their tables refer to each other.
pub static MODULES: &[&Module] = &[
    &okapi::MODULE,
    &users::MODULE,
    &login::MODULE,
    &login::sso::MODULE,
    &authtoken::MODULE,
    &permissions::MODULE,
    &configuration::MODULE,
    &settings::MODULE,
    &tags::MODULE,
    &users_bl::MODULE,
    &user_import::MODULE,
    &inventory_storage::MODULE,
    &authorities::MODULE,
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
    &patron::MODULE,
    &batch_print::MODULE,
    &email::MODULE,
    &notify::MODULE,
    &sender::MODULE,
    &rtac::MODULE,
    &oai_pmh::MODULE,
    &notes::MODULE,
    &audit::MODULE,
    &password_validator::MODULE,
    &circulation_items::MODULE,
    &dcb::MODULE,
    &ncip::MODULE,
    &remote_storage::MODULE,
    &search::MODULE,
    &search::sru::MODULE,
    &laboratory::MODULE,
    &events::MODULE,
    &events::pubsub::MODULE,
    &service_interaction::MODULE,
    &oa::MODULE,
    &profiles::MODULE,
    &source_manager::MODULE,
    &data_import::MODULE,
    &quick_marc::MODULE,
    &copycat::MODULE,
];

/// The hand-written SQL statements of all modules.
pub fn registered() -> [&'static Registered; 8] {
    [
        octavo_modules_base::registered(),
        octavo_modules_cataloging::registered(),
        octavo_modules_circulation::registered(),
        octavo_modules_events::registered(),
        octavo_modules_grails::registered(),
        octavo_modules_inventory::registered(),
        octavo_modules_search::registered(),
        octavo_modules_users::registered(),
    ]
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
        assert!(age.is_built());
    }
}
