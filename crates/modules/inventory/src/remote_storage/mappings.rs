//! The mappings of locations to the remote storages for which they stand.

use octavo_engine::{Request, Response, create, delete, find, replace};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::remote_storage_records::MAPPING;
use serde_json::{Value, json};

use super::extended::{MappingQuery, mappings_response};
use super::uuid;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (found, total) = MappingQuery::from_request(&request)?.load_page(&request, None).await?;
    Ok(mappings_response(&found.iter().map(mapping_to_json).collect::<Vec<_>>(), total))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found = find(&mut session, &MAPPING, request.path_id(0)?).await?;
    let found = found.ok_or_else(|| Fault::not_found_with("Mapping not found"))?;
    Ok(Response::json(200, &mapping_to_json(&found)))
}

/// Creates or replaces the mapping of a location, because a location stands for one storage only.
pub(super) async fn map(request: Request) -> Outcome<Response> {
    let mut body = request.checked_json(MAPPING.schema)?;
    body["id"] = body["folioLocationId"].clone();
    let id = uuid(body["id"].as_str()).unwrap_or_default();
    let context = &request.context;
    let mut session = context.session().await?;
    let stored = match find(&mut session, &MAPPING, id).await? {
        Some(_) => replace(context, &mut session, &MAPPING, id, body).await?,
        None => create(context, &mut session, &MAPPING, body).await?,
    };
    Ok(Response::json(201, &mapping_to_json(&stored)))
}

pub(super) async fn unmap(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    delete(&request.context, &mut session, &MAPPING, request.path_id(0)?).await?;
    Ok(Response::no_content())
}

/// As in FOLIO, without the original locations, which the extended mappings show.
fn mapping_to_json(mapping: &Value) -> Value {
    json!({"folioLocationId": mapping["folioLocationId"], "configurationId": mapping["configurationId"]})
}
