//! The minimum pace of a client: it has to move a number of bytes in every period of time. A slow line is accepted, a stopped one
//! is not.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

#[derive(Debug)]
pub(crate) struct Pace {
    period: Duration,
    min_bytes: usize,
    moved_bytes: usize,
    /// When the client has to have moved enough, while it is waited for.
    deadline: Option<Instant>,
    /// The timer; made when the client is waited for the first time.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    pub(crate) fn new(time: Duration, bytes_a_second: usize) -> Pace {
        let seconds = usize::try_from(time.as_secs()).unwrap_or(usize::MAX).max(1);
        Pace {
            period: time,
            min_bytes: bytes_a_second.saturating_mul(seconds),
            moved_bytes: 0,
            deadline: None,
            alarm: None,
        }
    }

    /// A new pace with the same limits.
    pub(crate) fn restarted(&self) -> Pace {
        Pace { period: self.period, min_bytes: self.min_bytes, moved_bytes: 0, deadline: None, alarm: None }
    }

    pub(crate) fn is_waiting(&self) -> bool {
        self.deadline.is_some()
    }

    pub(crate) fn count_bytes(&mut self, bytes: usize) {
        if self.deadline.is_some() {
            self.moved_bytes = self.moved_bytes.saturating_add(bytes);
            if self.moved_bytes >= self.min_bytes {
                self.stop_waiting();
            }
        }
    }

    /// Stops the clock: the server does not wait for the client now.
    pub(crate) fn stop_waiting(&mut self) {
        (self.deadline, self.moved_bytes) = (None, 0);
    }

    /// To be polled while the server waits for the client. Ready when it has waited too long.
    pub(crate) fn poll_wait(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let until = *self.deadline.get_or_insert_with(|| Instant::now() + self.period);
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
            pace.count_bytes(1);
            assert!(!is_too_slow(&mut pace, TIME / 10).await);
            pace.count_bytes(1);
        }
    }

    #[tokio::test]
    async fn who_stops_is_too_slow_whatever_came_before() {
        let mut pace = pace();
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        pace.count_bytes(1_000_000);
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        pace.count_bytes(1);
        assert!(is_too_slow(&mut pace, TIME * 10).await);
    }

    #[tokio::test]
    async fn time_in_which_nobody_is_waited_for_does_not_count() {
        let mut pace = pace();
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        pace.stop_waiting();
        tokio::time::sleep(TIME).await;
        assert!(!is_too_slow(&mut pace, TIME / 10).await);
        assert!(is_too_slow(&mut pace, TIME * 10).await);
    }
}
