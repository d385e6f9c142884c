//! The turn of one job: as many transactions as fit into its time.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use octavo_engine::{Context, Pace, Platform, is_desk_busy, outbox};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement, Usage};
use serde_json::Value;
use tokio::time::Instant;
use uuid::Uuid;

use super::Decide;
use super::check::Profile;
use super::claim::{self, Claim, JobScope};
use super::file::{self, FileFormat};
use super::finish::{RemainingWork, drop_job, fail_job, finish_or_wait};
use super::source::{ChunkSource, FileSource, FoundBatch, Source};
use super::write::{Batch, WriteResult, Writer, is_temporary};
use crate::import::Job;
use crate::source_manager::{snapshots, status};

/// How long a turn lasts, approximately.
const TURN_DURATION: Duration = Duration::from_secs(2);
/// How many records a transaction has at most. While staff are at work there are fewer, and a pause after each transaction.
const BATCH: usize = 200;
const BATCH_BESIDE_DESK: usize = 50;
/// After how many failed turns in succession, which neither a record nor the database has caused, a job is given up: this takes more than
/// eight minutes.
const MAX_FAILURES: i64 = 10;

/// The state of a job when its turn begins.
struct Running {
    status: String,
    user: Uuid,
    snapshot: Option<Value>,
    profile: String,
    path: Option<String>,
    format: Option<String>,
    encoding: Option<String>,
    position: i64,
    records: i64,
    counted: bool,
    is_trial: bool,
}

octavo_pg::columns!(Running {
    status,
    user,
    snapshot,
    profile,
    path,
    format,
    encoding,
    position,
    records,
    counted,
    is_trial
});

/// Works on the next job for a turn. Returns whether a job was due.
pub(super) async fn run_turn(platform: &Platform, of: JobScope<'_>, decide: Decide) -> Outcome<bool> {
    let Some(claim) = claim::claim_next(platform, of).await? else { return Ok(false) };
    let worked = outbox::catch_panics(work(platform, &claim, decide)).await;
    let gives_up = matches!(&worked, Err(fault) if !is_temporary(fault));
    let after = match worked {
        Ok(RemainingWork::Nothing) => return Ok(true),
        Ok(RemainingWork::More) => claim.release_statement(),
        Err(fault) => {
            tracing::warn!(tenant = claim.tenant, job = %claim.job, %fault, "an import job is left for later");
            claim.retry_later_statement(&fault.to_string())
        }
    };
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    let failures: Option<i64> = session.read(after).await?;
    drop(session);
    if gives_up && failures.is_some_and(|failures| failures >= MAX_FAILURES) {
        let context = job_context(platform, &claim).await?;
        fail_job(&context, &mut context.session().await?, &claim).await?;
    }
    Ok(true)
}

async fn job_context(platform: &Platform, claim: &Claim) -> Outcome<Context> {
    Context::for_server_task(platform, &claim.tenant, now()).await
}

/// The time that records of the job get as the time of their creation or change.
#[expect(clippy::disallowed_methods, reason = "a job has no request whose time it could take")]
fn now() -> Timestamp {
    Timestamp::now()
}

async fn work(platform: &Platform, claim: &Claim, decide: Decide) -> Outcome<RemainingWork> {
    let mut context = job_context(platform, claim).await?;
    let mut session = context.session().await?;
    let running: Option<Running> = session.read(Statement::new(RUNNING).uuid(claim.job)).await?;
    let Some(running) = running.filter(|running| !status::is_stopped(&running.status)) else {
        return drop_job(&mut session, claim).await;
    };
    // The user of the job counts as the one who creates and changes its records.
    context.caller.user_id = Some(running.user);
    session.rows(snapshots::create_statement(&context, claim.job)).await?;
    let Some(mut source) = open_source(&context, &mut session, claim, &running).await? else {
        return fail_job(&context, &mut session, claim).await;
    };
    let snapshot = Arc::new(running.snapshot.unwrap_or_default());
    let job = Job {
        id: claim.job,
        profile: Arc::clone(&snapshot),
        user: Some(running.user),
        is_trial: running.is_trial,
    };
    let profile = Profile { name: &running.profile, snapshot: &snapshot };
    let is_patient = claim.failures < MAX_FAILURES;
    let writer = Writer { context: &context, job: &job, decide, is_patient };
    let (begun, mut has_worked) = (Instant::now(), false);
    let mut pace = Pace::for_heavy_batches();
    while begun.elapsed() < TURN_DURATION {
        if session.rows(claim.renew_statement(has_worked)).await?.is_empty() {
            return Ok(RemainingWork::Nothing);
        }
        let busy = is_desk_busy(&platform.database);
        let most = if busy { BATCH_BESIDE_DESK } else { BATCH };
        let Some(gathered) = source.next(&mut session, most).await? else {
            if source.is_without_records() {
                tracing::warn!(tenant = claim.tenant, job = %claim.job, "a file has no records");
                return fail_job(&context, &mut session, claim).await;
            }
            return finish_or_wait(&context, &mut session, claim).await;
        };
        let keeps_ids = gathered.keeps_ids;
        let taken = gathered.found.into_iter();
        let taken = taken.map(|one| one.check_by_profile(context.fresh_id(), profile, keeps_ids)).collect();
        let FoundBatch { from, chunk, is_last, .. } = gathered;
        let batch = Batch { records: taken, from, chunk, is_last };
        if claim.while_renewing(platform, writer.write(&mut session, &batch)).await?? == WriteResult::Stopped
        {
            return Ok(RemainingWork::More);
        }
        has_worked = true;
        match busy {
            true => pace.pause().await,
            false => pace.go_on(),
        }
    }
    Ok(RemainingWork::More)
}

/// Opens the source of the job's records; `None` if its file is not a file of records.
async fn open_source(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
    running: &Running,
) -> Outcome<Option<Source>> {
    let Running { position, records, .. } = *running;
    let Some(path) = &running.path else {
        return Ok(Some(Source::Chunks(ChunkSource { job: claim.job, position, current: None })));
    };
    let known = running.format.as_deref().zip(running.encoding.as_deref());
    let known = known.and_then(|(format, encoding)| FileFormat::from_names(format, encoding));
    let (written, position) = match known {
        Some(written) => (written, position),
        None => match file::detect_format(path)? {
            Ok((written, position)) => {
                session.rows(file::store_format_statement(claim.job, written, position)).await?;
                (written, position)
            }
            Err(what) => {
                tracing::warn!(tenant = claim.tenant, job = %claim.job, what, "a file cannot be imported");
                return Ok(None);
            }
        },
    };
    if !running.counted {
        file::count_records(context, session, claim, path, (written, position)).await?;
    }
    let reader = file::open_reader(path, written, position)?;
    Ok(Some(Source::File(FileSource { reader, position, records })))
}

const RUNNING: &str = "\
select
  j.status,
  j.user_id,
  j.profile_snapshot::text,
  coalesce(j.profile_name, ''),
  s.path,
  s.format,
  s.encoding,
  coalesce(s.position, 0),
  coalesce(s.records, 0),
  coalesce(s.counted, true),
  j.is_trial
from job_execution j
left join import_source s on s.job = j.id
where j.id = $1 and not j.is_deleted";

octavo_pg::statements!(other = [RUNNING]);
