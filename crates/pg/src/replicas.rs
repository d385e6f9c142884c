//! Hot standbys (replicas) of the database: they answer reads that may be late, unless the caller has to see changes that a replica lacks.
//!
//! Each replica has connections and shares of its own. It is used only if it answered the last check. What it refuses because it is a
//! standby is asked of the primary. Without a usable replica, the primary answers everything.

mod asking;
mod choice;
mod failure;
mod history;
mod lag;
mod recent;
mod replica;
mod watch;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch as channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::usage::now;
use crate::{Client, Position, Usage};
use asking::Identity;
use choice::{Choice, choose};
use history::History;
use lag::Samples;
use recent::Recent;
pub(crate) use replica::Replica;
pub use replica::ReplicaReport;
use replica::ReplicaStatus;
pub(crate) use watch::{POSITION, PrimaryAccess};

/// How much longer than the greatest allowed lag of a replica it is remembered who changed something.
const EXTRA_MEMORY_TIME: Duration = Duration::from_secs(5);

pub(crate) struct Replicas {
    all: Vec<Arc<Replica>>,
    most_lag: Duration,
    recent: Recent,
    primary: Mutex<KnownPrimary>,
    /// The number of the next replica for callers without a user or an address, who get them in turn.
    turn: AtomicUsize,
    /// `holds`: how often all reads were sent to the primary until a replica has everything that was committed by then. `released_holds`:
    /// for how many of these the log position that a replica needs is known.
    holds: AtomicU64,
    released_holds: AtomicU64,
    waiting: AtomicUsize,
    waiter_arrived: Notify,
    replica_asked: channel::Sender<()>,
    /// Counts late reads that the primary answers: because no replica has what the caller has to see, and because no replica can be used.
    behind: AtomicU64,
    unusable: AtomicU64,
}

/// The primary's answer to a check.
struct PrimaryState {
    asked: Instant,
    position: Position,
    identity: Identity,
    /// The number of its history (timeline): another after each promotion.
    history: i64,
}

/// What is known of the primary.
#[derive(Default)]
struct KnownPrimary {
    samples: Samples,
    identity: Option<Identity>,
    history: Option<History>,
}

