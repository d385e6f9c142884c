//! The five operations. Changes answer 204 without a body.

use octavo_cql::{Node, Query};
use octavo_engine::{Listing, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Session;
use serde_json::Value;
use uuid::Uuid;

use super::ENTRY;
use super::access::{Access, check, readable};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = Listing::of(&request)?;
    if let Some(visible) = readable(&request.context.caller) {
        listing.query = Some(match listing.query {
            Some(asked) => {
                Query { root: Node::And(Box::new(asked.root), Box::new(visible)), sort: asked.sort }
            }
            None => Query { root: visible, sort: Vec::new() },
        });
    }
    let mut session = request.context.session().await?;
    octavo_engine::items(&mut session, &ENTRY, &listing).await
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let entry = request.json()?;
    check(&request.context.caller, &entry, Access::Write)?;
    let mut session = request.context.session().await?;
    octavo_engine::create(&request.context, &mut session, &ENTRY, entry).await?;
    Ok(Response::no_content())
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let entry = stored(&mut session, request.id(0)?).await?;
    check(&request.context.caller, &entry, Access::Read)?;
    Ok(Response::json(200, &entry))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let (id, entry) = (request.id(0)?, request.json()?);
    if entry["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()) != Some(id) {
        return Err(Fault::bad_request("id mismatch"));
    }
    let mut session = request.context.session().await?;
    for entry in [&stored(&mut session, id).await?, &entry] {
        check(&request.context.caller, entry, Access::Write)?;
    }
    match octavo_engine::replace(&request.context, &mut session, &ENTRY, id, entry).await {
        // Another entry has this scope and key: FOLIO then replaces none.
        Err(fault) if fault.status == 403 => Err(unknown()),
        replaced => replaced.map(|_| Response::no_content()),
    }
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    check(&request.context.caller, &stored(&mut session, id).await?, Access::Write)?;
    octavo_engine::delete(&request.context, &mut session, &ENTRY, id).await?;
    Ok(Response::no_content())
}

async fn stored(session: &mut Session, id: Uuid) -> Outcome<Value> {
    octavo_engine::find(session, &ENTRY, id).await?.ok_or_else(unknown)
}

fn unknown() -> Fault {
    Fault::missing(ENTRY.words.read)
}
