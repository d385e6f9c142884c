//! Counts refused statements and requests for a connection, by reason, for `/metrics`.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{DbError, Work};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalReason {
    /// No connection became free in time.
    Busy,
    /// PostgreSQL ended a statement that took longer than its kind of work may.
    Time,
    /// PostgreSQL did not answer.
    Silent,
}

const REASONS: [(RefusalReason, &str); 3] =
    [(RefusalReason::Busy, "busy"), (RefusalReason::Time, "time"), (RefusalReason::Silent, "silent")];

#[derive(Debug, Default)]
pub(crate) struct Refusals([[AtomicU64; REASONS.len()]; Work::LIMITED.len()]);

impl Refusals {
    /// Work without limits is not counted: it is never refused.
    pub(crate) fn count(&self, work: Work, why: RefusalReason) {
        let kind = Work::LIMITED.iter().position(|one| *one == work);
        let reason = REASONS.iter().position(|(one, _)| *one == why);
        if let (Some(kind), Some(reason)) = (kind, reason) {
            self.0[kind][reason].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts an error if it is one of these refusals.
    pub(crate) fn count_error(&self, work: Work, error: &DbError) {
        match error {
            DbError::Silent => self.count(work, RefusalReason::Silent),
            error if error.has_code(DbError::CANCELLED) => self.count(work, RefusalReason::Time),
            _ => {}
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        let of = |(work, counts): (Work, &[AtomicU64; REASONS.len()])| {
            let each = REASONS.iter().zip(counts);
            let told = |((_, why), count): (&(RefusalReason, &'static str), &AtomicU64)| {
                (work.name(), *why, count.load(Ordering::Relaxed))
            };
            each.map(told).collect::<Vec<_>>()
        };
        Work::LIMITED.into_iter().zip(&self.0).flat_map(of).collect::<Vec<_>>().into_iter()
    }
}
