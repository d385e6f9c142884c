//! Places count from 1 without gaps, so a request that leaves or moves changes the places of others. A plan describes such a change as
//! a whole: the other requests are neither read nor written one by one.

use serde::{Deserialize, Serialize};

use super::{Plan, Write};
use crate::facts::QueuedRequest;

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
    pub(crate) fn from_request(request: &QueuedRequest, of_title: bool) -> Option<QueueOf> {
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
        if let (Some(queue), Some(after)) = (QueueOf::from_request(left, of_title), left.position()) {
            self.change_places(PlaceChange::CloseGap { queue, after });
        }
    }
}
