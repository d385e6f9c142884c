//! The minimum pace of a client: it has to move a number of bytes in every period of time. A slow line is accepted, a stopped one
//! is not.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

#[derive(Debug)]
pub(crate) struct Pace {
    time: Duration,
    least: usize,
    moved: usize,
    /// When the client has to have moved enough, while it is waited for.
    until: Option<Instant>,
    /// The timer; made when the client is waited for the first time.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    pub(crate) fn new(time: Duration, bytes_a_second: usize) -> Pace {
        let seconds = usize::try_from(time.as_secs()).unwrap_or(usize::MAX).max(1);
        Pace { time, least: bytes_a_second.saturating_mul(seconds), moved: 0, until: None, alarm: None }
    }

    /// The same pace, from the beginning.
    pub(crate) fn anew(&self) -> Pace {
        Pace { time: self.time, least: self.least, moved: 0, until: None, alarm: None }
    }

    pub(crate) fn is_waiting(&self) -> bool {
        self.until.is_some()
    }

    pub(crate) fn moved(&mut self, bytes: usize) {
        if self.until.is_some() {
            self.moved = self.moved.saturating_add(bytes);
            if self.moved >= self.least {
                self.rest();
            }
        }
    }

    /// Stops the clock: the server does not wait for the client now.
    pub(crate) fn rest(&mut self) {
        (self.until, self.moved) = (None, 0);
    }

    /// The client is waited for; ready when it was for too long.
    pub(crate) fn poll_wait(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let until = *self.until.get_or_insert_with(|| Instant::now() + self.time);
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if alarm.deadline() != until {
            alarm.as_mut().reset(until);
        }
        alarm.as_mut().poll(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::timeout;

    use super::*;

    const TIME: Duration = Duration::from_secs(2);

    /// Two bytes in every time.
    fn pace() -> Pace {
        Pace::new(TIME, 1)
    }

    async fn is_too_slow(pace: &mut Pace, within: Duration) -> bool {
        timeout(within, poll_fn(|context| pace.poll_wait(context))).await.is_ok()
    }

    #[tokio::test]
    async fn who_moves_enough_in_every_time_may_take_longer() {
        let mut pace = pace();
        let begun = Instant::now();
        while begun.elapsed() < TIME * 2 {
            assert!(!is_too_slow(&mut pace, TIME / 10).await);
            pace.moved(1);
            assert!(!is_too_slow(&mut pace, TIME / 10).await);
            pace.moved(1);
        }
    }

    #[tokio::test]
    async fn who_stops_is_too_slow_whatever_came_before() {
        let mut pace = pace();
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        pace.moved(1_000_000);
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        pace.moved(1);
        assert!(is_too_slow(&mut pace, TIME * 10).await);
    }

    #[tokio::test]
    async fn time_in_which_nobody_is_waited_for_does_not_count() {
        let mut pace = pace();
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        pace.rest();
        tokio::time::sleep(TIME).await;
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        assert!(is_too_slow(&mut pace, TIME * 10).await);
    }
}
