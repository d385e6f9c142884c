//! How long a search may take.

use std::time::{Duration, Instant};

/// The instant after which a search gives up.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

/// The time of a search is over.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the search took too long")]
pub struct OutOfTime;

impl Deadline {
    #[must_use]
    pub fn from_instant(instant: Instant) -> Deadline {
        Deadline(instant)
    }

    /// The deadline after this time from now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a limit of real time")]
    pub fn from_now(time: Duration) -> Deadline {
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
    pub(crate) fn check(self) -> Result<(), OutOfTime> {
        if self.is_over() { Err(OutOfTime) } else { Ok(()) }
    }

    /// For a loop whose steps are short: the clock is read once in so many of them.
    pub(crate) fn check_once_in(self, steps: u32) -> Watch {
        Watch { deadline: self, once_in: steps, steps: 0, is_late: false }
    }
}

/// A deadline that a loop asks for in each of its steps.
pub(crate) struct Watch {
    deadline: Deadline,
    once_in: u32,
    /// How often it was asked.
    steps: u32,
    is_late: bool,
}

impl Watch {
    /// Whether the loop may go on.
    pub(crate) fn has_time(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        self.is_late |= self.steps.is_multiple_of(self.once_in) && self.deadline.is_over();
        !self.is_late
    }

    /// Whether the loop was told to end.
    pub(crate) fn is_late(&self) -> bool {
        self.is_late
    }
}
