//! Gives other tasks time while bulk work runs, for which no member of staff waits.

use std::time::Duration;

use octavo_pg::Database;
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

/// The desk counts as busy for this time after a client's change of a record.
const BUSY_TIME: Duration = Duration::from_secs(1);

/// Whether staff are at work in this database, as far as their requests go through this process. Requests for many records at once do not
/// count: such a client does not wait at a desk.
pub fn is_desk_busy(database: &Database) -> bool {
    database.time_since_change().is_some_and(|time| time < BUSY_TIME)
}

/// No pause is longer, whatever has held a batch up.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Between batches there is a pause, in which the processors and the log of the database are free for others.
#[derive(Debug)]
pub struct Pace {
    /// How long a pause is, as a multiple of the time that the batch took.
    pause: f64,
    since: Instant,
}

impl Pace {
    /// For batches of some rows: a pause is half as long as a batch.
    pub fn begin() -> Pace {
        Pace { pause: 0.5, since: Instant::now() }
    }

    /// For batches that write much: a pause is twice as long as a batch. A check-out waits for the log of what such a batch has written
    /// so far, and for the processor that it runs on.
    pub fn for_heavy_batches() -> Pace {
        Pace { pause: 2.0, ..Pace::begin() }
    }

    /// Waits after a batch, before the next one.
    pub async fn pause(&mut self) {
        sleep(self.since.elapsed().mul_f64(self.pause).min(LONGEST_PAUSE)).await;
        self.go_on();
    }

    /// Begins the next batch without a pause.
    pub fn go_on(&mut self) {
        self.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_pause_depends_on_how_long_the_batch_took() {
        for (mut pace, whole) in [(Pace::begin(), 1.5), (Pace::for_heavy_batches(), 3.0)] {
            for batch in [40, 20].map(Duration::from_millis) {
                let begun = Instant::now();
                sleep(batch).await;
                pace.pause().await;
                assert!(begun.elapsed() >= batch.mul_f64(whole), "{batch:?}, {whole}");
            }
        }
    }
}
