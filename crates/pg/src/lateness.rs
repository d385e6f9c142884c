//! Whether a request's reads may be late, and the log position of its changes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::Position;

/// How long a read waits, at the least, for a replica if it has to see everything that was committed before.
const CURRENT_READ_WAIT: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct Lateness {
    /// The log position that its reads have to see, and how long to wait for a replica to reach it. Unset if its reads may not be late.
    allowed: OnceLock<(Position, Duration)>,
    /// A further log position that its reads have to see; 0 if there is none.
    must_see: AtomicU64,
    /// Whether all that is read from now on is asked of the primary.
    uses_primary: AtomicBool,
    /// Whether a replica failed to answer a read of this request.
    replica_failed: AtomicBool,
    /// The number of the replica that answers it.
    chosen_replica: OnceLock<usize>,
    /// The log position of its last commit; 0 if there is none.
    committed_to: AtomicU64,
    /// Whether it may have changed something outside of a transaction after its last commit.
    wrote_after_commit: AtomicBool,
}

/// What of a request's changes is known: the place of its last commit, and whether there may have been something after that.
pub(crate) type WriteState = (u64, bool);

impl Lateness {
    /// Lets the reads of this request come from replicas that have the log up to a place, and waits so long for one. Only the first
    /// call counts.
    pub(crate) fn allow_late_reads(&self, after: Position, patience: Duration) {
        let _ = self.allowed.set((after, patience));
    }

    /// Whether a read by this request may still come from a replica.
    pub(crate) fn is_late(&self) -> bool {
        self.required_position().is_some()
    }

    /// Whether a replica failed a read of this request that the primary may answer.
    pub(crate) fn has_replica_failed(&self) -> bool {
        self.replica_failed.load(Relaxed)
    }

    pub(crate) fn required_position(&self) -> Option<(Position, Duration)> {
        let asks_primary = self.uses_primary.load(Relaxed);
        let (after, patience) = self.allowed.get().copied().filter(|_| !asks_primary)?;
        match self.must_see.load(Relaxed) {
            0 => Some((after, patience)),
            more => Some((after.max(Position::from(more)), patience.max(CURRENT_READ_WAIT))),
        }
    }

    /// From now on the request's reads come from a replica that has the log up to this position, and wait for it.
    pub(crate) fn require_position(&self, position: Position) {
        self.must_see.fetch_max(position.bytes(), Relaxed);
    }

    pub(crate) fn use_primary(&self) {
        self.uses_primary.store(true, Relaxed);
    }

    pub(crate) fn note_replica_failure(&self) {
        self.use_primary();
        self.replica_failed.store(true, Relaxed);
    }

    pub(crate) fn chosen_replica(&self) -> Option<usize> {
        self.chosen_replica.get().copied()
    }

    pub(crate) fn set_replica(&self, replica: usize) {
        let _ = self.chosen_replica.set(replica);
    }

    /// Notes a commit whose place in the log is known.
    pub(crate) fn note_commit(&self, position: Position) {
        self.restore_write_state((position.bytes(), false));
    }

    /// Notes a statement outside of a transaction, which may have changed something and stated no log position.
    pub(crate) fn note_possible_write(&self) {
        self.wrote_after_commit.store(true, Relaxed);
    }

    pub(crate) fn write_state(&self) -> WriteState {
        (self.committed_to.load(Relaxed), self.may_have_written())
    }

    pub(crate) fn restore_write_state(&self, (position, may_have_written): WriteState) {
        self.committed_to.store(position, Relaxed);
        self.wrote_after_commit.store(may_have_written, Relaxed);
    }

    pub(crate) fn may_have_written(&self) -> bool {
        self.wrote_after_commit.load(Relaxed)
    }

    /// The log position of its changes, if its last commit stated it and nothing came after.
    pub(crate) fn commit_position(&self) -> Option<Position> {
        let (position, more) = self.write_state();
        (position > 0 && !more).then(|| Position::from(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_while_nothing_follows_the_commit() {
        let request = Lateness::default();
        assert_eq!((request.commit_position(), request.may_have_written()), (None, false));
        request.note_possible_write();
        assert_eq!((request.commit_position(), request.may_have_written()), (None, true));
        request.note_commit(Position::from(7));
        assert_eq!(request.commit_position(), Some(Position::from(7)));
        request.note_possible_write();
        assert_eq!((request.commit_position(), request.may_have_written()), (None, true));
    }

    #[test]
    fn a_request_that_was_let_down_asks_the_primary() {
        let request = Lateness::default();
        assert!(!request.is_late());
        request.allow_late_reads(Position::START, Duration::ZERO);
        assert!(request.is_late() && !request.has_replica_failed());
        request.note_replica_failure();
        assert!(!request.is_late() && request.has_replica_failed());
    }
}