/// Counts a waiting request until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Replicas {
    pub(crate) fn new(all: Vec<Replica>, most_lag: Duration) -> Arc<Replicas> {
        Arc::new(Replicas {
            all: all.into_iter().map(Arc::new).collect(),
            most_lag,
            recent: Recent::new(most_lag + EXTRA_MEMORY_TIME),
            primary: Mutex::default(),
            turn: AtomicUsize::new(0),
            holds: AtomicU64::new(0),
            released_holds: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            waiter_arrived: Notify::new(),
            replica_asked: channel::Sender::new(()),
            behind: AtomicU64::new(0),
            unusable: AtomicU64::new(0),
        })
    }

    /// Starts the tasks that check each replica and the primary. They end when the primary is closed.
    pub(crate) fn start(self: &Arc<Replicas>, source: &PrimaryAccess) -> Vec<JoinHandle<()>> {
        let each = self
            .all
            .iter()
            .map(|one| tokio::spawn(watch::watch_replica(source.clone(), Arc::clone(self), Arc::clone(one))));
        let primary = tokio::spawn(watch::watch_primary(source.clone(), Arc::clone(self)));
        each.chain([primary]).collect()
    }

    pub(crate) fn reports(&self) -> Vec<ReplicaReport> {
        self.all.iter().map(|one| one.report(self.most_lag)).collect()
    }

    /// How many late reads the primary answered, by reason.
    pub(crate) fn count_primary_reads(&self) -> [(&'static str, u64); 2] {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        [("behind", count(&self.behind)), ("unusable", count(&self.unusable))]
    }

    /// Has all reads answered by the primary until a replica has everything that is committed now.
    pub(crate) fn hold_late_reads(&self) {
        self.holds.fetch_add(1, Ordering::Relaxed);
    }

    /// Remembers up to where a caller has changed something.
    pub(crate) fn note_change(&self, client: Option<Client>, position: Position) {
        self.recent.note_change(client, position, now());
    }

    /// The replica for the reads of a request, if they may be late and a replica has what they have to see. Waits for a replica to reach
    /// the required log position for as long as the request allows, which may be not at all. After `None` the request uses the primary
    /// alone.
    pub(crate) async fn replica_for(&self, usage: &Usage) -> Option<Arc<Replica>> {
        let (stated, patience) = usage.lateness.required_position()?;
        let client = usage.purpose().1;
        let home = match client {
            Some(client) => (client.0 % self.all.len() as u128) as usize,
            None => self.turn.fetch_add(1, Ordering::Relaxed),
        };
        let until = now() + patience;
        loop {
            let mut looked = self.replica_asked.subscribe();
            let after = stated.max(self.recent.required_position(client));
            let standing: Vec<_> = self.all.iter().map(|one| one.choice_state(self.most_lag)).collect();
            match choose(&standing, after, usage.lateness.chosen_replica(), home) {
                Choice::Replica(at) if !self.is_holding() => {
                    usage.lateness.set_replica(at);
                    return self.all.get(at).cloned();
                }
                Choice::Unusable => {
                    self.unusable.fetch_add(1, Ordering::Relaxed);
                    break;
                }
                Choice::Behind | Choice::Replica(_) => {}
            }
            let left = until.saturating_duration_since(now());
            if left.is_zero() {
                self.behind.fetch_add(1, Ordering::Relaxed);
                break;
            }
            self.waiting.fetch_add(1, Ordering::Relaxed);
            let _waiting = Waiting(&self.waiting);
            self.waiter_arrived.notify_waiters();
            let _ = timeout(left, looked.changed()).await;
        }
        usage.lateness.use_primary();
        None
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Replica>> {
        self.all.iter()
    }

    fn count_holds(&self) -> u64 {
        self.holds.load(Ordering::Relaxed)
    }

    fn is_holding(&self) -> bool {
        self.count_holds() != self.released_holds.load(Ordering::Relaxed)
    }

    /// Takes in the primary's log position. `held` is the count of holds when the primary was asked.
    fn update_primary(&self, primary: &PrimaryState, held: u64) {
        let mut known = self.lock_primary();
        known.samples.add(primary.asked, primary.position);
        known.identity = Some(primary.identity);
        known.history = Some(History::from_previous(known.history, primary.history, primary.position));
        drop(known);
        if self.is_holding() {
            self.recent.note_change(None, primary.position, primary.asked);
            self.released_holds.store(held, Ordering::Relaxed);
        }
    }

    fn identity(&self) -> Option<Identity> {
        self.lock_primary().identity
    }

    fn update_replica(
        &self,
        replica: &Replica,
        seen: ReplicaStatus,
        (replayed, received): (Position, Position),
    ) {
        let known = self.lock_primary();
        let (samples, history) = (&known.samples, known.history);
        let how_far = (replayed, samples.lag(replayed, now()), replayed.bytes_until(samples.newest()));
        drop(known);
        let seen = match (seen, history) {
            (ReplicaStatus::Standby, Some(history)) if !replica.follows(history, replayed, received) => {
                ReplicaStatus::NotFollowing
            }
            (seen, _) => seen,
        };
        replica.update(self.most_lag, seen, how_far);
    }

    /// Wakes requests that wait for a replica: one was checked.
    fn notify_waiting(&self) {
        self.replica_asked.send_replace(());
    }

    async fn pause(&self, often: Duration, in_haste: Duration) {
        if self.waiting.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(in_haste).await;
        } else {
            let _ = timeout(often, self.waiter_arrived.notified()).await;
        }
    }

    fn lock_primary(&self) -> MutexGuard<'_, KnownPrimary> {
        self.primary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
