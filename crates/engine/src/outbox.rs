//! Tasks that remain after a change: rows that are written in the transaction of the change, and that a relay works on later.
//!
//! A task has its kind and the id of the record that it is about. A relay claims tasks for some time ([`claim`]), in a transaction of its
//! own, before it begins the work: so every attempt is counted, also one during which the process dies, and another process takes over
//! the tasks of a process that has died. A task that fails is postponed for longer each time, with its error, and does not keep other
//! tasks from being done. All times are those of the database. This module knows no kind of task.

mod changed;
mod turn;

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Param, Row, Session, Sql, Statement, Usage};
use tokio::sync::Notify;
use uuid::Uuid;

pub use changed::{OutboxChanges, next_due_milliseconds};
pub use turn::Turn;

pub(crate) const TABLE: &str = "\
create table outbox (
  kind text not null,
  subject uuid not null,
  due timestamptz not null default now(),
  attempts bigint not null default 0,
  claimed boolean not null default false,
  error text,
  abandoned bigint not null default 0,
  primary key (kind, subject)
);
create index outbox_due on outbox (kind, due);
create index outbox_failing on outbox (kind) where error is not null";

/// Something to be done about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    pub subject: Uuid,
    /// How often it was begun, this time included.
    pub attempts: i64,
    /// How often, one time after the other, it was begun and neither ended nor put off: the process died, or took too long.
    pub abandoned: i64,
}

// What [`claim`] answers.
octavo_pg::columns!(Task { subject, attempts, abandoned });

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskFilter {
    Any,
    /// Tasks that were never begun: they may be done together.
    New,
    /// Tasks that were begun before and are not done: any of them may be the one that failed.
    Retried,
}

/// A statement that adds tasks, which are due when the transaction is committed; a task that exists already becomes due at once.
pub fn add_tasks(kind: &str, subjects: Vec<Uuid>) -> Statement {
    Statement::new(PUT).text(kind).uuids(subjects)
}

/// A statement that claims, for this many seconds, the tasks that have been due for longest. After that time they are due again.
pub fn claim(kind: &str, which: TaskFilter, limit: i64, seconds: i64) -> Statement {
    let (least, most) = match which {
        TaskFilter::Any => (0, i64::MAX),
        TaskFilter::New => (0, 0),
        TaskFilter::Retried => (1, i64::MAX),
    };
    Statement::new(CLAIM).text(kind).long(limit).long(seconds).long(least).long(most)
}

/// A statement that extends the claim of tasks, counted from now. Tasks that are done or postponed are not affected.
pub fn renew(kind: &str, subjects: Vec<Uuid>, seconds: i64) -> Statement {
    Statement::new(RENEW).text(kind).uuids(subjects).long(seconds)
}

/// A statement that returns those claimed tasks that nobody else has claimed meanwhile, and locks them until the transaction ends.
pub fn lock_claimed(kind: &str, tasks: &[Task]) -> Statement {
    let attempts = tasks.iter().map(|task| task.attempts.to_string()).collect();
    Statement::new(KEEP).text(kind).uuids(tasks.iter().map(|task| task.subject).collect()).texts(attempts)
}

/// A statement that removes tasks, whoever has claimed them: for a transaction that has locked them, or that writes what the tasks ask for.
pub fn delete_done(kind: &str, subjects: Vec<Uuid>) -> Statement {
    Statement::new(DONE).text(kind).uuids(subjects)
}

/// A statement that removes claimed tasks that are done, except those that were added again, or that somebody else has claimed meanwhile.
pub fn delete_claimed(kind: &str, tasks: &[Task]) -> Statement {
    let attempts = tasks.iter().map(|task| task.attempts.to_string()).collect();
    Statement::new(DONE_CLAIMED)
        .text(kind)
        .uuids(tasks.iter().map(|task| task.subject).collect())
        .texts(attempts)
}

/// A statement that ends the claim of tasks which were not begun: they are due at once, and the claim does not count as an attempt.
pub fn give_back(kind: &str, subjects: Vec<Uuid>) -> Statement {
    Statement::new(GIVE_BACK).text(kind).uuids(subjects)
}

/// Ends the claim of tasks which were not begun, except those that somebody else has claimed meanwhile.
pub async fn give_back_claimed(session: &mut Session, kind: &str, tasks: &[Task]) -> Outcome<()> {
    let locked = session.begin(vec![lock_claimed(kind, tasks)]).await?;
    let kept = locked.iter().flatten().map(Row::read::<Uuid>).collect();
    session.commit(vec![give_back(kind, kept)]).await?;
    Ok(())
}

/// Postpones a task that failed, by [`retry_delay_seconds`] after this number of attempts. A task that was added again, or that somebody
/// else has claimed meanwhile, is not affected.
pub fn postpone(kind: &str, task: &Task, error: &str) -> Statement {
    Statement::new(LATER)
        .text(kind)
        .uuid(task.subject)
        .long(retry_delay_seconds(task.attempts))
        .text(error)
        .long(task.attempts)
}

