//! What a request does step by step, with times, for traces.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most steps of one request that are kept.
const MAX_STEPS: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub name: &'static str,
    pub begun: Instant,
    pub took: Duration,
    /// Of a round trip to the database; 0 for others.
    pub statements: usize,
    pub rows: usize,
}

impl Step {
    /// The name of a round trip to the database.
    pub const DATABASE: &'static str = "SQL";

    /// Whether the other began while this one went on.
    pub fn contains_start_of(&self, other: &Step) -> bool {
        (self.begun..=self.begun + self.took).contains(&other.begun)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Steps {
    kept: Mutex<(Vec<Step>, u64)>,
}

/// A step that goes on until this is dropped.
#[derive(Debug)]
pub struct OpenStep<'a> {
    steps: &'a Steps,
    name: &'static str,
    begun: Instant,
}

impl Steps {
    pub(crate) fn begin(&self, name: &'static str) -> OpenStep<'_> {
        OpenStep { steps: self, name, begun: now() }
    }

    pub(crate) fn note(&self, step: Step) {
        let mut kept = self.lock_kept();
        match kept.0.len() < MAX_STEPS {
            true => kept.0.push(step),
            false => kept.1 += 1,
        }
    }

    pub(crate) fn take_all(&self) -> (Vec<Step>, u64) {
        std::mem::take(&mut *self.lock_kept())
    }

    fn lock_kept(&self) -> MutexGuard<'_, (Vec<Step>, u64)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStep<'_> {
    fn drop(&mut self) {
        let OpenStep { name, begun, .. } = *self;
        self.steps.note(Step { name, begun, took: begun.elapsed(), statements: 0, rows: 0 });
    }
}

#[expect(clippy::disallowed_methods, reason = "measures how long the database takes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_steps_are_counted_and_not_kept() {
        let steps = Steps::default();
        for _ in 0..MAX_STEPS + 3 {
            drop(steps.begin("gather"));
        }
        let (kept, left_out) = steps.take_all();
        assert_eq!((kept.len(), left_out), (MAX_STEPS, 3));
        assert_eq!(steps.take_all(), (Vec::new(), 0));
    }
}
