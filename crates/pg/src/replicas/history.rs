//! Whether a standby follows the primary that there is now. One that follows a server which was lost may have changes that the
//! promoted server never had; it does not go on from there. Pure.

use crate::Position;

/// A stretch of the primary's log between two promotions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct History {
    number: i64,
    /// The log position when this stretch was first seen; `None` for the first one that this process saw.
    first_seen_at: Option<Position>,
}

impl History {
    pub(super) fn from_previous(before: Option<History>, number: i64, position: Position) -> History {
        match before {
            Some(before) if before.number == number => before,
            before => History { number, first_seen_at: before.map(|_| position) },
        }
    }
}

/// Whether a standby is known to follow the primary: otherwise the position that it has to replay beyond.
#[derive(Debug, Clone, Copy)]
pub(super) struct Following {
    number: Option<i64>,
    beyond: Option<Position>,
}

impl Following {
    pub(super) const NEW: Following = Following { number: None, beyond: None };

    /// Takes in how far the standby has replayed and received; whether it follows. From a server that was lost it cannot receive more than it
    /// had when the next history was seen.
    pub(super) fn follows(&mut self, history: History, replayed: Position, received: Position) -> bool {
        if self.number != Some(history.number) {
            let beyond = history.first_seen_at.map(|begun| begun.max(received).max(replayed));
            *self = Following { number: Some(history.number), beyond };
        }
        if self.beyond.is_some_and(|beyond| replayed > beyond) {
            self.beyond = None;
        }
        self.beyond.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_promotion_a_standby_has_to_go_on() {
        let position = |bytes: u64| Position::from(bytes);
        let first = History::from_previous(None, 1, position(100));
        assert_eq!(History::from_previous(Some(first), 1, position(110)), first);
        let second = History::from_previous(Some(first), 2, position(90));
        let mut standby = Following::NEW;
        for (history, replayed, received, follows) in [
            (first, 80, 100, true),
            (first, 85, 120, true),
            // It has received more than the promoted server had, and replays that.
            (second, 85, 120, false),
            (second, 120, 120, false),
            (second, 121, 121, true),
            (second, 121, 121, true),
        ] {
            let found = standby.follows(history, position(replayed), position(received));
            assert_eq!(found, follows, "{history:?} {replayed} {received}");
        }
    }
}
