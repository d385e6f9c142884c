//! What the authority finds by HTTP while it looks whether a name is ours.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the paths begin with at which the authority asks.
const PATH: &str = "/.well-known/acme-challenge/";

/// Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Challenges {
    open: Arc<Mutex<HashMap<String, String>>>,
}

impl Challenges {
    /// The answer to a `GET` of a path; nothing if no authority has to be answered there.
    pub fn answer(&self, path: &str) -> Option<String> {
        self.open().get(path.strip_prefix(PATH)?).cloned()
    }

    pub(crate) fn add(&self, token: &str, answer: &str) {
        self.open().insert(token.to_owned(), answer.to_owned());
    }

    pub(crate) fn clear(&self) {
        self.open().clear();
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
