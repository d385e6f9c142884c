//! Who has changed something lately, and up to which place of the log: their reads are asked of a replica only when it is there.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Client, Position};

/// The most callers that are remembered. Of more, all are treated as one.
const MAX_CALLERS: usize = 10_000;

#[derive(Debug)]
pub(super) struct Recent {
    /// A replica that is further behind than this is not used, so what is older need not be remembered.
    memory_time: Duration,
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    /// The log position that the reads of every caller need.
    everyone: Position,
    by_client: HashMap<Client, (Position, Instant)>,
}

impl Recent {
    pub(super) fn new(kept: Duration) -> Recent {
        Recent { memory_time: kept, noted: Mutex::default() }
    }

    pub(super) fn note_change(&self, client: Option<Client>, position: Position, now: Instant) {
        let mut noted = self.lock_noted();
        let Some(client) = client else {
            noted.everyone = noted.everyone.max(position);
            return;
        };
        if noted.by_client.len() >= MAX_CALLERS {
            noted.by_client.retain(|_, (_, at)| now.saturating_duration_since(*at) <= self.memory_time);
        }
        if noted.by_client.len() >= MAX_CALLERS {
            let newest = noted.by_client.drain().map(|(_, (position, _))| position).max();
            noted.everyone = noted.everyone.max(newest.unwrap_or_default());
        }
        let known = noted.by_client.entry(client).or_insert((position, now));
        *known = (known.0.max(position), now);
    }

    /// The place up to which a caller's reads need the log.
    pub(super) fn required_position(&self, client: Option<Client>) -> Position {
        let noted = self.lock_noted();
        let own = client.and_then(|client| noted.by_client.get(&client)).map(|(position, _)| *position);
        noted.everyone.max(own.unwrap_or_default())
    }

    fn lock_noted(&self) -> MutexGuard<'_, Noted> {
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
        let of = |client| recent.required_position(client).bytes();
        assert_eq!((of(one), of(None)), (0, 0));
        recent.note_change(one, 7.into(), now());
        // What came earlier and is noted later takes nothing back.
        recent.note_change(one, 5.into(), now());
        assert_eq!((of(one), of(other), of(None)), (7, 0, 0));
        recent.note_change(None, 6.into(), now());
        assert_eq!((of(one), of(other), of(None)), (7, 6, 6));
    }

    #[test]
    fn of_too_many_callers_none_is_forgotten_too_early() {
        let recent = Recent::new(Duration::from_secs(11));
        let start = now();
        for number in 0..MAX_CALLERS as u64 {
            recent.note_change(Some(Client(number.into())), (number + 1).into(), start);
        }
        recent.note_change(Some(Client(u128::MAX)), 1.into(), start);
        assert!(recent.lock_noted().by_client.len() <= MAX_CALLERS);
        assert_eq!(recent.required_position(Some(Client(3))).bytes(), MAX_CALLERS as u64);
        // Long after, they are forgotten without a trace.
        let recent = Recent::new(Duration::from_secs(11));
        for number in 0..MAX_CALLERS as u64 {
            recent.note_change(Some(Client(number.into())), (number + 1).into(), start);
        }
        recent.note_change(Some(Client(u128::MAX)), 1.into(), start + Duration::from_secs(12));
        assert_eq!(
            (recent.required_position(Some(Client(3))).bytes(), recent.lock_noted().by_client.len()),
            (0, 1)
        );
    }
}
