//! The end of the work on a job, or the wait for more of its records.

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement, read_each};

use super::claim::Claim;
use crate::source_manager::{change, job, status};

/// What is to be done about a job next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Left {
    /// It has more records, when it is its turn again.
    More,
    /// Nothing: it is queued no longer, or is another process's.
    Nothing,
}

/// There were no more records: the job ends, or is queued again when its client sends a chunk.
pub(super) async fn rest(context: &Context, session: &mut Session, claim: &Claim) -> Outcome<Left> {
    let Locked { waiting, ended, failed } = locked(session, claim).await?;
    if waiting {
        session.rollback().await?;
        return Ok(Left::More);
    }
    if ended {
        return end(context, session, claim, status::at_the_end(failed), None).await;
    }
    session.commit(vec![claim.remove()]).await?;
    Ok(Left::Nothing)
}

/// The job comes to an error that is none of its records'.
pub(super) async fn give_up(context: &Context, session: &mut Session, claim: &Claim) -> Outcome<Left> {
    locked(session, claim).await?;
    end(context, session, claim, "ERROR", Some("FILE_PROCESSING_ERROR")).await
}

/// Commits the job's last status, unless it was stopped meanwhile.
async fn end(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
    last: &str,
    error: Option<&str>,
) -> Outcome<Left> {
    let answers = session.batch(vec![Statement::new(JOB).uuid(claim.job)]).await?;
    let stored: Option<job::Locked> = answers.first().and_then(|rows| rows.first()).map(Row::read);
    let mut statements = Vec::new();
    if let Some(stored) = stored.filter(|stored| !status::is_stopped(&stored.status)) {
        statements.push(Statement::new(TOTAL).uuid(claim.job));
        statements.push(change::set(claim.job, last, error));
        statements.extend(change::followed(context, claim.job, &stored, last));
    }
    statements.push(claim.remove());
    session.commit(statements).await?;
    Ok(Left::Nothing)
}

/// What is so while the job is locked.
struct Locked {
    /// A chunk has come that is not done.
    waiting: bool,
    /// All records have come.
    ended: bool,
    /// How many records came to an error.
    failed: i64,
}

/// Opens a transaction and locks the job in it, so that a client that sends a chunk has queued the job before, or will after.
async fn locked(session: &mut Session, claim: &Claim) -> Outcome<Locked> {
    let of_job = |sql| Statement::new(sql).uuid(claim.job);
    let answers = session.begin(vec![of_job(LOCK), of_job(SOURCE)]).await?;
    let (failed, source): (Option<i64>, Option<(bool, bool)>) = read_each(&answers);
    let (waiting, ended) = source.unwrap_or_default();
    Ok(Locked { waiting, ended, failed: failed.unwrap_or(0) })
}

/// The job is not worked on any more. Chunks that wait go.
pub(super) async fn drop_job(session: &mut Session, claim: &Claim) -> Outcome<Left> {
    session.transaction(vec![Statement::new(DROP_CHUNKS).uuid(claim.job), claim.remove()]).await?;
    Ok(Left::Nothing)
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
