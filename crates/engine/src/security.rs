//! Events for the security log that are no changes of records: log-ins, log-outs, refusals. They are kept in memory for a moment and stored
//! by a task beside the requests, so that no log-in or refused request waits for that. Limits keep attackers from filling the disk.

use std::collections::HashMap;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use octavo_kernel::TenantId;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SecurityEventKind {
    LoggedIn,
    LogInFailed,
    UserBlocked,
    LoggedOut,
    PermissionRefused,
    TokenRefused,
    OperatorAction,
    /// All that is kept about a person was given out.
    DataGiven,
}

impl SecurityEventKind {
    pub const fn name(self) -> &'static str {
        match self {
            SecurityEventKind::LoggedIn => "Log-in",
            SecurityEventKind::LogInFailed => "Log-in failed",
            SecurityEventKind::UserBlocked => "User blocked",
            SecurityEventKind::LoggedOut => "Log-out",
            SecurityEventKind::PermissionRefused => "Permission refused",
            SecurityEventKind::TokenRefused => "Token refused",
            SecurityEventKind::OperatorAction => "Operator action",
            SecurityEventKind::DataGiven => "Personal data given",
        }
    }
}

/// An event of the security log. It contains no secret and no text that a user has typed: a password may be typed into the wrong field.
#[derive(Debug, Clone)]
pub struct SecurityEvent {
    pub at: Timestamp,
    pub kind: SecurityEventKind,
    /// The user who did it, or whom it concerns.
    pub user: Option<Uuid>,
    pub address: String,
    pub request_id: Option<String>,
    pub description: String,
    /// Whether later events of the same kind in this minute are not stored.
    pub is_last_of_minute: bool,
}

/// How many events of one kind and user, or of one kind and address if the user is unknown, are stored for each minute.
const EACH_MINUTE: u32 = 20;
/// How many pairs of an event's kind and a user or address are counted separately in a minute, for all tenants together.
const MOST_KNOWN: usize = 10_000;
/// How many events of all tenants wait to be stored; further ones are dropped.
const MOST_WAITING: usize = 5_000;
/// How many such pairs, and how many waiting events, each tenant may have in any case, even if other tenants have used up the limits.
const OF_EACH_TENANT: usize = 100;
/// The most characters of a request id, which the client chooses; longer ones are cut.
const MAX_REQUEST_ID_CHARACTERS: usize = 100;

#[derive(Debug, Default)]
pub struct SecurityEvents(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    events: Vec<(TenantId, SecurityEvent)>,
    minute: i64,
    seen: HashMap<(TenantId, SecurityEventKind, String), u32>,
    tenants: HashMap<TenantId, OfTenant>,
    /// How many events of which tenants found no room, of minutes that are over.
    left_out: Vec<(TenantId, u64)>,
}

#[derive(Debug, Default)]
struct OfTenant {
    waiting: usize,
    /// The number of pairs of kind and user or address that are counted separately in this minute.
    known: usize,
    /// Events of this minute that found no room.
    left_out: u64,
}

fn has_room(of_tenant: usize, of_all: usize, most: usize) -> bool {
    of_all < most || of_tenant < OF_EACH_TENANT
}

impl Waiting {
    fn begin_minute(&mut self, minute: i64) {
        if self.minute == minute {
            return;
        }
        self.minute = minute;
        self.seen.clear();
        for (tenant, of_tenant) in &mut self.tenants {
            of_tenant.known = 0;
            let left_out = take(&mut of_tenant.left_out);
            if left_out > 0 {
                self.left_out.push((tenant.clone(), left_out));
            }
        }
        self.tenants.retain(|_, of_tenant| of_tenant.waiting > 0);
    }

    /// The number of this event, from 1, among those of its kind and its user or address in this minute; `None` if it is not counted.
    fn counted(&mut self, tenant: &TenantId, event: &SecurityEvent) -> Option<u32> {
        let who = event.user.map_or_else(|| event.address.clone(), |user| user.to_string());
        let key = (tenant.clone(), event.kind, who);
        if let Some(count) = self.seen.get_mut(&key) {
            *count += 1;
            return Some(*count);
        }
        let of_tenant = self.tenants.entry(tenant.clone()).or_default();
        if !has_room(of_tenant.known, self.seen.len(), MOST_KNOWN) {
            of_tenant.left_out += 1;
            return None;
        }
        of_tenant.known += 1;
        self.seen.insert(key, 1);
        Some(1)
    }

    fn add(&mut self, tenant: TenantId, event: SecurityEvent) {
        let of_tenant = self.tenants.entry(tenant.clone()).or_default();
        if !has_room(of_tenant.waiting, self.events.len(), MOST_WAITING) {
            of_tenant.left_out += 1;
            return;
        }
        of_tenant.waiting += 1;
        self.events.push((tenant, event));
    }

    fn take(&mut self) -> Vec<(TenantId, SecurityEvent)> {
        self.tenants.values_mut().for_each(|of_tenant| of_tenant.waiting = 0);
        take(&mut self.events)
    }
}

