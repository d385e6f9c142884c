//! The requests of each tenant that took long in this process. The latest of them are kept in memory. Their paths are those of FOLIO's
//! interface, without ids and queries, so they contain no personal data.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use octavo_kernel::TenantId;

/// The most slow requests that are kept, of all tenants together.
const MAX_KEPT: usize = 2_000;

#[derive(Debug, Clone)]
pub struct SlowRequest {
    pub at: jiff::Timestamp,
    pub method: &'static str,
    pub path: &'static str,
    pub took: Duration,
}

#[derive(Debug, Default)]
pub struct SlowRequests(Mutex<VecDeque<(TenantId, SlowRequest)>>);

impl SlowRequests {
    /// Libraries that use FOLIO complain of requests that take a second; half a second is noticed at a screen.
    pub const LIMIT: Duration = Duration::from_millis(500);

    pub fn note(&self, tenant: &TenantId, request: SlowRequest) {
        if request.took < Self::LIMIT {
            return;
        }
        let mut kept = self.lock();
        if kept.len() == MAX_KEPT {
            kept.pop_front();
        }
        kept.push_back((tenant.clone(), request));
    }

    /// The slow requests of one tenant, the latest first.
    pub fn for_tenant(&self, tenant: &TenantId) -> Vec<SlowRequest> {
        let kept = self.lock();
        kept.iter().rev().filter(|(whose, _)| whose == tenant).map(|(_, request)| request.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(TenantId, SlowRequest)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(milliseconds: u64) -> SlowRequest {
        let took = Duration::from_millis(milliseconds);
        SlowRequest { at: jiff::Timestamp::UNIX_EPOCH, method: "GET", path: "/users", took }
    }

    #[test]
    fn what_was_slow_is_kept_by_tenant_and_the_oldest_goes() {
        let requests = SlowRequests::default();
        let [ours, theirs] = ["ours", "theirs"].map(|id| TenantId::parse(id).unwrap());
        for (tenant, milliseconds) in [(&ours, 499), (&ours, 500), (&theirs, 900), (&ours, 700)] {
            requests.note(tenant, took(milliseconds));
        }
        let of =
            |tenant| requests.for_tenant(tenant).iter().map(|one| one.took.as_millis()).collect::<Vec<_>>();
        assert_eq!((of(&ours), of(&theirs)), (vec![700, 500], vec![900]));
        for _ in 0..MAX_KEPT {
            requests.note(&theirs, took(800));
        }
        assert_eq!((of(&ours).len(), of(&theirs).len()), (0, MAX_KEPT));
    }
}
