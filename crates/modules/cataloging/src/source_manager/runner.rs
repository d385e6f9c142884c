//! Works on import jobs: reads their records, calls [`crate::import::chunk`] to decide what is done with each, and writes the results with
//! the journal and the job's position in one transaction. So if a process dies, each record is imported once or not at all.
//!
//! One process at a time works on a job, for a turn of some seconds for which it claims the job; several processes share the jobs of all
//! tenants. Tenants take turns, and so do the jobs of a tenant. The work runs on the runtime for bulk work, which yields to staff's
//! requests.

mod check;
mod claim;
mod edifact;
mod file;
mod finish;
mod interchange;
mod raw;
mod record;
mod source;
mod turn;
mod write;

use std::pin::Pin;
use std::time::Duration;

use octavo_engine::outbox::{self, TenantNotifier};
use octavo_engine::{Context, Platform};
use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Session, Statement};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::import::{self, ChunkResult, Incoming, Job};

use claim::JobScope;
pub(super) use claim::enqueue_statement;
pub(super) use raw::{RawFormat, read_record};

/// How often the runner looks for jobs that another process has left, or that are due again.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How many jobs this process works on at the same time.
const CONCURRENT_JOBS: usize = 2;

/// The function that decides what is done with records: [`import::chunk`], or a replacement in a test.
pub type Decide = for<'a> fn(&'a Context, &'a mut Session, &'a Job, &'a [Incoming]) -> Deciding<'a>;
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Outcome<ChunkResult>> + Send + 'a>>;

/// Decides by the job's profile.
pub const DECIDE_BY_PROFILE: Decide =
    |context, session, job, records| Box::pin(import::chunk(context, session, job, records));

/// The signal in this process that a tenant has records to import.
#[derive(Default)]
struct JobNotifier(TenantNotifier);

/// Makes the runner look for jobs of a tenant at once. Call it after the transaction that has queued a job.
pub fn notify_runner(platform: &Platform, tenant: &TenantId) {
    platform.module_state.get_or_create(JobNotifier::default).0.notify(tenant);
}

/// A file that is to be imported.
#[derive(Debug, Clone, Copy)]
pub struct FileToImport<'a> {
    pub path: &'a str,
    /// How many records it has, if that is known.
    pub total: Option<i64>,
}

/// Statements that begin the import of a file, for the transaction in which the job gets the file. The job must have its profile. After the
/// transaction the caller calls [`notify_runner`].
pub fn start_file_statements(context: &Context, job: Uuid, file: FileToImport<'_>) -> Vec<Statement> {
    file::start_statements(context, job, file)
}

/// Runs until it is dropped. Records that are being worked on then are imported later from the beginning.
pub async fn run(platform: Platform) {
    let notifier = platform.module_state.get_or_create(JobNotifier::default);
    let mut work = JoinSet::new();
    let mut round = tokio::time::interval(POLL_INTERVAL);
    // Whether a job may be due that no turn under way has looked for.
    let mut may_be_due = false;
    loop {
        may_be_due |= tokio::select! {
            _ = notifier.0.wait_for_tenants() => true,
            _ = round.tick() => true,
            Some(done) = work.join_next(), if !work.is_empty() => done.unwrap_or(false),
        };
        if work.len() < CONCURRENT_JOBS && !std::mem::take(&mut may_be_due) {
            continue;
        }
        while work.len() < CONCURRENT_JOBS {
            let platform = platform.clone();
            let bulk = platform.settings.bulk_runtime.clone();
            work.spawn_on(async move { one_turn(&platform).await }, &bulk);
        }
    }
}

/// Works on one job for a turn. Returns whether a job was due.
async fn one_turn(platform: &Platform) -> bool {
    match outbox::catch_panics(turn::run_turn(platform, JobScope::All, DECIDE_BY_PROFILE)).await {
        Ok(found) => found,
        Err(fault) => {
            tracing::warn!(%fault, "import jobs are left for later");
            false
        }
    }
}

/// Works on the jobs of a tenant until none is due.
pub async fn run_due_jobs(platform: &Platform, tenant: &str, decide: Decide) -> Outcome<()> {
    while outbox::catch_panics(turn::run_turn(platform, JobScope::Tenant(tenant), decide)).await? {}
    Ok(())
}

/// Works on one job at once, besides the jobs of the runner: a client is waiting for its few records. If another process has claimed the
/// job, this does nothing.
pub(crate) async fn run_job(platform: &Platform, tenant: &str, job: Uuid) -> Outcome<()> {
    while outbox::catch_panics(turn::run_turn(platform, JobScope::Job(tenant, job), DECIDE_BY_PROFILE))
        .await?
    {}
    Ok(())
}

octavo_pg::statements!(within = [claim, file, finish, record, source, turn, write]);
