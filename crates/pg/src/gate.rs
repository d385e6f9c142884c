//! A number of places that tenants share. A place that becomes free goes to the tenant that has the fewest; of several such, to the one
//! that has waited for its turn longest. Within a tenant, who comes first is first.
//!
//! A tenant that is alone may have all places. Beside others it waits, for [`PATIENCE`] at most while places are free, when the crowd is
//! large enough to keep the machine busy and the tenant has its share of that crowd: more at a time would finish no sooner, and would
//! slow the others down.

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot::{self, Sender};
use tokio::time::timeout;

use crate::usage::now;

/// How long a tenant counts as present after it last asked for a place.
const PRESENCE_TIME: Duration = Duration::from_secs(1);
/// How often a waiting request looks whether it may have a free place by now, for example because other tenants have gone.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// A request that has waited this long although places are free is let in: the requests of its tenant under way wait themselves, and do not
/// keep the machine busy.
const PATIENCE: Duration = Duration::from_millis(300);
/// With more tenants than this in memory, those that have gone are forgotten.
const MAX_REMEMBERED: usize = 256;

pub(crate) struct Gate {
    /// The number of places in use that keeps the machine busy.
    crowd: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: usize,
    in_use: usize,
    waiting: usize,
    tenants: HashMap<Arc<str>, TenantState>,
    /// Counts the places that were given, and the tenants that began to wait.
    turn: u64,
}

#[derive(Default)]
struct TenantState {
    in_use: usize,
    /// The waiting requests, each with the time since when it waits.
    waiting: VecDeque<(Instant, Sender<GatePlace>)>,
    /// The turn at which it was given a place last; 0 if it has had none.
    last_turn: u64,
    /// The turn at which its queue last stopped being empty.
    waiting_since_turn: u64,
    last_asked: Option<Instant>,
}

/// The right to one place; it is given back when this is dropped.
pub(crate) struct GatePlace {
    gate: Option<Arc<Gate>>,
    tenant: Arc<str>,
}

impl Gate {
    pub(crate) fn new(places: usize) -> Arc<Gate> {
        Gate::with_crowd(places, usize::MAX)
    }

    pub(crate) fn with_crowd(places: usize, crowd: usize) -> Arc<Gate> {
        Arc::new(Gate { crowd, state: Mutex::new(State { free: places, turn: 1, ..State::default() }) })
    }

    /// Waits for a place; the caller sets the limit of time.
    pub(crate) async fn acquire(self: &Arc<Gate>, tenant: &str) -> GatePlace {
        if let Some(place) = self.try_acquire(tenant, now()) {
            return place;
        }
        let mut given = self.enqueue(tenant, now());
        loop {
            match timeout(LOOK_INTERVAL, &mut given).await {
                Ok(Ok(place)) => return place,
                Ok(Err(_)) => given = self.enqueue(tenant, now()),
                Err(_) => self.assign_places(now()),
            }
        }
    }

    /// A place that is free, if the tenant may have one more and nobody of it waits.
    fn try_acquire(self: &Arc<Gate>, tenant: &str, now: Instant) -> Option<GatePlace> {
        let mut state = self.lock_state();
        state.note_presence(tenant, now);
        let (free, most, turn) = (state.free, state.max_places(self.crowd, now), state.turn);
        let name = state.tenants.get_key_value(tenant).map(|(name, _)| Arc::clone(name))?;
        let one = state.tenants.get_mut(tenant)?;
        if free == 0 || one.in_use >= most || !one.waiting.is_empty() {
            return None;
        }
        (one.in_use, one.last_turn) = (one.in_use + 1, turn);
        state.count_given();
        Some(GatePlace { gate: Some(Arc::clone(self)), tenant: name })
    }

    /// Notes that the tenant is present, though it asks for no place here.
    pub(crate) fn note_presence(&self, tenant: &str) {
        self.lock_state().note_presence(tenant, now());
    }

    /// Puts a request into the queue of its tenant.
    fn enqueue(self: &Arc<Gate>, tenant: &str, now: Instant) -> oneshot::Receiver<GatePlace> {
        let (give, given) = oneshot::channel();
        {
            let mut state = self.lock_state();
            let turn = state.turn;
            let one = state.tenants.entry(Arc::from(tenant)).or_default();
            if one.waiting.is_empty() {
                one.waiting_since_turn = turn;
            }
            one.waiting.push_back((now, give));
            (state.waiting, state.turn) = (state.waiting + 1, turn + 1);
        }
        self.assign_places(now);
        given
    }

