//! A cache of values that were computed from one segment of an index, limited by the memory that they take.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of the last deletion in a segment, if the value depends on it; a segment does not change otherwise.
pub(super) type DeletionState = Option<u64>;

/// The memory that a key or a value takes in addition to its own size in the table.
pub(super) trait Size {
    /// In bytes.
    fn size(&self) -> usize;
}

/// Values that were used not long ago, of all indexes together.
pub(super) struct SizedCache<K, V>(Mutex<Values<K, V>>);

struct Values<K, V> {
    values: HashMap<K, Value<V>>,
    /// Counts the uses: the higher the number of a value, the later it was used.
    uses: u64,
    max_bytes: usize,
    used_bytes: usize,
}

struct Value<V> {
    value: Arc<V>,
    state: DeletionState,
    last_use: u64,
}

impl<K: Eq + Hash + Size, V: Size> SizedCache<K, V> {
    /// A cache that may take this many bytes of memory.
    pub(super) fn with_max_bytes(room: usize) -> Self {
        SizedCache(Mutex::new(Values { values: HashMap::new(), uses: 0, max_bytes: room, used_bytes: 0 }))
    }

    /// The value of the key, if it is cached and has this state.
    pub(super) fn get(&self, key: &K, state: DeletionState) -> Option<Arc<V>> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.uses += 1;
        let used = values.uses;
        let kept = values.values.get_mut(key).filter(|kept| kept.state == state)?;
        kept.last_use = used;
        Some(Arc::clone(&kept.value))
    }

    /// Stores a value, and replaces one with another state.
    pub(super) fn insert(&self, key: K, state: DeletionState, value: &Arc<V>) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.uses += 1;
        values.used_bytes += entry_bytes(&key, value);
        let new = Value { value: Arc::clone(value), state, last_use: values.uses };
        if let Some((key, former)) = values.values.remove_entry(&key) {
            values.used_bytes -= entry_bytes(&key, &former.value);
        }
        values.values.insert(key, new);
        if values.used_bytes > values.max_bytes {
            values.drop_oldest_half();
        }
    }

    pub(super) fn get_or_make<E>(
        &self,
        key: K,
        state: DeletionState,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.get(&key, state) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        self.insert(key, state, &value);
        Ok(value)
    }
}

impl<K: Size, V: Size> Values<K, V> {
    /// Removes the half of the values that was used longest ago.
    fn drop_oldest_half(&mut self) {
        let mut used: Vec<u64> = self.values.values().map(|kept| kept.last_use).collect();
        used.sort_unstable();
        let newest = used.split_off(used.len().div_ceil(2));
        let oldest_kept = newest.first().copied().unwrap_or(u64::MAX);
        self.values.retain(|_, kept| kept.last_use >= oldest_kept);
        self.used_bytes = self.values.iter().map(|(key, kept)| entry_bytes(key, &kept.value)).sum();
    }
}

/// The memory of a value and its key, with their entry in the table.
fn entry_bytes(key: &impl Size, value: &Arc<impl Size>) -> usize {
    key.size() + value.size() + 256
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thousand;

    impl Size for Thousand {
        fn size(&self) -> usize {
            1000
        }
    }

    impl Size for u32 {
        fn size(&self) -> usize {
            44
        }
    }

    type Thousands = SizedCache<u32, Thousand>;

    fn insert_thousand(kept: &Thousands, key: u32, state: DeletionState) {
        kept.insert(key, state, &Arc::new(Thousand));
    }

    fn memory(kept: &Thousands) -> (usize, usize) {
        let values = kept.0.lock().unwrap();
        (values.values.len(), values.used_bytes)
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_when_there_is_no_room() {
        let kept = SizedCache::with_max_bytes(4 * 1300);
        (0..4).for_each(|number| insert_thousand(&kept, number, None));
        assert!(kept.get(&0, None).is_some());
        insert_thousand(&kept, 4, None);
        let there: Vec<u32> = (0..5).filter(|number| kept.get(number, None).is_some()).collect();
        assert_eq!((there, memory(&kept)), (vec![0, 4], (2, 2 * 1300)));
    }

    #[test]
    fn a_value_of_another_state_takes_the_place_of_the_one_before() {
        let kept = SizedCache::with_max_bytes(4 * 1300);
        (0..9).for_each(|state| insert_thousand(&kept, 0, Some(state)));
        assert!(kept.get(&0, Some(7)).is_none() && kept.get(&0, Some(8)).is_some());
        assert_eq!(memory(&kept), (1, 1300));
    }

    #[test]
    fn a_value_larger_than_the_room_is_not_kept() {
        let kept = SizedCache::with_max_bytes(1000);
        insert_thousand(&kept, 0, None);
        assert_eq!(memory(&kept), (0, 0));
    }
}
