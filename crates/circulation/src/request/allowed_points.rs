//! The service points at which a patron may pick an item up, by type of request.

use std::collections::BTreeSet;

use octavo_kernel::Outcome;
use serde_json::{Map, Value, json};

use super::RequestFacts;
use super::item_statuses::requestable_as;
use crate::document::text;
use crate::facts::Patron;
use crate::status::RequestType;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Create,
    /// An existing request, for which the item's status does not matter.
    Replace,
    Move,
}

/// The service points for any of the items of `facts`.
pub fn allowed_service_points(facts: &RequestFacts, patron: &Patron, operation: Operation) -> Outcome<Value> {
    let mut allowed = Map::new();
    for kind in [RequestType::Page, RequestType::Hold, RequestType::Recall] {
        let points = points_for(facts, patron, operation, kind)?;
        // Sorted by name, as clients show them.
        let mut named: Vec<(&str, &str)> = points
            .into_iter()
            .map(|id| (facts.service_point_name(Some(id)).unwrap_or_default(), id))
            .collect();
        named.sort_unstable();
        if !named.is_empty() {
            let list = named.iter().map(|(name, id)| json!({"id": id, "name": name})).collect();
            allowed.insert(kind.name().to_owned(), Value::Array(list));
        }
    }
    Ok(Value::Object(allowed))
}

fn points_for<'a>(
    facts: &'a RequestFacts,
    patron: &Patron,
    operation: Operation,
    kind: RequestType,
) -> Outcome<BTreeSet<&'a str>> {
    let mut points = BTreeSet::new();
    if facts.items.is_empty() {
        let free = facts.title_level.enabled && !facts.title_level.holds_follow_rules;
        if kind == RequestType::Hold && free && operation == Operation::Create {
            points.extend(pickup_points(facts));
        }
        return Ok(points);
    }
    for item in &facts.items {
        if operation != Operation::Replace && !requestable_as(item.status(), kind) {
            continue;
        }
        let policy = facts.request_policy(item, patron)?;
        if policy.allows(kind) {
            points.extend(pickup_points(facts).filter(|id| policy.allows_pickup_at(kind.name(), id)));
        }
    }
    Ok(points)
}

fn pickup_points(facts: &RequestFacts) -> impl Iterator<Item = &str> {
    let points = facts.desk.service_points.values();
    points.filter(|point| point["pickupLocation"] == true).filter_map(|point| text(point, &["id"]))
}
