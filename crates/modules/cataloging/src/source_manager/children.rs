//! The jobs of the files of one request, and the parts of a divided file.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Json, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::job::{self, job_json};
use super::list;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let uuid = Uuid::parse_str(id).map_err(|_| job::not_found(id))?;
    let (limit, offset) = list::page_parameters(&request, i64::from(i32::MAX))?;
    let mut session = request.context.session().await?;
    let subordination: Option<String> = session.read(Statement::new(KIND).uuid(uuid)).await?;
    let subordination = subordination.ok_or_else(|| job::not_found(id))?;
    if !matches!(subordination.as_str(), "PARENT_MULTIPLE" | "COMPOSITE_PARENT") {
        return Ok(Response::json(200, &json!({"jobExecutions": [], "totalRecords": 0})));
    }
    let found: Vec<(Json<Value>, i64)> =
        session.read(Statement::new(CHILDREN).uuid(uuid).long(limit).long(offset)).await?;
    let total = found.first().map_or(0, |(_, total)| *total);
    let jobs: Vec<Value> = found.into_iter().map(|(Json(job), _)| job).collect();
    Ok(Response::json(200, &json!({"jobExecutions": jobs, "totalRecords": total})))
}

const KIND: &str = "select subordination from job_execution where id = $1 and not is_deleted";

const CHILDREN: &str = concat!(
    "select ",
    job_json!(
        ",
  'progress', json_build_object('jobExecutionId', j.id, 'current', j.progress_current, 'total', j.progress_total)"
    ),
    ", count(*) over ()
from job_execution j
where j.parent_id = $1 and j.subordination in ('CHILD', 'COMPOSITE_CHILD') and not j.is_deleted
order by j.part_number, j.hrid
limit $2::int8 offset $3::int8"
);

octavo_pg::statements!(other = [KIND, CHILDREN]);
