//! The rows that say which process works for a consumer, how far the consumer has come, and when it is tried again.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement, Usage};
use serde_json::Value;
use uuid::Uuid;

use crate::stream_name::STREAM_CONSUMER;

/// For how many seconds a claim holds. It is renewed with each batch, and during a batch every `RENEWAL_INTERVAL`.
const CLAIM_SECONDS: i64 = 6;
/// How often the claim is renewed while a batch lasts.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(2);

/// Why a consumer takes no more events now.
#[derive(Debug)]
pub(super) struct Failure {
    /// How many times in succession the consumer has not taken the next event.
    pub(super) times: i64,
    /// How many of these times it answered that it does not want the event.
    pub(super) refusals: i64,
    /// How long the consumer is left alone.
    pub(super) pause: Duration,
    pub(super) why: String,
}

/// The pause after so many failures in succession: a second, then twice as long each time, up to ten minutes.
pub(super) fn retry_delay(times: i64) -> Duration {
    let doublings = u32::try_from(times.clamp(1, 16) - 1).unwrap_or(0);
    Duration::from_secs((1 << doublings).min(600))
}

/// The consumers of all tenants that are due and that no process has claimed, each with whether there is anything to do for it.
pub(super) async fn due_consumers(platform: &Platform) -> Outcome<Vec<(String, String, bool)>> {
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    Ok(session.read(Statement::new(DUE).text(STREAM_CONSUMER)).await?)
}

/// The names of a tenant's consumers.
pub(crate) async fn consumer_names(platform: &Platform, tenant: &str) -> Outcome<Vec<String>> {
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    Ok(session.read(Statement::new(NAMES).text(tenant)).await?)
}

/// Claims a consumer that is due and free, or renews the claim. Returns its position, how often it failed, and how many of these failures
/// were refusals of the event.
pub(super) fn claim_statement(tenant: &str, name: &str, process: Uuid) -> Statement {
    Statement::new(CLAIM).text(tenant).text(name).uuid(process).long(CLAIM_SECONDS)
}

/// Runs `work` for a consumer, and renews the claim meanwhile.
pub(super) async fn with_renewed_claim<T>(
    platform: &Platform,
    (tenant, name, process): (&str, &str, Uuid),
    work: impl Future<Output = T>,
) -> T {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(RENEWAL_INTERVAL) => {
                if let Err(fault) = renew(platform, tenant, name, process).await {
                    tracing::warn!(tenant, name, %fault, "a claim was not renewed");
                }
            }
        }
    }
}

async fn renew(platform: &Platform, tenant: &str, name: &str, process: Uuid) -> Outcome<()> {
    let mut session = platform.database.system_session(Arc::<Usage>::default()).await?;
    session.rows(Statement::new(RENEW).text(tenant).text(name).uuid(process).long(CLAIM_SECONDS)).await?;
    Ok(())
}

/// Reads whether a consumer is due. No row if there is no such consumer.
pub(super) fn is_due_statement(tenant: &str, name: &str) -> Statement {
    Statement::new(STANDING).text(tenant).text(name)
}

/// Records that the consumer has handled everything up to a position. Returns no row if another process has claimed the consumer.
pub(super) fn advance_statement(
    tenant: &str,
    name: &str,
    process: Uuid,
    position: i64,
    taken: i64,
) -> Statement {
    Statement::new(ADVANCE)
        .text(tenant)
        .text(name)
        .uuid(process)
        .long(position)
        .long(taken)
        .long(CLAIM_SECONDS)
}

/// Ends the claim on the consumer. If the consumer has failed, it is due again after a pause.
pub(super) fn release_statement(
    tenant: &str,
    name: &str,
    process: Uuid,
    failed: Option<&Failure>,
) -> Statement {
    let seconds = failed.map_or(0, |failed| failed.pause.as_secs().cast_signed());
    Statement::new(RELEASE)
        .text(tenant)
        .text(name)
        .uuid(process)
        .long(failed.map_or(0, |failed| failed.times))
        .maybe_text(failed.map(|failed| failed.why.as_str()))
        .long(seconds)
        .long(failed.map_or(0, |failed| failed.refusals))
}

