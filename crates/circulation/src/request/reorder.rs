//! Staff put a queue into another order.

use std::collections::HashMap;

use octavo_kernel::{Fault, Outcome, Refusal};
use serde::Deserialize;

use super::RequestFacts;
use crate::facts::QueuedRequest;
use crate::plan::{PlaceChange, Plan};
use crate::queue::renumbered;
use crate::refusals::missing_parameter;
use crate::status::RequestType;

/// `POST /circulation/requests/queue/{item|instance}/{id}/reorder`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reorder {
    pub reordered_queue: Vec<Place>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub id: String,
    pub new_position: i64,
}

/// Whether the queue is that of an item or of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueScope {
    Item,
    Instance,
}

impl QueueScope {
    /// The parameter of refusals, and the kind of record in messages.
    fn parameter_and_label(self) -> (&'static str, &'static str) {
        match self {
            QueueScope::Item => ("itemId", "Item"),
            QueueScope::Instance => ("instanceId", "Instance"),
        }
    }

    /// FOLIO's answer if the item or title has no requests, or does not exist.
    pub fn unknown(self, id: &str) -> Fault {
        Fault::not_found_with(format!(
            "{} record with ID \"{id}\" cannot be found",
            self.parameter_and_label().1
        ))
    }
}

/// `id` is that of the item or instance. The plan changes only positions; the caller then reads the queue anew.
pub fn reorder_queue(facts: &RequestFacts, scope: QueueScope, id: &str, order: &Reorder) -> Outcome<Plan> {
    let enabled = facts.title_level.enabled;
    if enabled != (scope == QueueScope::Instance) {
        let state = if enabled { "ENABLED" } else { "DISABLED" };
        let message = format!("Refuse to reorder request queue, TLR feature status is {state}.");
        return Err(Refusal::new(message).about(scope.parameter_and_label().0, id).into());
    }
    let queue: Vec<&QueuedRequest> = facts.open_in_order().collect();
    if queue.is_empty() {
        return Err(scope.unknown(id));
    }
    refuse_order(&queue, scope, order)?;
    let places = moved_places(facts, order);
    let mut plan = Plan::default();
    if !places.is_empty() {
        plan.change_places(PlaceChange::Order { places });
    }
    Ok(plan)
}

/// The new places of the requests that move. Title-level requests that do not count come after all others.
fn moved_places(facts: &RequestFacts, order: &Reorder) -> Vec<(String, i64)> {
    let asked: HashMap<&str, i64> =
        order.reordered_queue.iter().map(|place| (place.id.as_str(), place.new_position)).collect();
    let mut queue: Vec<&QueuedRequest> = facts.desk.queue.iter().collect();
    queue.sort_by_key(|request| asked.get(request.id()).copied().unwrap_or(i64::MAX));
    renumbered(&queue)
}

fn refuse_order(queue: &[&QueuedRequest], scope: QueueScope, order: &Reorder) -> Result<(), Refusal> {
    let mut places: Vec<&Place> = order.reordered_queue.iter().collect();
    places.sort_by_key(|place| place.new_position);
    if places.iter().zip(1..).any(|(place, wanted)| place.new_position != wanted) {
        return Err(displacement_refusal("Positions must have sequential order."));
    }
    let mut known: Vec<&str> = queue.iter().map(|request| request.id()).collect();
    let mut given: Vec<&str> = places.iter().map(|place| place.id.as_str()).collect();
    known.sort_unstable();
    given.sort_unstable();
    if known != given {
        let message = "There is inconsistency between provided reordered queue and existing queue.";
        return Err(Refusal::new(message));
    }
    let begun = |request: &QueuedRequest| !request.is_not_yet_filled();
    let place_of = |request: &QueuedRequest| {
        places.iter().find(|place| place.id == request.id()).map(|place| place.new_position)
    };
    match scope {
        QueueScope::Item => {
            let leaves = |what: &dyn Fn(&QueuedRequest) -> bool| {
                let first = queue.iter().find(|request| what(request));
                first.and_then(|request| place_of(request)).is_some_and(|place| place != 1)
            };
            if leaves(&|request| request.kind() == Some(RequestType::Page)) {
                return Err(displacement_refusal("Page requests can not be displaced from position 1."));
            }
            if leaves(&begun) {
                let message = "Requests can not be displaced from position 1 when fulfillment begun.";
                return Err(displacement_refusal(message));
            }
        }
        QueueScope::Instance => {
            let begun: Vec<&&QueuedRequest> = queue.iter().filter(|request| begun(request)).collect();
            let top = begun.len() as i64;
            if begun.iter().filter_map(|request| place_of(request)).any(|place| place > top) {
                let message = "Requests can not be displaced from top positions when fulfillment begun.";
                return Err(displacement_refusal(message));
            }
        }
    }
    Ok(())
}

fn displacement_refusal(message: &str) -> Refusal {
    missing_parameter(message, "newPosition")
}
