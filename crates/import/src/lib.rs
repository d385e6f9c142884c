//! Decides what an import job does with an incoming record, by its job profile: which stored records it matches, which actions follow, and
//! how they create or change records.
//!
//! Pure: a [`Plan`] is compiled from a job profile; every record has its [`Progress`], which asks the caller for stored records ([`Need`])
//! and finally gives what is to be stored and logged ([`Outcome`]). The caller supplies the time and the stored records. The ids of new
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
pub use need::{Answer, Need, StoredMarc};
pub use outcome::{MarcWrite, Outcome, Write, conflicting_outcomes};
pub use plan::Plan;
pub use reference::Reference;
pub use run::{Format, Incoming, MappedRecord, MappingRules, Progress, Step, World, logged_title};
