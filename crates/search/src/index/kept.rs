//! What was worked out of one segment of an index, kept in memory for the next request, as far as there is room.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of the last deletion in a segment, where that matters: it never changes otherwise.
pub(super) type State = Option<u64>;

/// What a key or a value takes beside its own few bytes in the table.
pub(super) trait Size {
    /// In bytes.
    fn size(&self) -> usize;
}

/// Values that were used not long ago, of all indexes together.
pub(super) struct Kept<K, V>(Mutex<Values<K, V>>);

struct Values<K, V> {
    values: HashMap<K, Value<V>>,
    /// Counts the uses: the higher the number of a value, the later it was used.
    uses: u64,
    room: usize,
    taken: usize,
}

struct Value<V> {
    value: Arc<V>,
    state: State,
    used: u64,
}

impl<K: Eq + Hash + Size, V: Size> Kept<K, V> {
    /// With memory of so many bytes.
    pub(super) fn with_room(room: usize) -> Self {
        Kept(Mutex::new(Values { values: HashMap::new(), uses: 0, room, taken: 0 }))
    }

    /// If it is there, and of this state.
    pub(super) fn get(&self, key: &K, state: State) -> Option<Arc<V>> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.uses += 1;
        let used = values.uses;
        let kept = values.values.get_mut(key).filter(|kept| kept.state == state)?;
        kept.used = used;
        Some(Arc::clone(&kept.value))
    }

    /// In the place of what was there of another state.
    pub(super) fn put(&self, key: K, state: State, value: &Arc<V>) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.uses += 1;
        values.taken += taken(&key, value);
        let new = Value { value: Arc::clone(value), state, used: values.uses };
        if let Some((key, former)) = values.values.remove_entry(&key) {
            values.taken -= taken(&key, &former.value);
        }
        values.values.insert(key, new);
        if values.taken > values.room {
            values.forget_half();
        }
    }

    pub(super) fn get_or_make<E>(
        &self,
        key: K,
        state: State,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.get(&key, state) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        self.put(key, state, &value);
        Ok(value)
    }
}

impl<K: Size, V: Size> Values<K, V> {
    /// The half that was used longest ago goes.
    fn forget_half(&mut self) {
        let mut used: Vec<u64> = self.values.values().map(|kept| kept.used).collect();
        used.sort_unstable();
        let newest = used.split_off(used.len().div_ceil(2));
        let oldest_kept = newest.first().copied().unwrap_or(u64::MAX);
        self.values.retain(|_, kept| kept.used >= oldest_kept);
        self.taken = self.values.iter().map(|(key, kept)| taken(key, &kept.value)).sum();
    }
}

/// Memory of a value and its key, with their entry of the table.
fn taken(key: &impl Size, value: &Arc<impl Size>) -> usize {
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

    type Thousands = Kept<u32, Thousand>;

    fn put(kept: &Thousands, key: u32, state: State) {
        kept.put(key, state, &Arc::new(Thousand));
    }

    fn memory(kept: &Thousands) -> (usize, usize) {
        let values = kept.0.lock().unwrap();
        (values.values.len(), values.taken)
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_when_there_is_no_room() {
        let kept = Kept::with_room(4 * 1300);
        (0..4).for_each(|number| put(&kept, number, None));
        assert!(kept.get(&0, None).is_some());
        put(&kept, 4, None);
        let there: Vec<u32> = (0..5).filter(|number| kept.get(number, None).is_some()).collect();
        assert_eq!((there, memory(&kept)), (vec![0, 4], (2, 2 * 1300)));
    }

    #[test]
    fn a_value_of_another_state_takes_the_place_of_the_one_before() {
        let kept = Kept::with_room(4 * 1300);
        (0..9).for_each(|state| put(&kept, 0, Some(state)));
        assert!(kept.get(&0, Some(7)).is_none() && kept.get(&0, Some(8)).is_some());
        assert_eq!(memory(&kept), (1, 1300));
    }

    #[test]
    fn a_value_larger_than_the_room_is_not_kept() {
        let kept = Kept::with_room(1000);
        put(&kept, 0, None);
        assert_eq!(memory(&kept), (0, 0));
    }
}