    /// Gives the free places to those who may have them.
    fn assign_places(self: &Arc<Gate>, now: Instant) {
        let mut given = Vec::new();
        {
            let mut state = self.lock_state();
            while let Some((give, tenant)) = state.next_receiver(self.crowd, now) {
                given.push((give, GatePlace { gate: Some(Arc::clone(self)), tenant }));
            }
        }
        // A place whose receiver has gone meanwhile is dropped, which gives it back; so not under the lock.
        for (give, place) in given {
            drop(give.send(place));
        }
    }

    fn give_back(self: &Arc<Gate>, tenant: &Arc<str>, places: usize) {
        let is_waited_for = {
            let mut state = self.lock_state();
            state.in_use -= 1;
            state.free += places;
            if let Some(one) = state.tenants.get_mut(tenant) {
                one.in_use -= 1;
            }
            state.waiting > 0
        };
        if is_waited_for {
            self.assign_places(now());
        }
    }

    pub(crate) fn add_places(self: &Arc<Gate>, places: usize) {
        self.lock_state().free += places;
        self.assign_places(now());
    }

    pub(crate) fn free(&self) -> usize {
        self.lock_state().free
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn note_presence(&mut self, tenant: &str, now: Instant) {
        if let Some(one) = self.tenants.get_mut(tenant) {
            one.last_asked = Some(now);
            return;
        }
        self.forget_absent(now);
        self.tenants
            .insert(Arc::from(tenant), TenantState { last_asked: Some(now), ..TenantState::default() });
    }

    /// Takes the next request that is given a place out of its queue.
    fn next_receiver(&mut self, crowd: usize, now: Instant) -> Option<(Sender<GatePlace>, Arc<str>)> {
        if self.free == 0 || self.waiting == 0 {
            return None;
        }
        for one in self.tenants.values_mut() {
            let before = one.waiting.len();
            one.waiting.retain(|(_, give)| !give.is_closed());
            self.waiting -= before - one.waiting.len();
        }
        let most = self.max_places(crowd, now);
        let may = self.tenants.iter_mut().filter(|(_, one)| one.may_have_one_more(most, now));
        let (tenant, one) = may.min_by_key(|(_, one)| (one.in_use, one.last_turn, one.waiting_since_turn))?;
        let (_, give) = one.waiting.pop_front()?;
        (one.in_use, one.last_turn) = (one.in_use + 1, self.turn);
        let tenant = Arc::clone(tenant);
        self.waiting -= 1;
        self.count_given();
        Some((give, tenant))
    }

    fn count_given(&mut self) {
        (self.free, self.in_use, self.turn) = (self.free - 1, self.in_use + 1, self.turn + 1);
    }

    /// The most places that a tenant may have now: if others are present and the crowd is complete, its share of the crowd.
    fn max_places(&self, crowd: usize, now: Instant) -> usize {
        if self.in_use < crowd {
            return usize::MAX;
        }
        let there = self.tenants.values().filter(|one| one.is_present(now)).count();
        if there < 2 { usize::MAX } else { (crowd / there).max(1) }
    }

    fn forget_absent(&mut self, now: Instant) {
        if self.tenants.len() > MAX_REMEMBERED {
            self.tenants.retain(|_, one| one.is_present(now));
        }
    }
}

impl TenantState {
    /// Whether somebody waits who may be let in, where a tenant may have so many places.
    fn may_have_one_more(&self, most: usize, now: Instant) -> bool {
        let first = self.waiting.front();
        first
            .is_some_and(|(since, _)| self.in_use < most || now.saturating_duration_since(*since) >= PATIENCE)
    }

    fn is_present(&self, now: Instant) -> bool {
        let lately =
            || self.last_asked.is_some_and(|asked| now.saturating_duration_since(asked) < PRESENCE_TIME);
        self.in_use > 0 || !self.waiting.is_empty() || lately()
    }
}

impl GatePlace {
    /// Gives the tenant's right up without giving the place to anybody.
    pub(crate) fn withdraw(mut self) {
        if let Some(gate) = mem::take(&mut self.gate) {
            gate.give_back(&self.tenant, 0);
        }
    }
}

impl Drop for GatePlace {
    fn drop(&mut self) {
        if let Some(gate) = self.gate.take() {
            gate.give_back(&self.tenant, 1);
        }
    }
}

#[cfg(test)]
mod tests;
