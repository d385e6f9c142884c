//! Places count from 1 without gaps; whoever leaves or moves makes others move. A plan says what moves, however many they are:
//! the others are neither read nor written one by one.

use serde::{Deserialize, Serialize};

use crate::facts::QueuedRequest;
use crate::plan::{Plan, Write};

/// Whose queue it is: an item's or, where title-level requests are enabled, an instance's.
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
    /// Who stands at `at` or behind steps back, for somebody who comes in.
    OpenGap { queue: QueueOf, at: i64 },
    /// From one place to another; those between make room.
    Move { queue: QueueOf, from: i64, to: i64 },
    /// Request and place, of those whose place changes.
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

    /// A request leaves its queue, where it stands in one.
    pub(crate) fn close_gap(&mut self, left: &QueuedRequest, of_title: bool) {
        if let (Some(queue), Some(after)) = (QueueOf::request(left, of_title), left.position()) {
            self.change_places(PlaceChange::CloseGap { queue, after });
        }
    }
}

/// A request that is being fulfilled passes those that wait before it: to the place of the first of them.
pub(crate) fn place_before_unfilled(queue: &[QueuedRequest], request: &QueuedRequest) -> Option<i64> {
    let mut others = queue.iter().filter(|other| other.id() != request.id());
    let first = others.find(|other| other.is_not_yet_filled())?.position()?;
    request.position().filter(|own| first < *own).map(|_| first)
}

/// The places of requests that now stand in this order, of those who stood elsewhere.
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
