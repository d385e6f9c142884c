//! What happened to the security of tenants, as far as it is no change of their records: log-ins, log-outs, refusals. It is kept in memory for a
//! moment and written down by a task beside the requests, so that nobody who logs in or is refused waits for it, and nobody fills the disk.

use std::collections::HashMap;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use octavo_kernel::TenantId;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Security {
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

impl Security {
    pub const fn name(self) -> &'static str {
        match self {
            Security::LoggedIn => "Log-in",
            Security::LogInFailed => "Log-in failed",
            Security::UserBlocked => "User blocked",
            Security::LoggedOut => "Log-out",
            Security::PermissionRefused => "Permission refused",
            Security::TokenRefused => "Token refused",
            Security::OperatorAction => "Operator action",
            Security::DataGiven => "Personal data given",
        }
    }
}

/// Names no secret, and nothing that somebody has typed: a password may stand in the wrong field.
#[derive(Debug, Clone)]
pub struct SecurityEvent {
    pub at: Timestamp,
    pub event: Security,
    /// Who did it, or to whom it happened.
    pub user: Option<Uuid>,
    pub address: String,
    pub request_id: Option<String>,
    pub description: String,
    /// Whether further ones of the same kind in this minute were left out.
    pub is_last_of_minute: bool,
}

/// So many events of one kind and user, or of one kind and address where no user is known, are kept of each minute.
const EACH_MINUTE: u32 = 20;
/// So many users and addresses are told apart in a minute.
const MOST_KNOWN: usize = 10_000;
/// So many events of all tenants wait to be written down; further ones are left out.
const MOST_WAITING: usize = 5_000;
/// Longer request ids, which clients choose, are cut.
const MOST_SIGNS: usize = 100;

#[derive(Debug, Default)]
pub struct SecurityEvents(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    events: Vec<(TenantId, SecurityEvent)>,
    minute: i64,
    seen: HashMap<(TenantId, Security, String), u32>,
}

impl SecurityEvents {
    pub fn note(&self, tenant: &TenantId, mut event: SecurityEvent) {
        let mut waiting = self.waiting();
        let minute = event.at.as_second().div_euclid(60);
        if waiting.minute != minute {
            waiting.minute = minute;
            waiting.seen.clear();
        }
        let who = event.user.map_or_else(|| event.address.clone(), |user| user.to_string());
        let key = (tenant.clone(), event.event, who);
        if waiting.events.len() >= MOST_WAITING
            || waiting.seen.len() >= MOST_KNOWN && !waiting.seen.contains_key(&key)
        {
            return;
        }
        let count = waiting.seen.entry(key).or_default();
        *count += 1;
        if *count > EACH_MINUTE {
            return;
        }
        event.is_last_of_minute = *count == EACH_MINUTE;
        waiting.events.push((tenant.clone(), event));
    }

    /// The events that wait, in their order; they wait no longer.
    pub fn take(&self) -> Vec<(TenantId, SecurityEvent)> {
        take(&mut self.waiting().events)
    }

    /// Events that were taken and could not be written down now: they wait again, before those that came meanwhile.
    pub fn give_back(&self, mut events: Vec<(TenantId, SecurityEvent)>) {
        let mut waiting = self.waiting();
        events.append(&mut waiting.events);
        events.truncate(MOST_WAITING);
        waiting.events = events;
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client's request id, as far as it is kept.
pub fn cut_request_id(id: &str) -> String {
    id.chars().filter(|sign| !sign.is_control()).take(MOST_SIGNS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(events: &SecurityEvents, second: i64, user: Option<Uuid>, address: &str) {
        let event = SecurityEvent {
            at: Timestamp::from_second(second).unwrap(),
            event: Security::PermissionRefused,
            user,
            address: address.to_owned(),
            request_id: None,
            description: String::new(),
            is_last_of_minute: false,
        };
        events.note(&TenantId::parse("library").unwrap(), event);
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
        assert_eq!(cut_request_id(&"x".repeat(1_000)).len(), MOST_SIGNS);
    }
}
