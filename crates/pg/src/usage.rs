//! What a request asks of the database: for which kind of work, for whom, and how much it was.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::lateness::Lateness;
pub(crate) use crate::steps::now;
use crate::steps::{OpenStep, Step, Steps};
use crate::{Position, Work};

/// What one request has asked of the database; its tasks count into it, the gateway reads it.
#[derive(Debug, Default)]
pub struct Usage {
    pub round_trips: AtomicU64,
    pub statements: AtomicU64,
    pub rows: AtomicU64,
    pub database_micros: AtomicU64,
    /// Fields that were searched without an index.
    pub unindexed: AtomicU64,
    /// Searches that were refused because they would read too much.
    pub too_costly: AtomicU64,
    /// Transactions that were begun anew after a conflict with another.
    pub retries: AtomicU64,
    purpose: OnceLock<(Work, Option<Client>)>,
    acting: OnceLock<String>,
    /// The request's id.
    id: OnceLock<String>,
    /// What it does step by step, if somebody wants to know.
    steps: OnceLock<Steps>,
    /// Whether the request may have changed something in the database that lasts, or has called something other than the database.
    touched: AtomicBool,
    /// How often it was begun anew because its connection was lost.
    pub repeats: AtomicU64,
    /// Connections that the request has now.
    held_connections: AtomicUsize,
    /// How many connections beyond one the request may have at once.
    extra_connections: AtomicUsize,
    pub(crate) lateness: Lateness,
}

/// A client, as far as its share of the connections goes: a user or an address, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(pub u128);

impl Usage {
    pub fn for_work(work: Work) -> Usage {
        let usage = Usage::default();
        usage.set_purpose(work, None);
        usage
    }

    /// Sets the kind of work of the request; only the first call counts.
    pub fn set_purpose(&self, work: Work, client: Option<Client>) {
        let _ = self.purpose.set((work, client));
    }

    /// Says who acts, for triggers that write down who changed something: they find it as `current_setting('octavo.acting', true)`. Only the
    /// first call counts.
    pub fn set_acting_user(&self, who: String) {
        let _ = self.acting.set(who);
    }

    pub(crate) fn acting_user(&self) -> &str {
        self.acting.get().map_or("", String::as_str)
    }

    /// Sets the id of the request; only the first call counts.
    pub fn set_request_id(&self, id: String) {
        let _ = self.id.set(id);
    }

    /// The id of the request; empty for work that belongs to no request.
    pub fn request_id(&self) -> &str {
        self.id.get().map_or("", String::as_str)
    }

    /// From now on records the steps of the request with their times.
    pub fn record_steps(&self) {
        let _ = self.steps.set(Steps::default());
    }

    /// A step of the request, which ends when this is dropped; nothing where the request is not followed.
    pub fn begin_step(&self, name: &'static str) -> Option<OpenStep<'_>> {
        self.steps.get().map(|steps| steps.begin(name))
    }

    /// The steps so far, and how many were left out because there were too many.
    pub fn take_steps(&self) -> (Vec<Step>, u64) {
        self.steps.get().map(Steps::take_all).unwrap_or_default()
    }

    /// Lets the reads of this request come from replicas that have the log up to a place, and waits so long for one. Only the first
    /// call counts.
    pub fn allow_late_reads(&self, after: Position, patience: Duration) {
        self.lateness.allow_late_reads(after, patience);
    }

    /// Whether a read by this request may still come from a replica.
    pub fn may_read_from_replica(&self) -> bool {
        self.lateness.is_late()
    }

    /// Whether a replica failed a read of this request that the primary may answer.
    pub fn has_replica_failed(&self) -> bool {
        self.lateness.has_replica_failed()
    }

    pub(crate) fn purpose(&self) -> (Work, Option<Client>) {
        self.purpose.get().copied().unwrap_or_default()
    }

    /// Allows the request this many tasks, each with a connection of its own.
    pub fn allow_tasks(&self, tasks: usize) {
        self.extra_connections.store(tasks.saturating_sub(1), Ordering::Relaxed);
    }

    /// Counts a connection that was lent. A request that has one and waits for another could wait for itself, so debug builds fail.
    pub(crate) fn count_lent(&self) {
        let held = self.held_connections.fetch_add(1, Ordering::Relaxed);
        debug_assert!(
            held <= self.extra_connections.load(Ordering::Relaxed),
            "a request that has a connection asks for another"
        );
    }

    pub(crate) fn count_returned(&self) {
        self.held_connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Called before a request waits for anything but the database: a connection that it keeps could not be used by others meanwhile.
    pub fn assert_no_connection(&self) {
        debug_assert!(
            self.held_connections.load(Ordering::Relaxed) <= self.extra_connections.load(Ordering::Relaxed),
            "a request keeps a connection while it waits for something else"
        );
    }

    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// From now on the request cannot be begun anew.
    pub(crate) fn mark_touched(&self) {
        self.touched.store(true, Ordering::Relaxed);
    }

    /// Whether nothing that the request has done so far lasts, so that it can be repeated.
    pub fn has_no_lasting_effect(&self) -> bool {
        !self.touched.load(Ordering::Relaxed)
    }

    pub fn count_repeat(&self) {
        self.repeats.fetch_add(1, Ordering::Relaxed);
    }

    pub fn count_retry(&self) {
        self.retries.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts one round trip.
    pub(crate) fn count_round_trip(&self, started: Instant, statements: usize, rows: usize) {
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        self.statements.fetch_add(statements as u64, Ordering::Relaxed);
        self.rows.fetch_add(rows as u64, Ordering::Relaxed);
        let took = started.elapsed();
        self.database_micros.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
        if let Some(steps) = self.steps.get() {
            steps.note(Step { name: Step::DATABASE, begun: started, took, statements, rows });
        }
    }
}
