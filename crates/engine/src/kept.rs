//! What modules keep in this process beside the database.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// One value of each type, made when it is first asked for.
#[derive(Default)]
pub struct Kept(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Kept {
    /// Values of other types may be asked for while this one is made.
    pub fn get<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let place = {
            let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let place =
                places.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(OnceLock::<Arc<T>>::new()));
            Arc::clone(place)
        };
        let place = place.downcast::<OnceLock<Arc<T>>>();
        let place = place.unwrap_or_else(|_| unreachable!("values are kept under their own types"));
        Arc::clone(place.get_or_init(|| Arc::new(make())))
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn a_value_is_made_once() {
        let kept = Kept::default();
        let first = kept.get(|| 1_u32);
        assert_eq!((*first, *kept.get(|| 2_u32), *kept.get(|| 3_i64)), (1, 1, 3));
    }

    #[test]
    fn a_value_is_made_of_another() {
        let kept = Kept::default();
        let twice = kept.get(|| 2 * u64::from(*kept.get(|| 4_u32)));
        assert_eq!((*twice, *kept.get(|| 0_u32)), (8, 4));
    }
}
