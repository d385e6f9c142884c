//! Places count from 1 without gaps, so a request that leaves or moves changes the places of others. A plan describes such a change as
//! a whole: the other requests are neither read nor written one by one.

use serde::{Deserialize, Serialize};

use crate::facts::QueuedRequest;
use crate::plan::{Plan, Write};

/// The item or, if title-level requests are enabled, the instance that has the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum QueueOf {
    Item(String),
    Title(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "camelCase")]
pub enum PlaceChange {
    /// The place `after` is empty: the requests behind it move up.
    CloseGap { queue: QueueOf, after: i64 },
    /// The requests at `at` and behind move back for a new one.
    OpenGap { queue: QueueOf, at: i64 },
    /// A request moves from one place to another; those between move by one.
    Move { queue: QueueOf, from: i64, to: i64 },
    /// The requests that move, with their new places.
    Order { places: Vec<(String, i64)> },
}

impl QueueOf {
    /// The queue in which a request stands.
    pub(crate) fn request(request: &QueuedRequest, of_title: bool) -> Option<QueueOf> {
        if of_title {
            return request.instance_id().map(|id| QueueOf::Title(id.to_owned()));
        }
        request.item_id().map(|id| QueueOf::Item(id.to_owned()))
    }
}

impl Plan {
    pub(crate) fn change_places(&mut self, change: PlaceChange) {
        self.writes.push(Write::Places(change));
    }

    /// Closes the gap of a request that leaves its queue, if it has a place.
    pub(crate) fn close_gap(&mut self, left: &QueuedRequest, of_title: bool) {
        if let (Some(queue), Some(after)) = (QueueOf::request(left, of_title), left.position()) {
            self.change_places(PlaceChange::CloseGap { queue, after });
        }
    }
}

/// The place of the first waiting request, to which a request moves when its fulfilment begins.
pub(crate) fn place_before_unfilled(queue: &[QueuedRequest], request: &QueuedRequest) -> Option<i64> {
    let mut others = queue.iter().filter(|other| other.id() != request.id());
    let first = others.find(|other| other.is_not_yet_filled())?.position()?;
    request.position().filter(|own| first < *own).map(|_| first)
}

/// The new places of requests in this order, for those that had another place.
pub(crate) fn renumbered(order: &[&QueuedRequest]) -> Vec<(String, i64)> {
    let numbered = order.iter().zip(1i64..);
    let changed = numbered.filter(|(request, place)| request.position() != Some(*place));
    changed.map(|(request, place)| (request.id().to_owned(), place)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_being_fulfilled_passes_those_that_wait() {
        let waiting = "Open - Not yet filled";
        let statuses = ["Open - Awaiting pickup", waiting, waiting, waiting];
        let requests = statuses.iter().zip(1..).map(|(status, position)| QueuedRequest {
            record: json!({"id": format!("r{position}"), "status": status, "position": position}).into(),
            ..QueuedRequest::default()
        });
        let queue: Vec<QueuedRequest> = requests.collect();
        let places: Vec<Option<i64>> =
            queue.iter().map(|request| place_before_unfilled(&queue, request)).collect();
        assert_eq!(places, [None, None, Some(2), Some(2)]);
    }
}
