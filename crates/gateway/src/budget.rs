//! How many bytes of bodies and answers the process holds in memory: a ceiling for all clients, and half of it for one client. Small
//! ones are not counted; the number of connections bounds them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use octavo_kernel::{Fault, Outcome};

use crate::clients::counted_as;

/// Bodies and answers of up to this many bytes are small.
pub(crate) const SMALL: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    held: Mutex<HashMap<IpAddr, usize>>,
}

/// The bytes that one request holds; they are given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    client: IpAddr,
    bytes: usize,
}

impl Budget {
    pub(crate) fn new(most: usize) -> Arc<Budget> {
        Arc::new(Budget { most, held: Mutex::default() })
    }

    pub(crate) fn share(self: &Arc<Budget>, client: IpAddr) -> Share {
        Share { budget: Arc::clone(self), client: counted_as(client), bytes: 0 }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
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
        let (all, own) = (held.values().sum::<usize>(), held.get(&self.client).copied().unwrap_or(0));
        if all + more > self.budget.most || own + more > self.budget.most / 2 {
            return Err(Fault::text(
                503,
                "The server is busy with large requests. Please try again in a moment",
            ));
        }
        held.insert(self.client, own + more);
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
        if let Some(own) = held.get_mut(&self.client) {
            *own -= self.bytes;
            if *own == 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_has_half_and_all_have_the_whole() {
        let budget = Budget::new(SMALL * 8);
        let [one, two, three] = [1, 2, 3].map(|last| IpAddr::from([192, 0, 2, last]));
        let mut first = budget.share(one);
        first.hold(SMALL * 3).unwrap();
        first.hold(SMALL * 4).unwrap();
        assert_eq!(budget.share(one).hold(SMALL + 1).unwrap_err().status, 503);
        budget.share(one).hold(SMALL).unwrap();
        let mut second = budget.share(two);
        second.hold(SMALL * 4).unwrap();
        assert_eq!(budget.share(three).hold(SMALL + 1).unwrap_err().status, 503);
        drop(first);
        budget.share(three).hold(SMALL * 4).unwrap();
        drop(second);
        assert!(budget.held().is_empty());
    }
}
