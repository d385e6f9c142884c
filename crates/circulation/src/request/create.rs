//! A new request goes to the end of its queue. A page changes the status of its item, a recall the due date of its loan.

use octavo_kernel::{Members, Outcome, json_text};
use serde_json::Value;

use super::body::{Body, Purpose};
use super::recall::recall;
use super::stored::add_search_fields;
use super::validate::validate;
use super::{RequestFacts, is_closed};
use crate::document::{remove, set, text};
use crate::facts::{Item, ItemStatus, Loan, Patron, QueuedRequest};
use crate::plan::{Plan, RecordKind};
use crate::status::RequestType;
use crate::trace::Step;
use crate::view::{Person, RequestView, instance_json, item_json, loan_json, pickup_json, request_view};

pub fn create_request(facts: &RequestFacts, body: &Value) -> Outcome<Plan> {
    let body = Body::read(facts, body, Purpose::Create)?;
    let ready = validate(facts, &body)?;
    let mut plan = Plan::default();
    if ready.overridden {
        plan.add_step(Step::Overridden { block: "patronBlock".into() });
    }
    let mut record = body.record.clone();
    if body.text("id").is_none() {
        set(&mut record, "id", facts.fresh_id.as_str());
    }
    if let Some(item) = ready.item {
        set(&mut record, "itemId", item.id());
        set(&mut record, "holdingsRecordId", item.holdings_record_id());
    }
    let position = next_position(&facts.queue_of(text(&record, &["itemId"])));
    // A request that is created closed has no place in a queue.
    let closed = is_closed(&record);
    match closed {
        true => remove(&mut record, "position"),
        false => set(&mut record, "position", position),
    }
    add_search_fields(facts, &mut record, ready.item);
    facts.desk.set_metadata(&mut record);
    let id = text(&record, &["id"]).unwrap_or_default().to_owned();
    plan.insert(RecordKind::Request, &id, record.clone());
    if closed {
        plan.response = json_text(&request_to_json(facts, &record, ready.item, None));
    } else {
        plan.add_step(Step::RequestMade { request_id: id, position });
        complete_plan(facts, &record, ready.item, Purpose::Create, &mut plan)?;
    }
    Ok(plan)
}

/// Changes the item of a request and, unless the request is edited, the loan of the item, and makes the answer.
pub(super) fn complete_plan(
    facts: &RequestFacts,
    record: &Value,
    item: Option<&Item>,
    purpose: Purpose,
    plan: &mut Plan,
) -> Outcome<()> {
    let kind = text(record, &["requestType"]).and_then(RequestType::spelled);
    let mut item = item.cloned();
    let pages = |item: &&mut Item| kind == Some(RequestType::Page) && item.is(ItemStatus::Available);
    if let Some(item) = item.as_mut().filter(pages) {
        change_item_status(facts, item, ItemStatus::Paged, plan);
    }
    let mut loan = item.as_ref().and_then(|item| facts.open_loan_of(item.id())).cloned();
    let recalls = kind == Some(RequestType::Recall) && purpose != Purpose::Edit;
    if let (true, Some(item), Some(loan)) = (recalls, &item, loan.as_mut()) {
        recall(facts, item, loan, purpose, plan)?;
    }
    plan.response = json_text(&request_to_json(facts, record, item.as_ref(), loan.as_ref()));
    Ok(())
}

pub(super) fn request_to_json(
    facts: &RequestFacts,
    record: &Value,
    item: Option<&Item>,
    loan: Option<&Loan>,
) -> Value {
    let points = &facts.desk.service_points;
    let person =
        |patron: &Patron| Person::from_user(&Members::from_value(&patron.record), patron.group.as_ref());
    let pickup = text(record, &["pickupServicePointId"]).and_then(|id| points.get(id));
    let shown = serde_json::to_value(request_view(RequestView {
        request: Members::from_value(record),
        item: item.map(|item| item_json(item, points)).as_deref(),
        instance: facts
            .instance
            .as_ref()
            .map(|title| instance_json(&Members::from_value(&title.record)))
            .as_deref(),
        loan: loan.and_then(|loan| loan_json(&Members::from_value(&loan.record))).as_deref(),
        requester: facts.desk.patron.as_ref().map(person).as_ref(),
        proxy: facts.desk.proxy.as_ref().map(|proxy| person(&proxy.patron)).as_ref(),
        pickup: pickup.map(pickup_json).as_deref(),
    }));
    shown.unwrap_or_default()
}

pub(super) fn change_item_status(facts: &RequestFacts, item: &mut Item, status: ItemStatus, plan: &mut Plan) {
    let from = item.status().to_owned();
    item.change_status(status, facts.desk.now());
    facts.desk.write_item(from, item, plan);
}

pub(super) fn next_position(queue: &[QueuedRequest]) -> i64 {
    queue.iter().filter_map(QueuedRequest::position).max().unwrap_or(0) + 1
}
