//! How many bytes of bodies and answers the process holds in memory: a ceiling for all clients, half of it for one client, and three
//! quarters for the clients of one tenant. Small ones are not counted; the number of connections bounds them.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use octavo_kernel::{Fault, Outcome, TenantId};

use crate::clients::counting_address;

/// Bodies and answers of up to this many bytes are small.
pub(crate) const SMALL: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Budget {
    max_bytes: usize,
    held: Mutex<HeldBytes>,
}

#[derive(Debug, Default)]
struct HeldBytes {
    total: usize,
    by_client: HashMap<IpAddr, usize>,
    by_tenant: HashMap<TenantId, usize>,
}

/// The bytes that one request holds; they are given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    client: IpAddr,
    tenant: Option<TenantId>,
    bytes: usize,
}

impl Budget {
    pub(crate) fn new(most: usize) -> Arc<Budget> {
        Arc::new(Budget { max_bytes: most, held: Mutex::default() })
    }

    pub(crate) fn share(self: &Arc<Budget>, client: IpAddr, tenant: Option<&TenantId>) -> Share {
        Share {
            budget: Arc::clone(self),
            client: counting_address(client),
            tenant: tenant.cloned(),
            bytes: 0,
        }
    }

    fn lock_held(&self) -> MutexGuard<'_, HeldBytes> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Raises the share to this many bytes, or refuses with 503 if the budget has no room.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Outcome<()> {
        if bytes <= SMALL.max(self.bytes) {
            return Ok(());
        }
        let more = bytes - self.bytes;
        let mut held = self.budget.lock_held();
        let most = self.budget.max_bytes;
        let own = held.by_client.get(&self.client).copied().unwrap_or(0);
        let of_tenant =
            self.tenant.as_ref().and_then(|tenant| held.by_tenant.get(tenant)).copied().unwrap_or(0);
        if held.total + more > most || own + more > most / 2 || of_tenant + more > most - most / 4 {
            return Err(Fault::text(
                503,
                "The server is busy with large requests. Please try again in a moment",
            ));
        }
        held.total += more;
        held.by_client.insert(self.client, own + more);
        if let Some(tenant) = &self.tenant {
            held.by_tenant.insert(tenant.clone(), of_tenant + more);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.budget.lock_held();
        held.total -= self.bytes;
        give_back(&mut held.by_client, &self.client, self.bytes);
        if let Some(tenant) = &self.tenant {
            give_back(&mut held.by_tenant, tenant, self.bytes);
        }
    }
}

fn give_back<K: Eq + Hash>(held: &mut HashMap<K, usize>, of: &K, bytes: usize) {
    if let Some(own) = held.get_mut(of) {
        *own -= bytes;
        if *own == 0 {
            held.remove(of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_has_half_one_tenant_three_quarters_and_all_the_whole() {
        let budget = Budget::new(SMALL * 8);
        let [here, there] = ["here", "there"].map(|id| TenantId::parse(id).ok());
        let [one, two, three] = [1, 2, 3].map(|last| IpAddr::from([192, 0, 2, last]));
        let mut first = budget.share(one, here.as_ref());
        first.reserve(SMALL * 3).unwrap();
        first.reserve(SMALL * 4).unwrap();
        assert_eq!(budget.share(one, there.as_ref()).reserve(SMALL + 1).unwrap_err().status, 503);
        budget.share(one, here.as_ref()).reserve(SMALL).unwrap();
        let mut second = budget.share(two, here.as_ref());
        second.reserve(SMALL * 2).unwrap();
        assert_eq!(budget.share(three, here.as_ref()).reserve(SMALL + 1).unwrap_err().status, 503);
        let mut other = budget.share(three, there.as_ref());
        other.reserve(SMALL * 2).unwrap();
        assert_eq!(budget.share(two, there.as_ref()).reserve(SMALL + 1).unwrap_err().status, 503);
        drop(first);
        other.reserve(SMALL * 4).unwrap();
        drop((second, other));
        assert_eq!(budget.lock_held().total, 0);
        assert!(budget.lock_held().by_client.is_empty() && budget.lock_held().by_tenant.is_empty());
    }
}
