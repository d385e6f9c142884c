//! A request for any item of an instance: types of requests and items are tried one after the other.

use std::cmp::Reverse;

use octavo_kernel::{Body as FaultBody, Fault, Kind, Outcome, Refusal};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::RequestFacts;
use super::create::{create_request, next_position};
use crate::document::{set, set_some};
use crate::facts::Item;
use crate::plan::Plan;
use crate::refusals::missing_parameter;
use crate::status::{FulfillmentPreference, ItemStatus, RequestLevel, RequestType};

/// `POST /circulation/requests/instances`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestAtInstance {
    pub request_date: Option<String>,
    pub requester_id: Option<String>,
    pub instance_id: Option<String>,
    pub request_expiration_date: Option<String>,
    pub pickup_service_point_id: Option<String>,
    pub patron_comments: Option<String>,
    pub proxy_user_id: Option<String>,
    /// Further members of a request, such as `id` and `tags`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

const TYPES: [RequestType; 3] = [RequestType::Page, RequestType::Recall, RequestType::Hold];

/// `facts` have all items of the instance.
pub fn request_at_instance(facts: &RequestFacts, asked: &RequestAtInstance) -> Outcome<Plan> {
    let mut reasons = Vec::new();
    if facts.title_level.enabled {
        for kind in TYPES {
            match create_request(facts, &asked.body(RequestLevel::Title, kind)) {
                Ok(plan) => return Ok(plan),
                Err(fault) => reasons.push(refusal_text(&fault)),
            }
        }
        return Err(all_attempts_failed(&reasons));
    }
    asked.refuse_incomplete()?;
    if !facts.instance.as_ref().is_some_and(|instance| instance.has_holdings) {
        let refusal = Refusal::new("There are no holdings for this instance");
        return Err(refusal.about("holdingsRecords", "null").into());
    }
    if facts.items.is_empty() {
        return Err(Refusal::new("There are no items for this instance").about("items", "empty").into());
    }
    let requester_id = asked.requester_id.as_deref();
    if let Some(open) = facts.open_requests_of(requester_id).next() {
        let message = "This requester already has an open request for an item of this instance";
        return Err(Refusal::new(message)
            .about("itemId", open.item_id())
            .about("requesterId", requester_id)
            .about("instanceId", asked.instance_id.as_deref())
            .into());
    }
    // Copied once: it has all items.
    let mut tried = facts.clone();
    for item in items_to_try(facts, asked.pickup_service_point_id.as_deref()) {
        tried.desk.item = Some(item.clone());
        for kind in TYPES {
            let mut body = asked.body(RequestLevel::Item, kind);
            set_some(&mut body, "itemId", Some(item.id()));
            set_some(&mut body, "holdingsRecordId", item.holdings_record_id());
            match create_request(&tried, &body) {
                Ok(plan) => return Ok(plan),
                Err(fault) => reasons.push(refusal_text(&fault)),
            }
        }
    }
    Err(all_attempts_failed(&reasons))
}

/// Available copies first, beginning with those that the pickup service point serves; then copies by the length of their queue and, among
/// equals, those that are due soonest.
fn items_to_try<'a>(facts: &'a RequestFacts, pickup: Option<&str>) -> Vec<&'a Item> {
    let mut items: Vec<&Item> = facts.items.iter().collect();
    items.sort_by_cached_key(|item| {
        let location = item.location.as_ref();
        let served = pickup.zip(location).is_some_and(|(point, location)| location.is_served_by(point));
        let available = item.is(ItemStatus::Available);
        let waiting = if available { 0 } else { next_position(&facts.queue_of(Some(item.id()))) };
        let due = facts.open_loan_of(item.id()).and_then(|loan| loan.due_date()).filter(|_| !available);
        (Reverse(available), waiting, due.is_none(), due, Reverse(served))
    });
    items
}

fn refusal_text(fault: &Fault) -> String {
    match &fault.body {
        FaultBody::Refusals(refusals) => {
            let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
            messages.join("; ")
        }
        other => other.render(),
    }
}

fn all_attempts_failed(reasons: &[String]) -> Fault {
    let reasons = reasons.join("\n");
    Fault::new(Kind::Failed, format!("Failed to place a request for the instance. Reasons: {reasons}"))
}

impl RequestAtInstance {
    fn refuse_incomplete(&self) -> Result<(), Refusal> {
        for (key, value, message) in [
            ("requestDate", &self.request_date, "Request must have a request date"),
            ("requesterId", &self.requester_id, "Request must have a requester id"),
            ("instanceId", &self.instance_id, "Request must have an instance id"),
        ] {
            if value.as_deref().is_none_or(str::is_empty) {
                return Err(missing_parameter(message, key));
            }
        }
        Ok(())
    }

    /// As in FOLIO, a request for an item has neither the proxy nor the further members.
    fn body(&self, level: RequestLevel, kind: RequestType) -> Value {
        let of_title = level == RequestLevel::Title;
        let mut body = Value::Object(if of_title { self.more.clone() } else { Map::new() });
        set(&mut body, "requestLevel", level);
        set(&mut body, "requestType", kind);
        set(&mut body, "fulfillmentPreference", FulfillmentPreference::HoldShelf);
        let proxy_user_id = self.proxy_user_id.clone().filter(|_| of_title);
        for (key, value) in [
            ("requestDate", &self.request_date),
            ("requesterId", &self.requester_id),
            ("instanceId", &self.instance_id),
            ("requestExpirationDate", &self.request_expiration_date),
            ("pickupServicePointId", &self.pickup_service_point_id),
            ("patronComments", &self.patron_comments),
            ("proxyUserId", &proxy_user_id),
        ] {
            set_some(&mut body, key, value.as_deref());
        }
        body
    }
}
