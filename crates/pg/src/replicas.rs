//! Hot standbys of the database: they answer reads that may be late, as far as the caller does not have to see more than they have.
//!
//! Each has connections and shares of its own. Nothing is believed of a replica that was not asked of it within the last look; what
//! it refuses as a standby, the primary is asked. Without any that can be used, the primary answers everything.

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
use replica::Seen;
pub(crate) use watch::{POSITION, Source};

/// How much longer than a replica may be late it is remembered who changed something.
const MORE: Duration = Duration::from_secs(5);

pub(crate) struct Replicas {
    all: Vec<Arc<Replica>>,
    most_lag: Duration,
    recent: Recent,
    primary: Mutex<Known>,
    /// Whose turn it is among callers without a name.
    turn: AtomicUsize,
    /// How often everybody was sent to the primary until replicas have all that is there now, and for how many of these they have been
    /// found to need what.
    held: AtomicU64,
    released: AtomicU64,
    waiting: AtomicUsize,
    is_awaited: Notify,
    looked: channel::Sender<()>,
    /// Late reads that the primary answers: because the caller has to see more than replicas have, and because none can be used.
    behind: AtomicU64,
    unusable: AtomicU64,
}

/// What the primary said of itself.
struct Primary {
    asked: Instant,
    position: Position,
    identity: Identity,
    /// The number of its history (timeline): another after each promotion.
    history: i64,
}

/// What is known of the primary.
#[derive(Default)]
struct Known {
    samples: Samples,
    identity: Option<Identity>,
    history: Option<History>,
}

/// Counts who waits, as long as they do.
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
            recent: Recent::new(most_lag + MORE),
            primary: Mutex::default(),
            turn: AtomicUsize::new(0),
            held: AtomicU64::new(0),
            released: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            is_awaited: Notify::new(),
            looked: channel::Sender::new(()),
            behind: AtomicU64::new(0),
            unusable: AtomicU64::new(0),
        })
    }

    /// Begins to ask them, and the primary, until the primary is closed.
    pub(crate) fn start(self: &Arc<Replicas>, source: &Source) -> Vec<JoinHandle<()>> {
        let each = self
            .all
            .iter()
            .map(|one| tokio::spawn(watch::replica(source.clone(), Arc::clone(self), Arc::clone(one))));
        let primary = tokio::spawn(watch::primary(source.clone(), Arc::clone(self)));
        each.chain([primary]).collect()
    }

    pub(crate) fn reports(&self) -> Vec<ReplicaReport> {
        self.all.iter().map(|one| one.report(self.most_lag)).collect()
    }

    /// How many late reads the primary answered, by reason.
    pub(crate) fn of_primary(&self) -> [(&'static str, u64); 2] {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        [("behind", count(&self.behind)), ("unusable", count(&self.unusable))]
    }

    /// Has all reads asked of the primary until a replica has what is there now.
    pub(crate) fn hold(&self) {
        self.held.fetch_add(1, Ordering::Relaxed);
    }

    /// Remembers up to where a caller has changed something.
    pub(crate) fn note(&self, client: Option<Client>, position: Position) {
        self.recent.note(client, position, now());
    }

    /// The replica for the reads of a request, if they may be late and one has what they have to see. Who said which place of the log
    /// that is may wait for it.
    pub(crate) async fn for_reads_of(&self, usage: &Usage) -> Option<Arc<Replica>> {
        let (stated, patience) = usage.lateness.wanted()?;
        let client = usage.purpose().1;
        let home = match client {
            Some(client) => (client.0 % self.all.len() as u128) as usize,
            None => self.turn.fetch_add(1, Ordering::Relaxed),
        };
        let until = now() + patience;
        loop {
            let mut looked = self.looked.subscribe();
            let after = stated.max(self.recent.of(client));
            let standing: Vec<_> = self.all.iter().map(|one| one.standing(self.most_lag)).collect();
            match choose(&standing, after, usage.lateness.replica(), home) {
                Choice::Replica(at) if !self.is_held() => {
                    usage.lateness.reads_from(at);
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
            self.is_awaited.notify_waiters();
            let _ = timeout(left, looked.changed()).await;
        }
        usage.lateness.ask_primary();
        None
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Replica>> {
        self.all.iter()
    }

    fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    fn is_held(&self) -> bool {
        self.held() != self.released.load(Ordering::Relaxed)
    }

    /// Takes in where the primary's log is. `held` is how often everybody was held back when that was asked.
    fn follow(&self, primary: &Primary, held: u64) {
        let mut known = self.primary();
        known.samples.add(primary.asked, primary.position);
        known.identity = Some(primary.identity);
        known.history = Some(History::seen(known.history, primary.history, primary.position));
        drop(known);
        if self.is_held() {
            self.recent.note(None, primary.position, primary.asked);
            self.released.store(held, Ordering::Relaxed);
        }
    }

    fn identity(&self) -> Option<Identity> {
        self.primary().identity
    }

    fn look_at(&self, replica: &Replica, seen: Seen, (replayed, received): (Position, Position)) {
        let known = self.primary();
        let (samples, history) = (&known.samples, known.history);
        let how_far = (replayed, samples.lag(replayed, now()), replayed.until(samples.newest()));
        drop(known);
        let seen = match (seen, history) {
            (Seen::Standby, Some(history)) if !replica.follows(history, replayed, received) => Seen::Astray,
            (seen, _) => seen,
        };
        replica.found(self.most_lag, seen, how_far);
    }

    /// Tells who waits that a replica was asked.
    fn tell(&self) {
        self.looked.send_replace(());
    }

    async fn pause(&self, often: Duration, in_haste: Duration) {
        if self.waiting.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(in_haste).await;
        } else {
            let _ = timeout(often, self.is_awaited.notified()).await;
        }
    }

    fn primary(&self) -> MutexGuard<'_, Known> {
        self.primary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
