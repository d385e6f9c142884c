//! A request moves to another item of its title.

use octavo_kernel::{Outcome, Refusal};
use serde::Deserialize;
use serde_json::Value;

use super::RequestFacts;
use super::body::Purpose;
use super::create::{answer, next_position};
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
    let item = facts.item(Some(&command.destination_item_id)).ok_or_else(|| {
        Refusal::new("Item does not exist").about("itemId", command.destination_item_id.as_str())
    })?;
    let asked = command.request_type.as_deref().unwrap_or(moved.request_type());
    let kind = if item.is(ItemStatus::Available) { RequestType::Page.name() } else { asked };
    refuse(facts, &moved, item, kind)?;

    let mut plan = Plan::default();
    let from = moved.item_id().map(str::to_owned);
    let of_title = facts.title_level.enabled;
    let position = if of_title {
        let last = (next_position(&facts.queue_of(None)) - 1).max(1);
        let queue = QueueOf::request(&moved, of_title);
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
    facts.desk.stamp(&mut record);
    plan.update(RecordKind::Request, moved.id(), record.clone());
    plan.note(Step::RequestMoved {
        request_id: moved.id().to_owned(),
        from: from.clone(),
        to: item.id().to_owned(),
    });
    if !of_title {
        plan.close_gap(&moved, of_title);
    }
    release_item(facts, from.as_deref(), moved.id(), &mut plan);
    answer(facts, &record, Some(item), Purpose::Move, &mut plan)?;
    Ok(plan)
}

fn refuse(facts: &RequestFacts, moved: &QueuedRequest, item: &Item, kind: &str) -> Outcome<()> {
    let title_level = moved.is_title_level();
    if title_level && !facts.title_level.enabled {
        let message = "Can not process TLR - TLR feature is disabled";
        return Err(Refusal::new(message).about("requestId", moved.id()).into());
    }
    let known = RequestType::spelled(kind);
    if title_level && (moved.is_hold() || known == Some(RequestType::Hold)) {
        let message = "Not allowed to move from/to Hold TLR";
        return Err(Refusal::new(message).about("requestId", moved.id()).into());
    }
    if item.instance_id.as_deref() != moved.instance_id() {
        return Err(Refusal::new("Request can only be moved to an item with the same instance ID")
            .about("itemId", item.id())
            .about("instanceId", item.instance_id.as_deref())
            .into());
    }
    let requester_id = moved.requester_id().unwrap_or_default();
    let mut refusals = Refusals::default();
    refusals.extend(refuse_invalid_patron(facts.desk.patron.as_ref(), moved.requester_id()));
    if !requestable_as(item.status(), known) {
        refusals.extend([not_allowed(kind)]);
    }
    refusals.extend(refuse_duplicate(facts, moved, item, requester_id));
    refusals.extend(refuse_own_loan(facts, item, requester_id));
    if let Some(patron) = facts.governed_patron() {
        let policy = facts.request_policy(item, patron)?;
        if !policy.allows(known) {
            refusals.extend([not_allowed(kind)]);
        } else if let Some(point) = moved.pickup_service_point_id() {
            refusals.extend(refuse_pickup_by_policy(policy, kind, point));
        }
    }
    refusals.into_outcome()
}

fn refuse_duplicate(
    facts: &RequestFacts,
    moved: &QueuedRequest,
    item: &Item,
    requester_id: &str,
) -> Option<Refusal> {
    if moved.is_title_level() {
        return moved.is_for_item(item.id()).then(|| {
            Refusal::new("Not allowed to move title level page request to the same item")
                .about("requesterId", requester_id)
                .about("instanceId", moved.instance_id())
                .code(RefusalCode::MovedToSameItem)
        });
    }
    let same = |request: &&QueuedRequest| {
        request.requester_id() == Some(requester_id) && request.is_for_item(item.id())
    };
    facts.waiting().any(|request| same(&request)).then(|| {
        Refusal::new("This requester already has an open request for this item")
            .about("itemId", item.id())
            .about("requesterId", requester_id)
            .about("requestId", moved.id())
            .code(RefusalCode::ItemAlreadyRequested)
    })
}
