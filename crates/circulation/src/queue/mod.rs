//! The request queue: the request that an item fulfils, and the places of requests.

mod fulfil;
mod places;

use crate::facts::QueuedRequest;

pub(crate) use fulfil::{SearchPurpose, first_fulfillable};
pub(crate) use places::{place_before_unfilled, renumbered};

/// The recalls that wait in the queue.
pub(crate) fn waiting_recalls(queue: &[QueuedRequest]) -> impl Iterator<Item = &QueuedRequest> {
    queue.iter().filter(|request| request.is_recall() && request.is_not_yet_filled())
}
