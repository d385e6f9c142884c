//! Who may have how many of the connections at once.
//!
//! A connection is asked for through up to four gates, always in this order, so that nobody waits in a circle: the client's
//! share, the share of its kind of work, the share of all slow work or of all quick work, and the connections themselves. So searches
//! never keep the desk waiting: the last connections are not for them. But for the client's, tenants share each gate fairly ([`Gate`]):
//! a flood of one tenant's calls waits for itself. Beside the quick work of others, a tenant has no more searches at a time than there are
//! processors.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::gate::{Gate, GatePlace};
use crate::{Client, Work};

/// With more clients than this in memory, those that have no connection are forgotten.
const MAX_CLIENTS: usize = 1000;

/// The name under which work that belongs to no tenant asks for connections, such as reading the list of tenants. Its quick statements are
/// short and all tenants wait for them, so no share limits them.
pub(crate) const SYSTEM: &str = "octavo";
/// So many quick statements at a time keep a processor busy, with what PostgreSQL waits for.
const STATEMENTS_PER_PROCESSOR: usize = 2;

pub(crate) struct Shares {
    max_connections: usize,
    all: Arc<Gate>,
    slow: Arc<Gate>,
    quick: Arc<Gate>,
    searches: Arc<Gate>,
    many: Arc<Gate>,
    bulk: Arc<Gate>,
    clients: Mutex<HashMap<Client, ClientShare>>,
}

#[derive(Clone)]
struct ClientShare {
    all: Arc<Semaphore>,
    slow: Arc<Semaphore>,
}

/// The right to have a connection.
pub(crate) struct Permit {
    /// The place among the connections themselves; `None` while it is exchanged for another.
    pub(crate) connection_place: Option<GatePlace>,
    _client: Option<OwnedSemaphorePermit>,
    _kind: Option<GatePlace>,
    _pace: Option<GatePlace>,
}

impl Shares {
    pub(crate) fn new(most: usize) -> Shares {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Shares::for_processors(most, processors)
    }

    fn for_processors(most: usize, processors: usize) -> Shares {
        let share = |count: usize| Gate::new(count.max(1));
        Shares {
            max_connections: most,
            all: Gate::new(most),
            slow: share(most - most.div_ceil(4)),
            quick: Gate::with_crowd(most, (processors * STATEMENTS_PER_PROCESSOR).max(4)),
            searches: Gate::with_crowd((most / 2).max(1), processors.max(2)),
            many: share(most / 4),
            bulk: share(most / 4),
            clients: Mutex::default(),
        }
    }

    /// Waits through all gates; the caller sets the limit of time. The tenant is named by its schema.
    pub(crate) async fn permit(&self, work: Work, client: Option<Client>, tenant: &str) -> Permit {
        let client = client.map(|client| self.client_share(client));
        let of_client = client.map(|client| if work.is_slow() { client.slow } else { client.all });
        let kind = match work {
            Work::Search => Some(&self.searches),
            Work::Many => Some(&self.many),
            Work::Bulk => Some(&self.bulk),
            Work::Record | Work::Change | Work::Maintenance => None,
        };
        let pace = match work.is_slow() {
            true => Some(&self.slow),
            false => (tenant != SYSTEM).then_some(&self.quick),
        };
        if !work.is_slow() && tenant != SYSTEM {
            self.searches.note_presence(tenant);
        }
        let client = match of_client {
            Some(gate) => Some(acquire_permit(gate).await),
            None => None,
        };
        let kind = pass_gate(kind, tenant).await;
        let pace = pass_gate(pace, tenant).await;
        Permit {
            connection_place: Some(self.connection_place(tenant).await),
            _client: client,
            _kind: kind,
            _pace: pace,
        }
    }

    /// Waits for a place among the connections alone, without the shares.
    pub(crate) async fn connection_place(&self, tenant: &str) -> GatePlace {
        self.all.acquire(tenant).await
    }

    pub(crate) fn connection_gate(&self) -> &Arc<Gate> {
        &self.all
    }

    pub(crate) fn available(&self) -> usize {
        self.all.free()
    }

