//! Timers: jobs that run at certain times. Their rows in the database are shared by all processes, so that each run happens once.
//!
//! A process claims a due timer for some seconds, and renews the claim for as long as the job runs; if a process dies with a claim,
//! another runs the job again within ten seconds. A process takes over a claim only if it has reached the database for as long as a claim
//! lasts: so, after the database could not be reached, a process that still runs its job renews its claim first. All times are those of
//! the database. This module knows no other module: the caller says which timers there are and what they do.

mod cron;
mod schedule;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage};

use crate::Lease;

pub use schedule::{Schedule, Unit};

/// How often a claim is renewed. It lasts three times as long.
pub const RENEW_SECONDS: u64 = 3;
const CLAIM_SECONDS: u64 = 3 * RENEW_SECONDS;

/// A timer of one tenant, as far as the database knows it.
#[derive(Debug, Clone, Default)]
pub struct TimerState {
    /// Instead of the declared one.
    pub schedule: Option<Schedule>,
    /// `None`: it does not run.
    pub next_run: Option<Timestamp>,
    pub last_run: Option<Timestamp>,
    /// The status of its last run, or why there was none.
    pub last_outcome: Option<String>,
    pub running: bool,
}

/// The runs of one timer in all tenants.
#[derive(Debug, Clone)]
pub struct TimerRuns {
    pub id: String,
    pub last: Option<Timestamp>,
    /// Tenants whose last run went wrong.
    pub failed: i64,
    /// For how many seconds the most overdue timer that no process runs has been due.
    pub late: i64,
}

/// A due timer that this process may run now.
#[derive(Debug, Clone)]
pub struct Claim {
    pub tenant: String,
    pub id: String,
    pub changed_schedule: Option<Schedule>,
    pub started: Timestamp,
    /// How often the tenant's tables that timers depend on had changed when the job began, as PostgreSQL counts it; `None` where it does not.
    changes: Option<i64>,
}

/// Until when a timer need not run: until a time, or, with `None`, until something changes.
#[derive(Debug, Clone, Copy)]
pub struct RestUntil(pub Option<Timestamp>);

/// The longest time in seconds for which a timer does not run, although nothing has changed.
const LONGEST_REST: i64 = 6 * 60 * 60;

#[derive(Clone)]
pub struct Timers {
    database: Database,
    lease: Arc<Lease>,
}

impl Timers {
    pub fn new(database: Database, lease: Arc<Lease>) -> Timers {
        Timers { database, lease }
    }

    async fn session(&self) -> Outcome<Session> {
        Ok(self.database.system_session(Arc::<Usage>::default()).await?)
    }

    /// Starts the timers (module, id, schedule) of a tenant, or of all, where their modules are enabled; those that run already
    /// go on. One whose schedule nobody has changed and that has no next run starts again.
    pub async fn start(&self, tenant: Option<&TenantId>, timers: &[(&str, String, Schedule)]) -> Outcome<()> {
        let mut session = self.session().await?;
        let Some(now) = session.read::<Option<i64>>(Statement::new(NOW)).await?.map(instant) else {
            return Ok(());
        };
        let start = |(module, id, schedule): &(&str, String, Schedule)| {
            let next = schedule.next(now)?;
            let start = Statement::new(START).text(*module).text(id).long(next.as_millisecond());
            Some(start.maybe_text(tenant.map(TenantId::as_str)))
        };
        session.transaction(timers.iter().filter_map(start).collect()).await?;
        Ok(())
    }

    /// The ids of the tenants that have modules outside of this process.
    pub async fn tenants_with_outside_modules(&self) -> Outcome<Vec<String>> {
        Ok(self.session().await?.read(Statement::new(WITH_OUTSIDE_MODULES)).await?)
    }

    /// Forgets the timers of a module that a tenant no longer has.
    pub async fn stop(&self, tenant: &TenantId, module: &str) -> Outcome<()> {
        let stop = Statement::new(STOP).text(tenant.as_str()).text(module);
        self.session().await?.rows(stop).await?;
        Ok(())
    }

