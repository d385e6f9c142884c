//! The calls by which clients change a job: the whole job, its status, its deletion.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::job::{self, Locked};
use super::{snapshots, status};

const JOB: &str = include_str!("../../../folio/records/mod-source-record-manager/jobExecution.tsv");
const STATUS: &str = include_str!("../../../folio/records/mod-source-record-manager/statusDto.tsv");
const IDS: &str = include_str!("../../../folio/records/mod-source-record-manager/deleteJobExecutionsReq.tsv");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    status: String,
    error_status: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Ids {
    #[serde(default)]
    ids: Vec<Uuid>,
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let uuid = Uuid::parse_str(id).map_err(|_| job::not_found(id))?;
    let mut session = request.context.session().await?;
    let job = job::get(&mut session, uuid).await?.ok_or_else(|| job::not_found(id))?;
    Ok(Response::json_text(200, job))
}

/// Replaces the job by the body of the request.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (id, mut body) = (request.path_id(0)?, request.checked_json(JOB)?);
    body["id"] = json!(id);
    let wanted = body["status"].as_str().unwrap_or_default().to_owned();
    let mut session = context.session().await?;
    let stored = job::lock(&mut session, id).await?;
    let decided = stored.ok_or_else(|| job::not_found(id)).and_then(|stored| {
        if (stored.status == "PARENT") == (wanted == "PARENT") {
            return Ok(stored);
        }
        let now = &stored.status;
        let message = format!("JobExecution {id} current status is {now} and cannot be updated to {wanted}");
        Err(Fault::bad_request(message))
    });
    let stored = rollback_if_refused(&mut session, decided).await?;
    let statements = vec![Statement::new(REPLACE).uuid(id).text(body.to_string())];
    commit_and_answer(context, &mut session, id, &stored, &wanted, statements).await
}

pub(super) async fn status(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (id, wanted): (Uuid, Status) = (request.path_id(0)?, request.checked_body(STATUS)?);
    if wanted.status == "PARENT" {
        return Err(Fault::bad_request("Cannot update JobExecution status to PARENT"));
    }
    let mut session = context.session().await?;
    let stored = job::lock(&mut session, id).await?;
    let decided = stored.ok_or_else(|| job::not_found_for_change(id)).and_then(|stored| {
        status::check_change(&id.to_string(), &stored.status, &wanted.status)?;
        Ok(stored)
    });
    let stored = rollback_if_refused(&mut session, decided).await?;
    let change = set_status_statement(id, &wanted.status, wanted.error_status.as_deref());
    commit_and_answer(context, &mut session, id, &stored, &wanted.status, vec![change]).await
}

/// Sets the status of a job, which must be locked. A job that fails or is cancelled gets the time of its completion.
pub(crate) fn set_status_statement(id: Uuid, wanted: &str, error: Option<&str>) -> Statement {
    Statement::new(SET).uuid(id).text(wanted).text(status::ui_status(wanted)).maybe_text(error)
}

/// Statements that follow a new status: they set that of the snapshot, and end the whole job if this was its last part.
pub(super) fn follow_up_statements(
    context: &Context,
    id: Uuid,
    job: &Locked,
    wanted: &str,
) -> Vec<Statement> {
    let mut statements = vec![snapshots::set_status_statement(id, wanted, &context.now_text())];
    if job.is_part() {
        statements.push(Statement::new(LOCK_WHOLE).uuid(job.parent));
        statements.push(Statement::new(END_WHOLE).uuid(job.parent).text(context.now_text()));
    }
    statements
}

/// Commits the changes, and answers with the job.
async fn commit_and_answer(
    context: &Context,
    session: &mut Session,
    id: Uuid,
    stored: &Locked,
    wanted: &str,
    mut statements: Vec<Statement>,
) -> Outcome<Response> {
    statements.extend(follow_up_statements(context, id, stored, wanted));
    statements.push(job::json_statement(id));
    let mut answers = session.commit(statements).await?;
    let shown: String =
        answers.pop().unwrap_or_default().first().map(octavo_pg::Row::read).unwrap_or_default();
    Ok(Response::json_text(200, shown))
}

/// The decision on a change; the open transaction is rolled back if the change was refused.
pub(super) async fn rollback_if_refused<T>(session: &mut Session, decided: Outcome<T>) -> Outcome<T> {
    if decided.is_err() {
        session.rollback().await?;
    }
    decided
}

