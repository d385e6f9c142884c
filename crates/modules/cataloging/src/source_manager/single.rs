//! Jobs of one record, whose outcome somebody waits for.

use std::time::Duration;

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use super::runner::{self, RawFormat};
use super::{chunks, create, profile, status};
use crate::profiles::tree;

/// How long somebody waits. The job goes on afterwards.
const WAIT: Duration = Duration::from_secs(10);
/// How often it is looked whether another process has ended the job.
const PAUSE: Duration = Duration::from_millis(100);

/// What has become of the record so far.
#[derive(Debug, Default)]
pub(crate) struct Came {
    pub status: String,
    pub instance: Option<Uuid>,
    /// Why something came to an error.
    pub error: Option<String>,
}

octavo_pg::columns!(Came { status, instance, error });

/// Makes and begins a job for a MARC record, by a job profile.
pub(crate) async fn begin(
    context: &Context,
    session: &mut Session,
    job_profile: Uuid,
    record: &Value,
) -> Outcome<Uuid> {
    let unknown = || Fault::bad_request(format!("There is no job profile with the id {job_profile}"));
    let (snapshot, keep) = tree::of_job(context, session, job_profile).await?.ok_or_else(unknown)?;
    let (job, mut statements) = create::online(context, session).await?;
    statements.push(keep);
    statements.push(profile::keep(job, job_profile, (Some("MARC"), false), &snapshot));
    statements.extend(chunks::whole(context, job, RawFormat::Json, &[record.to_string()]));
    session.transaction(statements).await?;
    Ok(job)
}

/// Works on the job, or waits until another process has. Somebody who waits no longer does not stop it.
pub(crate) async fn done(context: &Context, job: Uuid) -> Outcome<Came> {
    let until = Instant::now() + WAIT;
    let (platform, tenant) = (context.platform.clone(), context.tenant.id.clone());
    let working = tokio::spawn(async move { runner::work_on(&platform, tenant.as_str(), job).await });
    if let Ok(Ok(Err(fault))) = timeout_at(until, working).await {
        tracing::warn!(%fault, %job, "an import job is left for later");
    }
    loop {
        let mut session = context.session().await?;
        let came: Option<Came> = session.read(Statement::new(CAME).uuid(job)).await?;
        drop(session);
        let came = came.unwrap_or_default();
        if status::is_ended(&came.status) || Instant::now() >= until {
            return Ok(came);
        }
        sleep(PAUSE).await;
    }
}

const CAME: &str = "\
select
  j.status,
  (
    select r.entity_id
    from journal_record r
    where r.job = j.id and r.entity = 'INSTANCE' and r.error is null and r.entity_id is not null
    order by r.place, r.number
    limit 1
  ),
  (
    select r.error
    from journal_record r
    where r.job = j.id and r.error is not null
    order by r.place, r.number
    limit 1
  )
from job_execution j
where j.id = $1";

octavo_pg::statements!(other = [CAME]);
