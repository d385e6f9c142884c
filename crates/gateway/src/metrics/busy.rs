//! How long threads work on a request: the time of the polls of its future. Between them it waits, for the database mostly.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A future that tells with its result how long its polls took. It borrows the future, so that wrapping moves nothing.
pub(crate) struct Timed<'a, F> {
    future: Pin<&'a mut F>,
    busy: Duration,
}

impl<'a, F> Timed<'a, F> {
    pub(crate) fn new(future: Pin<&'a mut F>) -> Timed<'a, F> {
        Timed { future, busy: Duration::ZERO }
    }
}

impl<F: Future> Future for Timed<'_, F> {
    type Output = (F::Output, Duration);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let started = now();
        let polled = self.future.as_mut().poll(context);
        self.busy += started.elapsed();
        polled.map(|output| (output, self.busy))
    }
}

#[expect(clippy::disallowed_methods, reason = "measures how long an answer takes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;

    #[tokio::test]
    async fn waiting_is_not_work() {
        let work = async {
            tokio::time::sleep(Duration::from_millis(60)).await;
            std::thread::sleep(Duration::from_millis(20));
            7
        };
        let (output, busy) = Timed::new(pin!(work)).await;
        assert_eq!(output, 7);
        assert!((20..60).contains(&busy.as_millis()), "{busy:?}");
    }
}
