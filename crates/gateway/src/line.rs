//! The state of one connection, shared by its socket, the requests on it and the list of connections.

use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use tokio::time::Instant;

#[derive(Debug, Default)]
pub struct Line {
    /// Grows by one when an answer is begun, and when it is made. Odd in between.
    answers: AtomicUsize,
    /// Whether a handler waits for the body of the request that is being answered.
    is_receiving: AtomicBool,
    /// Whether the body of that request has not been read to its end, be it waited for or not.
    has_body: AtomicBool,
    /// The client may still send what nobody will read.
    has_leftover: AtomicBool,
    /// The answer cannot be ended: the client must not take it for whole.
    is_broken: AtomicBool,
    /// When the client last sent or took something; milliseconds since this process began.
    moved: AtomicU64,
}

impl Line {
    /// Odd while a request is being answered.
    pub(crate) fn answers(&self) -> usize {
        self.answers.load(Relaxed)
    }

    /// For as long as what this returns lives, a request is being answered.
    pub fn begin(self: &Arc<Line>) -> Begun {
        self.answers.fetch_add(1, Relaxed);
        Begun(Arc::clone(self))
    }

    pub(crate) fn receive(&self, receives: bool) {
        self.is_receiving.store(receives, Relaxed);
    }

    pub(crate) fn expect_body(&self, expected: bool) {
        self.has_body.store(expected, Relaxed);
    }

    pub(crate) fn has_body(&self) -> bool {
        self.has_body.load(Relaxed)
    }

    pub(crate) fn leave_over(&self) {
        self.has_leftover.store(true, Relaxed);
    }

    pub(crate) fn has_leftover(&self) -> bool {
        self.has_leftover.load(Relaxed)
    }

    pub(crate) fn break_off(&self) {
        self.is_broken.store(true, Relaxed);
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Relaxed)
    }

    pub fn note_move(&self) {
        self.moved.store(now(), Relaxed);
    }

    /// Since when the server waits for the client, if it does.
    pub(crate) fn waits_since(&self) -> Option<u64> {
        let waits = self.answers().is_multiple_of(2) || self.is_receiving.load(Relaxed);
        waits.then(|| self.moved.load(Relaxed))
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub struct Begun(Arc<Line>);

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.answers.fetch_add(1, Relaxed);
    }
}

fn now() -> u64 {
    static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(BEGINNING.elapsed().as_millis()).unwrap_or(u64::MAX)
}
