//! How long a search may take.

use std::time::{Duration, Instant};

/// The instant after which a search gives up.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

/// The time of a search is over.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the search took too long")]
pub struct Late;

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
    pub(crate) fn check(self) -> Result<(), Late> {
        if self.is_over() { Err(Late) } else { Ok(()) }
    }
}