/// How many seconds a task waits after so many attempts: half a minute, then twice as long each time, up to an hour.
pub fn retry_delay_seconds(attempts: i64) -> i64 {
    let doublings = u32::try_from(attempts.clamp(1, 16) - 1).unwrap_or(0);
    (FIRST_PAUSE << doublings).min(LONGEST_PAUSE)
}

const FIRST_PAUSE: i64 = 30;
const LONGEST_PAUSE: i64 = 3_600;

/// A statement that makes all tasks of a kind due now, except those that a relay has claimed.
pub fn make_all_due(kind: &str) -> Statement {
    Statement::new(HURRY).text(kind)
}

/// A statement that makes one task due now, as if it had not failed. It returns the task, unless a relay is working on it.
pub fn retry(kind: &str, subject: Uuid) -> Statement {
    Statement::new(RETRY).text(kind).uuid(subject)
}

/// A statement that removes one task. It returns the task, unless a relay is working on it.
pub fn withdraw(kind: &str, subject: Uuid) -> Statement {
    Statement::new(WITHDRAW).text(kind).uuid(subject)
}

/// Runs the work of a task; a panic becomes an error of this task and does not affect others.
pub async fn catch_panics<T>(work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    let mut work = std::pin::pin!(work);
    std::future::poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)));
        polled.unwrap_or_else(|panic| Poll::Ready(Err(Fault::internal(panic_message(&*panic)))))
    })
    .await
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a panic: {}", text.unwrap_or("without words"))
}

/// The attempts of a claimed task are counted on: the number tells the claim of the relay that works on it from the next claim.
const PUT: &str = "\
insert into outbox (kind, subject)
select $1, s.subject
from unnest($2::uuid[]) s (subject)
on conflict (kind, subject) do update
set
  due = now(),
  attempts = case when outbox.claimed then outbox.attempts else 0 end,
  claimed = false,
  error = null,
  abandoned = 0";

/// A task that is claimed and due was abandoned.
const CLAIM: &str = "\
update outbox o
set
  due = now() + $3::int8 * interval '1 second',
  attempts = o.attempts + 1,
  claimed = true,
  error = case when t.claimed then 'begun and not ended' else o.error end,
  abandoned = o.abandoned + t.claimed::int
from (
  select t.kind, t.subject, t.claimed
  from outbox t
  where t.kind = $1 and t.due <= now() and t.attempts between $4::int8 and $5::int8
  order by t.due
  limit $2::int8
  for update skip locked
) t
where o.kind = t.kind and o.subject = t.subject
returning o.subject, o.attempts, o.abandoned";

const RENEW: &str = "\
update outbox
set due = now() + $3::int8 * interval '1 second'
where kind = $1 and subject = any($2) and claimed";

const KEEP: &str = "\
select o.subject
from outbox o
join unnest($2::uuid[], $3::text[]) t (subject, attempts) on t.subject = o.subject and t.attempts::int8 = o.attempts
where o.kind = $1 and o.claimed
for update of o";

const DONE: &str = "delete from outbox where kind = $1 and subject = any($2)";

const DONE_CLAIMED: &str = "\
delete from outbox o
using unnest($2::uuid[], $3::text[]) t (subject, attempts)
where o.kind = $1 and o.subject = t.subject and o.attempts = t.attempts::int8 and o.claimed";

const GIVE_BACK: &str = "\
update outbox
set due = now(), attempts = attempts - 1, claimed = false
where kind = $1 and subject = any($2)";

const LATER: &str = "\
update outbox
set due = now() + $3::int8 * interval '1 second', claimed = false, error = $4, abandoned = 0
where kind = $1 and subject = $2 and claimed and attempts = $5::int8";

const HURRY: &str = "\
update outbox
set due = now()
where kind = $1 and not claimed";

/// The attempts of a claimed task are counted on, as in [`PUT`].
const RETRY: &str = "\
update outbox
set due = now(), attempts = case when claimed then attempts else 0 end, claimed = false, error = null, abandoned = 0
where kind = $1 and subject = $2 and (not claimed or due <= now())
returning subject";

const WITHDRAW: &str = "\
delete from outbox
where kind = $1 and subject = $2 and (not claimed or due <= now())
returning subject";

/// How many tasks of one kind wait, in all tenants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backlog {
    pub kind: String,
    pub waiting: i64,
    /// How many of these failed at the last attempt, up to [`MAX_COUNTED`].
    pub failing: i64,
    /// For how many seconds the oldest waiting task is due.
    pub overdue: i64,
}

