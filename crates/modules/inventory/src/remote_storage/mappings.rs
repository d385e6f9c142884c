//! The locations that stand for storages.

use octavo_engine::{Request, Response, create, delete, find, replace};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::remote_storage_records::MAPPING;
use serde_json::{Value, json};

use super::extended::{Asked, listed};
use super::uuid;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (found, total) = Asked::of(&request)?.found(&request, None).await?;
    Ok(listed(&found.iter().map(shown).collect::<Vec<_>>(), total))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found = find(&mut session, &MAPPING, request.id(0)?).await?;
    let found = found.ok_or_else(|| Fault::missing("Mapping not found"))?;
    Ok(Response::json(200, &shown(&found)))
}

/// A location stands for one storage, so a new mapping replaces the former one.
pub(super) async fn map(request: Request) -> Outcome<Response> {
    let mut body = request.checked(MAPPING.schema)?;
    body["id"] = body["folioLocationId"].clone();
    let id = uuid(body["id"].as_str()).unwrap_or_default();
    let context = &request.context;
    let mut session = context.session().await?;
    let stored = match find(&mut session, &MAPPING, id).await? {
        Some(_) => replace(context, &mut session, &MAPPING, id, body).await?,
        None => create(context, &mut session, &MAPPING, body).await?,
    };
    Ok(Response::json(201, &shown(&stored)))
}

pub(super) async fn unmap(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    delete(&request.context, &mut session, &MAPPING, request.id(0)?).await?;
    Ok(Response::no_content())
}

/// As FOLIO shows it: the locations from which items come are shown by the extended mappings.
fn shown(mapping: &Value) -> Value {
    json!({"folioLocationId": mapping["folioLocationId"], "configurationId": mapping["configurationId"]})
}
