//! `GET /circulation/requests` and `GET /circulation/requests/{id}`: two round trips, the page and what it refers to.

use octavo_circulation::request::unknown_request;
use octavo_engine::{ListRequest, Request, Response, list_columns};
use octavo_kernel::{Members, Outcome};
use octavo_modules_base::circulation_records::REQUEST;
use uuid::Uuid;

use super::related::{Page, request_with_position, views};
use crate::circulation::Desk;

pub(in crate::circulation) async fn list(request: Request) -> Outcome<Response> {
    let listing = ListRequest::from_request(&request)?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let (rows, total_records) = list_columns(&mut session, &REQUEST, STANDING, &listing).await?;
    let requests = rows.iter().filter_map(request_with_position).collect();
    Page { requests: views(&desk, &mut session, requests).await?, total_records }.response()
}

pub(in crate::circulation) async fn get(request: Request) -> Outcome<Response> {
    let id =
        Uuid::parse_str(request.path_parameter(0)).map_err(|_| unknown_request(request.path_parameter(0)))?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &REQUEST, id).await?;
    let stored = stored.ok_or_else(|| unknown_request(request.path_parameter(0)))?;
    let shown =
        views(&desk, &mut session, vec![Members::from_value(&stored)]).await?.pop().unwrap_or_default();
    Ok(Response::json_text(200, shown.get()))
}

/// The place is a column of its own: to put it into the document, PostgreSQL would have to parse the whole document.
const STANDING: &str = "t.doc::text, (select q.position::int8 from queue_place q where q.id = t.id)";