impl SecurityEvents {
    pub fn note(&self, tenant: &TenantId, mut event: SecurityEvent) {
        let mut waiting = self.waiting();
        waiting.begin_minute(event.at.as_second().div_euclid(60));
        let Some(count) = waiting.counted(tenant, &event).filter(|count| *count <= EACH_MINUTE) else {
            return;
        };
        event.is_last_of_minute = count == EACH_MINUTE;
        waiting.add(tenant.clone(), event);
    }

    /// Removes the waiting events and returns them, in their order.
    pub fn take(&self) -> Vec<(TenantId, SecurityEvent)> {
        self.waiting().take()
    }

    /// How many events were dropped in the last minutes, by tenant. Each is returned only once.
    pub fn take_left_out(&self) -> Vec<(TenantId, u64)> {
        take(&mut self.waiting().left_out)
    }

    /// Puts events back that were taken and could not be stored: before the events that came meanwhile.
    pub fn give_back(&self, events: Vec<(TenantId, SecurityEvent)>) {
        let mut waiting = self.waiting();
        let meanwhile = waiting.take();
        events.into_iter().chain(meanwhile).for_each(|(tenant, event)| waiting.add(tenant, event));
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client's request id, as far as it is kept.
pub fn cut_request_id(id: &str) -> String {
    id.chars().filter(|sign| !sign.is_control()).take(MAX_REQUEST_ID_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(events: &SecurityEvents, second: i64, user: Option<Uuid>, address: &str) {
        noted_in("library", events, second, user, address);
    }

    fn noted_in(tenant: &str, events: &SecurityEvents, second: i64, user: Option<Uuid>, address: &str) {
        let event = SecurityEvent {
            at: Timestamp::from_second(second).unwrap(),
            kind: SecurityEventKind::PermissionRefused,
            user,
            address: address.to_owned(),
            request_id: None,
            description: String::new(),
            is_last_of_minute: false,
        };
        events.note(&TenantId::parse(tenant).unwrap(), event);
    }

    #[test]
    fn each_user_and_each_address_has_so_many_a_minute() {
        let events = SecurityEvents::default();
        let user = Some(Uuid::from_u128(1));
        for _ in 0..3 * EACH_MINUTE {
            noted(&events, 60, user, "::1");
            noted(&events, 60, None, "::1");
        }
        let kept = events.take();
        assert_eq!(kept.len() as u32, 2 * EACH_MINUTE);
        assert_eq!(kept.iter().filter(|(_, event)| event.is_last_of_minute).count(), 2);
        noted(&events, 119, user, "::1");
        assert!(events.take().is_empty(), "the same minute");
        noted(&events, 120, user, "::1");
        assert_eq!(events.take().len(), 1);
    }

    #[test]
    fn what_waits_is_bounded() {
        let events = SecurityEvents::default();
        for address in 0..2 * MOST_KNOWN {
            noted(&events, 60, None, &address.to_string());
        }
        assert_eq!(events.take().len(), MOST_WAITING);
    }

    #[test]
    fn a_noisy_tenant_silences_no_other_and_what_is_left_out_is_counted() {
        let events = SecurityEvents::default();
        for address in 0..2 * MOST_KNOWN {
            noted(&events, 60, None, &address.to_string());
        }
        for address in 0..=OF_EACH_TENANT {
            noted_in("other", &events, 61, None, &address.to_string());
        }
        let kept = events.take();
        assert_eq!(kept.iter().filter(|(tenant, _)| tenant.as_str() == "other").count(), OF_EACH_TENANT);
        assert!(events.take_left_out().is_empty(), "the minute is not over");
        noted(&events, 120, None, "first");
        let mut left_out = events.take_left_out();
        left_out.sort();
        let left_out: Vec<(&str, u64)> =
            left_out.iter().map(|(tenant, count)| (tenant.as_str(), *count)).collect();
        assert_eq!(left_out, [("library", (2 * MOST_KNOWN - MOST_WAITING) as u64), ("other", 1)]);
        assert!(events.take_left_out().is_empty(), "each is told once");
        let another = kept.into_iter().find(|(tenant, _)| tenant.as_str() == "other").unwrap();
        events.give_back(vec![events.take()[0].clone(); 2 * MOST_WAITING]);
        events.give_back(vec![another]);
        assert_eq!(events.take().len(), MOST_WAITING, "room is shared");
    }

    #[test]
    fn what_could_not_be_written_down_waits_again_before_what_came_meanwhile() {
        let events = SecurityEvents::default();
        noted(&events, 60, None, "first");
        let taken = events.take();
        noted(&events, 61, None, "second");
        events.give_back(taken);
        let waiting = events.take();
        let addresses: Vec<&str> = waiting.iter().map(|(_, event)| event.address.as_str()).collect();
        assert_eq!(addresses, ["first", "second"]);
        events.give_back(vec![waiting[0].clone(); 2 * MOST_WAITING]);
        assert_eq!(events.take().len(), MOST_WAITING);
    }

    #[test]
    fn a_request_id_is_cut() {
        assert_eq!(cut_request_id("12\n3/users"), "123/users");
        assert_eq!(cut_request_id(&"x".repeat(1_000)).len(), MAX_REQUEST_ID_CHARACTERS);
    }
}
