//! Synchronization jobs, by which FOLIO rebuilds its summaries. Here there is nothing to rebuild, so a job is done at once.

use octavo_engine::{Request, Response, create as create_record, find};
use octavo_kernel::{Fault, Kind, Outcome};
use serde_json::json;

use super::records::SYNCHRONIZATION_JOB;

/// As in FOLIO, the answer has the status `open`; the stored job is done.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let asked = request.checked_json(SYNCHRONIZATION_JOB.schema)?;
    if asked["scope"] == "user" && asked["userId"].is_null() {
        let message = "UserId is required for synchronization job with scope: USER";
        return Err(Fault::new(Kind::Refused, message));
    }
    let job = json!({
        "scope": asked["scope"],
        "userId": asked["userId"],
        "status": "done",
        "totalNumberOfLoans": 0,
        "totalNumberOfFeesFines": 0,
        "numberOfProcessedLoans": 0,
        "numberOfProcessedFeesFines": 0,
        "errors": [],
    });
    let mut session = request.context.session().await?;
    let job = create_record(&request.context, &mut session, &SYNCHRONIZATION_JOB, job).await?;
    let answer = json!({"id": job["id"], "scope": job["scope"], "status": "open", "errors": []});
    Ok(Response::json(201, &answer))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let unknown = || Fault::not_found_with("This synchronization request does not exist");
    let id = uuid::Uuid::parse_str(request.path_parameter(0)).map_err(|_| unknown())?;
    let mut session = request.context.session().await?;
    let job = find(&mut session, &SYNCHRONIZATION_JOB, id).await?.ok_or_else(unknown)?;
    Ok(Response::json(200, &job))
}

/// FOLIO's timer for waiting jobs. Here no job waits.
pub(super) async fn start() -> Outcome<Response> {
    Ok(Response { status: 202, ..Response::no_content() })
}
