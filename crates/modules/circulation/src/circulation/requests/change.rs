//! `PUT`, `DELETE` and `POST .../move` of one request, and `DELETE` of those that a query finds.

use octavo_circulation::request::{
    MoveRequest, delete_request, move_request, replace_request, unknown_request,
};
use octavo_engine::{Request, Response};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_modules_base::circulation_records::REQUEST;
use serde_json::Value;
use uuid::Uuid;

use super::create::create;
use super::gather::RequestKeys;
use super::{decide, uuid};
use crate::circulation::ops::with_explanation;

/// Creates the request if there is none. As for an edit, only the first error is reported.
pub(in crate::circulation) async fn replace(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut body = request.json()?;
    let named = |key: &str| uuid(body[key].as_str());
    let wanted = RequestKeys {
        request: Some(id),
        requester: named("requesterId"),
        proxy: named("proxyUserId"),
        items: named("itemId").into_iter().collect(),
        ..RequestKeys::default()
    };
    let replaced = decide(&request.context, &wanted, |facts, stored| {
        replace_request(facts, stored.ok_or_else(|| unknown_request(request.path_parameter(0)))?, &body)
    })
    .await;
    let plan = match replaced {
        Err(fault) if fault.status == 404 && body.is_object() => {
            body["id"] = Value::String(id.to_string());
            create(&request.context, &body).await.map_err(with_first_refusal)?
        }
        other => other?,
    };
    Ok(with_explanation(&request, Response::no_content(), &plan))
}

fn with_first_refusal(mut fault: Fault) -> Fault {
    if let Body::Refusals(refusals) = &mut fault.body {
        refusals.truncate(1);
    }
    fault
}

pub(in crate::circulation) async fn delete(request: Request) -> Outcome<Response> {
    let wanted = request_keys(&request)?;
    let plan = decide(&request.context, &wanted, |facts, stored| {
        Ok(delete_request(facts, stored.ok_or_else(|| unknown_request(request.path_parameter(0)))?))
    })
    .await?;
    Ok(with_explanation(&request, Response::no_content(), &plan))
}

/// Deletes the requests that a query finds; without a query it is refused. The items keep their statuses.
pub(in crate::circulation) async fn delete_where(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    octavo_engine::delete_where(&request.context, &mut session, &REQUEST, request.query("query")).await?;
    Ok(Response::no_content())
}

pub(in crate::circulation) async fn relocate(request: Request) -> Outcome<Response> {
    let command: MoveRequest = request.body()?;
    let items = uuid(Some(&command.destination_item_id)).into_iter().collect();
    let wanted = RequestKeys { items, ..request_keys(&request)? };
    let plan = decide(&request.context, &wanted, |facts, stored| {
        move_request(facts, stored.ok_or_else(|| unknown_request(request.path_parameter(0)))?, &command)
    })
    .await?;
    Ok(with_explanation(&request, Response::json_text(200, &plan.response), &plan))
}

fn request_keys(request: &Request) -> Result<RequestKeys, Fault> {
    let text = request.path_parameter(0);
    let id = Uuid::parse_str(text).map_err(|_| unknown_request(text))?;
    Ok(RequestKeys { request: Some(id), ..RequestKeys::default() })
}
