//! Counts refused statements and requests for a connection, by reason, for `/metrics`.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{DbError, Work};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// No connection became free in time.
    Busy,
    /// PostgreSQL ended a statement that took longer than its kind of work may.
    Time,
    /// PostgreSQL did not answer.
    Silent,
}

const WHYS: [(Why, &str); 3] = [(Why::Busy, "busy"), (Why::Time, "time"), (Why::Silent, "silent")];

#[derive(Debug, Default)]
pub(crate) struct Refusals([[AtomicU64; WHYS.len()]; Work::LIMITED.len()]);

impl Refusals {
    /// Work without limits is not counted: it is never refused.
    pub(crate) fn count(&self, work: Work, why: Why) {
        let kind = Work::LIMITED.iter().position(|one| *one == work);
        let reason = WHYS.iter().position(|(one, _)| *one == why);
        if let (Some(kind), Some(reason)) = (kind, reason) {
            self.0[kind][reason].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts an error if it is one of these refusals.
    pub(crate) fn note(&self, work: Work, error: &DbError) {
        match error {
            DbError::Silent => self.count(work, Why::Silent),
            error if error.is(DbError::CANCELLED) => self.count(work, Why::Time),
            _ => {}
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        let of = |(work, counts): (Work, &[AtomicU64; WHYS.len()])| {
            let each = WHYS.iter().zip(counts);
            let told = |((_, why), count): (&(Why, &'static str), &AtomicU64)| {
                (work.name(), *why, count.load(Ordering::Relaxed))
            };
            each.map(told).collect::<Vec<_>>()
        };
        Work::LIMITED.into_iter().zip(&self.0).flat_map(of).collect::<Vec<_>>().into_iter()
    }
}
