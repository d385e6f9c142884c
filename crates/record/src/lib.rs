//! The record engine's pure half: a record type is declared once, as data, and from the declaration come
//! validation, the table and its indexes, and the SQL of a CQL query.
//!
//! Knows no tokio, no connection and no HTTP. SQL leaves this crate as text with parameters beside it;
//! nothing that a client sends ever becomes part of the text.
//! Facts: FOLIO Quesnelia's schemas and `schema.json` files, RAML Module Builder 35.2.

mod arrays;
mod check;
mod columns;
mod ddl;
mod declaration;
mod node;
mod persons;
mod query;
mod schema;
mod search;
mod words;

pub use check::{Checked, Reading};
pub use columns::{Assignment, Filled, Storable, Writing, assignments, lists, unsearched, values};
pub use ddl::{create_references, create_table};
pub use declaration::{
    Agree, Array, Dependents, Field, Folding, Grants, HIDDEN, Hooks, Hop, Index, Join, Kind, Known,
    ListReference, Message, Missing, Plain, Reckoned, RecordType, Reference, Related, Unique, table_name,
};
pub use node::{Node, Shape};
pub use persons::{Fate, Member, Merged, Moved, Persons, Told, What, Whose};
pub use query::{Param, Sql};
pub use schema::Schema;
pub use search::{Page, Search, TOO_COSTLY, search, search_columns};
pub use words::{NoUuid, Violated, Words};
