//! Who has changed something lately, and up to which place of the log: their reads are asked of a replica only when it is there.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Client, Position};

/// The most callers that are remembered. Of more, all are treated as one.
const MOST: usize = 10_000;

#[derive(Debug)]
pub(super) struct Recent {
    /// A replica that is further behind than this is not used, so what is older need not be remembered.
    kept: Duration,
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    /// What a replica needs to have whoever asks.
    everyone: Position,
    of: HashMap<Client, (Position, Instant)>,
}

impl Recent {
    pub(super) fn new(kept: Duration) -> Recent {
        Recent { kept, noted: Mutex::default() }
    }

    pub(super) fn note(&self, client: Option<Client>, position: Position, now: Instant) {
        let mut noted = self.noted();
        let Some(client) = client else {
            noted.everyone = noted.everyone.max(position);
            return;
        };
        if noted.of.len() >= MOST {
            noted.of.retain(|_, (_, at)| now.saturating_duration_since(*at) <= self.kept);
        }
        if noted.of.len() >= MOST {
            let newest = noted.of.drain().map(|(_, (position, _))| position).max();
            noted.everyone = noted.everyone.max(newest.unwrap_or_default());
        }
        let known = noted.of.entry(client).or_insert((position, now));
        *known = (known.0.max(position), now);
    }

    /// The place up to which a caller's reads need the log.
    pub(super) fn of(&self, client: Option<Client>) -> Position {
        let noted = self.noted();
        let own = client.and_then(|client| noted.of.get(&client)).map(|(position, _)| *position);
        noted.everyone.max(own.unwrap_or_default())
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::now;

    #[test]
    fn a_caller_needs_what_they_wrote_and_others_do_not() {
        let recent = Recent::new(Duration::from_secs(11));
        let (one, other) = (Some(Client(1)), Some(Client(2)));
        let of = |client| recent.of(client).bytes();
        assert_eq!((of(one), of(None)), (0, 0));
        recent.note(one, 7.into(), now());
        // What came earlier and is noted later takes nothing back.
        recent.note(one, 5.into(), now());
        assert_eq!((of(one), of(other), of(None)), (7, 0, 0));
        recent.note(None, 6.into(), now());
        assert_eq!((of(one), of(other), of(None)), (7, 6, 6));
    }

    #[test]
    fn of_too_many_callers_none_is_forgotten_too_early() {
        let recent = Recent::new(Duration::from_secs(11));
        let start = now();
        for number in 0..MOST as u64 {
            recent.note(Some(Client(number.into())), (number + 1).into(), start);
        }
        recent.note(Some(Client(u128::MAX)), 1.into(), start);
        assert!(recent.noted().of.len() <= MOST);
        assert_eq!(recent.of(Some(Client(3))).bytes(), MOST as u64);
        // Long after, they are forgotten without a trace.
        let recent = Recent::new(Duration::from_secs(11));
        for number in 0..MOST as u64 {
            recent.note(Some(Client(number.into())), (number + 1).into(), start);
        }
        recent.note(Some(Client(u128::MAX)), 1.into(), start + Duration::from_secs(12));
        assert_eq!((recent.of(Some(Client(3))).bytes(), recent.noted().of.len()), (0, 1));
    }
}
