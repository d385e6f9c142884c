//! The modules of cataloging: files of MARC records imported by job profiles, and records edited as MARC.

pub mod authorities;
pub mod copycat;
mod current;
pub mod data_import;
mod described;
mod edit;
pub mod import;
pub mod mapping;
mod parts;
pub mod profiles;
pub mod quick_marc;
pub mod source_manager;
mod staff;
mod words;

octavo_pg::statements!(
    within = [
        authorities,
        copycat,
        current,
        data_import,
        import,
        mapping,
        profiles,
        quick_marc,
        source_manager,
        staff
    ]
);

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
