//! What modules keep in this process beside the database.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// One value of each type, made when it is first asked for.
#[derive(Default)]
pub struct Kept(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Kept {
    pub fn get<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = kept.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(make()));
        Arc::clone(value).downcast().unwrap_or_else(|_| unreachable!("values are kept under their own types"))
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
}