/// Marks jobs as deleted. A timer removes their data later.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let asked: Ids = request.checked_body(IDS)?;
    let mut session = request.context.session().await?;
    let deleted: Vec<Uuid> = session.read(Statement::new(DELETE).uuids(asked.ids)).await?;
    let details: Vec<Value> =
        deleted.iter().map(|id| json!({"jobExecutionId": id, "isDeleted": true})).collect();
    Ok(Response::json(200, &json!({"jobExecutionDetails": details})))
}

const REPLACE: &str = "\
update job_execution j
set
  hrid = coalesce(r.\"hrId\", j.hrid),
  parent_id = r.\"parentJobId\",
  subordination = r.\"subordinationType\",
  source_path = r.\"sourcePath\",
  file_name = r.\"fileName\",
  status = r.status,
  ui_status = r.\"uiStatus\",
  error_status = r.\"errorStatus\",
  first_name = r.\"runBy\" ->> 'firstName',
  last_name = r.\"runBy\" ->> 'lastName',
  user_id = r.\"userId\",
  profile_id = (r.\"jobProfileInfo\" ->> 'id')::uuid,
  profile_name = r.\"jobProfileInfo\" ->> 'name',
  profile_data_type = r.\"jobProfileInfo\" ->> 'dataType',
  profile_hidden = coalesce((r.\"jobProfileInfo\" ->> 'hidden')::boolean, false),
  profile_snapshot = r.\"jobProfileSnapshotWrapper\",
  started = coalesce(r.\"startedDate\", j.started),
  completed = r.\"completedDate\",
  part_number = coalesce(r.\"jobPartNumber\", 1),
  total_parts = coalesce(r.\"totalJobParts\", 1),
  total_in_file = coalesce(r.\"totalRecordsInFile\", 0),
  progress_current = coalesce((r.progress ->> 'current')::bigint, j.progress_current),
  progress_total = coalesce((r.progress ->> 'total')::bigint, j.progress_total)
from json_to_record($2::text::json) r (
  \"hrId\" bigint, \"parentJobId\" uuid, \"subordinationType\" text, \"sourcePath\" text, \"fileName\" text, status text,
  \"uiStatus\" text, \"errorStatus\" text, \"runBy\" json, \"userId\" uuid, \"jobProfileInfo\" json,
  \"jobProfileSnapshotWrapper\" json, \"startedDate\" timestamptz, \"completedDate\" timestamptz,
  \"jobPartNumber\" bigint, \"totalJobParts\" bigint, \"totalRecordsInFile\" bigint, progress json)
where j.id = $1";

const SET: &str = "\
update job_execution
set
  status = $2,
  ui_status = $3,
  error_status = case when $2 = 'ERROR' then coalesce($4, error_status) else error_status end,
  completed = case when $2 in ('ERROR', 'CANCELLED', 'COMMITTED') then now() else completed end,
  progress_total = case when $2 = 'ERROR' and $4 = 'FILE_PROCESSING_ERROR' then 0 else progress_total end
where id = $1";

/// Locks the whole job, so that two parts that end at the same time see each other's end.
const LOCK_WHOLE: &str = "select id from job_execution where id = $1 for update";

/// Ends the whole job if all its parts have ended. A job that was stopped keeps its status.
const END_WHOLE: &str = "\
with ended as (
  update job_execution w
  set status = 'COMMITTED', ui_status = 'RUNNING_COMPLETE', completed = now()
  where
    w.id = $1
    and w.subordination = 'COMPOSITE_PARENT'
    and w.status not in ('ERROR', 'CANCELLED', 'DISCARDED')
    and not exists (
      select
      from job_execution p
      where
        p.parent_id = $1
        and p.subordination = 'COMPOSITE_CHILD'
        and not p.is_deleted
        and p.ui_status not in ('CANCELLED', 'DISCARDED', 'ERROR', 'RUNNING_COMPLETE'))
  returning w.id
)
update snapshots_lb s
set doc = (s.doc::jsonb || jsonb_build_object('status', 'COMMITTED')
  || jsonb_build_object('metadata', coalesce((s.doc -> 'metadata')::jsonb, '{}') || jsonb_build_object('updatedDate', $2::text)))::json
from ended e
where s.id = e.id";

const DELETE: &str = "\
update job_execution
set is_deleted = true
where id = any($1)
returning id";

octavo_pg::statements!(other = [REPLACE, SET, LOCK_WHOLE, END_WHOLE, DELETE]);
