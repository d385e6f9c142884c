//! `POST /circulation/requests/instances`

use octavo_circulation::plan::RecordKind;
use octavo_circulation::request::{RequestAtInstance, request_at_instance};
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, Refusal};

use super::gather::Wanted;
use super::{decide, uuid};
use crate::circulation::ops::explained;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let asked: RequestAtInstance = request.body()?;
    refuse_incomplete(&asked)?;
    let wanted = Wanted {
        requester: uuid(asked.requester_id.as_deref()),
        proxy: uuid(asked.proxy_user_id.as_deref()),
        instance: uuid(asked.instance_id.as_deref()),
        whole_title: true,
        heeds_blocks: true,
        ..Wanted::default()
    };
    let plan = decide(&request.context, &wanted, |facts, _| request_at_instance(facts, &asked)).await?;
    let location =
        format!("/circulation/requests/{}", plan.written_id(RecordKind::Request).unwrap_or_default());
    Ok(explained(&request, Response::json_text(201, &plan.response).with("location", location), &plan))
}

fn refuse_incomplete(asked: &RequestAtInstance) -> Outcome<()> {
    for (key, value) in [
        ("requesterId", &asked.requester_id),
        ("instanceId", &asked.instance_id),
        ("requestDate", &asked.request_date),
        ("pickupServicePointId", &asked.pickup_service_point_id),
    ] {
        if value.as_deref().is_none_or(str::is_empty) {
            let message = format!("Request must have {key}");
            return Err(Refusal::new(message).about(key, "").into());
        }
    }
    Ok(())
}
