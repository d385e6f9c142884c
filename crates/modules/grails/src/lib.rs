//! The FOLIO modules that are built with Grails and K-Int's web-toolkit. Their lists, filters and records work alike, so this crate
//! declares all of them in one way.
//!
//! A [`kind::Kind`] says which members a kind of record has. From it come data binding, validation, the SQL of lists, filters and search
//! terms, and the JSON of a record. What a module does beyond that is in the module's folder.

mod bind;
mod filter;
mod kind;
mod listing;
pub mod oa;
mod records;
mod refdata;
mod refusal;
mod resource;
pub mod service_interaction;
mod settings;
mod sql;
mod toolkit;
mod uses;
mod view;
mod vocabularies;

octavo_pg::statements!(within = [oa, service_interaction]);

/// All SQL statements of this crate that are written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
