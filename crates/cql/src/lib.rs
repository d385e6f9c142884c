//! CQL text to tree and back: the Contextual Query Language as FOLIO's storage modules read it.
//!
//! Pure: knows no SQL, no HTTP, no record type and no field. Which indexes exist, what a relation means for
//! a field and which modifiers are allowed is for the reader of the tree to say.
//!
//! The facts come from CQL 1.2 and from what the cql-java parser 1.13 accepts, which FOLIO's RAML Module
//! Builder 35 uses. Where we are stricter or kinder on purpose, `parser` says so.

mod debug;
mod display;
mod error;
mod lexer;
mod parser;
mod quoted;
pub mod term;
mod tree;
mod walk;

pub use error::{CqlError, Limits};
pub use parser::{parse, parse_with};
pub use quoted::quote_term;
pub use tree::{Clause, Comparator, Modifier, Node, Operator, Query, Relation, SERVER_CHOICE, SortKey};
