//! When a run ends and, of the open model, when its transactions begin.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::time::{Instant as Tick, timeout_at};

use crate::chance::Chance;
use crate::clock;

/// The end of a run, as its users see it.
#[derive(Clone)]
pub(super) struct Stop {
    inner: Rc<Inner>,
}

struct Inner {
    until: Instant,
    over: tokio::sync::watch::Sender<bool>,
    notes: RefCell<Vec<String>>,
    examples: Cell<usize>,
}

impl Stop {
    pub(super) fn at(until: Instant) -> Stop {
        let inner = Inner {
            until,
            over: tokio::sync::watch::Sender::new(false),
            notes: RefCell::default(),
            examples: Cell::new(0),
        };
        Stop { inner: Rc::new(inner) }
    }

    pub(super) fn now(&self) {
        self.inner.over.send_replace(true);
    }

    pub(super) fn is_over(&self) -> bool {
        *self.inner.over.borrow() || clock::now() >= self.inner.until
    }

    /// False if the run ends before that.
    pub(super) async fn wait_until(&self, due: Instant) -> bool {
        let due_in_time = due.min(self.inner.until);
        let mut over = self.inner.over.subscribe();
        let ended = timeout_at(Tick::from_std(due_in_time), over.wait_for(|over| *over)).await;
        ended.is_err() && due < self.inner.until
    }

    /// A feeder whose rows are for once has none left: the mix of transactions would be another one from here.
    pub(super) fn ran_out(&self, feeder: &str) {
        if !*self.inner.over.borrow() {
            self.note(format!("the run ended early: the rows of {feeder} ran out"));
            self.now();
        }
    }

    /// Takes the notes that were made so far: each is reported once.
    pub(super) fn notes(&self) -> Vec<String> {
        self.inner.notes.take()
    }

    pub(super) fn note(&self, text: String) {
        let mut notes = self.inner.notes.borrow_mut();
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// A few errors are told whole.
    pub(super) fn example(&self, told: impl FnOnce() -> String) {
        if self.inner.examples.get() < 3 {
            self.inner.examples.set(self.inner.examples.get() + 1);
            self.note(format!("an error: {}", told()));
        }
    }
}

/// The arrivals of the open model: when transactions begin, whether or not a user is free.
pub(super) struct Arrivals {
    next: Cell<Instant>,
    per_second: f64,
    chance: RefCell<Chance>,
}

impl Arrivals {
    pub(super) fn new(first: Instant, per_second: f64, chance: Chance) -> Arrivals {
        Arrivals { next: Cell::new(first), per_second, chance: RefCell::new(chance) }
    }

    /// The next arrival; arrivals are those of independent people (Poisson).
    pub(super) fn next(&self) -> Instant {
        let due = self.next.get();
        let gap = -(1.0 - self.chance.borrow_mut().share()).ln() / self.per_second;
        self.next.set(due + Duration::from_secs_f64(gap));
        due
    }
}
