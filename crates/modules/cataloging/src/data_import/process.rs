//! What is done with uploaded files: the import begins, is cancelled, and its file is given out again.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::definitions::{change, not_begun};
use super::jobs;
use super::signed::{self, Thing};
use super::store::{Store, failed};

const PROCESS: &str = include_str!("../../../folio/records/mod-data-import/processFilesRqDto.tsv");

/// Begins the import of an upload's files. The definition is COMPLETED then, as FOLIO has it: nothing is uploaded to it any more.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let (id, body) = (request.id(0)?, request.checked(PROCESS)?);
    let context = &request.context;
    let mut session = context.session().await?;
    let found = octavo_engine::find(&mut session, &super::UPLOAD, id).await?;
    let definition =
        found.ok_or_else(|| Fault::missing(format!("Upload Definition with id '{id}' not found")))?;
    let files = definition["fileDefinitions"].as_array().map(Vec::as_slice).unwrap_or_default();
    if files.is_empty() || files.iter().any(|file| file["status"] != "UPLOADED") {
        return Err(Fault::bad_request("All files have to be uploaded before they are processed"));
    }
    not_begun(&definition)?;
    let begun = jobs::begin(context, &mut session, &definition, &body["jobProfileInfo"]).await?;
    drop(session);
    change(&request, id, |definition| {
        not_begun(definition)?;
        definition["status"] = json!("COMPLETED");
        begun.note(definition);
        Ok(begun.statements)
    })
    .await?;
    jobs::begun(&request.context);
    Ok(Response::no_content())
}

pub(super) async fn cancel(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    jobs::cancel(&request.context, &mut session, id).await?;
    Ok(Response::json(200, &json!({"ok": true})))
}

/// An address for the file of a job.
pub(super) async fn download(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.parameter(0)).map_err(|_| Fault::missing("Not found"))?;
    let mut session = request.context.session().await?;
    let key: Option<String> = session.read(Statement::new(KEY).uuid(id)).await?;
    drop(session);
    let key = key.ok_or_else(|| Fault::missing("Not found"))?;
    if !tokio::fs::try_exists(Store::of(&request.context).file(&key)).await.map_err(failed)? {
        return Err(Fault::missing("Not found"));
    }
    let url = signed::address(&request, &Thing::File { key }).await?;
    Ok(Response::json(200, &json!({"url": url})))
}

/// Files are sent to signed addresses, as where FOLIO splits them.
pub(super) async fn split_status() -> Outcome<Response> {
    Ok(Response::json(200, &json!({"splitStatus": true})))
}

/// Of a part, the file of the whole job.
const KEY: &str = "\
select f ->> 'sourcePath'
from (
  select coalesce((select w.parent_id from job_execution w where w.id = $1), $1)::text as id
) j
join upload_definitions u on u.doc::text like '%' || j.id || '%'
cross join lateral json_array_elements(u.doc -> 'fileDefinitions') f
where f ->> 'jobExecutionId' in (j.id, $1::text) and f ->> 'sourcePath' is not null
limit 1";

octavo_pg::statements!(other = [KEY]);