    /// Half of the connections, a quarter for what is slow: two clients together do not shut out a third.
    fn client_share(&self, client: Client) -> ClientShare {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MAX_CLIENTS {
            clients.retain(|_, one| Arc::strong_count(&one.all) > 1 || Arc::strong_count(&one.slow) > 1);
        }
        let share = |part: usize| Arc::new(Semaphore::new((self.max_connections / part).max(1)));
        clients.entry(client).or_insert_with(|| ClientShare { all: share(2), slow: share(4) }).clone()
    }
}

async fn pass_gate(gate: Option<&Arc<Gate>>, tenant: &str) -> Option<GatePlace> {
    match gate {
        Some(gate) => Some(gate.acquire(tenant).await),
        None => None,
    }
}

async fn acquire_permit(gate: Arc<Semaphore>) -> OwnedSemaphorePermit {
    match gate.acquire_owned().await {
        Ok(permit) => permit,
        Err(_) => unreachable!("no gate is ever closed"),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// Who waits does so by a clock.
    fn clock() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    /// The permits that are given at once, without waiting.
    fn let_through(shares: &Shares, work: Work, client: impl Fn(u128) -> Option<Client>) -> Vec<Permit> {
        (0..100).map_while(|at| shares.permit(work, client(at), "tenant_a").now_or_never()).collect()
    }

    #[test]
    fn slow_work_leaves_connections_to_the_desk() {
        let runtime = clock();
        let _within = runtime.enter();
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
        let runtime = clock();
        let _within = runtime.enter();
        let shares = Shares::new(16);
        let greedy = |_| Some(Client(7));
        let changes = let_through(&shares, Work::Change, greedy);
        assert_eq!(changes.len(), 8);
        assert_eq!(let_through(&shares, Work::Search, greedy).len(), 4);
        assert_eq!(let_through(&shares, Work::Change, |_| Some(Client(8))).len(), 8);
    }

    fn of_tenant(shares: &Shares, work: Work, tenant: &str) -> Vec<Permit> {
        (0..100).map_while(|at| shares.permit(work, Some(Client(at)), tenant).now_or_never()).collect()
    }

    #[test]
    fn one_tenant_leaves_room_for_the_calls_of_another() {
        let runtime = clock();
        let _within = runtime.enter();
        let shares = Shares::for_processors(16, 2);
        drop(shares.permit(Work::Record, Some(Client(0)), "tenant_b").now_or_never());
        let flood = of_tenant(&shares, Work::Change, "tenant_a");
        let reports = of_tenant(&shares, Work::Many, "tenant_a");
        assert_eq!(flood.len(), 4, "beside the other the crowd is what keeps two processors busy");
        // Its own reports are no part of that crowd, nor do they wait for it.
        assert_eq!(reports.len(), 4);
        assert_eq!(of_tenant(&shares, Work::Change, "tenant_b").len(), 2, "a share of the crowd is there");
        assert_eq!(
            of_tenant(&shares, Work::Record, SYSTEM).len(),
            8,
            "what is no tenant's waits for connections alone"
        );
    }

    #[test]
    fn searches_of_one_tenant_leave_the_processors_to_the_desk_of_another() {
        let runtime = clock();
        let _within = runtime.enter();
        let shares = Shares::for_processors(16, 2);
        assert_eq!(of_tenant(&shares, Work::Search, "tenant_a").len(), 8, "alone it may have all");
        drop(shares.permit(Work::Change, None, "tenant_b").now_or_never());
        assert_eq!(of_tenant(&shares, Work::Search, "tenant_a").len(), 2, "one for each processor");
    }

    #[test]
    fn clients_that_have_gone_are_forgotten() {
        let shares = Shares::new(4);
        let held = shares.permit(Work::Change, Some(Client(0)), "tenant_a").now_or_never();
        for client in 1..3000 {
            shares.permit(Work::Change, Some(Client(client)), "tenant_a").now_or_never().unwrap();
        }
        let clients = shares.clients.lock().unwrap();
        assert!(clients.len() <= MAX_CLIENTS && clients.contains_key(&Client(0)));
        drop(held);
    }
}
