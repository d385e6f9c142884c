//! A page: the records that are read from the source at once.

use serde_json::Value;

/// How many records are read and written at a time.
pub(super) const PAGE_RECORDS: usize = 500;

/// The result of reading a page.
pub(super) enum ReadOutcome {
    /// Records, the position after them, and whether they are the last ones.
    Page { records: Vec<Value>, place: String, last: bool },
    /// The source has no such records or does not give them; the text says why.
    Absent(String),
}
