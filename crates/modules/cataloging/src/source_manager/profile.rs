//! The job profile of a job, stored with the job in the state that the profile had then.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::{change, job};
use crate::profiles::tree;

const PROFILE: &str = include_str!("../../../folio/records/mod-source-record-manager/profileInfo.tsv");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProfileRequest {
    id: Uuid,
    data_type: Option<String>,
    #[serde(default)]
    hidden: bool,
}

pub(super) async fn set(request: Request) -> Outcome<Response> {
    let (id, asked): (Uuid, ProfileRequest) = (request.path_id(0)?, request.checked_body(PROFILE)?);
    let mut session = request.context.session().await?;
    let unknown = || {
        let message = format!("Error loading JobProfile by JobProfile id '{}', response code 404", asked.id);
        Fault::bad_request(message)
    };
    let found = tree::load_job_snapshot(&request.context, &mut session, asked.id).await?;
    let (snapshot, keep_snapshot) = found.ok_or_else(unknown)?;
    let stored = job::lock(&mut session, id).await?;
    let decided =
        stored.ok_or_else(|| job::not_found_for_change(id)).and_then(|stored| match stored.has_snapshot {
            false => Ok(()),
            true => {
                let message = format!("JobExecution already associated to JobProfile with id '{}'", asked.id);
                Err(Fault::bad_request(message))
            }
        });
    change::rollback_if_refused(&mut session, decided).await?;
    let keep = set_profile_statement(id, asked.id, (asked.data_type.as_deref(), asked.hidden), &snapshot);
    let mut answers = session.commit(vec![keep_snapshot, keep, job::json_statement(id)]).await?;
    let shown: String =
        answers.pop().unwrap_or_default().first().map(octavo_pg::Row::read).unwrap_or_default();
    Ok(Response::json_text(200, shown))
}

/// Stores the profile, in its present state, with the job.
pub(crate) fn set_profile_statement(
    job: Uuid,
    profile: Uuid,
    (data_type, hidden): (Option<&str>, bool),
    snapshot: &Value,
) -> Statement {
    Statement::new(KEEP)
        .uuid(job)
        .uuid(profile)
        .maybe_text(snapshot["content"]["name"].as_str())
        .maybe_text(data_type.or(snapshot["content"]["dataType"].as_str()))
        .text(hidden.to_string())
        .text(snapshot.to_string())
}

const KEEP: &str = "\
update job_execution
set
  profile_id = $2,
  profile_name = $3,
  profile_data_type = $4,
  profile_hidden = $5::text::boolean,
  profile_snapshot = $6::text::json
where id = $1";

octavo_pg::statements!(other = [KEEP]);
