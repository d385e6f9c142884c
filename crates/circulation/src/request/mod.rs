//! Creating, changing, cancelling, moving, reordering and expiring requests.
//!
//! A queue belongs to an item or, if title-level requests are enabled, to an instance. Facts: mod-circulation 24.2 (Quesnelia).

mod allowed_points;
mod at_instance;
mod body;
mod by_patron;
mod choose;
mod create;
mod duplicates;
mod expire;
mod item_statuses;
mod options;
mod recall;
mod relocate;
mod renumber;
mod reorder;
mod replace;
mod stored;
mod validate;
mod world;

pub use allowed_points::{Operation, allowed_service_points};
pub use at_instance::{RequestAtInstance, request_at_instance};
pub use by_patron::{Cancellation, PatronHold, cancel_hold, hold_on_item, unknown_request};
pub use create::create_request;
pub use expire::expire_requests;
pub use item_statuses::{requestable_as, statuses_for};
pub use options::{RequestOptions, queue_estimates};
pub use relocate::{MoveRequest, move_request};
pub use renumber::renumber_queues;
pub use reorder::{QueueScope, Reorder, reorder_queue};
pub use replace::{delete_request, replace_request};
pub use world::{Instance, RequestFacts, TitleLevel};

use serde_json::Value;

use crate::document::text;

/// Whether the request is closed, for whichever reason.
pub(crate) fn is_closed(request: &Value) -> bool {
    text(request, &["status"]).is_some_and(|status| status.starts_with("Closed"))
}

#[cfg(test)]
mod tests;
