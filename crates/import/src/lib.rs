//! What becomes of an incoming record by a job profile: which records it matches, which actions follow, and what they make of the records.

mod journal;

pub use journal::{Action, Entity, JournalEntry};
