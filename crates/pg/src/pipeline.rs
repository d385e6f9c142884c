//! Sends several requests at once and waits for all answers: one round trip.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Polls every future, first to last, in each turn. The client sends a request when it is polled first, so
/// the order of the futures is the order on the wire.
pub(crate) async fn in_order<F: Future>(mut futures: Vec<Pin<Box<F>>>) -> Vec<F::Output> {
    let mut results: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut pending = false;
        for (future, result) in futures.iter_mut().zip(&mut results) {
            if result.is_none() {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *result = Some(value),
                    Poll::Pending => pending = true,
                }
            }
        }
        if pending { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    results.into_iter().flatten().collect()
}
