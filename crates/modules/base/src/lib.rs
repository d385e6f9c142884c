//! The common base of FOLIO's modules: FOLIO's published facts, tokens and permissions, the record types that several modules use,
//! and two modules whose records the others read, configuration and templates. It depends on no other module.

pub mod account_events;
pub mod api_key_entries;
pub mod api_keys;
pub mod calls;
pub mod circulation_log;
pub mod circulation_records;
pub mod circulation_statistics;
pub mod configuration;
pub mod descriptor;
pub mod email_records;
pub mod facts;
pub mod fee_records;
pub mod grants;
pub mod inventory_records;
pub mod module_tokens;
pub mod operator;
pub mod outside;
pub mod persons;
pub mod remote_storage_records;
pub mod retention;
pub mod security_events;
pub mod template_engine;
pub mod timers;
pub mod tokens;
pub mod user_records;

octavo_pg::statements! {
    within = [
        api_keys, circulation_log, circulation_statistics, grants, inventory_records, operator, persons,
        remote_storage_records, retention, security_events,
    ],
}

/// The hand-written SQL statements of this crate.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
