//! Renumbers queues after title-level requests were switched on or off: those of a title's items become one, or one becomes many.

use std::collections::BTreeMap;

use super::RequestFacts;
use crate::document::text;
use crate::facts::QueuedRequest;
use crate::plan::{PlaceChange, Plan};
use crate::queue::renumbered;

/// The queue of the facts has all open requests for one title. They keep their order; of two at the same place, the older one is first.
pub fn renumber_queues(facts: &RequestFacts) -> Plan {
    let mut queues: BTreeMap<Option<&str>, Vec<&QueuedRequest>> = BTreeMap::new();
    for request in &facts.desk.queue {
        let queue = if facts.title_level.enabled { None } else { request.item_id() };
        queues.entry(queue).or_default().push(request);
    }
    let mut places = Vec::new();
    for mut queue in queues.into_values() {
        queue.sort_by(|one, other| queue_sort_key(one).cmp(&queue_sort_key(other)));
        places.extend(renumbered(&queue));
    }
    let mut plan = Plan::default();
    if !places.is_empty() {
        plan.change_places(PlaceChange::Order { places });
    }
    plan
}

fn queue_sort_key(request: &QueuedRequest) -> (i64, Option<&str>, Option<&str>, &str) {
    let record = &request.record;
    let asked = text(record, &["requestDate"]);
    let made = text(record, &["metadata", "createdDate"]);
    (request.position().unwrap_or(i64::MAX), asked, made, request.id())
}