/// Removes a consumer.
pub(super) fn delete_consumer_statement(tenant: &str, name: &str) -> Statement {
    Statement::new(FORGET).text(tenant).text(name)
}

/// Makes a consumer due at once. Returns its name if there is one.
pub(super) fn make_due_statement(tenant: &str, name: &str) -> Statement {
    Statement::new(HURRY).text(tenant).text(name)
}

/// The consumers of a tenant as its staff see them.
pub(super) async fn load_consumers_json(session: &mut Session, tenant: &str) -> Outcome<Vec<Value>> {
    Ok(session.read(Statement::new(TOLD).text(tenant)).await?)
}

const FORGET: &str = "delete from octavo.event_consumers where tenant = $1 and name = $2";

const HURRY: &str = "\
update octavo.event_consumers
set due = now()
where tenant = $1 and name = $2
returning name";

/// The consumers that are due and not claimed, each with whether there is anything to do: the last attempt failed, the last claim was not
/// released, or there are events after the consumer's position. One statement finds this for all tenants, so that idle consumers cost
/// nothing. For the consumer that stands for all streams, only being due counts.
const DUE: &str = "\
select
  c.tenant,
  c.name,
  c.failures > 0 or c.claimed_until is not null or c.name = $1 or coalesce(
    pg_sequence_last_value(to_regclass(format('%I.event_position_seq', 'tenant_' || c.tenant))) > c.position,
    false
  )
from octavo.event_consumers c
where c.due <= now() and (c.claimed_until is null or c.claimed_until < now())
order by c.due";

const NAMES: &str = "select name from octavo.event_consumers where tenant = $1 order by name";

const CLAIM: &str = "\
update octavo.event_consumers
set claimed_by = $3, claimed_until = now() + $4::int8 * interval '1 second'
where
  tenant = $1
  and name = $2
  and due <= now()
  and (claimed_until is null or claimed_until < now() or claimed_by = $3)
returning position, failures, refusals";

const RENEW: &str = "\
update octavo.event_consumers
set claimed_until = now() + $4::int8 * interval '1 second'
where tenant = $1 and name = $2 and claimed_by = $3 and claimed_until is not null";

const STANDING: &str = "select due <= now() from octavo.event_consumers where tenant = $1 and name = $2";

const ADVANCE: &str = "\
update octavo.event_consumers
set
  position = $4::int8,
  taken = taken + $5::int8,
  last_taken = case when $5::int8 > 0 then now() else last_taken end,
  claimed_until = now() + $6::int8 * interval '1 second'
where tenant = $1 and name = $2 and claimed_by = $3
returning position";

const RELEASE: &str = "\
update octavo.event_consumers
set
  claimed_until = null,
  failures = $4::int8,
  error = $5,
  due = now() + $6::int8 * interval '1 second',
  refusals = $7::int8
where tenant = $1 and name = $2 and claimed_by = $3";

const TOLD: &str = "\
select json_strip_nulls(json_build_object(
  'name', c.name,
  'position', c.position,
  'waiting', (select count(*) from (select from event e where e.position > c.position limit 10000) w),
  'failures', c.failures,
  'message', c.error,
  'nextAttemptDate', case when c.failures > 0 then to_char(c.due at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') end,
  'taken', c.taken,
  'lost', c.lost,
  'lastTakenDate', to_char(c.last_taken at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')
))::text
from octavo.event_consumers c
where c.tenant = $1
order by c.name";

octavo_pg::statements!(other = [DUE, NAMES, CLAIM, RENEW, STANDING, ADVANCE, RELEASE, TOLD, FORGET, HURRY]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_ten_minutes() {
        assert_eq!(
            [0, 1, 2, 5, 10, 11, 1_000].map(|times| retry_delay(times).as_secs()),
            [1, 1, 2, 16, 512, 600, 600]
        );
    }
}
