//! Lets work in bulk, for which nobody at a desk waits, leave time to other tasks.

use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

/// How many records are worked on before other tasks have their turn: about a millisecond.
const TURN: usize = 8;

/// Others have their turn when so many records of a batch are done.
pub async fn take_turns(done: usize) {
    if done.is_multiple_of(TURN) {
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

    /// A batch is done, and another follows.
    pub async fn rest(&mut self) {
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
            pace.rest().await;
            assert!(begun.elapsed() >= Duration::from_millis(batch * 3 / 2), "{batch}");
        }
    }
}