    /// The stored states of a tenant's timers, by id.
    pub async fn states(&self, tenant: &TenantId) -> Outcome<HashMap<String, TimerState>> {
        type Columns = (String, Option<String>, [Option<i64>; 2], Option<String>, bool);
        let rows: Vec<Columns> =
            self.session().await?.read(Statement::new(STATES).text(tenant.as_str())).await?;
        let state = |(id, schedule, runs, last_outcome, running): Columns| {
            let schedule = schedule.as_deref().and_then(Schedule::parse);
            let [next_run, last_run] = runs.map(|run| run.map(instant));
            (id, TimerState { schedule, next_run, last_run, last_outcome, running })
        };
        Ok(rows.into_iter().map(state).collect())
    }

    /// Gives a timer another schedule, or its declared one again; `runs` is false where nothing is built that could run.
    pub async fn change(
        &self,
        tenant: &TenantId,
        (module, id): (&str, &str),
        changed: Option<Schedule>,
        declared: &Schedule,
        runs: bool,
    ) -> Outcome<()> {
        let mut session = self.session().await?;
        let Some(now) = session.read::<Option<i64>>(Statement::new(NOW)).await?.map(instant) else {
            return Ok(());
        };
        let next = changed.as_ref().unwrap_or(declared).next(now).filter(|_| runs);
        let mut change = Statement::new(CHANGE).text(tenant.as_str()).text(module).text(id);
        change = change.maybe_text(changed.map(|changed| changed.to_string()).as_deref());
        change = change.maybe_text(next.map(|next| next.as_millisecond().to_string()).as_deref());
        session.rows(change).await?;
        Ok(())
    }

    /// How the timers of all tenants go, by id.
    pub async fn runs(&self) -> Outcome<Vec<TimerRuns>> {
        type Columns = (String, Option<i64>, i64, i64);
        let rows: Vec<Columns> = self.session().await?.read(Statement::new(RUNS)).await?;
        let runs = |(id, last, failed, late): Columns| {
            let last = last.map(instant);
            TimerRuns { id, last, failed, late }
        };
        Ok(rows.into_iter().map(runs).collect())
    }

    /// Claims the timer that has been due for longest and that no other process runs; tenants with the fewest running timers come first.
    /// `watched` are the tables that timers depend on.
    pub async fn claim(&self, watched: &[&str]) -> Outcome<Option<Claim>> {
        type Columns = (String, String, Option<String>, i64, Option<i64>);
        let takes_over = self.lease.valid_for() >= Duration::from_secs(CLAIM_SECONDS);
        let claim = Statement::new(CLAIM).long(CLAIM_SECONDS.cast_signed()).long(takes_over.into());
        let row: Option<Columns> = self.session().await?.read(claim.texts(to_strings(watched))).await?;
        Ok(row.map(|(tenant, id, changed, started, changes)| {
            let changed = changed.as_deref().and_then(Schedule::parse);
            Claim { tenant, id, changed_schedule: changed, started: instant(started), changes }
        }))
    }

    /// Ends the rest of timers in those tenants whose watched tables have changed since: they run again at their regular time. This is one
    /// statement for all tenants, which reads PostgreSQL's own counts of changes: these are some seconds late.
    pub async fn wake(&self, watched: &[&str]) -> Outcome<()> {
        self.session().await?.rows(Statement::new(WAKE).texts(to_strings(watched))).await?;
        Ok(())
    }

    /// Renews the claim of a timer whose job still runs.
    pub async fn renew(&self, claim: &Claim) -> Outcome<()> {
        let renew = Statement::new(RENEW).text(&claim.tenant).text(&claim.id);
        let renew = renew.long(CLAIM_SECONDS.cast_signed()).long(claim.started.as_millisecond());
        self.session().await?.rows(renew).await?;
        Ok(())
    }

