//! The table of jobs that have records to import: which process works on each, and which job is next.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::{Statement, Usage};
use uuid::Uuid;

/// How many seconds a claim is valid. It is renewed before each batch, and during one that takes long. If a process stood still for longer,
/// another may have imported its batch: the position and the chunk, which are part of each transaction, let only one of them commit.
const CLAIM_SECONDS: i64 = 9;
/// How often a claim is renewed during a batch that takes long.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(3);

/// A job that this process has claimed for a turn.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub tenant: String,
    pub job: Uuid,
    /// How often in succession a turn has failed.
    pub failures: i64,
    /// The id of this turn; it differs from all other turns, including those of the same process.
    turn: Uuid,
}

/// The jobs among which the next one is chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum JobScope<'a> {
    All,
    Tenant(&'a str),
    Job(&'a str, Uuid),
}

/// Queues a job of a tenant, which is due at once.
pub(crate) fn enqueue_statement(tenant: &str, job: Uuid) -> Statement {
    Statement::new(ENQUEUE).text(tenant).uuid(job)
}

/// Claims the next job: the tenant that has waited longest, and of its jobs the one that has waited longest.
pub(super) async fn claim_next(platform: &Platform, of: JobScope<'_>) -> Outcome<Option<Claim>> {
    let (tenant, job) = match of {
        JobScope::All => (None, None),
        JobScope::Tenant(tenant) => (Some(tenant), None),
        JobScope::Job(tenant, job) => (Some(tenant), Some(job)),
    };
    let turn = (platform.entropy.id)();
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    let claim = Statement::new(CLAIM).uuid(turn).long(CLAIM_SECONDS).maybe_text(tenant).maybe_uuid(job);
    let claimed: Option<(String, Uuid, i64)> = session.read(claim).await?;
    Ok(claimed.map(|(tenant, job, failures)| Claim { tenant, job, failures, turn }))
}

impl Claim {
    fn claim_statement(&self, sql: &'static str) -> Statement {
        Statement::new(sql).text(&self.tenant).uuid(self.job).uuid(self.turn)
    }

    /// Awaits `work`, and renews the claim meanwhile.
    pub(super) async fn while_renewing<T>(
        &self,
        platform: &Platform,
        work: impl Future<Output = T>,
    ) -> Outcome<T> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(done),
                () = tokio::time::sleep(RENEWAL_INTERVAL) => {
                    let mut system = platform.database.system_session(Arc::<Usage>::default()).await?;
                    system.rows(self.renew_statement(false)).await?;
                }
            }
        }
    }

    /// Renews the claim, outside the transactions that write records, because clients queue the job during those. Returns no row if
    /// another turn has claimed the job. `has_worked`: records were imported since the job was claimed.
    pub(super) fn renew_statement(&self, has_worked: bool) -> Statement {
        self.claim_statement(RENEW).long(CLAIM_SECONDS).text(has_worked.to_string())
    }

    /// Ends the claim. The job stays in the queue.
    pub(super) fn release_statement(&self) -> Statement {
        self.claim_statement(GIVE_BACK)
    }

    pub(super) fn remove_statement(&self) -> Statement {
        self.claim_statement(REMOVE)
    }

    /// Ends the claim after a failed turn. The job is due again after a pause: one second at first, then twice as long each time, up to
    /// five minutes. Returns how often in succession the job has failed.
    pub(super) fn retry_later_statement(&self, why: &str) -> Statement {
        self.claim_statement(LATER).text(why)
    }
}

const ENQUEUE: &str = "\
insert into octavo.import_jobs (tenant, job)
values ($1, $2)
on conflict (tenant, job) do update
set due = now()";

const CLAIM: &str = "\
with turns as (
  select tenant, job, turn, max(turn) over (partition by tenant) as tenant_turn
  from octavo.import_jobs
), next as (
  select i.tenant, i.job
  from octavo.import_jobs i
  join turns t on t.tenant = i.tenant and t.job = i.job
  where
    i.due <= now()
    and (i.claimed_until is null or i.claimed_until < now())
    and ($3::text is null or i.tenant = $3)
    and ($4::uuid is null or i.job = $4)
  order by t.tenant_turn, t.turn, i.job
  limit 1
  for update of i skip locked
)
update octavo.import_jobs i
set claimed_by = $1, claimed_until = now() + $2::int8 * interval '1 second', turn = clock_timestamp()
from next n
where i.tenant = n.tenant and i.job = n.job
returning i.tenant, i.job, i.failures";

const RENEW: &str = "\
update octavo.import_jobs
set
  claimed_until = now() + $4::int8 * interval '1 second',
  failures = case when $5::text::boolean then 0 else failures end
where tenant = $1 and job = $2 and claimed_by = $3
returning job";

const GIVE_BACK: &str = "\
update octavo.import_jobs
set claimed_until = null, claimed_by = null, turn = clock_timestamp(), failures = 0, error = null
where tenant = $1 and job = $2 and claimed_by = $3";

const REMOVE: &str = "delete from octavo.import_jobs where tenant = $1 and job = $2 and claimed_by = $3";

const LATER: &str = "\
update octavo.import_jobs
set
  claimed_until = null,
  claimed_by = null,
  failures = failures + 1,
  error = $4,
  due = now() + least(300, 2 ^ least(failures, 16)) * interval '1 second'
where tenant = $1 and job = $2 and claimed_by = $3
returning failures";

octavo_pg::statements!(other = [ENQUEUE, CLAIM, RENEW, GIVE_BACK, REMOVE, LATER]);
