//! Jobs of one record, for a client that waits for the result.

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

/// How long the client waits. After that the job goes on without the client.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// How often the status of a job that another process works on is read.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The result of the job so far.
#[derive(Debug, Default)]
pub(crate) struct JobOutcome {
    pub status: String,
    pub instance: Option<Uuid>,
    /// The first error in the journal.
    pub error: Option<String>,
}

octavo_pg::columns!(JobOutcome { status, instance, error });

/// Creates and begins a job that imports one MARC record by a job profile.
pub(crate) async fn begin(
    context: &Context,
    session: &mut Session,
    job_profile: Uuid,
    record: &Value,
) -> Outcome<Uuid> {
    let unknown = || Fault::bad_request(format!("There is no job profile with the id {job_profile}"));
    let (snapshot, keep) =
        tree::load_job_snapshot(context, session, job_profile).await?.ok_or_else(unknown)?;
    let (job, mut statements) = create::online_job(context, session).await?;
    statements.push(keep);
    statements.push(profile::set_profile_statement(job, job_profile, (Some("MARC"), false), &snapshot));
    statements.extend(chunks::single_chunk_statements(context, job, RawFormat::Json, &[record.to_string()]));
    session.transaction(statements).await?;
    Ok(job)
}

/// Works on the job, or waits until another process has. After the longest wait the job goes on.
pub(crate) async fn wait_for_outcome(context: &Context, job: Uuid) -> Outcome<JobOutcome> {
    let until = Instant::now() + MAX_WAIT;
    let (platform, tenant) = (context.platform.clone(), context.tenant.id.clone());
    let working = tokio::spawn(async move { runner::run_job(&platform, tenant.as_str(), job).await });
    if let Ok(Ok(Err(fault))) = timeout_at(until, working).await {
        tracing::warn!(%fault, %job, "an import job is left for later");
    }
    loop {
        let mut session = context.session().await?;
        let came: Option<JobOutcome> = session.read(Statement::new(CAME).uuid(job)).await?;
        drop(session);
        let came = came.unwrap_or_default();
        if status::is_ended(&came.status) || Instant::now() >= until {
            return Ok(came);
        }
        sleep(POLL_INTERVAL).await;
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
