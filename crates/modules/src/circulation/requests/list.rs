//! `GET /circulation/requests` and `GET /circulation/requests/{id}`: two round trips, the page and what it refers to.

use octavo_engine::{Listing, Request, Response, list as list_records};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};
use uuid::Uuid;

use super::related::views;
use crate::circulation::Desk;
use crate::circulation_storage::REQUEST;

pub(in crate::circulation) async fn list(request: Request) -> Outcome<Response> {
    let listing = Listing::of(&request)?;
    let desk = Desk::now(&request.context).await?;
    let mut session = request.context.session().await?;
    let (documents, total) = list_records(&mut session, &REQUEST, &listing).await?;
    let requests: Vec<Value> = documents.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let mut body = json!({"requests": views(&desk, &mut session, &requests).await?});
    if let Some(total) = total {
        body["totalRecords"] = json!(total);
    }
    Ok(Response::json(200, &body))
}

pub(in crate::circulation) async fn get(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.parameter(0)).map_err(|_| unknown(request.parameter(0)))?;
    let desk = Desk::now(&request.context).await?;
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &REQUEST, id).await?;
    let stored = stored.ok_or_else(|| unknown(request.parameter(0)))?;
    let mut requests = views(&desk, &mut session, &[stored]).await?;
    Ok(Response::json(200, &requests.pop().unwrap_or_default()))
}

pub(super) fn unknown(id: &str) -> Fault {
    Fault::text(404, format!("request record with ID \"{id}\" cannot be found"))
}
