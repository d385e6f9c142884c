//! An open request in the queue.

use super::Patron;
use crate::document::{Document, at, text};
use crate::status::RequestStatus;

#[derive(Debug, Clone, Default)]
pub struct QueuedRequest {
    /// The stored request.
    pub record: Document,
    /// The user of `requesterId`, with patron group: title-level requests are fulfilled by an item only if rules
    /// let this patron have it, and staff slips show them.
    pub requester: Option<Patron>,
    /// The requester is away: until then others are served first.
    pub requester_is_away: bool,
}

/// How much of a queue was read. Of a thousand requests that are alike only the first can matter, mostly.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// How many there are, if there are more than were read.
    pub length: Option<usize>,
    /// Up to this place of the queue, all requests are read that the item could fill. `None`: the whole queue is read.
    pub up_to: Option<i64>,
    /// Whether it is the queue of the title, not of the item.
    pub of_title: bool,
}

impl QueuedRequest {
    pub fn id(&self) -> &str {
        text(&self.record, &["id"]).unwrap_or_default()
    }

    pub fn status(&self) -> &str {
        text(&self.record, &["status"]).unwrap_or_default()
    }

    pub fn item_id(&self) -> Option<&str> {
        text(&self.record, &["itemId"])
    }

    pub fn instance_id(&self) -> Option<&str> {
        text(&self.record, &["instanceId"])
    }

    pub fn requester_id(&self) -> Option<&str> {
        text(&self.record, &["requesterId"])
    }

    pub fn pickup_service_point_id(&self) -> Option<&str> {
        text(&self.record, &["pickupServicePointId"])
    }

    pub fn position(&self) -> Option<i64> {
        at(&self.record, &["position"]).and_then(serde_json::Value::as_i64)
    }

    pub fn request_type(&self) -> &str {
        text(&self.record, &["requestType"]).unwrap_or_default()
    }

    pub(crate) fn is_hold(&self) -> bool {
        self.request_type() == "Hold"
    }

    pub(crate) fn is_recall(&self) -> bool {
        self.request_type() == "Recall"
    }

    pub(crate) fn is_title_level(&self) -> bool {
        text(&self.record, &["requestLevel"]) == Some("Title")
    }

    pub(crate) fn is_not_yet_filled(&self) -> bool {
        RequestStatus::NotYetFilled.is_of(&self.record)
    }

    pub(crate) fn is_passed_over(&self) -> bool {
        self.requester_is_away && self.is_not_yet_filled()
    }

    pub(crate) fn is_for_item(&self, item_id: &str) -> bool {
        self.item_id() == Some(item_id)
    }

    pub(crate) fn is_for_hold_shelf(&self) -> bool {
        text(&self.record, &["fulfillmentPreference"]) == Some("Hold Shelf")
    }

    pub(crate) fn is_for_delivery(&self) -> bool {
        text(&self.record, &["fulfillmentPreference"]) == Some("Delivery")
    }
}
