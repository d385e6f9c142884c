//! Staff put a queue into another order.

use std::collections::HashMap;

use octavo_kernel::{Fault, Outcome, Refusal};
use serde::Deserialize;

use super::RequestFacts;
use crate::facts::QueuedRequest;
use crate::plan::{PlaceChange, Plan};

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

/// Whose queue it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Item,
    Instance,
}

/// The plan changes positions only; the queue is then read anew.
pub fn reorder_queue(facts: &RequestFacts, scope: Scope, order: &Reorder) -> Outcome<Plan> {
    let enabled = facts.title_level.enabled;
    if enabled != (scope == Scope::Instance) {
        let state = if enabled { "ENABLED" } else { "DISABLED" };
        let message = format!("Refuse to reorder request queue, TLR feature status is {state}.");
        return Err(Refusal::new(message).into());
    }
    let queue = &facts.desk.queue;
    if queue.is_empty() {
        return Err(Fault::text(404, "Request queue cannot be found"));
    }
    refuse_order(queue, scope, order)?;
    let positions: HashMap<&str, i64> =
        order.reordered_queue.iter().map(|place| (place.id.as_str(), place.new_position)).collect();
    let place = |request: &QueuedRequest| {
        let place =
            positions.get(request.id()).copied().filter(|place| request.position() != Some(*place))?;
        Some((request.id().to_owned(), place))
    };
    let places: Vec<(String, i64)> = queue.iter().filter_map(place).collect();
    let mut plan = Plan::default();
    if !places.is_empty() {
        plan.change_places(PlaceChange::Order { places });
    }
    Ok(plan)
}

fn refuse_order(queue: &[QueuedRequest], scope: Scope, order: &Reorder) -> Result<(), Refusal> {
    let mut places: Vec<&Place> = order.reordered_queue.iter().collect();
    places.sort_by_key(|place| place.new_position);
    if let Some((place, _)) = places.iter().zip(1..).find(|(place, wanted)| place.new_position != *wanted) {
        return Err(at(place, "Positions must have sequential order."));
    }
    let mut known: Vec<&str> = queue.iter().map(QueuedRequest::id).collect();
    let mut given: Vec<&str> = places.iter().map(|place| place.id.as_str()).collect();
    known.sort_unstable();
    given.sort_unstable();
    if known != given {
        let message = "There is inconsistency between provided reordered queue and existing queue.";
        return Err(Refusal::new(message));
    }
    let begun = |request: &&QueuedRequest| !request.is_not_yet_filled();
    let place_of = |request: &QueuedRequest| places.iter().find(|place| place.id == request.id());
    match scope {
        Scope::Item => {
            let displaced = |what: &dyn Fn(&&QueuedRequest) -> bool| {
                let first = queue.iter().find(|request| what(request)).and_then(&place_of)?;
                (first.new_position != 1).then_some(*first)
            };
            if let Some(place) = displaced(&|request| request.request_type() == "Page") {
                return Err(at(place, "Page requests can not be displaced from position 1."));
            }
            if let Some(place) = displaced(&begun) {
                return Err(at(
                    place,
                    "Requests can not be displaced from position 1 when fulfillment begun.",
                ));
            }
        }
        Scope::Instance => {
            let count = queue.iter().filter(begun).count() as i64;
            let below = |place: &&&Place| place.new_position > count;
            if let Some(place) = queue.iter().filter(begun).filter_map(place_of).find(below) {
                let message = "Requests can not be displaced from top positions when fulfillment begun.";
                return Err(at(place, message));
            }
        }
    }
    Ok(())
}

fn at(place: &Place, message: &str) -> Refusal {
    Refusal::new(message).about("newPosition", place.new_position.to_string())
}
