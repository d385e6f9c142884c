//! `POST /tlr-feature-toggle-job/start`, a timer of mod-circulation-storage: when title-level requests are switched on or off,
//! the queues of a title's items become one, or one becomes many.
//!
//! FOLIO does this when a client has stored a job for it. Octavo does it for all queues that do not count from 1 without gaps; the result is
//! noted in a job if there is one.

use octavo_circulation::request::renumber_queues;
use octavo_engine::{Context, Request, Response, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::circulation_records::TLR_FEATURE_TOGGLE_JOB;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::queues::change_queues;
use crate::circulation::Desk;

const BATCH: usize = 50;

/// Starts the job. As in FOLIO, errors are noted in the job and in the log.
pub(crate) async fn start(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let jobs: Vec<(Uuid, Value)> = session.read(Statement::new(JOBS)).await?;
    if let Some((job, _)) = jobs.iter().find(|(_, job)| job["status"] == "in-progress") {
        tracing::warn!(%job, "queues are being renumbered already");
        return Ok(Response { status: 202, ..Response::no_content() });
    }
    let mut job = jobs.into_iter().next();
    set_job_status(context, &mut session, &mut job, "in-progress").await?;
    match renumber(context, &mut session).await {
        Ok(requests) => {
            if let Some((_, job)) = &mut job {
                job["numberOfUpdatedRequests"] = json!(requests);
            }
            set_job_status(context, &mut session, &mut job, "done").await?;
        }
        Err(fault) => {
            session.rollback().await?;
            if let Some((_, job)) = &mut job {
                job["errors"] = json!([fault.to_string()]);
            }
            tracing::error!(tenant = %context.tenant.id, %fault, "queues cannot be renumbered");
            set_job_status(context, &mut session, &mut job, "failed").await?;
        }
    }
    Ok(Response { status: 202, ..Response::no_content() })
}

async fn set_job_status(
    context: &Context,
    session: &mut Session,
    job: &mut Option<(Uuid, Value)>,
    status: &str,
) -> Outcome<()> {
    let Some((id, job)) = job else { return Ok(()) };
    job["status"] = json!(status);
    job["metadata"] = octavo_engine::metadata(context, Some(job), &context.now_text());
    session.rows(statements::overwrite(&TLR_FEATURE_TOGGLE_JOB, *id, job)).await.map_err(Fault::from)?;
    Ok(())
}

/// Returns how many requests there are in the queues of the library.
async fn renumber(context: &Context, session: &mut Session) -> Outcome<i64> {
    renumber_disordered(context, session).await?;
    let waiting: Option<i64> = session.read(Statement::new(WAITING)).await?;
    Ok(waiting.unwrap_or_default())
}

/// Numbers those queues that do not count from 1 without gaps. Returns how many it changed.
pub(crate) async fn renumber_disordered(context: &Context, session: &mut Session) -> Outcome<usize> {
    let desk = Desk::from_snapshot(&*context.snapshot_over(session).await?);
    let disordered = if desk.title_level.enabled { DISORDERED_TITLES } else { DISORDERED_ITEMS };
    let titles: Vec<Uuid> = session.read(Statement::new(disordered)).await?;
    let mut changed = 0;
    for batch in titles.chunks(BATCH) {
        changed += change_queues(context, session, batch.to_vec(), renumber_queues).await?;
    }
    Ok(changed)
}

const JOBS: &str = "\
select id, doc::text
from tlr_feature_toggle_job
where status in ('open', 'in-progress')
order by doc #>> '{metadata,createdDate}' desc";

const DISORDERED_TITLES: &str = "\
select r.\"instanceId\"
from request r
left join queue_place q on q.id = r.id
where r.status like 'open%'
group by r.\"instanceId\"
having count(*) <> count(distinct q.position) or count(*) <> max(q.position)";

const DISORDERED_ITEMS: &str = "\
select distinct q.title
from (
  select r.\"instanceId\" as title
  from request r
  left join queue_place p on p.id = r.id
  where r.status like 'open%'
  group by r.\"instanceId\", r.\"itemId\"
  having count(*) <> count(distinct p.position) or count(*) <> max(p.position)
) q";

const WAITING: &str = "select count(*) from request r where r.status like 'open%'";

octavo_pg::statements!(other = [JOBS, DISORDERED_TITLES, DISORDERED_ITEMS, WAITING]);
