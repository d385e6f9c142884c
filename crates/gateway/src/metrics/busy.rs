//! How long threads work on a request: the time in polls of its future. Between polls the request waits, mostly for the database.

use std::ops::AddAssign;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) time: Duration,
    /// How often memory was allocated; only in programs that are built to count it.
    pub(crate) allocations: u64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Work) {
        self.time += more.time;
        self.allocations += more.allocations;
    }
}

/// A future that tells with its result what its polls took. It borrows the future, so that wrapping moves nothing.
pub(crate) struct Timed<'a, F> {
    future: Pin<&'a mut F>,
    work: Work,
}

impl<'a, F> Timed<'a, F> {
    pub(crate) fn new(future: Pin<&'a mut F>) -> Timed<'a, F> {
        Timed { future, work: Work::default() }
    }
}

impl<F: Future> Future for Timed<'_, F> {
    type Output = (F::Output, Work);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let started = now();
        let (polled, allocations) = poll_counting_allocations(|| self.future.as_mut().poll(context));
        self.work += Work { time: started.elapsed(), allocations };
        polled.map(|output| (output, self.work))
    }
}

#[cfg(feature = "count-allocations")]
fn poll_counting_allocations<T>(poll: impl FnOnce() -> Poll<T>) -> (Poll<T>, u64) {
    let mut polled = Poll::Pending;
    let counted = allocation_counter::measure(|| polled = poll());
    (polled, counted.count_total)
}

#[cfg(not(feature = "count-allocations"))]
fn poll_counting_allocations<T>(poll: impl FnOnce() -> Poll<T>) -> (Poll<T>, u64) {
    (poll(), 0)
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
        let (output, took) = Timed::new(pin!(work)).await;
        assert_eq!(output, 7);
        assert!((20..60).contains(&took.time.as_millis()), "{took:?}");
    }
}
