//! A queue with a bounded number of places and a bounded number of requests that wait for one. Further requests are refused with 503.

use std::sync::atomic::{AtomicUsize, Ordering};

use octavo_kernel::{Fault, Outcome};
use tokio::sync::{Semaphore, SemaphorePermit};

/// The most requests that wait for a place: about four seconds' work of checking passwords.
const MOST_WAITING: usize = 128;

const TOO_MANY: &str =
    "Too many passwords are being checked at the moment. Please try again in a few seconds";

pub(super) struct Queue {
    places: Semaphore,
    waiting: AtomicUsize,
}

impl Queue {
    pub(super) const fn new(places: usize) -> Queue {
        Queue { places: Semaphore::const_new(places), waiting: AtomicUsize::new(0) }
    }

    pub(super) async fn wait_for_place(&self) -> Outcome<SemaphorePermit<'_>> {
        let _waiting = Waiting::enter(&self.waiting)?;
        self.places.acquire().await.map_err(Fault::internal)
    }
}

struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    fn enter(count: &AtomicUsize) -> Outcome<Waiting<'_>> {
        let waiting = Waiting(count);
        match count.fetch_add(1, Ordering::Relaxed) < MOST_WAITING {
            true => Ok(waiting),
            false => Err(Fault::text(503, TOO_MANY)),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
        pin!(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn more_than_may_wait_are_turned_away() {
        let queue = Queue::new(1);
        let place = queue.wait_for_place().await.unwrap();
        let mut crowd: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(queue.wait_for_place())).collect();
        assert!(crowd.iter_mut().all(|one| poll(one).is_pending()));
        assert_eq!(queue.wait_for_place().await.unwrap_err().status, 503);

        // One of them gives up: another may wait instead.
        crowd.pop();
        let mut other = Box::pin(queue.wait_for_place());
        assert!(poll(&mut other).is_pending());

        drop(place);
        assert!(matches!(poll(&mut crowd[0]), Poll::Ready(Ok(_))));
    }
}
