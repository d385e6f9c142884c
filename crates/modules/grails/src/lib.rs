//! The FOLIO modules that are made with Grails and K-Int's web-toolkit: their lists, filters and records are alike, and are declared here one way.
//!
//! A [`kind::Kind`] says which members a kind of record has; from it come what is read from a body, what is wrong with it, the SQL of lists,
//! filters and search terms, and the record as it is shown. What the modules do besides stands in their folders.

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

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
