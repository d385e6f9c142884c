//! Gives other tasks time while bulk work runs, for which no member of staff waits.

use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

/// How many records are processed before other tasks run: this takes about a millisecond.
const RECORDS_PER_TURN: usize = 8;

/// Lets other tasks run each time so many records of a batch are done.
pub async fn yield_to_others(done: usize) {
    if done.is_multiple_of(RECORDS_PER_TURN) {
        yield_now().await;
    }
}

/// Between batches there is a pause, half as long as one took.
#[derive(Debug)]
pub struct Pace {
    since: Instant,
}

impl Pace {
    pub fn begin() -> Pace {
        Pace { since: Instant::now() }
    }

    /// Waits half as long as the last batch took, before the next one.
    pub async fn pause(&mut self) {
        sleep(self.since.elapsed() / 2).await;
        self.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_pause_is_half_as_long_as_the_batch() {
        let mut pace = Pace::begin();
        for batch in [40, 20] {
            let begun = Instant::now();
            sleep(Duration::from_millis(batch)).await;
            pace.pause().await;
            assert!(begun.elapsed() >= Duration::from_millis(batch * 3 / 2), "{batch}");
        }
    }
}
