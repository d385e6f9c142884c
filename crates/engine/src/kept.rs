//! Values that modules keep in the memory of this process.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// One value of each Rust type, created when it is first asked for.
#[derive(Default)]
pub struct ModuleState(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl ModuleState {
    /// `make` may ask for values of other types.
    pub fn get_or_create<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
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
    use super::ModuleState;

    #[test]
    fn a_value_is_made_once() {
        let kept = ModuleState::default();
        let first = kept.get_or_create(|| 1_u32);
        assert_eq!((*first, *kept.get_or_create(|| 2_u32), *kept.get_or_create(|| 3_i64)), (1, 1, 3));
    }

    #[test]
    fn a_value_is_made_of_another() {
        let kept = ModuleState::default();
        let twice = kept.get_or_create(|| 2 * u64::from(*kept.get_or_create(|| 4_u32)));
        assert_eq!((*twice, *kept.get_or_create(|| 0_u32)), (8, 4));
    }
}