/// What waits of these kinds in the outboxes of all tenants: two round trips for fifty tenants, and one more for each tenant in which more wait
/// than are counted.
pub async fn backlog(database: &Database, kinds: &[&str]) -> Outcome<Vec<Backlog>> {
    let mut session = database.system_session(Arc::<Usage>::default()).await?;
    let schemas: Vec<String> = session.read(Statement::new(SCHEMAS)).await?;
    let mut backlog: Vec<Backlog> = kinds
        .iter()
        .map(|kind| Backlog { kind: (*kind).to_owned(), waiting: 0, failing: 0, overdue: 0 })
        .collect();
    if schemas.is_empty() {
        return Ok(backlog);
    }
    let mut found: Vec<(String, String, i64, i64, i64)> = Vec::new();
    for schemas in schemas.chunks(TENANTS_PER_QUERY) {
        found.extend(session.read_once::<Vec<_>>(&backlog_query(schemas, kinds)).await?);
    }
    for (schema, kind, counted, overdue, failing) in found {
        let Some(one) = backlog.iter_mut().find(|one| one.kind == kind) else { continue };
        one.waiting += match counted < MAX_COUNTED {
            true => counted,
            false => estimate_tasks(&mut session, &schema, &kind).await?.max(MAX_COUNTED),
        };
        one.overdue = one.overdue.max(overdue);
        one.failing += failing;
    }
    Ok(backlog)
}

/// The query for the backlog in these schemas, whose names are quoted: for each schema and kind of task how many tasks wait, up to
/// [`MAX_COUNTED`], for how long the oldest is due, and how many failed. It reads only the first entries of an index.
pub fn backlog_query(schemas: &[impl AsRef<str>], kinds: &[&str]) -> Sql {
    let each: Vec<String> =
        schemas.iter().map(|schema| WAITING.replace("{schema}", schema.as_ref())).collect();
    let kinds = kinds.iter().map(|kind| (*kind).to_owned()).collect();
    Sql { text: each.join("\nunion all\n"), params: vec![Param::Texts(kinds), Param::Long(MAX_COUNTED)] }
}

/// How many tasks of a kind PostgreSQL's planner expects, from the last analysis of the table and its size now.
async fn estimate_tasks(session: &mut Session, schema: &str, kind: &str) -> Outcome<i64> {
    let text = format!("explain (format json) select from {schema}.outbox where kind = $1");
    let plan: Option<serde_json::Value> =
        session.read_once(&Sql { text, params: vec![Param::Text(kind.to_owned())] }).await?;
    Ok(plan.and_then(|plan| plan[0]["Plan"]["Plan Rows"].as_f64()).unwrap_or_default() as i64)
}

/// Up to this number waiting tasks are counted; more are estimated.
pub const MAX_COUNTED: i64 = 10_000;

const WAITING: &str = "\
select
  $schema${schema}$schema$,
  k.kind,
  (select count(*) from (select from {schema}.outbox o where o.kind = k.kind order by o.due limit $2::int8) w),
  coalesce(
    greatest(extract(epoch from now() - (select min(o.due) from {schema}.outbox o where o.kind = k.kind)), 0)::int8,
    0
  ),
  (
    select count(*)
    from (select from {schema}.outbox o where o.kind = k.kind and o.error is not null limit $2::int8) f
  )
from unnest($1::text[]) k (kind)";

/// So many tenants are asked for in one query.
const TENANTS_PER_QUERY: usize = 50;

/// The quoted names of the tenants' schemas.
const SCHEMAS: &str = "\
select quote_ident(n.nspname)
from octavo.tenants t
join pg_namespace n on n.nspname = 'tenant_' || t.id
join pg_class c on c.relnamespace = n.oid and c.relname = 'outbox'";

/// Collects the tenants in which this process has just added something to do (a task, an event, an import job), so that its worker does
/// not have to look at all tenants.
#[derive(Debug, Default)]
pub struct TenantNotifier {
    tenants: Mutex<BTreeSet<String>>,
    notified: Notify,
}

impl TenantNotifier {
    pub fn notify(&self, tenant: &TenantId) {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.as_str().to_owned());
        self.notified.notify_one();
    }

    /// Waits for a notification. Returns the tenants for which there was one.
    pub async fn wait_for_tenants(&self) -> BTreeSet<String> {
        loop {
            let tenants = std::mem::take(&mut *self.tenants.lock().unwrap_or_else(PoisonError::into_inner));
            if !tenants.is_empty() {
                return tenants;
            }
            self.notified.notified().await;
        }
    }
}

octavo_pg::statements! {
    hot = [PUT, CLAIM, RENEW, KEEP, DONE, DONE_CLAIMED, GIVE_BACK, LATER, HURRY, RETRY, WITHDRAW, SCHEMAS],
    within = [changed],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_an_hour() {
        assert_eq!([1, 2, 3, 7, 8, 1_000].map(retry_delay_seconds), [30, 60, 120, 1_920, 3_600, 3_600]);
    }

    #[tokio::test]
    async fn a_panic_is_a_fault_of_the_work_that_panics() {
        let panics = catch_panics(async {
            tokio::task::yield_now().await;
            Ok::<u32, Fault>([1, 2].iter().copied().nth(2).expect("a third page"))
        });
        assert!(panics.await.unwrap_err().to_string().contains("a panic: a third page"));
        assert_eq!(catch_panics(async { Ok(7) }).await.unwrap(), 7);
    }
}
