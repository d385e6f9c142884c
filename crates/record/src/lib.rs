//! The part of the record engine without input and output. A record type is declared once, as data; validation, the table with its
//! indexes and the SQL of a CQL query are made from the declaration.
//!
//! This crate does not depend on tokio, connections or HTTP. It returns SQL as text with separate parameters; no text that a client
//! sends becomes part of the SQL text.
//! Sources: FOLIO Quesnelia's schemas and `schema.json` files, RAML Module Builder 35.2.

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
pub use columns::{
    Assignment, ColumnFill, Storable, WriteKind, assignments, push_document_only, push_value_lists,
    push_values,
};
pub use ddl::{create_references, create_table};
pub use declaration::{
    Array, ComputeText, Dependents, Field, Folding, Hooks, Hop, Index, Join, Kind, ListReference, Message,
    MissingMessages, PlainErrors, RecordType, Reference, Related, ReplaceOfUnknown, SECRET_PLACEHOLDER,
    SnapshotRecords, SnapshotValidation, StalePermissions, Unique, table_name,
};
pub use node::{Node, Shape};
pub use persons::{
    DisclosureRule, ErasureRule, Member, MergeRule, PersonRole, PersonalData, Persons, RecordTransfer,
};
pub use query::{Param, Sql};
pub use schema::Schema;
pub use search::{Page, Search, TOO_COSTLY_MESSAGE, search, search_columns};
pub use words::{ConstraintMessage, InvalidId, RecordMessages};
