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
    inner: RwLock<Inner<K, V>>,
}

#[derive(Debug)]
struct Inner<K, V> {
    values: HashMap<K, Arc<V>>,
    /// How often something was forgotten.
    changes: u64,
}

/// When reading began.
#[derive(Debug, Clone, Copy)]
pub struct Moment(u64);

impl<K: Eq + Hash, V> Remembered<K, V> {
    pub fn within(lease: Arc<Lease>) -> Remembered<K, V> {
        Remembered { lease, ..Remembered::default() }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        if !self.lease.holds() {
            return None;
        }
        self.inner.read().unwrap_or_else(PoisonError::into_inner).values.get(key).cloned()
    }

    /// To be asked for before reading what will be kept.
    pub fn moment(&self) -> Moment {
        Moment(self.inner.read().unwrap_or_else(PoisonError::into_inner).changes)
    }

    /// Keeps a value that was read since `moment`, unless something was forgotten in between.
    pub fn keep(&self, key: K, value: &Arc<V>, moment: Moment) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        if inner.changes == moment.0 {
            inner.values.insert(key, Arc::clone(value));
        }
    }

    pub fn forget(&self, key: &K) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.values.remove(key);
        inner.changes += 1;
    }

    pub fn forget_all(&self) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.values.clear();
        inner.changes += 1;
    }
}

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Remembered { lease: Arc::default(), inner: RwLock::new(Inner { values: HashMap::new(), changes: 0 }) }
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
