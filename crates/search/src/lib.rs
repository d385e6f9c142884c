//! The search of titles and authorities: which fields there are, what a query means, and the index that answers it.
//!
//! Knows no SQL and no HTTP. The fields, their names and what is done to their values are those of FOLIO's mod-search 3.2.6.

mod deadline;
pub mod engine;
pub mod fields;
pub mod index;
mod instants;
pub mod names;
pub mod query;
pub mod records;
pub mod text;
