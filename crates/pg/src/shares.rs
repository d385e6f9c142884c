//! Who may have how many of the connections at once.
//!
//! A connection is asked for through up to four gates, always in this order, so that nobody waits in a circle: the client's
//! share, the share of its kind of work, the share of all slow work, and the connections themselves. So searches never keep
//! the desk waiting: the last connections are not for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Client, Work};

/// With more clients than this in memory, those that have no connection are forgotten.
const CLIENTS: usize = 1000;

pub(crate) struct Shares {
    most: usize,
    all: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    many: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    clients: Mutex<HashMap<Client, OfClient>>,
}

#[derive(Clone)]
struct OfClient {
    all: Arc<Semaphore>,
    slow: Arc<Semaphore>,
}

/// The right to have a connection.
pub(crate) struct Permit {
    /// The place among the connections themselves; `None` while it is exchanged for another.
    pub(crate) one: Option<OwnedSemaphorePermit>,
    _client: Option<OwnedSemaphorePermit>,
    _kind: Option<OwnedSemaphorePermit>,
    _slow: Option<OwnedSemaphorePermit>,
}

impl Shares {
    pub(crate) fn new(most: usize) -> Shares {
        let share = |count: usize| Arc::new(Semaphore::new(count.max(1)));
        Shares {
            most,
            all: Arc::new(Semaphore::new(most)),
            slow: share(most - most.div_ceil(4)),
            searches: share(most / 2),
            many: share(most / 4),
            bulk: share(most / 4),
            clients: Mutex::default(),
        }
    }

    /// Waits through all gates; the caller sets the limit of time.
    pub(crate) async fn permit(&self, work: Work, client: Option<Client>) -> Permit {
        let client = client.map(|client| self.client_share(client));
        let of_client = client.map(|client| if work.is_slow() { client.slow } else { client.all });
        let kind = match work {
            Work::Search => Some(&self.searches),
            Work::Many => Some(&self.many),
            Work::Bulk => Some(&self.bulk),
            Work::Record | Work::Change | Work::Maintenance => None,
        };
        let client = passed(of_client).await;
        let kind = passed(kind.cloned()).await;
        let slow = passed(work.is_slow().then(|| Arc::clone(&self.slow))).await;
        Permit { one: Some(self.one().await), _client: client, _kind: kind, _slow: slow }
    }

    /// Waits for a place among the connections alone, without the shares.
    pub(crate) async fn one(&self) -> OwnedSemaphorePermit {
        through(Arc::clone(&self.all)).await
    }

    pub(crate) fn all(&self) -> &Arc<Semaphore> {
        &self.all
    }

    pub(crate) fn available(&self) -> usize {
        self.all.available_permits()
    }

    /// Half of the connections, a quarter for what is slow: two clients together do not shut out a third.
    fn client_share(&self, client: Client) -> OfClient {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS {
            clients.retain(|_, one| Arc::strong_count(&one.all) > 1 || Arc::strong_count(&one.slow) > 1);
        }
        let share = |part: usize| Arc::new(Semaphore::new((self.most / part).max(1)));
        clients.entry(client).or_insert_with(|| OfClient { all: share(2), slow: share(4) }).clone()
    }
}

async fn passed(gate: Option<Arc<Semaphore>>) -> Option<OwnedSemaphorePermit> {
    match gate {
        Some(gate) => Some(through(gate).await),
        None => None,
    }
}

async fn through(gate: Arc<Semaphore>) -> OwnedSemaphorePermit {
    match gate.acquire_owned().await {
        Ok(permit) => permit,
        Err(_) => unreachable!("no gate is ever closed"),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// The permits that are given at once, without waiting.
    fn let_through(shares: &Shares, work: Work, client: impl Fn(u128) -> Option<Client>) -> Vec<Permit> {
        (0..100).map_while(|at| shares.permit(work, client(at)).now_or_never()).collect()
    }

    #[test]
    fn slow_work_leaves_connections_to_the_desk() {
        for most in [2, 3, 8, 16, 100] {
            let shares = Shares::new(most);
            let of_many = |at| Some(Client(at));
            let searches = let_through(&shares, Work::Search, of_many);
            let harvests = let_through(&shares, Work::Many, of_many);
            let jobs = let_through(&shares, Work::Bulk, |_| None);
            assert!(!searches.is_empty() && searches.len() <= (most / 2).max(1), "{most}");
            let slow = searches.len() + harvests.len() + jobs.len();
            assert!(slow <= (most - most.div_ceil(4)).max(1), "{most}: {slow}");
            assert_eq!(let_through(&shares, Work::Change, of_many).len(), most - slow, "{most}");
        }
    }

    #[test]
    fn no_client_gets_more_than_its_share() {
        let shares = Shares::new(16);
        let greedy = |_| Some(Client(7));
        let changes = let_through(&shares, Work::Change, greedy);
        assert_eq!(changes.len(), 8);
        assert_eq!(let_through(&shares, Work::Search, greedy).len(), 4);
        assert_eq!(let_through(&shares, Work::Change, |_| Some(Client(8))).len(), 8);
    }

    #[test]
    fn clients_that_have_gone_are_forgotten() {
        let shares = Shares::new(4);
        let held = shares.permit(Work::Change, Some(Client(0))).now_or_never();
        for client in 1..3000 {
            shares.permit(Work::Change, Some(Client(client))).now_or_never().unwrap();
        }
        let clients = shares.clients.lock().unwrap();
        assert!(clients.len() <= CLIENTS && clients.contains_key(&Client(0)));
        drop(held);
    }
}
