//! The rows that say which jobs have records to import, which process works on each, and when it is its turn.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::{Statement, Usage};
use uuid::Uuid;

/// For how long a claim holds; it is renewed before each batch of records, and while one takes long. Work that stood still for longer may
/// find its batch done by others: the position and the chunk, which are part of each transaction, let only one of them commit.
const SECONDS: i64 = 9;
/// How often a claim is renewed while something takes long.
const PAUSE: Duration = Duration::from_secs(3);

/// A job that is worked on for a turn.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub tenant: String,
    pub job: Uuid,
    /// How often in succession nothing could be done.
    pub failures: i64,
    /// Tells this turn from all others, those of the same process too.
    turn: Uuid,
}

/// Which jobs are worked on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of<'a> {
    All,
    Tenant(&'a str),
    Job(&'a str, Uuid),
}

/// Queues a job of a tenant, to be worked on at once.
pub(crate) fn enqueue(tenant: &str, job: Uuid) -> Statement {
    Statement::new(ENQUEUE).text(tenant).uuid(job)
}

/// Claims the job whose turn it is: of the tenant that has waited longest, the job that has.
pub(super) async fn next(platform: &Platform, of: Of<'_>) -> Outcome<Option<Claim>> {
    let (tenant, job) = match of {
        Of::All => (None, None),
        Of::Tenant(tenant) => (Some(tenant), None),
        Of::Job(tenant, job) => (Some(tenant), Some(job)),
    };
    let turn = (platform.entropy.id)();
    let mut session = platform.database.system(Arc::<Usage>::default()).await?;
    let claim = Statement::new(CLAIM).uuid(turn).long(SECONDS).maybe_text(tenant).maybe_uuid(job);
    let claimed: Option<(String, Uuid, i64)> = session.read(claim).await?;
    Ok(claimed.map(|(tenant, job, failures)| Claim { tenant, job, failures, turn }))
}

impl Claim {
    fn of(&self, sql: &'static str) -> Statement {
        Statement::new(sql).text(&self.tenant).uuid(self.job).uuid(self.turn)
    }

    /// Does something, and renews the claim meanwhile.
    pub(super) async fn kept<T>(&self, platform: &Platform, work: impl Future<Output = T>) -> Outcome<T> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(done),
                () = tokio::time::sleep(PAUSE) => {
                    let mut system = platform.database.system(Arc::<Usage>::default()).await?;
                    system.rows(self.renew(false)).await?;
                }
            }
        }
    }

    /// Renews the claim, outside of the transactions that write records: clients queue the job while those are under way. Returns nothing
    /// if another turn has it. `has_worked`: something was done since the job was claimed.
    pub(super) fn renew(&self, has_worked: bool) -> Statement {
        self.of(RENEW).long(SECONDS).text(has_worked.to_string())
    }

    /// The job is worked on again when it is its turn.
    pub(super) fn give_back(&self) -> Statement {
        self.of(GIVE_BACK)
    }

    pub(super) fn remove(&self) -> Statement {
        self.of(REMOVE)
    }

    /// Nothing could be done: the job is tried again after a pause, of a second at first, then twice as long each time, up to five
    /// minutes. Returns how often in succession that was so.
    pub(super) fn later(&self, why: &str) -> Statement {
        self.of(LATER).text(why)
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
