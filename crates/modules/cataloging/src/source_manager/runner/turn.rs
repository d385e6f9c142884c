//! The turn of one job: so many transactions as there is time for.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use octavo_engine::{Context, Platform, outbox};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement, Usage};
use serde_json::Value;
use tokio::time::Instant;
use uuid::Uuid;

use super::Decide;
use super::check::Profile;
use super::claim::{self, Claim, Of};
use super::file::{self, Written};
use super::finish::{Left, drop_job, give_up, rest};
use super::source::{Gathered, OfChunks, OfFile, Source};
use super::write::{Batch, Writer, Wrote, is_passing};
use crate::import::Job;
use crate::source_manager::{snapshots, status};

/// How long a turn lasts, about.
const TURN: Duration = Duration::from_secs(2);
/// How often in succession nothing may be done of a job, not by the fault of a record or of the database, before it is given up: over
/// eight minutes.
const FAILURES: i64 = 10;

/// A job as it is when its turn begins.
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

/// Works on the job whose turn it is. Returns whether there was one.
pub(super) async fn turn(platform: &Platform, of: Of<'_>, decide: Decide) -> Outcome<bool> {
    let Some(claim) = claim::next(platform, of).await? else { return Ok(false) };
    let worked = outbox::guarded(work(platform, &claim, decide)).await;
    let gives_up = matches!(&worked, Err(fault) if !is_passing(fault));
    let after = match worked {
        Ok(Left::Nothing) => return Ok(true),
        Ok(Left::More) => claim.give_back(),
        Err(fault) => {
            tracing::warn!(tenant = claim.tenant, job = %claim.job, %fault, "an import job is left for later");
            claim.later(&fault.to_string())
        }
    };
    let mut session = platform.database.system(Arc::<Usage>::default()).await?;
    let failures: Option<i64> = session.read(after).await?;
    drop(session);
    if gives_up && failures.is_some_and(|failures| failures >= FAILURES) {
        let context = context(platform, &claim).await?;
        give_up(&context, &mut context.session().await?, &claim).await?;
    }
    Ok(true)
}

async fn context(platform: &Platform, claim: &Claim) -> Outcome<Context> {
    Context::of_the_server(platform, &claim.tenant, now()).await
}

/// What a job makes is dated with the time at which it makes it.
#[expect(clippy::disallowed_methods, reason = "a job has no request whose time it could take")]
fn now() -> Timestamp {
    Timestamp::now()
}

async fn work(platform: &Platform, claim: &Claim, decide: Decide) -> Outcome<Left> {
    let mut context = context(platform, claim).await?;
    let mut session = context.session().await?;
    let running: Option<Running> = session.read(Statement::new(RUNNING).uuid(claim.job)).await?;
    let Some(running) = running.filter(|running| !status::is_stopped(&running.status)) else {
        return drop_job(&mut session, claim).await;
    };
    // What the job makes is made by its user.
    context.caller.user_id = Some(running.user);
    session.rows(snapshots::create(&context, claim.job)).await?;
    let Some(mut source) = source(&context, &mut session, claim, &running).await? else {
        return give_up(&context, &mut session, claim).await;
    };
    let snapshot = Arc::new(running.snapshot.unwrap_or_default());
    let job = Job {
        id: claim.job,
        profile: Arc::clone(&snapshot),
        user: Some(running.user),
        is_trial: running.is_trial,
    };
    let profile = Profile { name: &running.profile, snapshot: &snapshot };
    let is_patient = claim.failures < FAILURES;
    let writer = Writer { context: &context, job: &job, decide, is_patient };
    let (begun, mut has_worked) = (Instant::now(), false);
    while begun.elapsed() < TURN {
        if session.rows(claim.renew(has_worked)).await?.is_empty() {
            return Ok(Left::Nothing);
        }
        let Some(gathered) = source.next(&mut session).await? else {
            if source.is_without_records() {
                tracing::warn!(tenant = claim.tenant, job = %claim.job, "a file has no records");
                return give_up(&context, &mut session, claim).await;
            }
            return rest(&context, &mut session, claim).await;
        };
        let keeps_ids = gathered.keeps_ids;
        let taken = gathered.found.into_iter();
        let taken = taken.map(|one| one.taken(context.fresh_id(), profile, keeps_ids)).collect();
        let Gathered { from, chunk, is_last, .. } = gathered;
        let batch = Batch { taken, from, chunk, is_last };
        if claim.kept(platform, writer.write(&mut session, &batch)).await?? == Wrote::Stopped {
            return Ok(Left::More);
        }
        has_worked = true;
    }
    Ok(Left::More)
}

/// Where the job's records come from; nothing if its file is none of records.
async fn source(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
    running: &Running,
) -> Outcome<Option<Source>> {
    let Running { position, records, .. } = *running;
    let Some(path) = &running.path else {
        return Ok(Some(Source::Chunks(OfChunks { job: claim.job, position, current: None })));
    };
    let known = running.format.as_deref().zip(running.encoding.as_deref());
    let known = known.and_then(|(format, encoding)| Written::stored(format, encoding));
    let (written, position) = match known {
        Some(written) => (written, position),
        None => match file::look(path)? {
            Ok((written, position)) => {
                session.rows(file::keep(claim.job, written, position)).await?;
                (written, position)
            }
            Err(what) => {
                tracing::warn!(tenant = claim.tenant, job = %claim.job, what, "a file cannot be imported");
                return Ok(None);
            }
        },
    };
    if !running.counted {
        file::count(context, session, claim, path, (written, position)).await?;
    }
    let reader = file::open(path, written, position)?;
    Ok(Some(Source::File(OfFile { reader, position, records })))
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
