//! Jobs for ids: a stored query whose ids a client reads once. The ids are searched when they are read, so a job costs no more than its
//! query. A job is completed as soon as its query is known to be valid.

use octavo_engine::migrations::Migration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Columns, Read, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::Search;
use crate::ids::{IdKind, stream_ids};
use crate::indexes::index_of;
use crate::refusals::{
    ARGUMENT, SERVICE, bad_request, checked_body, error_json, errors_fault, member_error_json,
    unreadable_body,
};

pub(crate) const MIGRATION: Migration =
    Migration { number: 10, name: "jobs of ids", sql: include_str!("../../migrations/10_jobs_of_ids.sql") };

const SCHEMA: &str = include_str!("../../folio/records/mod-search/resourceIdsJob.tsv");

/// The longest query of a job, in bytes.
const MAX_QUERY_BYTES: usize = 100_000;

pub(crate) async fn create(request: Request) -> Outcome<Response> {
    let body = request.json().map_err(|why| unreadable_body(&why))?;
    let missing = ["query", "entityType"].into_iter().filter(|member| body[*member].is_null());
    let missing: Vec<Value> =
        missing.map(|member| member_error_json("must not be null", member, "null")).collect();
    if !missing.is_empty() {
        return Err(errors_fault(400, &missing));
    }
    let text = |member: &str| body[member].as_str().unwrap_or_default();
    let (query, entity) = (text("query"), text("entityType"));
    let kind =
        id_kind(entity).ok_or_else(|| bad_request(ARGUMENT, format!("Unexpected value '{entity}'")))?;
    checked_body(&request, SCHEMA)?;
    if query.len() > MAX_QUERY_BYTES {
        let message = format!("size must be between 0 and {MAX_QUERY_BYTES}");
        return Err(errors_fault(400, &[member_error_json(&message, "query", &query.len().to_string())]));
    }
    let context = &request.context;
    let can_be_answered =
        Search::read(query, kind.resource()).and_then(|search| search.compile_query()).is_ok();
    let status = if can_be_answered { "COMPLETED" } else { "ERROR" };
    let id = context.fresh_id();
    let keep = Statement::new(KEEP).uuid(id).text(query).text(entity).text(status).text(context.now_text());
    let mut session = context.session().await?;
    session.rows(Statement::new(FORGET).text(context.now_text())).await?;
    let job: Option<Job> = session.read(keep).await?;
    let mut shown = job.map(Job::into_json).unwrap_or_default();
    // As in FOLIO, this answer says that the job is in progress. The next request for the job shows its status.
    shown["status"] = "IN_PROGRESS".into();
    Ok(Response::json(200, &shown))
}

pub(crate) async fn get(request: Request) -> Outcome<Response> {
    let id = job_id(&request)?;
    let job: Option<Job> = request.context.session().await?.read(Statement::new(JOB).uuid(id)).await?;
    job.map(|job| Response::json(200, &job.into_json())).ok_or_else(|| unknown_job_fault(id))
}

pub(crate) async fn ids(request: Request) -> Outcome<Response> {
    let id = job_id(&request)?;
    let mut session = request.context.session().await?;
    let job: Option<Job> = session.read(Statement::new(JOB).uuid(id)).await?;
    let job = job.ok_or_else(|| unknown_job_fault(id))?;
    if let Some(kind) = id_kind(&job.entity) {
        // Before the job is used up: while the index is being made, the client is told to try again.
        drop(session);
        index_of(&request.context, kind.resource()).await?;
        session = request.context.session().await?;
    }
    let taken: Option<Job> = session.read(Statement::new(TAKE).uuid(id)).await?;
    drop(session);
    let message = || format!("Completed async job with query=[{}] was not found.", job.query);
    let taken = taken.ok_or_else(|| bad_request(SERVICE, message()))?;
    let kind = id_kind(&taken.entity).ok_or_else(|| bad_request(SERVICE, message()))?;
    stream_ids(request, &taken.query, kind, false).await
}

struct Job {
    id: Uuid,
    query: String,
    entity: String,
    status: String,
    created: String,
}

impl Read<'_> for Job {
    fn read(columns: &mut Columns<'_>) -> Job {
        Job {
            id: columns.take(),
            query: columns.take(),
            entity: columns.take(),
            status: columns.take(),
            created: columns.take(),
        }
    }
}

impl Job {
    fn into_json(self) -> Value {
        json!({
            "id": self.id, "query": self.query, "status": self.status, "entityType": self.entity,
            "createdDate": self.created,
        })
    }
}

/// The kind of record that a job's `entityType` names; `None` if mod-search does not know the type.
fn id_kind(entity: &str) -> Option<IdKind> {
    match entity {
        "INSTANCE" => Some(IdKind::Titles),
        "HOLDINGS" => Some(IdKind::Holdings),
        "AUTHORITY" => Some(IdKind::Authorities),
        _ => None,
    }
}

fn job_id(request: &Request) -> Outcome<Uuid> {
    let id = request.path_parameter(0);
    Uuid::parse_str(id).map_err(|_| bad_request(ARGUMENT, format!("Invalid UUID string: {id}")))
}

fn unknown_job_fault(id: Uuid) -> Fault {
    let kind = ("EntityNotFoundException", "not_found_error");
    let entity = "org.folio.search.model.streamids.ResourceIdsJobEntity";
    errors_fault(404, &[error_json(kind, format!("Unable to find {entity} with id {id}"), None)])
}

/// Deletes jobs that are older than thirty days.
const FORGET: &str = "delete from search_job where created < $1::text::timestamptz - interval '30 days'";

const KEEP: &str = "\
insert into search_job (id, query, entity_type, status, created)
values ($1, $2, $3, $4, $5::text::timestamptz)
returning id, query, entity_type, status, to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI')";

const JOB: &str = "\
select id, query, entity_type, status, to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
from search_job
where id = $1";

/// The ids of a job can be read only once.
const TAKE: &str = "\
update search_job set status = 'DEPRECATED'
where id = $1 and status = 'COMPLETED'
returning id, query, entity_type, status, to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI')";

octavo_pg::statements! {
    other = [FORGET, KEEP, JOB, TAKE],
}
