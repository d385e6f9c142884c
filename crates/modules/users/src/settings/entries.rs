//! The five operations. Changes answer 204 without a body. A stored entry that the caller may not see or change is answered like one that
//! does not exist.

use octavo_cql::{Node, Query};
use octavo_engine::{ListRequest, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Session;
use serde_json::Value;
use uuid::Uuid;

use super::ENTRY;
use super::access::{Access, check_access, readable_filter};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = ListRequest::from_request(&request)?;
    if let Some(visible) = readable_filter(&request.context.caller)? {
        listing.query = Some(match listing.query {
            Some(asked) => {
                Query { root: Node::And(Box::new(asked.root), Box::new(visible)), sort: asked.sort }
            }
            None => Query { root: visible, sort: Vec::new() },
        });
    }
    let mut session = request.context.session().await?;
    octavo_engine::items_response(&mut session, &ENTRY, &listing).await
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let entry = request.json()?;
    check_access(&request.context.caller, &entry, Access::Write)?;
    let mut session = request.context.session().await?;
    octavo_engine::create(&request.context, &mut session, &ENTRY, entry).await?;
    Ok(Response::no_content())
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let entry = load_entry(&mut session, request.path_id(0)?).await?;
    check_access(&request.context.caller, &entry, Access::Read).map_err(|_| not_found())?;
    Ok(Response::json(200, &entry))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (id, entry) = (request.path_id(0)?, request.json()?);
    if entry["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()) != Some(id) {
        return Err(Fault::bad_request("id mismatch"));
    }
    check_access(&request.context.caller, &entry, Access::Write)?;
    let mut session = request.context.session().await?;
    let stored = load_entry(&mut session, id).await?;
    check_access(&request.context.caller, &stored, Access::Write).map_err(|_| not_found())?;
    match octavo_engine::replace(&request.context, &mut session, &ENTRY, id, entry).await {
        // Another entry has this scope and key: FOLIO then replaces none.
        Err(fault) if fault.status == 403 => Err(not_found()),
        replaced => replaced.map(|_| Response::no_content()),
    }
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let stored = load_entry(&mut session, id).await?;
    check_access(&request.context.caller, &stored, Access::Write).map_err(|_| not_found())?;
    octavo_engine::delete(&request.context, &mut session, &ENTRY, id).await?;
    Ok(Response::no_content())
}

async fn load_entry(session: &mut Session, id: Uuid) -> Outcome<Value> {
    octavo_engine::find(session, &ENTRY, id).await?.ok_or_else(not_found)
}

fn not_found() -> Fault {
    Fault::not_found_with(ENTRY.messages.not_found_on_read)
}
