//! The end of a run and, for tests with a rate (open model), the times at which transactions begin.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::time::{Instant as Tick, timeout_at};

use crate::chance::SeededRandom;
use crate::clock;

/// The end of a run, which all virtual users share.
#[derive(Clone)]
pub(super) struct RunEnd {
    inner: Rc<Inner>,
}

struct Inner {
    until: Instant,
    ended_early: tokio::sync::watch::Sender<bool>,
    notes: RefCell<Vec<String>>,
    example_count: Cell<usize>,
}

impl RunEnd {
    pub(super) fn at(until: Instant) -> RunEnd {
        let inner = Inner {
            until,
            ended_early: tokio::sync::watch::Sender::new(false),
            notes: RefCell::default(),
            example_count: Cell::new(0),
        };
        RunEnd { inner: Rc::new(inner) }
    }

    pub(super) fn end_now(&self) {
        self.inner.ended_early.send_replace(true);
    }

    pub(super) fn is_over(&self) -> bool {
        *self.inner.ended_early.borrow() || clock::now() >= self.inner.until
    }

    /// Waits until `due`. Returns false if the run ends before.
    pub(super) async fn wait_until(&self, due: Instant) -> bool {
        let due_in_time = due.min(self.inner.until);
        let mut over = self.inner.ended_early.subscribe();
        let ended = timeout_at(Tick::from_std(due_in_time), over.wait_for(|over| *over)).await;
        ended.is_err() && due < self.inner.until
    }

    /// Ends the run because a feeder has no rows left: from here on the mix of transactions would be another one.
    pub(super) fn end_without_rows(&self, feeder: &str) {
        if !*self.inner.ended_early.borrow() {
            self.note(format!("the run ended early: the rows of {feeder} ran out"));
            self.end_now();
        }
    }

    /// Takes the notes that were made so far: each is reported once.
    pub(super) fn take_notes(&self) -> Vec<String> {
        self.inner.notes.take()
    }

    pub(super) fn note(&self, text: String) {
        let mut notes = self.inner.notes.borrow_mut();
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// Notes the full text of an error, for the first three errors of a run.
    pub(super) fn note_error_example(&self, told: impl FnOnce() -> String) {
        if self.inner.example_count.get() < 3 {
            self.inner.example_count.set(self.inner.example_count.get() + 1);
            self.note(format!("an error: {}", told()));
        }
    }
}

/// The arrivals of the open model: when transactions begin, whether or not a user is free.
pub(super) struct Arrivals {
    next: Cell<Instant>,
    per_second: f64,
    chance: RefCell<SeededRandom>,
}

impl Arrivals {
    pub(super) fn new(first: Instant, per_second: f64, chance: SeededRandom) -> Arrivals {
        Arrivals { next: Cell::new(first), per_second, chance: RefCell::new(chance) }
    }

    /// The next arrival; arrivals are those of independent people (Poisson).
    pub(super) fn next(&self) -> Instant {
        let due = self.next.get();
        let gap = -(1.0 - self.chance.borrow_mut().fraction()).ln() / self.per_second;
        self.next.set(due + Duration::from_secs_f64(gap));
        due
    }
}
