//! A request is edited, cancelled or deleted; whoever leaves the queue makes others move up.

use octavo_kernel::{Outcome, Refusal};
use serde_json::Value;

use super::RequestFacts;
use super::body::Body;
use super::create::{answer, change_status};
use super::is_closed;
use super::stored::add_search_fields;
use crate::document::{remove, set, set_some, text};
use crate::facts::{ItemStatus, QueuedRequest};
use crate::plan::{Plan, RecordKind};
use crate::refusals::{Refusals, missing};
use crate::trace::Step;

/// `stored` is the request as it is.
pub fn replace_request(facts: &RequestFacts, stored: &Value, body: &Value) -> Outcome<Plan> {
    let mut body = Body::read(facts, body)?;
    for key in ["instanceId", "holdingsRecordId"] {
        if body.text(key).is_none() {
            set_some(&mut body.record, key, text(stored, &[key]));
        }
    }
    refuse_incomplete(&body)?;
    let comments = text(stored, &["patronComments"]);
    if comments != body.text("patronComments") {
        let refusal = Refusal::new("Patron comments are not allowed to change");
        return Err(refusal.about("existingPatronComments", comments.unwrap_or_default()).into());
    }
    let id = text(stored, &["id"]).unwrap_or_default();
    if is_closed(stored) {
        let refusal = Refusal::new("The Request has already been closed").about("id", id);
        return Err(refusal.code("REQUEST_ALREADY_CLOSED").into());
    }
    let mut plan = Plan::default();
    let mut record = body.record.clone();
    set(&mut record, "id", id);
    keep(stored, &mut record, "position");
    keep(stored, &mut record, "metadata");
    let closes = is_closed(&record);
    if closes {
        remove(&mut record, "position");
        if text(stored, &["status"]) == Some("Open - Awaiting pickup") {
            set(&mut record, "awaitingPickupRequestClosedDate", octavo_kernel::folio_time(facts.desk.now()));
        }
    }
    let item = facts.item(text(&record, &["itemId"]));
    if let Some(item) = item {
        set(&mut record, "holdingsRecordId", item.holdings_record_id());
    }
    add_search_fields(facts, &mut record, item);
    facts.desk.stamp(&mut record);
    plan.update(RecordKind::Request, id, record.clone());
    plan.note(Step::RequestChanged {
        request_id: id.to_owned(),
        from: text(stored, &["status"]).unwrap_or_default().to_owned(),
        to: text(&record, &["status"]).unwrap_or_default().to_owned(),
    });
    if closes {
        leave(facts, stored, &mut plan);
    } else {
        answer(facts, &record, item, &mut plan)?;
    }
    Ok(plan)
}

/// The request itself is deleted beside the plan.
pub fn delete_request(facts: &RequestFacts, stored: &Value) -> Plan {
    let mut plan = Plan::default();
    leave(facts, stored, &mut plan);
    plan
}

fn refuse_incomplete(body: &Body) -> Outcome<()> {
    let mut refusals = Refusals::default();
    if body.text("instanceId").is_none() {
        refusals.extend([missing("Cannot create a request with no instance ID", "instanceId")]);
    }
    if !body.is_title_level() && body.text("itemId").is_none() {
        refusals.extend([missing("Cannot create an item level request with no item ID", "itemId")]);
    }
    if body.text("requestDate").is_none() {
        refusals.extend([missing("Cannot create a request with no requestDate", "requestDate")]);
    }
    refusals.into_outcome()
}

/// Others move up; an item that was paged for nobody else is available again.
fn leave(facts: &RequestFacts, stored: &Value, plan: &mut Plan) {
    let stored = QueuedRequest { record: stored.clone().into(), ..QueuedRequest::default() };
    plan.close_gap(&stored, facts.title_level.enabled);
    release_item(facts, stored.item_id(), stored.id(), plan);
}

pub(super) fn release_item(facts: &RequestFacts, item_id: Option<&str>, without: &str, plan: &mut Plan) {
    let wanted = facts.desk.queue.iter().any(|request| {
        request.id() != without && request.item_id().is_some() && request.item_id() == item_id
    });
    if let Some(item) = facts.item(item_id).filter(|item| !wanted && item.is("Paged")) {
        change_status(facts, &mut item.clone(), ItemStatus::Available, plan);
    }
}

fn keep(stored: &Value, record: &mut Value, key: &str) {
    match stored.get(key) {
        Some(value) => set(record, key, value.clone()),
        None => remove(record, key),
    }
}
