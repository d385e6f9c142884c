//! The request queue: the request that an item fulfils, and the places of requests.

mod fulfil;
mod places;

use crate::facts::QueuedRequest;

pub(crate) use fulfil::{Moment, first_fulfillable};
pub(crate) use places::{place_before_unfilled, renumbered};

/// Whether an open recall waits for the item.
pub(crate) fn is_recalled(queue: &[QueuedRequest], item_id: &str) -> bool {
    let waits = |request: &QueuedRequest| {
        request.is_recall() && request.is_not_yet_filled() && request.is_for_item(item_id)
    };
    queue.iter().any(waits)
}
