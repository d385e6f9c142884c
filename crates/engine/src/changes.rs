//! When callers of this process last changed something, so that what follows the changes can be waited for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use octavo_kernel::TenantId;
use uuid::Uuid;

/// Each change has a number, greater than those before it.
#[derive(Default)]
pub struct Changes(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    newest: u64,
    by_caller: HashMap<(TenantId, Option<Uuid>), u64>,
}

/// When so many callers are stored, those are removed that have changed nothing during the last half as many changes.
const MAX_CALLERS: usize = 10_000;

impl Changes {
    /// Notes that a caller has changed something.
    pub fn note(&self, tenant: &TenantId, user: Option<Uuid>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.newest += 1;
        let newest = noted.newest;
        if noted.by_caller.len() >= MAX_CALLERS {
            noted.by_caller.retain(|_, change| newest - *change < MAX_CALLERS as u64 / 2);
        }
        noted.by_caller.insert((tenant.clone(), user), newest);
    }

    /// The number of the newest change of all.
    pub fn newest(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).newest
    }

    /// The number of a caller's newest change; 0 if there is none.
    pub fn newest_of(&self, tenant: &TenantId, user: Option<Uuid>) -> u64 {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.by_caller.get(&(tenant.clone(), user)).copied().unwrap_or(0)
    }
}
