//! Works on import jobs: reads their records, has it decided what becomes of each ([`crate::import::chunk`]), and writes that with the
//! journal and the job's position in one transaction. So a process that dies leaves each record done once or not at all.
//!
//! A job belongs to one turn of one process at a time, which claims it for a while; several processes share the jobs of all tenants. Tenants take
//! turns, and so do the jobs of a tenant. The work runs on the runtime for work in bulk, which gives way to the desk.

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

use octavo_engine::outbox::{self, Bell};
use octavo_engine::{Context, Platform};
use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Session, Statement};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::import::{self, Incoming, Job, Written};

use claim::Of;
pub(super) use claim::enqueue;
pub(super) use raw::{RawFormat, read};

/// How often jobs are looked for that another process has left, or that are due again.
const ROUND: Duration = Duration::from_secs(5);
/// Jobs that this process works on at once.
const AT_ONCE: usize = 2;

/// What says what becomes of records: [`import::chunk`], or what a test takes instead.
pub type Decide = for<'a> fn(&'a Context, &'a mut Session, &'a Job, &'a [Incoming]) -> Deciding<'a>;
pub type Deciding<'a> = Pin<Box<dyn Future<Output = Outcome<Written>> + Send + 'a>>;

/// By the job's profile.
pub const BY_PROFILE: Decide =
    |context, session, job, records| Box::pin(import::chunk(context, session, job, records));

/// Rings in this process when a tenant has records to import.
#[derive(Default)]
struct JobBell(Bell);

/// Has the jobs of a tenant looked for at once, after the transaction that has queued one.
pub fn ring(platform: &Platform, tenant: &TenantId) {
    platform.kept.get(JobBell::default).0.ring(tenant);
}

/// A file that is to be imported.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    pub path: &'a str,
    /// How many records it has, if that is known.
    pub total: Option<i64>,
}

/// Statements that begin the work on a file, for the transaction in which the job gets it. The job has its profile. After the transaction
/// the caller [`ring`]s.
pub fn start_file(context: &Context, job: Uuid, file: Start<'_>) -> Vec<Statement> {
    file::start(context, job, file)
}

/// Runs until it is dropped. The records that are worked on then are begun anew.
pub async fn run(platform: Platform) {
    let bell = platform.kept.get(JobBell::default);
    let mut work = JoinSet::new();
    let mut round = tokio::time::interval(ROUND);
    loop {
        let found = tokio::select! {
            _ = bell.0.heard() => true,
            _ = round.tick() => true,
            Some(done) = work.join_next(), if !work.is_empty() => done.unwrap_or(false),
        };
        while found && work.len() < AT_ONCE {
            let platform = platform.clone();
            let bulk = platform.settings.in_bulk.clone();
            work.spawn_on(async move { one_turn(&platform).await }, &bulk);
        }
    }
}

/// Works on one job for a while. Returns whether there was one.
async fn one_turn(platform: &Platform) -> bool {
    match outbox::guarded(turn::turn(platform, Of::All, BY_PROFILE)).await {
        Ok(found) => found,
        Err(fault) => {
            tracing::warn!(%fault, "import jobs are left for later");
            false
        }
    }
}

/// Works on the jobs of a tenant until none is due.
pub async fn work_off(platform: &Platform, tenant: &str, decide: Decide) -> Outcome<()> {
    while outbox::guarded(turn::turn(platform, Of::Tenant(tenant), decide)).await? {}
    Ok(())
}

/// Works on one job at once, apart from the two that others wait for: somebody waits for its few records. Where another turn has claimed it,
/// there is nothing to do here.
pub(crate) async fn work_on(platform: &Platform, tenant: &str, job: Uuid) -> Outcome<()> {
    while outbox::guarded(turn::turn(platform, Of::Job(tenant, job), BY_PROFILE)).await? {}
    Ok(())
}

octavo_pg::statements!(within = [claim, file, finish, record, source, turn, write]);
