//! `POST /circulation/requests`

use octavo_circulation::plan::{Plan, RecordKind};
use octavo_circulation::request::create_request;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use serde_json::Value;

use super::gather::RequestKeys;
use super::{decide, uuid};
use crate::circulation::ops::created_response;

pub(in crate::circulation) async fn answer(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    let plan = create(&request.context, &body).await?;
    Ok(created_response(&request, &plan, RecordKind::Request, "/circulation/requests"))
}

pub(super) async fn create(context: &Context, body: &Value) -> Outcome<Plan> {
    decide(context, &keys_of_new_request(body), |facts, _| create_request(facts, body)).await
}

pub(super) fn keys_of_new_request(body: &Value) -> RequestKeys {
    let id = |key: &str| uuid(body[key].as_str());
    RequestKeys {
        requester: id("requesterId"),
        proxy: id("proxyUserId"),
        instance: id("instanceId"),
        items: id("itemId").into_iter().collect(),
        whole_title: body["requestLevel"] == "Title",
        checks_blocks: true,
        ..RequestKeys::default()
    }
}
