//! What FOLIO's modules stand on: its published facts and what is read from them, tokens and what users may do, the
//! record types that several modules work on, and the two modules whose records the others read, configuration and templates. Knows
//! no other module.

pub mod calls;
pub mod circulation_records;
pub mod configuration;
pub mod facts;
pub mod fee_records;
pub mod grants;
pub mod inventory_records;
pub mod operator;
pub mod persons;
pub mod template_engine;
pub mod timers;
pub mod tokens;
pub mod user_records;

octavo_pg::statements! {
    within = [grants, inventory_records, operator, persons],
}

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
