//! Expired requests: those that were not filled in time, and those whose item was not picked up.

use super::RequestFacts;
use super::replace::release_item;
use crate::document::{remove, set, set_time, time};
use crate::facts::QueuedRequest;
use crate::plan::{PlaceChange, Plan};
use crate::queue::renumbered;
use crate::status::RequestStatus::{AwaitingPickup, PickupExpired, Unfilled};

/// The queue of the facts has all open requests for one title. Items on the hold shelf stay there until staff clear them; a paged item
/// without another request is available again.
pub fn expire_requests(facts: &RequestFacts) -> Plan {
    let mut plan = Plan::default();
    let mut rest = facts.clone();
    rest.desk.queue.retain(|request| !has_expired(facts, request));
    let mut items: Vec<Option<&str>> = Vec::new();
    for request in facts.desk.queue.iter().filter(|request| has_expired(facts, request)) {
        close(facts, request, &mut plan);
        if !items.contains(&request.item_id()) {
            items.push(request.item_id());
        }
    }
    let queues = if facts.title_level.enabled { items.len().min(1) } else { items.len() };
    let mut places = Vec::new();
    for item in &items[..queues] {
        let queue = rest.queue_of(*item);
        places.extend(renumbered(&queue.iter().collect::<Vec<_>>()));
    }
    if !places.is_empty() {
        plan.change_places(PlaceChange::Order { places });
    }
    for item in items {
        release_item(&rest, item, "", &mut plan);
    }
    plan
}

fn has_expired(facts: &RequestFacts, request: &QueuedRequest) -> bool {
    let awaits_pickup = AwaitingPickup.is_of(&request.record);
    let until = if awaits_pickup { "holdShelfExpirationDate" } else { "requestExpirationDate" };
    time(&request.record, &[until]).is_some_and(|until| until < facts.desk.now())
}

fn close(facts: &RequestFacts, request: &QueuedRequest, plan: &mut Plan) {
    let mut closed = request.record.clone();
    let status = if AwaitingPickup.is_of(&request.record) {
        // The report of items to clear from the hold shelf searches by this date.
        set_time(&mut closed, "awaitingPickupRequestClosedDate", facts.desk.now());
        PickupExpired
    } else {
        Unfilled
    };
    set(&mut closed, "status", status);
    remove(&mut closed, "position");
    facts.desk.write_request(&request.record, &mut closed, plan);
}
