//! What a request does step by step, with times, for traces.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most steps of one request that are kept.
const MOST: usize = 200;

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
    pub fn holds(&self, other: &Step) -> bool {
        (self.begun..=self.begun + self.took).contains(&other.begun)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Steps {
    kept: Mutex<(Vec<Step>, u64)>,
}

/// A step that goes on until this is dropped.
#[derive(Debug)]
pub struct Stepping<'a> {
    steps: &'a Steps,
    name: &'static str,
    begun: Instant,
}

impl Steps {
    pub(crate) fn begin(&self, name: &'static str) -> Stepping<'_> {
        Stepping { steps: self, name, begun: now() }
    }

    pub(crate) fn note(&self, step: Step) {
        let mut kept = self.kept();
        match kept.0.len() < MOST {
            true => kept.0.push(step),
            false => kept.1 += 1,
        }
    }

    pub(crate) fn taken(&self) -> (Vec<Step>, u64) {
        std::mem::take(&mut *self.kept())
    }

    fn kept(&self) -> MutexGuard<'_, (Vec<Step>, u64)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        let Stepping { name, begun, .. } = *self;
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
        for _ in 0..MOST + 3 {
            drop(steps.begin("gather"));
        }
        let (kept, left_out) = steps.taken();
        assert_eq!((kept.len(), left_out), (MOST, 3));
        assert_eq!(steps.taken(), (Vec::new(), 0));
    }
}
