//! `/authority-storage/reindex`: jobs that publish the ids of all authorities for the search index. Octavo's index follows each change by
//! itself, so a job has nothing to publish and is done at once.

use octavo_engine::{Request, Response, create, find};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_record::{RecordMessages, RecordType};
use serde_json::json;

pub(super) static REINDEX_JOB: RecordType = RecordType {
    name: "reindex job",
    table: "authority_reindex_job",
    path: "/authority-storage/reindex",
    collection: "reindexJobs",
    default_limit: 100,
    messages: RecordMessages::not_found("Reindex Job with ID [{}] was not found"),
    schema: include_str!("../../../folio/records/mod-entities-links/reindexJobDto.tsv"),
    ..RecordType::BASE
};

pub(super) async fn submit(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let authorities: Option<i64> = session.read(Statement::new(COUNT)).await?;
    let job = json!({
        "resourceName": "Authority", "jobStatus": "Ids published", "published": authorities,
        "submittedDate": context.now_text(),
    });
    let stored = create(context, &mut session, &REINDEX_JOB, job).await?;
    Ok(Response::json(201, &stored))
}

pub(super) async fn cancel(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    match find(&mut session, &REINDEX_JOB, id).await? {
        None => {
            Err(Fault::not_found_with(REINDEX_JOB.messages.not_found_on_read.replace("{}", &id.to_string())))
        }
        Some(_) => Err(Fault::bad_request("The job has been finished")),
    }
}

const COUNT: &str = "select count(*) from authority";

octavo_pg::statements!(other = [COUNT]);
