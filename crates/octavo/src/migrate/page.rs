//! A page: the records that are read from the source at once.

use serde_json::Value;

/// How many records are read and written at a time.
pub(super) const PAGE: usize = 500;

/// What reading came to.
pub(super) enum Read {
    /// Records; the place after them; whether they are the last.
    Page { records: Vec<Value>, place: String, last: bool },
    /// The source has no such records or does not give them; why.
    Absent(String),
}
