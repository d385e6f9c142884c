//! What becomes of an incoming record by a job profile: which records it matches, which actions follow, and what they make of the
//! records.
//!
//! Pure: a [`Plan`] is compiled from a job profile; every record has its [`Progress`], which asks for stored records
//! ([`Need`]) and in the end gives what is to be stored and logged ([`Outcome`]). Times and stored records come in, ids of new
//! records are derived from the id of the incoming record, so that a record that is imported again makes the same records.
//! Behaviour is that of data-import-processing-core 4.2, mod-inventory 20.2 and mod-source-record-storage 5.8 (Quesnelia);
//! docs/import-profiles.md says what differs.

mod changes;
mod expression;
mod journal;
mod labels;
mod mapping;
pub mod marc;
mod matching;
mod need;
mod outcome;
mod plan;
mod reference;
mod run;
mod source;
#[cfg(test)]
mod tests;

pub use changes::{Change, FieldChanges, changes, field_changes};
pub use journal::{Action, Entity, JournalEntry};
pub use matching::{
    Comparison, Existing, Lookup, Number, Part, Qualifier, QualifierKind, Shape, Values, Within,
};
pub use need::{Answer, Need, Stored};
pub use outcome::{MarcWrite, Outcome, Write, planned_too_early};
pub use plan::Plan;
pub use reference::Reference;
pub use run::{Defaulted, Defaults, Format, Incoming, Progress, Step, World, logged_title};
