//! Jobs of ids: a query that is kept, and whose ids are read once. They are found when they are read, so that a job costs no more than its
//! query; it is completed as soon as the query is known to be one that can be answered.

use octavo_engine::migrations::Migration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Columns, Read, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::Search;
use crate::ids::{Kind, every};
use crate::refusals::{ARGUMENT, SERVICE, bad, checked, error, of_member, refused, unreadable_body};

pub(crate) const MIGRATION: Migration =
    Migration { number: 10, name: "jobs of ids", sql: include_str!("../../migrations/10_jobs_of_ids.sql") };

const SCHEMA: &str = include_str!("../../folio/records/mod-search/resourceIdsJob.tsv");

/// The longest query that is kept, in bytes.
const LONGEST: usize = 100_000;

pub(crate) async fn create(request: Request) -> Outcome<Response> {
    let body = request.json().map_err(|why| unreadable_body(&why))?;
    let missing = ["query", "entityType"].into_iter().filter(|member| body[*member].is_null());
    let missing: Vec<Value> = missing.map(|member| of_member("must not be null", member, "null")).collect();
    if !missing.is_empty() {
        return Err(refused(400, &missing));
    }
    let text = |member: &str| body[member].as_str().unwrap_or_default();
    let (query, entity) = (text("query"), text("entityType"));
    let kind = kind(entity).ok_or_else(|| bad(ARGUMENT, format!("Unexpected value '{entity}'")))?;
    checked(&request, SCHEMA)?;
    if query.len() > LONGEST {
        let message = format!("size must be between 0 and {LONGEST}");
        return Err(refused(400, &[of_member(&message, "query", &query.len().to_string())]));
    }
    let context = &request.context;
    let can_be_answered = Search::read(query, kind.resource()).and_then(|search| search.wanted()).is_ok();
    let status = if can_be_answered { "COMPLETED" } else { "ERROR" };
    let id = context.fresh_id();
    let keep = Statement::new(KEEP).uuid(id).text(query).text(entity).text(status).text(context.now_text());
    let mut session = context.session().await?;
    session.rows(Statement::new(FORGET).text(context.now_text())).await?;
    let job: Option<Job> = session.read(keep).await?;
    let mut shown = job.map(Job::shown).unwrap_or_default();
    // What FOLIO answers: the next look says how it went.
    shown["status"] = "IN_PROGRESS".into();
    Ok(Response::json(200, &shown))
}

pub(crate) async fn get(request: Request) -> Outcome<Response> {
    let id = id(&request)?;
    let job: Option<Job> = request.context.session().await?.read(Statement::new(JOB).uuid(id)).await?;
    job.map(|job| Response::json(200, &job.shown())).ok_or_else(|| unknown(id))
}

pub(crate) async fn ids(request: Request) -> Outcome<Response> {
    let id = id(&request)?;
    let mut session = request.context.session().await?;
    let job: Option<Job> = session.read(Statement::new(JOB).uuid(id)).await?;
    let job = job.ok_or_else(|| unknown(id))?;
    let taken: Option<Job> = session.read(Statement::new(TAKE).uuid(id)).await?;
    drop(session);
    let message = || format!("Completed async job with query=[{}] was not found.", job.query);
    let taken = taken.ok_or_else(|| bad(SERVICE, message()))?;
    let kind = kind(&taken.entity).ok_or_else(|| bad(SERVICE, message()))?;
    every(request, &taken.query, kind, false).await
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
    fn shown(self) -> Value {
        json!({
            "id": self.id, "query": self.query, "status": self.status, "entityType": self.entity,
            "createdDate": self.created,
        })
    }
}

/// What a job's ids are of, if it is a type that mod-search knows.
fn kind(entity: &str) -> Option<Kind> {
    match entity {
        "INSTANCE" => Some(Kind::Titles),
        "HOLDINGS" => Some(Kind::Holdings),
        "AUTHORITY" => Some(Kind::Authorities),
        _ => None,
    }
}

fn id(request: &Request) -> Outcome<Uuid> {
    let id = request.parameter(0);
    Uuid::parse_str(id).map_err(|_| bad(ARGUMENT, format!("Invalid UUID string: {id}")))
}

fn unknown(id: Uuid) -> Fault {
    let kind = ("EntityNotFoundException", "not_found_error");
    let entity = "org.folio.search.model.streamids.ResourceIdsJobEntity";
    refused(404, &[error(kind, format!("Unable to find {entity} with id {id}"), None)])
}

/// Jobs are forgotten after thirty days.
const FORGET: &str = "delete from search_job where created < $1::text::timestamptz - interval '30 days'";

const KEEP: &str = "\
insert into search_job (id, query, entity_type, status, created)
values ($1, $2, $3, $4, $5::text::timestamptz)
returning id, query, entity_type, status, to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI')";

const JOB: &str = "\
select id, query, entity_type, status, to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
from search_job
where id = $1";

/// Its ids can be read once.
const TAKE: &str = "\
update search_job set status = 'DEPRECATED'
where id = $1 and status = 'COMPLETED'
returning id, query, entity_type, status, to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI')";

octavo_pg::statements! {
    other = [FORGET, KEEP, JOB, TAKE],
}
