//! The state of one connection, shared by its socket, the requests on it and the list of connections.

use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use tokio::time::Instant;

#[derive(Debug, Default)]
pub struct ConnectionState {
    /// Counts the beginning and the end of each answer: odd while a request is being answered.
    answer_steps: AtomicUsize,
    /// Whether a handler waits for the body of the request that is being answered.
    is_receiving: AtomicBool,
    /// Whether the body of that request has not been read to its end, be it waited for or not.
    has_body: AtomicBool,
    /// Whether the client may still send bytes of a body that nobody will read.
    has_leftover: AtomicBool,
    /// Whether an answer broke off, so that the client must not take it for complete.
    is_broken: AtomicBool,
    /// When the client last sent or took something; milliseconds since this process began.
    last_activity: AtomicU64,
}

impl ConnectionState {
    /// The count of beginnings and ends of answers: odd while a request is being answered.
    pub(crate) fn answer_steps(&self) -> usize {
        self.answer_steps.load(Relaxed)
    }

    /// Marks the beginning of an answer. The request counts as being answered until the returned guard is dropped.
    pub fn begin_answer(self: &Arc<ConnectionState>) -> AnswerGuard {
        self.answer_steps.fetch_add(1, Relaxed);
        AnswerGuard(Arc::clone(self))
    }

    pub(crate) fn set_receiving(&self, receives: bool) {
        self.is_receiving.store(receives, Relaxed);
    }

    pub(crate) fn set_has_body(&self, expected: bool) {
        self.has_body.store(expected, Relaxed);
    }

    pub(crate) fn has_body(&self) -> bool {
        self.has_body.load(Relaxed)
    }

    pub(crate) fn mark_leftover(&self) {
        self.has_leftover.store(true, Relaxed);
    }

    pub(crate) fn has_leftover(&self) -> bool {
        self.has_leftover.load(Relaxed)
    }

    pub(crate) fn mark_broken(&self) {
        self.is_broken.store(true, Relaxed);
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Relaxed)
    }

    pub fn note_activity(&self) {
        self.last_activity.store(millis_since_start(), Relaxed);
    }

    /// Since when the server waits for the client, in milliseconds since this process began. `None` if the client waits for the server.
    pub(crate) fn waiting_since(&self) -> Option<u64> {
        let waits = self.answer_steps().is_multiple_of(2) || self.is_receiving.load(Relaxed);
        waits.then(|| self.last_activity.load(Relaxed))
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub struct AnswerGuard(Arc<ConnectionState>);

impl Drop for AnswerGuard {
    fn drop(&mut self) {
        self.0.answer_steps.fetch_add(1, Relaxed);
    }
}

fn millis_since_start() -> u64 {
    static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(BEGINNING.elapsed().as_millis()).unwrap_or(u64::MAX)
}
