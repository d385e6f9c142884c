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

/// A tenant is there for so long after it has asked for a place.
const THERE: Duration = Duration::from_secs(1);
/// How often who waits beside free places looks whether the other tenants have gone.
const LOOK: Duration = Duration::from_millis(100);
/// Who has waited so long beside free places is let in: what its tenant has under way waits itself, and keeps no machine busy.
const PATIENCE: Duration = Duration::from_millis(300);
/// With more tenants than this in memory, those that have gone are forgotten.
const REMEMBERED: usize = 256;

pub(crate) struct Gate {
    /// So many places in use keep the machine busy.
    crowd: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: usize,
    taken: usize,
    waiting: usize,
    tenants: HashMap<Arc<str>, OfTenant>,
    /// Counts the places that were given, and the tenants that began to wait.
    turn: u64,
}

#[derive(Default)]
struct OfTenant {
    taken: usize,
    /// Since when each waits.
    waiting: VecDeque<(Instant, Sender<Place>)>,
    /// The turn at which it was given a place last; 0 if it has had none.
    last: u64,
    /// The turn at which it began to wait, after nobody of it had.
    began: u64,
    asked: Option<Instant>,
}

/// The right to one place; it is given back when this is dropped.
pub(crate) struct Place {
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
    pub(crate) async fn place(self: &Arc<Gate>, tenant: &str) -> Place {
        if let Some(place) = self.take(tenant, now()) {
            return place;
        }
        let mut given = self.ask(tenant, now());
        loop {
            match timeout(LOOK, &mut given).await {
                Ok(Ok(place)) => return place,
                Ok(Err(_)) => given = self.ask(tenant, now()),
                Err(_) => self.settle(now()),
            }
        }
    }

    /// A place that is free, if the tenant may have one more and nobody of it waits.
    fn take(self: &Arc<Gate>, tenant: &str, now: Instant) -> Option<Place> {
        let mut state = self.state();
        state.sees(tenant, now);
        let (free, most, turn) = (state.free, state.most(self.crowd, now), state.turn);
        let name = state.tenants.get_key_value(tenant).map(|(name, _)| Arc::clone(name))?;
        let one = state.tenants.get_mut(tenant)?;
        if free == 0 || one.taken >= most || !one.waiting.is_empty() {
            return None;
        }
        (one.taken, one.last) = (one.taken + 1, turn);
        state.given();
        Some(Place { gate: Some(Arc::clone(self)), tenant: name })
    }

    /// The tenant is there, though it asks for no place here.
    pub(crate) fn sees(&self, tenant: &str) {
        self.state().sees(tenant, now());
    }

    /// Stands in the queue of the tenant.
    fn ask(self: &Arc<Gate>, tenant: &str, now: Instant) -> oneshot::Receiver<Place> {
        let (give, given) = oneshot::channel();
        {
            let mut state = self.state();
            let turn = state.turn;
            let one = state.tenants.entry(Arc::from(tenant)).or_default();
            if one.waiting.is_empty() {
                one.began = turn;
            }
            one.waiting.push_back((now, give));
            (state.waiting, state.turn) = (state.waiting + 1, turn + 1);
        }
        self.settle(now);
        given
    }

    /// Gives the free places to those who may have them.
    fn settle(self: &Arc<Gate>, now: Instant) {
        let mut given = Vec::new();
        {
            let mut state = self.state();
            while let Some((give, tenant)) = state.next(self.crowd, now) {
                given.push((give, Place { gate: Some(Arc::clone(self)), tenant }));
            }
        }
        // A place whose receiver has gone meanwhile is dropped, which gives it back; so not under the lock.
        for (give, place) in given {
            drop(give.send(place));
        }
    }

    fn give_back(self: &Arc<Gate>, tenant: &Arc<str>, places: usize) {
        let is_waited_for = {
            let mut state = self.state();
            state.taken -= 1;
            state.free += places;
            if let Some(one) = state.tenants.get_mut(tenant) {
                one.taken -= 1;
            }
            state.waiting > 0
        };
        if is_waited_for {
            self.settle(now());
        }
    }

    pub(crate) fn add_places(self: &Arc<Gate>, places: usize) {
        self.state().free += places;
        self.settle(now());
    }

    pub(crate) fn free(&self) -> usize {
        self.state().free
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn sees(&mut self, tenant: &str, now: Instant) {
        if let Some(one) = self.tenants.get_mut(tenant) {
            one.asked = Some(now);
            return;
        }
        self.forget(now);
        self.tenants.insert(Arc::from(tenant), OfTenant { asked: Some(now), ..OfTenant::default() });
    }

    /// Who is given the next place.
    fn next(&mut self, crowd: usize, now: Instant) -> Option<(Sender<Place>, Arc<str>)> {
        if self.free == 0 || self.waiting == 0 {
            return None;
        }
        for one in self.tenants.values_mut() {
            let before = one.waiting.len();
            one.waiting.retain(|(_, give)| !give.is_closed());
            self.waiting -= before - one.waiting.len();
        }
        let most = self.most(crowd, now);
        let may = self.tenants.iter_mut().filter(|(_, one)| one.may_have_one_more(most, now));
        let (tenant, one) = may.min_by_key(|(_, one)| (one.taken, one.last, one.began))?;
        let (_, give) = one.waiting.pop_front()?;
        (one.taken, one.last) = (one.taken + 1, self.turn);
        let tenant = Arc::clone(tenant);
        self.waiting -= 1;
        self.given();
        Some((give, tenant))
    }

    fn given(&mut self) {
        (self.free, self.taken, self.turn) = (self.free - 1, self.taken + 1, self.turn + 1);
    }

    /// How many places a tenant may have now: beside others its share of the crowd, once that is complete.
    fn most(&self, crowd: usize, now: Instant) -> usize {
        if self.taken < crowd {
            return usize::MAX;
        }
        let there = self.tenants.values().filter(|one| one.is_there(now)).count();
        if there < 2 { usize::MAX } else { (crowd / there).max(1) }
    }

    fn forget(&mut self, now: Instant) {
        if self.tenants.len() > REMEMBERED {
            self.tenants.retain(|_, one| one.is_there(now));
        }
    }
}

impl OfTenant {
    /// Whether somebody waits who may be let in, where a tenant may have so many places.
    fn may_have_one_more(&self, most: usize, now: Instant) -> bool {
        let first = self.waiting.front();
        first.is_some_and(|(since, _)| self.taken < most || now.saturating_duration_since(*since) >= PATIENCE)
    }

    fn is_there(&self, now: Instant) -> bool {
        let lately = || self.asked.is_some_and(|asked| now.saturating_duration_since(asked) < THERE);
        self.taken > 0 || !self.waiting.is_empty() || lately()
    }
}

impl Place {
    /// Gives the tenant's right up without giving the place to anybody.
    pub(crate) fn forget(mut self) {
        if let Some(gate) = mem::take(&mut self.gate) {
            gate.give_back(&self.tenant, 0);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(gate) = self.gate.take() {
            gate.give_back(&self.tenant, 1);
        }
    }
}

#[cfg(test)]
mod tests;
