//! The FOLIO modules that are made with Grails and K-Int's web-toolkit: their lists, filters and records are alike, and are declared here one way.
//!
//! A [`kind::Kind`] says which members a kind of record has; from it come what is read from a body, what is wrong with it, the SQL of lists,
//! filters and search terms, and the record as it is shown. What the modules do besides stands in their folders.

mod bind;
mod filter;
mod kind;
mod listing;
mod records;
mod refdata;
mod refusal;
pub mod service_interaction;
mod sql;
mod view;

octavo_pg::statements!(within = [service_interaction]);

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
