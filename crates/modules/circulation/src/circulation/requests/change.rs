//! `PUT`, `DELETE` and `POST .../move` of one request, and `DELETE` of all.

use octavo_circulation::request::{
    MoveRequest, delete_request, move_request, replace_request, unknown_request,
};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::Value;
use uuid::Uuid;

use super::create::create;
use super::gather::Wanted;
use super::{decide, uuid};
use crate::circulation::ops::explained;

/// Creates the request if there is none.
pub(in crate::circulation) async fn replace(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut body = request.json()?;
    let named = |key: &str| uuid(body[key].as_str());
    let wanted = Wanted {
        request: Some(id),
        requester: named("requesterId"),
        proxy: named("proxyUserId"),
        items: named("itemId").into_iter().collect(),
        ..Wanted::default()
    };
    let replaced = decide(&request.context, &wanted, |facts, stored| {
        replace_request(facts, stored.ok_or_else(|| unknown_request(request.parameter(0)))?, &body)
    })
    .await;
    let plan = match replaced {
        Err(fault) if fault.status == 404 && body.is_object() => {
            body["id"] = Value::String(id.to_string());
            create(&request.context, &body).await?
        }
        other => other?,
    };
    Ok(explained(&request, Response::no_content(), &plan))
}

pub(in crate::circulation) async fn delete(request: Request) -> Outcome<Response> {
    let wanted = of_request(&request)?;
    let plan = decide(&request.context, &wanted, |facts, stored| {
        Ok(delete_request(facts, stored.ok_or_else(|| unknown_request(request.parameter(0)))?))
    })
    .await?;
    Ok(explained(&request, Response::no_content(), &plan))
}

/// Deletes all requests; the items keep their statuses.
pub(in crate::circulation) async fn delete_all(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    session.rows(octavo_pg::Statement::new(DELETE_ALL)).await?;
    Ok(Response::no_content())
}

pub(in crate::circulation) async fn relocate(request: Request) -> Outcome<Response> {
    let command: MoveRequest = request.body()?;
    let items = uuid(Some(&command.destination_item_id)).into_iter().collect();
    let wanted = Wanted { items, ..of_request(&request)? };
    let plan = decide(&request.context, &wanted, |facts, stored| {
        move_request(facts, stored.ok_or_else(|| unknown_request(request.parameter(0)))?, &command)
    })
    .await?;
    Ok(explained(&request, Response::json_text(200, &plan.response), &plan))
}

fn of_request(request: &Request) -> Result<Wanted, Fault> {
    let text = request.parameter(0);
    let id = Uuid::parse_str(text).map_err(|_| unknown_request(text))?;
    Ok(Wanted { request: Some(id), ..Wanted::default() })
}

const DELETE_ALL: &str = "delete from request";

octavo_pg::statements!(other = [DELETE_ALL]);
