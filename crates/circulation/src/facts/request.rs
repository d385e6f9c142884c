//! An open request in the queue.

use super::Patron;
use crate::document::{Document, text, texts, value_at};
use crate::status::{FulfillmentPreference, RequestLevel, RequestStatus, RequestType};

#[derive(Debug, Clone, Default)]
pub struct QueuedRequest {
    pub record: Document,
    /// The user of `requesterId`, with patron group: title-level requests are fulfilled by an item only if rules
    /// let this patron have it, and staff slips show them.
    pub requester: Option<Patron>,
    /// Whether the requester is on holiday; then others are served first.
    pub requester_is_away: bool,
}

/// Which part of a queue was read. Of many equal requests, mostly only the first matter.
#[derive(Debug, Clone, Default)]
pub struct QueuePart {
    /// The length of the queue, if it has more requests than were read.
    pub length: Option<usize>,
    /// All requests up to this place that the item could fill were read. `None`: the whole queue was read.
    pub up_to: Option<i64>,
    /// Whether it is the queue of the title, not of the item.
    pub of_title: bool,
}

/// The templates of requests that are for no item yet, from the tenant's settings for title level requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TitleTemplates {
    pub confirmation: Option<String>,
    pub cancellation: Option<String>,
    pub expiration: Option<String>,
}

impl QueuedRequest {
    texts! {
        item_id = "itemId";
        instance_id = "instanceId";
        requester_id = "requesterId";
        pickup_service_point_id = "pickupServicePointId";
    }

    pub fn status(&self) -> &str {
        text(&self.record, &["status"]).unwrap_or_default()
    }

    pub fn position(&self) -> Option<i64> {
        value_at(&self.record, &["position"]).and_then(serde_json::Value::as_i64)
    }

    pub fn request_type(&self) -> &str {
        text(&self.record, &["requestType"]).unwrap_or_default()
    }

    pub(crate) fn kind(&self) -> Option<RequestType> {
        RequestType::spelled(self.request_type())
    }

    pub(crate) fn is_hold(&self) -> bool {
        self.kind() == Some(RequestType::Hold)
    }

    pub(crate) fn is_recall(&self) -> bool {
        self.kind() == Some(RequestType::Recall)
    }

    pub(crate) fn is_title_level(&self) -> bool {
        text(&self.record, &["requestLevel"]) == Some(RequestLevel::Title.name())
    }

    pub(crate) fn is_not_yet_filled(&self) -> bool {
        RequestStatus::NotYetFilled.is_of(&self.record)
    }

    pub(crate) fn counts_as_open(&self) -> bool {
        RequestStatus::spelled(self.status()).is_some_and(RequestStatus::counts_as_open)
    }

    pub(crate) fn is_skipped(&self) -> bool {
        self.requester_is_away && self.is_not_yet_filled()
    }

    pub(crate) fn is_for_item(&self, item_id: &str) -> bool {
        self.item_id() == Some(item_id)
    }

    pub(crate) fn is_for_hold_shelf(&self) -> bool {
        text(&self.record, &["fulfillmentPreference"]) == Some(FulfillmentPreference::HoldShelf.name())
    }

    pub(crate) fn is_for_delivery(&self) -> bool {
        text(&self.record, &["fulfillmentPreference"]) == Some(FulfillmentPreference::Delivery.name())
    }
}
