//! A request moves to another item of its title.

use octavo_kernel::{Outcome, Refusal};
use serde::Deserialize;
use serde_json::Value;

use super::RequestFacts;
use super::body::Purpose;
use super::create::{complete_plan, next_position};
use super::item_statuses::requestable_as;
use super::replace::release_item;
use super::stored::add_search_fields;
use super::validate::{not_allowed, refuse_invalid_patron, refuse_own_loan, refuse_pickup_by_policy};
use crate::document::set;
use crate::facts::{Item, QueuedRequest};
use crate::plan::{PlaceChange, Plan, QueueOf, RecordKind};
use crate::refusals::Refusals;
use crate::status::{ItemStatus, RefusalCode, RequestType};
use crate::trace::Step;

/// `POST /circulation/requests/{id}/move`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveRequest {
    pub destination_item_id: String,
    pub request_type: Option<String>,
}

pub fn move_request(facts: &RequestFacts, stored: &Value, command: &MoveRequest) -> Outcome<Plan> {
    let moved = QueuedRequest { record: stored.clone().into(), ..QueuedRequest::default() };
    let asked = command.request_type.as_deref().unwrap_or(moved.request_type());
    let item = destination(facts, &moved, &command.destination_item_id, asked)?;
    let kind = if item.is(ItemStatus::Available) { RequestType::Page.name() } else { asked };
    refuse_move(facts, &moved, item, kind)?;

    let mut plan = Plan::default();
    let from = moved.item_id().map(str::to_owned);
    let of_title = facts.title_level.enabled;
    let position = if of_title {
        let last = (next_position(&facts.queue_of(None)) - 1).max(1);
        let queue = QueueOf::from_request(&moved, of_title);
        if let (Some(queue), Some(from)) = (queue, moved.position().filter(|from| *from != last)) {
            plan.change_places(PlaceChange::Move { queue, from, to: last });
        }
        last
    } else {
        next_position(&facts.queue_of(Some(item.id())))
    };
    let mut record = stored.clone();
    set(&mut record, "itemId", item.id());
    set(&mut record, "holdingsRecordId", item.holdings_record_id());
    set(&mut record, "requestType", kind);
    set(&mut record, "position", position);
    add_search_fields(facts, &mut record, Some(item));
    facts.desk.set_metadata(&mut record);
    plan.update(RecordKind::Request, moved.id(), record.clone());
    plan.add_step(Step::RequestMoved {
        request_id: moved.id().to_owned(),
        from: from.clone(),
        to: item.id().to_owned(),
    });
    if !of_title {
        plan.close_gap(&moved, of_title);
    }
    release_item(facts, from.as_deref(), moved.id(), &mut plan);
    complete_plan(facts, &record, Some(item), Purpose::Move, &mut plan)?;
    Ok(plan)
}

/// The item to which the request moves. Of all reasons against a move only the first is reported.
fn destination<'a>(
    facts: &'a RequestFacts,
    moved: &QueuedRequest,
    id: &str,
    asked: &str,
) -> Result<&'a Item, Refusal> {
    let title_level = moved.is_title_level();
    let refusal = |message: &str| Err(Refusal::new(message).about("requestId", moved.id()));
    if title_level && !facts.title_level.enabled {
        return refusal("Can not process TLR - TLR feature is disabled");
    }
    if title_level && (moved.is_hold() || RequestType::spelled(asked) == Some(RequestType::Hold)) {
        return refusal("Not allowed to move from/to Hold TLR");
    }
    let item = facts.item(Some(id));
    let instance_id = item.and_then(|item| item.instance_id.as_deref());
    item.filter(|_| instance_id == moved.instance_id()).ok_or_else(|| {
        // Of an item that does not exist FOLIO names the one that the request is for.
        Refusal::new("Request can only be moved to an item with the same instance ID")
            .about("itemId", item.map_or(moved.item_id(), |item| Some(item.id())))
            .about("instanceId", instance_id)
    })
}

fn refuse_move(facts: &RequestFacts, moved: &QueuedRequest, item: &Item, kind: &str) -> Outcome<()> {
    let known = RequestType::spelled(kind);
    let requester_id = moved.requester_id().unwrap_or_default();
    let mut refusals = Refusals::default();
    refusals.extend(refuse_invalid_patron(facts.desk.patron.as_ref(), moved.requester_id()));
    if !requestable_as(item.status(), known) {
        refusals.extend([not_allowed(kind)]);
    }
    refusals.extend(refuse_duplicate(facts, moved, item, requester_id));
    refusals.extend(refuse_own_loan(facts, item, requester_id));
    refusals.into_first()?;
    let Some(patron) = facts.governed_patron() else { return Ok(()) };
    let policy = facts.request_policy(item, patron)?;
    if !policy.allows(known) {
        return Err(not_allowed(kind).into());
    }
    let point = moved.pickup_service_point_id();
    point
        .and_then(|point| refuse_pickup_by_policy(policy, kind, point))
        .map_or(Ok(()), |refusal| Err(refusal.into()))
}

fn refuse_duplicate(
    facts: &RequestFacts,
    moved: &QueuedRequest,
    item: &Item,
    requester_id: &str,
) -> Option<Refusal> {
    let mut own = facts.open_requests_of(Some(requester_id));
    if moved.is_title_level() {
        let same = own.find(|request| request.is_for_item(item.id()))?;
        let (message, code) = match same.is_title_level() {
            true => (
                "Not allowed to move title level page request to the same item",
                RefusalCode::MovedToSameItem,
            ),
            false => (
                "This requester already has an open request for one of the instance's items",
                RefusalCode::ItemOfThisInstanceAlreadyRequested,
            ),
        };
        let refusal = Refusal::new(message).about("requesterId", requester_id);
        return Some(refusal.about("instanceId", moved.instance_id()).code(code));
    }
    own.find(|request| request.is_title_level() || request.is_for_item(item.id())).map(|_| {
        Refusal::new("This requester already has an open request for this item")
            .about("itemId", item.id())
            .about("requesterId", requester_id)
            .about("requestId", moved.id())
            .code(RefusalCode::ItemAlreadyRequested)
    })
}