    /// Ends the claim of a timer whose job has stopped before its end: the timer is due at once.
    pub async fn give_back(&self, claim: &Claim) -> Outcome<()> {
        let give_back = Statement::new(GIVE_BACK).text(&claim.tenant).text(&claim.id);
        self.session().await?.rows(give_back.long(claim.started.as_millisecond())).await?;
        Ok(())
    }

    /// Ends the claim of a timer whose job is done, and sets its next run. A schedule that was changed meanwhile is kept.
    pub async fn finish(
        &self,
        claim: &Claim,
        declared: &Schedule,
        nap: Option<RestUntil>,
        outcome: &str,
    ) -> Outcome<()> {
        let next = claim.changed_schedule.as_ref().unwrap_or(declared).next(claim.started);
        let nap = nap.filter(|_| claim.changes.is_some());
        let rested = next
            .zip(nap)
            .map(|(next, nap)| next_run_after_rest(claim, next, nap))
            .filter(|rested| Some(*rested) > next);
        let milliseconds =
            |moment: Option<Timestamp>| moment.map(|moment| moment.as_millisecond().to_string());
        let regular = rested.and(next);
        let finish = Statement::new(FINISH)
            .text(&claim.tenant)
            .text(&claim.id)
            .text(outcome)
            .long(claim.started.as_millisecond())
            .maybe_text(milliseconds(rested.or(next)).as_deref())
            .maybe_text(milliseconds(regular).as_deref())
            .maybe_text(claim.changes.map(|changes| changes.to_string()).as_deref());
        self.session().await?.rows(finish).await?;
        Ok(())
    }
}

/// The next run of a timer that would run at `next` and may wait longer, as `nap` says.
fn next_run_after_rest(claim: &Claim, next: Timestamp, nap: RestUntil) -> Timestamp {
    let longest = instant(claim.started.as_millisecond() + LONGEST_REST * 1000);
    nap.0.unwrap_or(longest).min(longest).max(next)
}

fn to_strings(watched: &[&str]) -> Vec<String> {
    watched.iter().map(|table| (*table).to_owned()).collect()
}

fn instant(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

const NOW: &str = "select (extract(epoch from now()) * 1000)::int8";

/// The tenants are locked, so that none of them is deleted before its timers are there.
const START: &str = "\
insert into octavo.timers (tenant, module, id, next_run)
select m.tenant, m.module, $2, to_timestamp($3::int8 / 1000.0)
from octavo.tenants t
join (
  select tenant, module from octavo.enabled_modules
  union all
  select tenant, product from octavo.enabled_outside_modules
) m on m.tenant = t.id
where m.module = $1 and ($4::text is null or t.id = $4)
order by t.id
for key share of t
on conflict (tenant, id) do update
set next_run = excluded.next_run
where timers.next_run is null and timers.schedule is null";

const WITH_OUTSIDE_MODULES: &str =
    "select distinct tenant from octavo.enabled_outside_modules order by tenant";

const STOP: &str = "delete from octavo.timers where tenant = $1 and module = $2";

const STATES: &str = "\
select
  id,
  schedule,
  (extract(epoch from next_run) * 1000)::int8,
  (extract(epoch from last_run) * 1000)::int8,
  last_outcome,
  coalesce(claimed_until > now(), false)
from octavo.timers
where tenant = $1";

const CHANGE: &str = "\
insert into octavo.timers (tenant, module, id, schedule, next_run)
values ($1, $2, $3, $4, to_timestamp($5::text::int8 / 1000.0))
on conflict (tenant, id) do update
set schedule = excluded.schedule, next_run = excluded.next_run, regular_run = null";

/// An outcome is the status of an answer, or why there was none.
const RUNS: &str = "\
select
  id,
  (extract(epoch from max(last_run)) * 1000)::int8,
  count(*) filter (where last_outcome !~ '^[23]..$'),
  coalesce(max(extract(epoch from now() - next_run)) filter (
    where next_run < now() and (claimed_until is null or claimed_until < now())
  ), 0)::int8
from octavo.timers
group by id
order by id";

/// Claims one of the 64 timers that have been due for longest: one of the tenant with the fewest running timers.
const CLAIM: &str = "\
update octavo.timers t
set
  claimed_until = now() + $1::int8 * interval '1 second',
  last_run = date_trunc('milliseconds', now())
where (t.tenant, t.id) = (
  select d.tenant, d.id
  from octavo.timers d
  join (
    select c.tenant, c.id
    from octavo.timers c
    where (
      exists (select from octavo.enabled_modules m where m.tenant = c.tenant and m.module = c.module)
      or exists (select from octavo.enabled_outside_modules o where o.tenant = c.tenant and o.product = c.module)
    )
    and c.next_run <= now()
    and (c.claimed_until is null or (c.claimed_until < now() and $2::int8 = 1))
    order by c.next_run
    limit 64
  ) c on c.tenant = d.tenant and c.id = d.id
  where d.next_run <= now() and (d.claimed_until is null or d.claimed_until < now())
  order by (
    select count(*) from octavo.timers r where r.tenant = d.tenant and r.claimed_until > now()
  ), d.next_run
  limit 1
  for update of d skip locked
)
returning t.tenant, t.id, t.schedule, (extract(epoch from t.last_run) * 1000)::int8, (
  select sum(
    pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid)
  )::int8
  from pg_namespace n
  join pg_class c on c.relnamespace = n.oid and c.relname = any($3::text[])
  where n.nspname = 'tenant_' || t.tenant and current_setting('track_counts') = 'on'
)";

