//! What can be wrong with a query text, and how large a query may be.
//!
//! A message is for the person who typed the query; the position lets a screen point at the place.

/// Why a text is no query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at position {position}")]
pub struct CqlError {
    /// Characters (not bytes) before the place that is wrong, from 0.
    pub position: usize,
    /// What is wrong there, without the position.
    pub message: String,
}

impl CqlError {
    pub(crate) fn new(position: usize, message: impl Into<String>) -> Self {
        Self { position, message: message.into() }
    }
}

/// How large a query may be. Clients send lists of thousands of ids, so the defaults are generous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of query text.
    pub length: usize,
    /// Parentheses inside parentheses.
    pub depth: usize,
    /// Clauses, that is single comparisons. Never more than `Limits::CLAUSES`, whatever is asked for.
    pub clauses: usize,
}

impl Limits {
    /// A tree can be as deep as it has clauses, and dropping it takes stack, up to 90 bytes a level:
    /// so many are tested to be safe on half a MiB, and a worker thread has two.
    pub const CLAUSES: usize = 5_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self { length: 200_000, depth: 100, clauses: 5_000 }
    }
}
