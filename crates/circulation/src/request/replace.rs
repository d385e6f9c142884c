//! Editing, cancelling and deleting a request. If it leaves its queue, the others move up.

use octavo_kernel::{Outcome, Refusal};
use serde_json::Value;

use super::RequestFacts;
use super::body::{Body, Purpose};
use super::create::{change_item_status, complete_plan};
use super::is_closed;
use super::stored::add_search_fields;
use super::validate::refuse_edit;
use crate::document::{Document, remove, set, text};
use crate::facts::{ItemStatus, QueuedRequest};
use crate::plan::{Plan, RecordKind, Write};
use crate::status::RequestStatus::{AwaitingPickup, Cancelled, PickupExpired};
use crate::status::{RefusalCode, RequestType};

pub fn replace_request(facts: &RequestFacts, stored: &Value, body: &Value) -> Outcome<Plan> {
    let body = Body::read(facts, body, Purpose::Edit)?;
    refuse_edit(facts, &body)?;
    let comments = text(stored, &["patronComments"]);
    if comments != body.text("patronComments") {
        let refusal = Refusal::new("Patron comments are not allowed to change");
        return Err(refusal.about("existingPatronComments", comments).into());
    }
    let id = text(stored, &["id"]).unwrap_or_default();
    if is_closed(stored) {
        let refusal = Refusal::new("The Request has already been closed").about("id", id);
        return Err(refusal.code(RefusalCode::RequestAlreadyClosed).into());
    }
    let mut plan = Plan::default();
    let mut record = Document::from(body.record);
    set(&mut record, "id", id);
    copy_from_stored(stored, &mut record, "position");
    copy_from_stored(stored, &mut record, "metadata");
    let closes = is_closed(&record);
    if closes {
        remove(&mut record, "position");
        if AwaitingPickup.is_of(stored) && (Cancelled.is_of(&record) || PickupExpired.is_of(&record)) {
            set(&mut record, "awaitingPickupRequestClosedDate", octavo_kernel::folio_time(facts.desk.now()));
        }
    }
    let item = facts.item(text(&record, &["itemId"]));
    if let Some(item) = item {
        set(&mut record, "holdingsRecordId", item.holdings_record_id());
    }
    add_search_fields(facts, &mut record, item);
    facts.desk.write_request(stored, &mut record, &mut plan);
    if closes {
        let stored = leave_queue(facts, stored, &mut plan);
        release_item(facts, stored.item_id(), stored.id(), &mut plan);
    } else {
        complete_plan(facts, &record, item, Purpose::Edit, &mut plan)?;
    }
    Ok(plan)
}

pub fn delete_request(facts: &RequestFacts, stored: &Value) -> Plan {
    let mut plan = Plan::default();
    let id = text(stored, &["id"]).unwrap_or_default().to_owned();
    plan.writes.push(Write::Delete { record: RecordKind::Request, id });
    let stored = leave_queue(facts, stored, &mut plan);
    // The item was fetched for this request alone, whoever else waits for it.
    if stored.kind() == Some(RequestType::Page) {
        no_longer_paged(facts, stored.item_id(), &mut plan);
    }
    plan
}

/// The others move up.
fn leave_queue(facts: &RequestFacts, stored: &Value, plan: &mut Plan) -> QueuedRequest {
    let stored = QueuedRequest { record: stored.clone().into(), ..QueuedRequest::default() };
    plan.close_gap(&stored, facts.title_level.enabled);
    stored
}

/// A paged item that no other request is for is available again.
pub(super) fn release_item(facts: &RequestFacts, item_id: Option<&str>, without: &str, plan: &mut Plan) {
    let wanted = facts.open_in_order().any(|request| {
        request.id() != without && request.item_id().is_some() && request.item_id() == item_id
    });
    if !wanted {
        no_longer_paged(facts, item_id, plan);
    }
}

fn no_longer_paged(facts: &RequestFacts, item_id: Option<&str>, plan: &mut Plan) {
    if let Some(item) = facts.item(item_id).filter(|item| item.is(ItemStatus::Paged)) {
        change_item_status(facts, &mut item.clone(), ItemStatus::Available, plan);
    }
}

fn copy_from_stored(stored: &Value, record: &mut Value, key: &str) {
    match stored.get(key) {
        Some(value) => set(record, key, value.clone()),
        None => remove(record, key),
    }
}
