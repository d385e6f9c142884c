//! Which replica answers a read. Pure.

use crate::Position;

/// A replica, as far as choosing goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReplicaState {
    pub(super) usable: bool,
    pub(super) replayed: Position,
    /// Connections that nobody has now.
    pub(super) free: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Replica(usize),
    /// Replicas can be used, but none has yet what the caller has to see.
    Behind,
    Unusable,
}

/// A request stays with the replica of its first read (`before`) while it can. A caller has a replica of their own (`home`), so that
/// what they see does not go back in time from one request to the next; where that has no connection free, the one with most answers.
pub(super) fn choose(all: &[ReplicaState], after: Position, before: Option<usize>, home: usize) -> Choice {
    let is_ready = |one: &ReplicaState| one.usable && one.replayed >= after;
    let ready = |at: &usize| all.get(*at).is_some_and(is_ready);
    if let Some(before) = before.filter(ready) {
        return Choice::Replica(before);
    }
    let home = home.checked_rem(all.len()).filter(ready);
    if let Some(home) = home.filter(|at| all[*at].free > 0) {
        return Choice::Replica(home);
    }
    let most = (0..all.len()).filter(ready).max_by_key(|at| (all[*at].free, home == Some(*at)));
    match most {
        Some(at) => Choice::Replica(at),
        None if all.iter().any(|one| one.usable) => Choice::Behind,
        None => Choice::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_goes_where_it_is_answered_truly_and_soon() {
        let one = |usable, replayed: u64, free| ReplicaState { usable, replayed: replayed.into(), free };
        let (fresh, late, out, full) = (one(true, 9, 4), one(true, 5, 4), one(false, 9, 4), one(true, 9, 0));
        for (all, after, before, home, choice) in [
            (&[][..], 0, None, 0, Choice::Unusable),
            (&[out], 0, None, 0, Choice::Unusable),
            (&[fresh], 0, None, 7, Choice::Replica(0)),
            // What the caller wrote is there exactly, or not yet.
            (&[fresh], 9, None, 0, Choice::Replica(0)),
            (&[fresh], 10, None, 0, Choice::Behind),
            (&[out, late], 6, None, 0, Choice::Behind),
            (&[late, fresh], 6, None, 0, Choice::Replica(1)),
            // A caller's own, also beside one with more connections free.
            (&[fresh, fresh, one(true, 9, 8)], 0, None, 4, Choice::Replica(1)),
            (&[out, fresh], 0, None, 0, Choice::Replica(1)),
            (&[full, one(true, 9, 1), fresh], 0, None, 0, Choice::Replica(2)),
            (&[full, full], 0, None, 1, Choice::Replica(1)),
            // A request stays where it was, even where others wait, but not with one that is left out.
            (&[full, fresh], 0, Some(0), 1, Choice::Replica(0)),
            (&[out, fresh], 0, Some(0), 0, Choice::Replica(1)),
            (&[late, fresh], 6, Some(0), 0, Choice::Replica(1)),
        ] {
            assert_eq!(choose(all, after.into(), before, home), choice, "{all:?} {after} {before:?} {home}");
        }
    }
}