const WAKE: &str = "\
update octavo.timers t
set next_run = least(t.next_run, t.regular_run), regular_run = null
from (
  select
    n.nspname,
    sum(
      pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid)
    )::int8 as changes
  from octavo.tenants o
  join pg_namespace n on n.nspname = 'tenant_' || o.id
  join pg_class c on c.relnamespace = n.oid and c.relname = any($1::text[])
  group by n.nspname
) s
where s.nspname = 'tenant_' || t.tenant and t.regular_run is not null and t.changes is distinct from s.changes";

const RENEW: &str = "\
update octavo.timers
set claimed_until = now() + $3::int8 * interval '1 second'
where tenant = $1 and id = $2 and last_run = to_timestamp($4::int8 / 1000.0)";

const FINISH: &str = "\
update octavo.timers
set
  claimed_until = null,
  last_outcome = $3,
  next_run = case
    when next_run <= to_timestamp($4::int8 / 1000.0) then to_timestamp($5::text::int8 / 1000.0)
    else next_run
  end,
  regular_run = case
    when next_run <= to_timestamp($4::int8 / 1000.0) then to_timestamp($6::text::int8 / 1000.0)
  end,
  changes = $7::text::int8
where tenant = $1 and id = $2 and last_run = to_timestamp($4::int8 / 1000.0)";

const GIVE_BACK: &str = "\
update octavo.timers
set claimed_until = null
where tenant = $1 and id = $2 and last_run = to_timestamp($3::int8 / 1000.0)";

octavo_pg::statements! {
    hot = [NOW, START, STOP, STATES, CHANGE, RUNS, CLAIM, WAKE, RENEW, FINISH, GIVE_BACK],
    other = [WITH_OUTSIDE_MODULES],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_rests_until_there_is_something_to_do() {
        let at = |seconds: i64| instant(seconds * 1000);
        let claim = Claim {
            tenant: String::new(),
            id: String::new(),
            changed_schedule: None,
            started: at(1_000),
            changes: Some(0),
        };
        for (until, next) in [
            // Nothing before something changes: the longest rest.
            (None, 1_000 + LONGEST_REST),
            (Some(9_000), 9_000),
            (Some(1_000_000_000), 1_000 + LONGEST_REST),
            // There is something to do: no rest.
            (Some(900), 1_060),
            (Some(1_030), 1_060),
        ] {
            assert_eq!(
                next_run_after_rest(&claim, at(1_060), RestUntil(until.map(at))),
                at(next),
                "{until:?}"
            );
        }
    }
}
