//! Requests that patrons make and cancel by themselves, through discovery systems. Facts: mod-patron 6.1.0 (`RequestObjectFactory`,
//! `RequestTypeItemStatusWhiteList`, `HoldHelpers`).

use octavo_kernel::{Fault, Outcome, Refusal, folio_time, json_text};
use serde_json::{Value, json};

use super::RequestFacts;
use super::create::{create_request, request_to_json};
use super::replace::replace_request;
use crate::document::{set, set_some, text};
use crate::facts::Item;
use crate::plan::Plan;
use crate::status::{FulfillmentPreference, ItemStatus, RequestLevel, RequestStatus, RequestType};

/// What a patron says about an item that they want.
#[derive(Debug, Clone, Default)]
pub struct PatronHold {
    pub requester_id: String,
    pub item_id: String,
    pub request_date: Option<String>,
    pub expiration_date: Option<String>,
    pub pickup_service_point_id: Option<String>,
    pub patron_comments: Option<String>,
}

/// What is said about a request that is cancelled.
#[derive(Debug, Clone, Default)]
pub struct Cancellation {
    pub reason_id: Option<String>,
    pub information: Option<String>,
    pub user_id: Option<String>,
    /// The time of the request if the client names none.
    pub date: Option<String>,
}

/// A request for the item, of the first type in its request policy that its status allows.
pub fn hold_on_item(facts: &RequestFacts, hold: &PatronHold) -> Outcome<Plan> {
    let unknown = || Fault::not_found_with(format!("Item with id={} cannot be found", hold.item_id));
    let item = facts.desk.item.as_ref().ok_or_else(unknown)?;
    if facts.desk.patron.is_none() {
        return Err(Fault::not_found_with("User not found"));
    }
    let kind = request_type_for(facts, item)?.ok_or_else(|| {
        Refusal::new("Cannot find a valid request type for this item").about("itemId", &hold.item_id)
    })?;
    let mut body = json!({
        "requestLevel": RequestLevel::Item,
        "requestType": kind,
        "fulfillmentPreference": FulfillmentPreference::HoldShelf,
        "itemId": hold.item_id,
        "requesterId": hold.requester_id,
    });
    for (key, value) in [
        ("instanceId", item.instance_id.as_deref()),
        ("holdingsRecordId", item.holdings_record_id()),
        ("requestDate", hold.request_date.as_deref()),
        ("requestExpirationDate", hold.expiration_date.as_deref()),
        ("pickupServicePointId", hold.pickup_service_point_id.as_deref()),
        ("patronComments", hold.patron_comments.as_deref()),
    ] {
        set_some(&mut body, key, value);
    }
    create_request(facts, &body)
}

/// `None` if the policy has no type that the item's status allows. Without a patron group there is no policy: then it is left to the checks
/// of a new request to refuse.
fn request_type_for(facts: &RequestFacts, item: &Item) -> Outcome<Option<RequestType>> {
    let Some(patron) = facts.governed_patron() else { return Ok(Some(RequestType::Hold)) };
    let policy = facts.request_policy(item, patron)?;
    let kinds = policy.request_types.iter().filter_map(|name| RequestType::spelled(name));
    Ok(kinds.into_iter().find(|kind| is_offered(item, *kind)))
}

/// What mod-patron offers. It lets holds through of which mod-circulation knows better.
fn is_offered(item: &Item, kind: RequestType) -> bool {
    use ItemStatus::{AwaitingPickup, CheckedOut, InProcess, InTransit, OnOrder, Paged};
    match kind {
        RequestType::Page => item.is(ItemStatus::Available),
        RequestType::Hold => !item.is(ItemStatus::Available),
        RequestType::Recall => [CheckedOut, AwaitingPickup, InTransit, Paged, OnOrder, InProcess]
            .into_iter()
            .any(|status| item.is(status)),
    }
}

/// Cancels a request of the patron, or one that the patron made for somebody else. The answer shows the request as it was.
pub fn cancel_hold(
    facts: &RequestFacts,
    stored: &Value,
    patron_id: &str,
    cancellation: &Cancellation,
) -> Outcome<Plan> {
    let is_theirs = ["requesterId", "proxyUserId"]
        .iter()
        .any(|key| text(stored, &[key]).is_some_and(|id| id.eq_ignore_ascii_case(patron_id)));
    if !is_theirs {
        return Err(unknown_request(text(stored, &["id"]).unwrap_or_default()));
    }
    let mut body = stored.clone();
    set(&mut body, "status", json!(RequestStatus::Cancelled));
    let now = folio_time(facts.desk.now());
    set(&mut body, "cancelledDate", cancellation.date.as_deref().unwrap_or(&now));
    set(&mut body, "cancelledByUserId", cancellation.user_id.as_deref().unwrap_or(patron_id));
    set_some(&mut body, "cancellationReasonId", cancellation.reason_id.as_deref());
    set_some(&mut body, "cancellationAdditionalInformation", cancellation.information.as_deref());
    let mut plan = replace_request(facts, stored, &body)?;
    let item = facts.item(text(stored, &["itemId"]));
    plan.response = json_text(&request_to_json(facts, stored, item, None));
    Ok(plan)
}

/// 404 for a request that is not there.
pub fn unknown_request(id: &str) -> Fault {
    Fault::not_found_with(format!("requests record with ID \"{id}\" cannot be found"))
}
