//! What a plan asks remote storages for.

use serde::Serialize;
use serde_json::Value;

use crate::document::text;

/// The types that FOLIO gives to entries of the retrieval queue; CaiaSoft knows them by these names.
pub const TO_BE_RETRIEVED: &str = "PYR";
pub const RETURNED: &str = "REF";

/// An entry for the retrieval queue of a storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retrieval {
    pub storage_id: String,
    pub item_id: String,
    pub request_type: &'static str,
    /// The id of the request.
    pub hold_id: String,
    pub requester_id: Option<String>,
    pub pickup_service_point_id: Option<String>,
    pub request_status: Option<String>,
    pub request_note: Option<String>,
}

impl Retrieval {
    pub fn from_request(
        request: &Value,
        item_id: &str,
        storage_id: &str,
        request_type: &'static str,
    ) -> Retrieval {
        let word = |key: &str| text(request, &[key]).map(str::to_owned);
        Retrieval {
            storage_id: storage_id.to_owned(),
            item_id: item_id.to_owned(),
            request_type,
            hold_id: word("id").unwrap_or_default(),
            requester_id: word("requesterId"),
            pickup_service_point_id: word("pickupServicePointId"),
            request_status: word("status"),
            request_note: word("patronComments"),
        }
    }
}
