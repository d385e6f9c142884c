//! How many bytes of bodies and answers the process holds in memory: a ceiling for all clients, half of it for one client, and three
//! quarters for the clients of one tenant. Small ones are not counted; the number of connections bounds them.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use octavo_kernel::{Fault, Outcome, TenantId};

use crate::clients::counted_as;

/// Bodies and answers of up to this many bytes are small.
pub(crate) const SMALL: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: usize,
    of_clients: HashMap<IpAddr, usize>,
    of_tenants: HashMap<TenantId, usize>,
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
        Arc::new(Budget { most, held: Mutex::default() })
    }

    pub(crate) fn share(self: &Arc<Budget>, client: IpAddr, tenant: Option<&TenantId>) -> Share {
        Share { budget: Arc::clone(self), client: counted_as(client), tenant: tenant.cloned(), bytes: 0 }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Raises the share to this many bytes, or refuses with 503 if the budget has no room.
    pub(crate) fn hold(&mut self, bytes: usize) -> Outcome<()> {
        if bytes <= SMALL.max(self.bytes) {
            return Ok(());
        }
        let more = bytes - self.bytes;
        let mut held = self.budget.held();
        let most = self.budget.most;
        let own = held.of_clients.get(&self.client).copied().unwrap_or(0);
        let of_tenant =
            self.tenant.as_ref().and_then(|tenant| held.of_tenants.get(tenant)).copied().unwrap_or(0);
        if held.all + more > most || own + more > most / 2 || of_tenant + more > most - most / 4 {
            return Err(Fault::text(
                503,
                "The server is busy with large requests. Please try again in a moment",
            ));
        }
        held.all += more;
        held.of_clients.insert(self.client, own + more);
        if let Some(tenant) = &self.tenant {
            held.of_tenants.insert(tenant.clone(), of_tenant + more);
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
        let mut held = self.budget.held();
        held.all -= self.bytes;
        give_back(&mut held.of_clients, &self.client, self.bytes);
        if let Some(tenant) = &self.tenant {
            give_back(&mut held.of_tenants, tenant, self.bytes);
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
        first.hold(SMALL * 3).unwrap();
        first.hold(SMALL * 4).unwrap();
        assert_eq!(budget.share(one, there.as_ref()).hold(SMALL + 1).unwrap_err().status, 503);
        budget.share(one, here.as_ref()).hold(SMALL).unwrap();
        let mut second = budget.share(two, here.as_ref());
        second.hold(SMALL * 2).unwrap();
        assert_eq!(budget.share(three, here.as_ref()).hold(SMALL + 1).unwrap_err().status, 503);
        let mut other = budget.share(three, there.as_ref());
        other.hold(SMALL * 2).unwrap();
        assert_eq!(budget.share(two, there.as_ref()).hold(SMALL + 1).unwrap_err().status, 503);
        drop(first);
        other.hold(SMALL * 4).unwrap();
        drop((second, other));
        assert_eq!(budget.held().all, 0);
        assert!(budget.held().of_clients.is_empty() && budget.held().of_tenants.is_empty());
    }
}
