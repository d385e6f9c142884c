//! Decisions about requests, over the small library of `crate::desk`.

mod by_patron;
mod changes;
mod effects;
mod queues;
mod refusals;

use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};

use super::*;
use crate::desk::{
    facts as desk_facts, messages, on_loan, patron, queued_hold, set_item_status, with_loan_policy,
};
use crate::document::{remove, set};
use crate::facts::{AutomatedBlock, ManualBlock};
use crate::plan::{PlaceChange, Plan, QueueOf, RecordKind};

const RULES: &str = "priority: last-line
fallback-policy: l three-weeks r any n none o fine i lost";

/// Ada asks for a book that is on the shelf at the first desk.
fn facts() -> RequestFacts {
    request_facts(desk_facts())
}

fn request_facts(mut desk: crate::facts::Facts) -> RequestFacts {
    let mut points = (*desk.service_points).clone();
    points.values_mut().for_each(|point| point["pickupLocation"] = json!(true));
    points.insert("office".into(), json!({"id": "office", "name": "Office"}));
    desk.service_points = std::sync::Arc::new(points);
    let open_loans = std::mem::take(&mut desk.open_loans_of_item);
    RequestFacts {
        title_level: TitleLevel::default(),
        options: std::sync::Arc::default(),
        open_requests: 0,
        instance: Some(Instance {
            id: "instance-1".into(),
            record: json!({"title": "Notes"}),
            has_holdings: true,
        }),
        items: desk.item.clone().into_iter().collect(),
        open_loans,
        borrowers: vec![patron("bob", "300")],
        locations: std::sync::Arc::default(),
        fresh_id: "new-request".into(),
        desk,
    }
}

/// Bob has the book.
fn facts_on_loan() -> RequestFacts {
    let mut facts = request_facts(on_loan());
    set(&mut facts.open_loans[0].record, "userId", "bob");
    facts
}

fn with_title_requests(mut facts: RequestFacts) -> RequestFacts {
    facts.title_level.enabled = true;
    facts
}

fn item_status(facts: &mut RequestFacts, status: &str) {
    set_item_status(&mut facts.desk, status);
    facts.items = facts.desk.item.clone().into_iter().collect();
}

fn page_request() -> Value {
    json!({
        "requestType": "Page", "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf", "itemId": "book-1",
        "holdingsRecordId": "holdings-1", "instanceId": "instance-1", "requesterId": "ada",
        "pickupServicePointId": "desk-1", "requestDate": "2026-03-01T10:00:00Z",
    })
}

fn with(mut body: Value, key: &str, value: Value) -> Value {
    set(&mut body, key, value);
    body
}

fn without(mut body: Value, keys: &[&str]) -> Value {
    keys.iter().for_each(|key| remove(&mut body, key));
    body
}

fn title_request(kind: &str) -> Value {
    let body = without(page_request(), &["itemId", "holdingsRecordId"]);
    with(with(body, "requestLevel", json!("Title")), "requestType", json!(kind))
}

fn of_type(kind: &str) -> Value {
    with(page_request(), "requestType", json!(kind))
}

fn refusal_messages(outcome: Outcome<Plan>) -> Vec<String> {
    outcome.map_or_else(|fault: Fault| messages(&fault), |_| Vec::new())
}

fn documents(plan: &Plan, wanted: RecordKind) -> Vec<(String, Value)> {
    plan.documents(wanted).map(|(id, document)| (id.to_owned(), Value::clone(document))).collect()
}

fn positions(plan: &Plan) -> Vec<(String, Option<i64>)> {
    let requests = documents(plan, RecordKind::Request);
    requests.into_iter().map(|(id, document)| (id, document["position"].as_i64())).collect()
}

/// How the others move.
fn places(plan: &Plan) -> Vec<PlaceChange> {
    plan.place_changes().cloned().collect()
}

fn order_of(places: &[(&str, i64)]) -> Vec<PlaceChange> {
    let places = places.iter().map(|(id, place)| ((*id).to_owned(), *place)).collect();
    vec![PlaceChange::Order { places }]
}

fn book_queue() -> QueueOf {
    QueueOf::Item("book-1".into())
}

type Change = fn(&mut RequestFacts);
