//! The answers that the authority reads by HTTP while it checks that a host name belongs to this server (ACME challenges).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The beginning of the paths that the authority reads.
const PATH_PREFIX: &str = "/.well-known/acme-challenge/";

/// Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Challenges {
    answers: Arc<Mutex<HashMap<String, String>>>,
}

impl Challenges {
    /// The answer to a `GET` of a path; nothing if no authority has to be answered there.
    pub fn answer(&self, path: &str) -> Option<String> {
        self.lock_answers().get(path.strip_prefix(PATH_PREFIX)?).cloned()
    }

    pub(crate) fn add(&self, token: &str, answer: &str) {
        self.lock_answers().insert(token.to_owned(), answer.to_owned());
    }

    pub(crate) fn clear(&self) {
        self.lock_answers().clear();
    }

    fn lock_answers(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
