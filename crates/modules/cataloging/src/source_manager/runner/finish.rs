//! Ends a job, or lets it wait for more records.

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement, read_each};

use super::claim::Claim;
use crate::source_manager::{change, job, status};

/// Whether the job has more work after a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RemainingWork {
    /// The job has more records and waits for its next turn.
    More,
    /// There is nothing to do: the job has left the queue, or another process has claimed it.
    Nothing,
}

/// Call this if a job has no more records at present: it ends, or leaves the queue until its client sends another chunk.
pub(super) async fn finish_or_wait(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
) -> Outcome<RemainingWork> {
    let Locked { waiting, ended, failed } = lock_job(session, claim).await?;
    if waiting {
        session.rollback().await?;
        return Ok(RemainingWork::More);
    }
    if ended {
        return end_job(context, session, claim, status::final_status(failed), None).await;
    }
    session.commit(vec![claim.remove_statement()]).await?;
    Ok(RemainingWork::Nothing)
}

/// Ends the job with an error that is not caused by a record.
pub(super) async fn fail_job(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
) -> Outcome<RemainingWork> {
    lock_job(session, claim).await?;
    end_job(context, session, claim, "ERROR", Some("FILE_PROCESSING_ERROR")).await
}

/// Commits the final status of the job, unless it was stopped meanwhile.
async fn end_job(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
    last: &str,
    error: Option<&str>,
) -> Outcome<RemainingWork> {
    let answers = session.batch(vec![Statement::new(JOB).uuid(claim.job)]).await?;
    let stored: Option<job::Locked> = answers.first().and_then(|rows| rows.first()).map(Row::read);
    let mut statements = Vec::new();
    if let Some(stored) = stored.filter(|stored| !status::is_stopped(&stored.status)) {
        statements.push(Statement::new(TOTAL).uuid(claim.job));
        statements.push(change::set_status_statement(claim.job, last, error));
        statements.extend(change::follow_up_statements(context, claim.job, &stored, last));
    }
    statements.push(claim.remove_statement());
    session.commit(statements).await?;
    Ok(RemainingWork::Nothing)
}

/// The state of a job while it is locked.
struct Locked {
    /// Whether a chunk was received that is not imported yet.
    waiting: bool,
    /// Whether all records were received.
    ended: bool,
    /// The number of records that have failed.
    failed: i64,
}

/// Opens a transaction and locks the job, so that a client queues the job with a new chunk either before or after it.
async fn lock_job(session: &mut Session, claim: &Claim) -> Outcome<Locked> {
    let of_job = |sql| Statement::new(sql).uuid(claim.job);
    let answers = session.begin(vec![of_job(LOCK), of_job(SOURCE)]).await?;
    let (failed, source): (Option<i64>, Option<(bool, bool)>) = read_each(&answers);
    let (waiting, ended) = source.unwrap_or_default();
    Ok(Locked { waiting, ended, failed: failed.unwrap_or(0) })
}

/// Removes a stopped job from the queue, with the chunks that wait.
pub(super) async fn drop_job(session: &mut Session, claim: &Claim) -> Outcome<RemainingWork> {
    session.transaction(vec![Statement::new(DROP_CHUNKS).uuid(claim.job), claim.remove_statement()]).await?;
    Ok(RemainingWork::Nothing)
}

const LOCK: &str = "select failed from job_execution where id = $1 for update";

const JOB: &str = "\
select status, subordination, parent_id, profile_snapshot is not null, profile_id
from job_execution
where id = $1 and not is_deleted
for update";

const TOTAL: &str = "update job_execution set progress_total = progress_current where id = $1";

const SOURCE: &str = "\
select exists (select from import_chunk c where c.job = s.job and c.body is not null), s.ended
from import_source s
where s.job = $1";

const DROP_CHUNKS: &str = "update import_chunk set body = null where job = $1 and body is not null";

octavo_pg::statements!(other = [LOCK, JOB, TOTAL, SOURCE, DROP_CHUNKS]);
