//! Keeps values in memory between requests, and forgets them when a notification says that they changed.
//!
//! Reading takes time: a change may be told of while the old state is still on its way here. What was read before
//! anything was forgotten is therefore used once and not kept; else a permission that was taken away could stay.
//!
//! Changes are told of over a connection that may freeze without a sign. So what is remembered is believed only within a
//! [`Lease`], which is renewed whenever that connection has answered.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long after an answer of the listening connection remembered values are believed.
const LEASE: Duration = Duration::from_secs(5);
const ALWAYS: u64 = u64::MAX;

/// Until when what is remembered may be believed: for ever, where nobody else can change it.
#[derive(Debug)]
pub struct Lease {
    begun: Instant,
    /// Milliseconds since.
    until: AtomicU64,
    /// Since when it was renewed again and again; milliseconds since it was begun.
    since: AtomicU64,
}

impl Lease {
    /// Another process may change what is remembered from now on: nothing is believed until it is heard of.
    pub fn end(&self) {
        self.until.store(0, Ordering::Relaxed);
    }

    /// Every change before this instant has been heard of.
    pub fn renew(&self, heard: Instant) {
        if !self.holds() {
            self.since.store(self.begun.elapsed().as_millis() as u64, Ordering::Relaxed);
        }
        let until = (heard + LEASE).saturating_duration_since(self.begun);
        self.until.store(until.as_millis() as u64, Ordering::Relaxed);
    }

    /// For how long every change was heard of without a break, which also says that the database was there.
    pub fn held_for(&self) -> Duration {
        match self.until.load(Ordering::Relaxed) {
            ALWAYS => Duration::MAX,
            _ if !self.holds() => Duration::ZERO,
            _ => {
                let since = Duration::from_millis(self.since.load(Ordering::Relaxed));
                self.begun.elapsed().saturating_sub(since)
            }
        }
    }

    pub fn holds(&self) -> bool {
        let until = self.until.load(Ordering::Relaxed);
        until == ALWAYS || self.begun.elapsed() < Duration::from_millis(until)
    }
}

impl Default for Lease {
    #[expect(clippy::disallowed_methods, reason = "a limit of time for what is remembered")]
    fn default() -> Lease {
        Lease { begun: Instant::now(), until: AtomicU64::new(ALWAYS), since: AtomicU64::new(0) }
    }
}

#[derive(Debug)]
pub struct Remembered<K, V> {
    lease: Arc<Lease>,
    /// How much the values may weigh together; those go first that were used longest ago.
    room: usize,
    /// Counts the uses.
    uses: AtomicU64,
    inner: RwLock<Inner<K, V>>,
}

#[derive(Debug)]
struct Inner<K, V> {
    values: HashMap<K, Entry<V>>,
    weight: usize,
    /// How often something was forgotten.
    changes: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: Arc<V>,
    weight: usize,
    used: AtomicU64,
}

/// When reading began.
#[derive(Debug, Clone, Copy)]
pub struct Moment(u64);

impl<K: Eq + Hash, V> Remembered<K, V> {
    pub fn within(lease: Arc<Lease>) -> Remembered<K, V> {
        Remembered { lease, ..Remembered::default() }
    }

    /// Values that weigh no more than this together.
    pub fn bounded(lease: Arc<Lease>, room: usize) -> Remembered<K, V> {
        Remembered { lease, room, ..Remembered::default() }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        if !self.lease.holds() {
            return None;
        }
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        let entry = inner.values.get(key)?;
        entry.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Some(Arc::clone(&entry.value))
    }

    /// To be asked for before reading what will be kept.
    pub fn moment(&self) -> Moment {
        Moment(self.inner.read().unwrap_or_else(PoisonError::into_inner).changes)
    }

    /// Keeps a value that was read since `moment`, unless something was forgotten in between.
    pub fn keep(&self, key: K, value: &Arc<V>, moment: Moment)
    where
        K: Clone,
    {
        self.keep_weighing(key, value, moment, 0);
    }

    /// As [`Remembered::keep`], for a value of this weight.
    pub fn keep_weighing(&self, key: K, value: &Arc<V>, moment: Moment, weight: usize)
    where
        K: Clone,
    {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        if inner.changes != moment.0 {
            return;
        }
        let used = self.uses.fetch_add(1, Ordering::Relaxed).into();
        inner.remove(&key);
        inner.weight += weight;
        inner.values.insert(key, Entry { value: Arc::clone(value), weight, used });
        while inner.weight > self.room && inner.values.len() > 1 {
            let oldest = inner.values.iter().min_by_key(|(_, entry)| entry.used.load(Ordering::Relaxed));
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            inner.remove(&oldest);
        }
    }

    pub fn forget(&self, key: &K) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.remove(key);
        inner.changes += 1;
    }

    pub fn forget_all(&self) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.values.clear();
        inner.weight = 0;
        inner.changes += 1;
    }
}

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        let inner = Inner { values: HashMap::new(), weight: 0, changes: 0 };
        Remembered {
            lease: Arc::default(),
            room: usize::MAX,
            uses: AtomicU64::new(0),
            inner: RwLock::new(inner),
        }
    }
}

impl<K: Eq + Hash, V> Inner<K, V> {
    fn remove(&mut self, key: &K) {
        if let Some(gone) = self.values.remove(key) {
            self.weight -= gone.weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_before_a_change_is_not_kept() {
        let remembered = Remembered::<u8, &str>::default();
        let before = remembered.moment();
        remembered.forget(&1);
        remembered.keep(1, &Arc::new("old"), before);
        assert_eq!(remembered.get(&1), None);
        remembered.keep(1, &Arc::new("new"), remembered.moment());
        assert_eq!(remembered.get(&1).as_deref(), Some(&"new"));
        remembered.forget_all();
        assert_eq!(remembered.get(&1), None);
    }

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let remembered = Remembered::<u8, ()>::bounded(Arc::default(), 10);
        let keep = |key, weight| remembered.keep_weighing(key, &Arc::new(()), remembered.moment(), weight);
        let known = || {
            (1..=4)
                .filter(|key| remembered.inner.read().unwrap().values.contains_key(key))
                .collect::<Vec<_>>()
        };
        keep(1, 4);
        keep(2, 4);
        assert_eq!(known(), [1, 2]);
        assert!(remembered.get(&1).is_some());
        keep(3, 4);
        assert_eq!(known(), [1, 3]);
        // One that is there is replaced, and one that alone is too heavy stays until there is another.
        keep(3, 5);
        assert_eq!(known(), [1, 3]);
        keep(4, 20);
        assert_eq!(known(), [4]);
        keep(1, 10);
        assert_eq!(known(), [1]);
        remembered.forget(&1);
        assert_eq!(remembered.inner.read().unwrap().weight, 0);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a lease is about time that passes")]
    fn what_is_remembered_is_believed_within_the_lease() {
        let lease = Arc::<Lease>::default();
        let remembered = Remembered::<u8, &str>::within(Arc::clone(&lease));
        remembered.keep(1, &Arc::new("granted"), remembered.moment());
        let believed = || remembered.get(&1).is_some();
        assert!(believed() && lease.held_for() == Duration::MAX);
        lease.end();
        assert!(!believed() && lease.held_for().is_zero());
        lease.renew(Instant::now());
        assert!(believed() && lease.held_for() < LEASE);
        lease.renew(Instant::now().checked_sub(LEASE).unwrap());
        assert!(!believed());
    }
}
