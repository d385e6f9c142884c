//! A cache of values between requests. A value is removed when a notification says that it has changed.
//!
//! Reading takes time: the notification of a change may arrive while the old state is still being read. If any value was invalidated after
//! the reading of a value began, that value is therefore used once and not stored; otherwise a permission that was taken away could stay.
//!
//! Notifications come over a connection that may stop working without an error. Cached values are therefore valid only within a
//! [`Lease`], which is renewed whenever that connection has answered.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long cached values are valid after an answer of the connection that receives notifications.
const LEASE_TIME: Duration = Duration::from_secs(5);
const NEVER_ENDS: u64 = u64::MAX;

/// The time until which cached values are valid: for ever, if no other process can change them.
#[derive(Debug)]
pub struct Lease {
    begun: Instant,
    /// The end of the lease, in milliseconds after `begun`.
    until: AtomicU64,
    /// Since when the lease was renewed without a break, in milliseconds after `begun`.
    since: AtomicU64,
}

impl Lease {
    /// Ends the lease: from now on another process may change values, so no cached value is valid until the next renewal.
    pub fn end(&self) {
        self.until.store(0, Ordering::Relaxed);
    }

    /// Renews the lease. All notifications of changes before the instant `heard` have been received.
    pub fn renew(&self, heard: Instant) {
        if !self.is_valid() {
            self.since.store(self.begun.elapsed().as_millis() as u64, Ordering::Relaxed);
        }
        let until = (heard + LEASE_TIME).saturating_duration_since(self.begun);
        self.until.store(until.as_millis() as u64, Ordering::Relaxed);
    }

    /// For how long the lease was valid without a break. For this time the database could be reached, too.
    pub fn valid_for(&self) -> Duration {
        match self.until.load(Ordering::Relaxed) {
            NEVER_ENDS => Duration::MAX,
            _ if !self.is_valid() => Duration::ZERO,
            _ => {
                let since = Duration::from_millis(self.since.load(Ordering::Relaxed));
                self.begun.elapsed().saturating_sub(since)
            }
        }
    }

    pub fn is_valid(&self) -> bool {
        let until = self.until.load(Ordering::Relaxed);
        until == NEVER_ENDS || self.begun.elapsed() < Duration::from_millis(until)
    }
}

impl Default for Lease {
    #[expect(clippy::disallowed_methods, reason = "a limit of time for what is remembered")]
    fn default() -> Lease {
        Lease { begun: Instant::now(), until: AtomicU64::new(NEVER_ENDS), since: AtomicU64::new(0) }
    }
}

#[derive(Debug)]
pub struct LeasedCache<K, V> {
    lease: Arc<Lease>,
    /// The most weight of all values together; values that were used longest ago are removed first.
    max_weight: usize,
    /// Counts the uses.
    uses: AtomicU64,
    inner: RwLock<Inner<K, V>>,
}

#[derive(Debug)]
struct Inner<K, V> {
    values: HashMap<K, Entry<V>>,
    weight: usize,
    /// How often one value, or all values, were invalidated, also if none was stored.
    changes: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: Arc<V>,
    weight: usize,
    used: AtomicU64,
}

/// The state of the cache when the reading of a value began.
#[derive(Debug, Clone, Copy)]
pub struct ReadStart(u64);

impl<K: Eq + Hash, V> LeasedCache<K, V> {
    pub fn with_lease(lease: Arc<Lease>) -> LeasedCache<K, V> {
        LeasedCache { lease, ..LeasedCache::default() }
    }

    /// A cache whose values weigh no more than this together.
    pub fn with_max_weight(lease: Arc<Lease>, room: usize) -> LeasedCache<K, V> {
        LeasedCache { lease, max_weight: room, ..LeasedCache::default() }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        if !self.lease.is_valid() {
            return None;
        }
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        let entry = inner.values.get(key)?;
        entry.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Some(Arc::clone(&entry.value))
    }

    /// To be called before a value is read that will be stored.
    pub fn begin_read(&self) -> ReadStart {
        ReadStart(self.inner.read().unwrap_or_else(PoisonError::into_inner).changes)
    }

    /// Stores a value that was read since `moment`, unless a value was invalidated in between.
    pub fn insert(&self, key: K, value: &Arc<V>, moment: ReadStart)
    where
        K: Clone,
    {
        self.insert_with_weight(key, value, moment, 0);
    }

    /// Like [`LeasedCache::insert`], for a value of this weight.
    pub fn insert_with_weight(&self, key: K, value: &Arc<V>, moment: ReadStart, weight: usize)
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
        while inner.weight > self.max_weight && inner.values.len() > 1 {
            let oldest = inner.values.iter().min_by_key(|(_, entry)| entry.used.load(Ordering::Relaxed));
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            inner.remove(&oldest);
        }
    }

    pub fn invalidate(&self, key: &K) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.remove(key);
        inner.changes += 1;
    }

    pub fn invalidate_all(&self) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.values.clear();
        inner.weight = 0;
        inner.changes += 1;
    }
}

impl<K, V> Default for LeasedCache<K, V> {
    fn default() -> Self {
        let inner = Inner { values: HashMap::new(), weight: 0, changes: 0 };
        LeasedCache {
            lease: Arc::default(),
            max_weight: usize::MAX,
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
        let remembered = LeasedCache::<u8, &str>::default();
        let before = remembered.begin_read();
        remembered.invalidate(&1);
        remembered.insert(1, &Arc::new("old"), before);
        assert_eq!(remembered.get(&1), None);
        remembered.insert(1, &Arc::new("new"), remembered.begin_read());
        assert_eq!(remembered.get(&1).as_deref(), Some(&"new"));
        remembered.invalidate_all();
        assert_eq!(remembered.get(&1), None);
    }

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let remembered = LeasedCache::<u8, ()>::with_max_weight(Arc::default(), 10);
        let keep =
            |key, weight| remembered.insert_with_weight(key, &Arc::new(()), remembered.begin_read(), weight);
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
        remembered.invalidate(&1);
        assert_eq!(remembered.inner.read().unwrap().weight, 0);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a lease is about time that passes")]
    fn what_is_remembered_is_believed_within_the_lease() {
        let lease = Arc::<Lease>::default();
        let remembered = LeasedCache::<u8, &str>::with_lease(Arc::clone(&lease));
        remembered.insert(1, &Arc::new("granted"), remembered.begin_read());
        let believed = || remembered.get(&1).is_some();
        assert!(believed() && lease.valid_for() == Duration::MAX);
        lease.end();
        assert!(!believed() && lease.valid_for().is_zero());
        lease.renew(Instant::now());
        assert!(believed() && lease.valid_for() < LEASE_TIME);
        lease.renew(Instant::now().checked_sub(LEASE_TIME).unwrap());
        assert!(!believed());
    }
}
