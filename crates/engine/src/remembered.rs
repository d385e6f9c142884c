//! What is remembered between requests, and forgotten when it changes.
//!
//! Reading takes time: a change may be told of while the old state is still on its way here. What was read before
//! anything was forgotten is therefore used once and not kept; else a permission that was taken away could stay.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

#[derive(Debug)]
pub struct Remembered<K, V> {
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
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
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
        Remembered { inner: RwLock::new(Inner { values: HashMap::new(), changes: 0 }) }
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
}
