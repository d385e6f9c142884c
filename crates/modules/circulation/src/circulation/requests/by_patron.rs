//! Requests that patrons make and cancel by themselves: what mod-patron asks mod-circulation for.

use octavo_circulation::plan::Plan;
use octavo_circulation::request::{
    Cancellation, Operation, PatronHold, RequestAtInstance, cancel_hold, hold_on_item as decide_hold,
    request_at_instance, unknown_request,
};
use octavo_engine::Context;
use octavo_kernel::Outcome;
use serde_json::Value;
use uuid::Uuid;

use super::gather::RequestKeys;
use super::{decide, points, uuid};

pub(crate) async fn hold_on_item(context: &Context, hold: &PatronHold) -> Outcome<Plan> {
    let wanted = RequestKeys {
        requester: uuid(Some(&hold.requester_id)),
        items: uuid(Some(&hold.item_id)).into_iter().collect(),
        checks_blocks: true,
        ..RequestKeys::default()
    };
    decide(context, &wanted, |facts, _| decide_hold(facts, hold)).await
}

pub(crate) async fn hold_on_title(context: &Context, asked: &RequestAtInstance) -> Outcome<Plan> {
    let wanted = RequestKeys {
        requester: uuid(asked.requester_id.as_deref()),
        proxy: uuid(asked.proxy_user_id.as_deref()),
        instance: uuid(asked.instance_id.as_deref()),
        whole_title: true,
        checks_blocks: true,
        ..RequestKeys::default()
    };
    decide(context, &wanted, |facts, _| request_at_instance(facts, asked)).await
}

pub(crate) async fn cancel(
    context: &Context,
    request: Uuid,
    patron: &str,
    cancellation: &Cancellation,
) -> Outcome<Plan> {
    let wanted = RequestKeys { request: Some(request), ..RequestKeys::default() };
    decide(context, &wanted, |facts, stored| {
        let stored = stored.ok_or_else(|| unknown_request(&request.to_string()))?;
        cancel_hold(facts, stored, patron, cancellation)
    })
    .await
}

/// The service points at which a patron may pick up a copy of the title, by type of request.
pub(crate) async fn allowed_points(context: &Context, requester: Uuid, instance: Uuid) -> Outcome<Value> {
    let wanted =
        RequestKeys { requester: Some(requester), instance: Some(instance), ..RequestKeys::default() };
    points::find_service_points(context, Operation::Create, &wanted).await
}
