//! Begins and cancels the import of uploaded files, and gives out the file of a job.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::definitions::{change_definition, check_not_begun};
use super::jobs;
use super::signed::{self, SignedTarget};
use super::space::disk_fault;
use super::store::Store;

const PROCESS: &str = include_str!("../../../folio/records/mod-data-import/processFilesRqDto.tsv");

/// Begins the import of an upload's files. The definition then has the status COMPLETED, as in FOLIO: it takes no more files.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.checked_json(PROCESS)?);
    let context = &request.context;
    let mut session = context.session().await?;
    let found = octavo_engine::find(&mut session, &super::UPLOAD, id).await?;
    let definition =
        found.ok_or_else(|| Fault::not_found_with(format!("Upload Definition with id '{id}' not found")))?;
    let files = definition["fileDefinitions"].as_array().map(Vec::as_slice).unwrap_or_default();
    if files.is_empty() || files.iter().any(|file| file["status"] != "UPLOADED") {
        return Err(Fault::bad_request("All files have to be uploaded before they are processed"));
    }
    check_not_begun(&definition)?;
    let begun = jobs::begin(context, &mut session, &definition, &body["jobProfileInfo"]).await?;
    drop(session);
    change_definition(&request, id, |locked| {
        check_not_begun(locked)?;
        if locked["fileDefinitions"] != definition["fileDefinitions"] {
            return Err(Fault::bad_request("The files have been changed meanwhile"));
        }
        locked["status"] = json!("COMPLETED");
        begun.note_jobs(locked);
        Ok(begun.statements)
    })
    .await?;
    jobs::notify_runner(&request.context);
    Ok(Response::no_content())
}

pub(super) async fn cancel(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    jobs::cancel(&request.context, &mut session, id).await?;
    Ok(Response::json(200, &json!({"ok": true})))
}

/// Returns a signed address for the file of a job.
pub(super) async fn download(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| Fault::not_found_with("Not found"))?;
    let mut session = request.context.session().await?;
    let key: Option<String> = session.read(Statement::new(KEY).uuid(id)).await?;
    drop(session);
    let key = key.ok_or_else(|| Fault::not_found_with("Not found"))?;
    if !tokio::fs::try_exists(Store::from_context(&request.context).file(&key)).await.map_err(disk_fault)? {
        return Err(Fault::not_found_with("Not found"));
    }
    let url = signed::address(&request, &SignedTarget::File { key }).await?;
    Ok(Response::json(200, &json!({"url": url})))
}

/// Tells clients to send files to signed addresses, as they do where FOLIO splits files.
pub(super) async fn split_status() -> Outcome<Response> {
    Ok(Response::json(200, &json!({"splitStatus": true})))
}

/// The key of a job's file; for a part it is the file of the whole job.
const KEY: &str = "\
select f ->> 'sourcePath'
from (
  select array[$1::uuid::text, (select w.parent_id::text from job_execution w where w.id = $1)] as ids
) j
join upload_definitions u on upload_job_ids(u.doc) && j.ids
cross join lateral octavo.elements(u.doc, 'fileDefinitions') f
where f ->> 'jobExecutionId' = any(j.ids) and f ->> 'sourcePath' is not null
limit 1";

octavo_pg::statements!(hot = [KEY]);
