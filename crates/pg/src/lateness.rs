//! Whether a request's reads may be late, and where in the log its changes stand.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::Position;

/// How long a replica is waited for that a read needs to have all that there is.
const LONGEST: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct Lateness {
    /// Which place of the log its reads have to see, and how long a replica may take to get there.
    allowed: OnceLock<(Position, Duration)>,
    /// Which place they have to see in addition.
    sees: AtomicU64,
    /// Whether all that is read from now on is asked of the primary.
    asks_primary: AtomicBool,
    /// Whether a replica failed it.
    was_let_down: AtomicBool,
    /// The number of the replica that answers it.
    chosen: OnceLock<usize>,
    /// Up to where its last commit stands; 0 if there is none.
    wrote_to: AtomicU64,
    /// Whether it did something outside of a transaction after that.
    writes_more: AtomicBool,
}

/// What of a request's changes is known: the place of its last commit, and whether there may have been something after that.
pub(crate) type Written = (u64, bool);

impl Lateness {
    /// Lets the reads of this request come from replicas that have the log up to a place, and waits so long for one. Only the first
    /// call counts.
    pub(crate) fn allow(&self, after: Position, patience: Duration) {
        let _ = self.allowed.set((after, patience));
    }

    /// Whether a read by this request may still come from a replica.
    pub(crate) fn is_late(&self) -> bool {
        self.wanted().is_some()
    }

    /// Whether a replica failed a read of this request that the primary may answer.
    pub(crate) fn is_let_down(&self) -> bool {
        self.was_let_down.load(Relaxed)
    }

    pub(crate) fn wanted(&self) -> Option<(Position, Duration)> {
        let asks_primary = self.asks_primary.load(Relaxed);
        let (after, patience) = self.allowed.get().copied().filter(|_| !asks_primary)?;
        match self.sees.load(Relaxed) {
            0 => Some((after, patience)),
            more => Some((after.max(Position::from(more)), patience.max(LONGEST))),
        }
    }

    /// Has what is read from now on come from a replica that has the log up to this place; it is waited for.
    pub(crate) fn has_to_see(&self, position: Position) {
        self.sees.fetch_max(position.bytes(), Relaxed);
    }

    pub(crate) fn ask_primary(&self) {
        self.asks_primary.store(true, Relaxed);
    }

    pub(crate) fn let_down(&self) {
        self.ask_primary();
        self.was_let_down.store(true, Relaxed);
    }

    pub(crate) fn replica(&self) -> Option<usize> {
        self.chosen.get().copied()
    }

    pub(crate) fn reads_from(&self, replica: usize) {
        let _ = self.chosen.set(replica);
    }

    /// Notes a commit whose place in the log is known.
    pub(crate) fn wrote(&self, position: Position) {
        self.wrote_only((position.bytes(), false));
    }

    /// Notes a statement outside of a transaction that told its place.
    pub(crate) fn may_write(&self) {
        self.writes_more.store(true, Relaxed);
    }

    pub(crate) fn written(&self) -> Written {
        (self.wrote_to.load(Relaxed), self.may_have_written())
    }

    pub(crate) fn wrote_only(&self, (position, may_have_written): Written) {
        self.wrote_to.store(position, Relaxed);
        self.writes_more.store(may_have_written, Relaxed);
    }

    pub(crate) fn may_have_written(&self) -> bool {
        self.writes_more.load(Relaxed)
    }

    /// Up to where in the log its changes stand, if a commit told it and nothing came after.
    pub(crate) fn position(&self) -> Option<Position> {
        let (position, more) = self.written();
        (position > 0 && !more).then(|| Position::from(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_while_nothing_follows_the_commit() {
        let request = Lateness::default();
        assert_eq!((request.position(), request.may_have_written()), (None, false));
        request.may_write();
        assert_eq!((request.position(), request.may_have_written()), (None, true));
        request.wrote(Position::from(7));
        assert_eq!(request.position(), Some(Position::from(7)));
        request.may_write();
        assert_eq!((request.position(), request.may_have_written()), (None, true));
    }

    #[test]
    fn a_request_that_was_let_down_asks_the_primary() {
        let request = Lateness::default();
        assert!(!request.is_late());
        request.allow(Position::START, Duration::ZERO);
        assert!(request.is_late() && !request.is_let_down());
        request.let_down();
        assert!(!request.is_late() && request.is_let_down());
    }
}
