//! How long a search may take.

use std::time::{Duration, Instant};

use tantivy::TantivyError;

/// The instant after which a search gives up.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

/// The text of the error by which a search that took too long is known among Tantivy's errors.
const LATE: &str = "the search took too long";

impl Deadline {
    #[must_use]
    pub fn at(instant: Instant) -> Deadline {
        Deadline(instant)
    }

    /// So long from now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a limit of real time")]
    pub fn after(time: Duration) -> Deadline {
        Deadline(Instant::now() + time)
    }

    /// Whether the time is over. The clock is the system's: what is limited is real time, not the time of the library.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a limit of real time")]
    pub fn is_over(self) -> bool {
        Instant::now() >= self.0
    }

    /// # Errors
    /// The time is over.
    pub(super) fn check(self) -> tantivy::Result<()> {
        if self.is_over() { Err(TantivyError::InternalError(LATE.to_owned())) } else { Ok(()) }
    }

    /// Whether an error says that the time was over.
    #[must_use]
    pub fn was_over(error: &TantivyError) -> bool {
        matches!(error, TantivyError::InternalError(text) if text == LATE)
    }
}
