//! How old the newest change is that a replica lacks: reckoned by this process's clock alone, from where the primary's log was when.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::Position;

/// The most places of the primary's log that are kept; older ones are thinned out.
const MAX_SAMPLES: usize = 1000;

/// Up to which place the primary had written its log, each with a moment at which it had written no more.
#[derive(Debug, Default)]
pub(super) struct Samples(VecDeque<(Instant, Position)>);

impl Samples {
    pub(super) fn add(&mut self, at: Instant, position: Position) {
        if self.0.len() >= MAX_SAMPLES {
            let mut number = 0;
            self.0.retain(|_| {
                number += 1;
                number % 2 == 1 || number > MAX_SAMPLES / 2
            });
        }
        self.0.push_back((at, position));
    }

    pub(super) fn newest(&self) -> Position {
        self.0.back().map_or(Position::START, |(_, position)| *position)
    }

    /// Whoever has replayed up to here has all that was committed longer ago than this. `None` where it lacks what was there before the
    /// first sample, and so nobody knows.
    pub(super) fn lag(&self, replayed: Position, now: Instant) -> Option<Duration> {
        let (at, _) = self.0.iter().rev().find(|(_, position)| *position <= replayed)?;
        Some(now.saturating_duration_since(*at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::now;

    #[test]
    fn lag_is_the_age_of_what_is_surely_there() {
        let start = now();
        let second = |seconds: u64| start + Duration::from_secs(seconds);
        let mut samples = Samples::default();
        assert_eq!(samples.lag(Position::from(9), start), None);
        for (at, position) in [(0_u64, 100_u64), (1, 200), (2, 200), (3, 300)] {
            samples.add(second(at), position.into());
        }
        for (replayed, lag) in [
            (300_u64, Some(1)),
            (299, Some(2)),
            (200, Some(2)),
            (199, Some(4)),
            (100, Some(4)),
            (99, None),
            (500, Some(1)),
        ] {
            assert_eq!(samples.lag(replayed.into(), second(4)), lag.map(Duration::from_secs), "{replayed}");
        }
        assert_eq!(samples.newest(), Position::from(300));
        // A primary that says nothing for long makes every replica late.
        assert_eq!(samples.lag(Position::from(300), second(63)), Some(Duration::from_secs(60)));
    }

    #[test]
    fn many_samples_are_thinned_out_and_never_say_too_little() {
        let start = now();
        let mut samples = Samples::default();
        let second = |seconds: u64| start + Duration::from_secs(seconds);
        for at in 0..5000 {
            samples.add(second(at), (at + 1).into());
        }
        assert!(samples.0.len() <= MAX_SAMPLES);
        for replayed in [1_u64, 700, 2500, 4600, 4999, 5000] {
            let lag = samples.lag(replayed.into(), second(5000)).unwrap().as_secs();
            // The change at second `replayed` is the first that is lacking.
            assert!(lag >= 5000 - replayed, "{replayed}: {lag}");
        }
        assert_eq!(samples.lag(0_u64.into(), second(5000)), None);
        assert_eq!(samples.lag(4990_u64.into(), second(5000)), Some(Duration::from_secs(11)));
    }
}
