//! The modules of cataloging: files of MARC records imported by job profiles, and records edited as MARC.

pub mod authorities;
pub mod copycat;
mod current;
pub mod data_import;
mod described;
pub mod import;
pub mod mapping;
pub mod profiles;
pub mod quick_marc;
pub mod source_manager;

octavo_pg::statements!(
    within = [authorities, copycat, current, data_import, mapping, profiles, quick_marc, source_manager]
);

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
