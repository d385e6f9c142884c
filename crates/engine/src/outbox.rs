//! What a change leaves to be done after it: rows in the same transaction as the change, worked off by a relay.
//!
//! A task names its kind and the record that it is about. Whoever works on tasks locks them ([`lock`]) for as long as its
//! transaction is open or, where the work is outside of the database, claims them for a while ([`claim`]): a process that
//! dies leaves them to another. The clock is the database's. Knows no kind of task.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Param, Row, Session, Sql, Statement, Usage};
use tokio::sync::Notify;
use uuid::Uuid;

pub(crate) const TABLE: &str = "\
create table outbox (
  kind text not null,
  subject uuid not null,
  due timestamptz not null default now(),
  attempts bigint not null default 0,
  claimed boolean not null default false,
  primary key (kind, subject)
);
create index outbox_due on outbox (kind, due)";

/// Something to be done about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    pub subject: Uuid,
    /// How often it was begun, this time included.
    pub attempts: i64,
}

impl Task {
    /// From an answer of [`lock`] or [`claim`].
    pub fn read(row: &Row) -> Task {
        Task { subject: row.uuid(0), attempts: row.long(1) }
    }
}

/// Tasks to be done as soon as the transaction is committed; of those that are there already, at once.
pub fn put(kind: &str, subjects: Vec<Uuid>) -> Statement {
    Statement::new(PUT).text(kind).uuids(subjects)
}

/// The tasks that have been due for longest, for this transaction.
pub fn lock(kind: &str, limit: i64) -> Statement {
    Statement::new(LOCK).text(kind).long(limit)
}

/// The same for five minutes, after which they are due again.
pub fn claim(kind: &str, limit: i64) -> Statement {
    Statement::new(CLAIM).text(kind).long(limit)
}

pub fn done(kind: &str, subjects: Vec<Uuid>) -> Statement {
    Statement::new(DONE).text(kind).uuids(subjects)
}

/// Puts tasks off.
pub fn later(kind: &str, subjects: Vec<Uuid>, seconds: i64) -> Statement {
    Statement::new(LATER).text(kind).uuids(subjects).long(seconds)
}

/// Everything of a kind that nobody has claimed is due now.
pub fn hurry(kind: &str) -> Statement {
    Statement::new(HURRY).text(kind)
}

const PUT: &str = "\
insert into outbox (kind, subject)
select $1, s.subject
from unnest($2::uuid[]) s (subject)
on conflict (kind, subject) do update set due = now(), attempts = 0, claimed = false";

const LOCK: &str = "\
select subject, attempts + 1
from outbox
where kind = $1 and due <= now()
order by due
limit $2::int8
for update skip locked";

const CLAIM: &str = "\
update outbox o
set due = now() + interval '5 minutes', attempts = attempts + 1, claimed = true
where o.kind = $1 and o.subject in (
  select t.subject
  from outbox t
  where t.kind = $1 and t.due <= now()
  order by t.due
  limit $2::int8
  for update skip locked
)
returning o.subject, o.attempts";

const DONE: &str = "delete from outbox where kind = $1 and subject = any($2)";

const LATER: &str = "\
update outbox
set due = now() + $3::int8 * interval '1 second', claimed = false
where kind = $1 and subject = any($2)";

const HURRY: &str = "\
update outbox
set due = now()
where kind = $1 and not claimed";

/// What waits of one kind, over all tenants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backlog {
    pub kind: String,
    pub waiting: i64,
    /// How long the one that has been due for longest is due, in seconds.
    pub overdue: i64,
}

/// What waits of these kinds in the outboxes of all tenants: two round trips, and one more for each tenant in which more wait
/// than are counted.
pub async fn backlog(database: &Database, kinds: &[&str]) -> Outcome<Vec<Backlog>> {
    let mut session = database.system(Arc::<Usage>::default()).await?;
    let schemas = session.rows(Statement::new(SCHEMAS)).await?;
    let mut backlog: Vec<Backlog> =
        kinds.iter().map(|kind| Backlog { kind: (*kind).to_owned(), waiting: 0, overdue: 0 }).collect();
    if schemas.is_empty() {
        return Ok(backlog);
    }
    let schemas: Vec<&str> = schemas.iter().map(|row| row.text(0)).collect();
    let rows = session.once(&waiting(&schemas, kinds)).await?;
    for row in &rows {
        let Some(one) = backlog.iter_mut().find(|one| one.kind == row.text(1)) else { continue };
        one.waiting += match row.long(2) {
            counted if counted < COUNTED => counted,
            _ => {
                let schema = schemas.get(row.long(0) as usize).copied().unwrap_or_default();
                expected(&mut session, schema, row.text(1)).await?.max(COUNTED)
            }
        };
        one.overdue = one.overdue.max(row.long(3));
    }
    Ok(backlog)
}

/// Of each kind in each of these schemas, given as they are quoted: how many wait, up to [`COUNTED`], and for how long the
/// oldest is due. Both come from the first entries of an index, however many wait.
pub fn waiting(schemas: &[&str], kinds: &[&str]) -> Sql {
    let one = |(number, schema): (usize, &&str)| {
        WAITING.replace("{number}", &number.to_string()).replace("{schema}", schema)
    };
    let each: Vec<String> = schemas.iter().enumerate().map(one).collect();
    let kinds = kinds.iter().map(|kind| (*kind).to_owned()).collect();
    Sql { text: each.join("\nunion all\n"), params: vec![Param::Texts(kinds), Param::Long(COUNTED)] }
}

/// How many the planner expects: it knows from the last time that the table was analysed, and from its size now.
async fn expected(session: &mut Session, schema: &str, kind: &str) -> Outcome<i64> {
    let text = format!("explain (format json) select from {schema}.outbox where kind = $1");
    let rows = session.once(&Sql { text, params: vec![Param::Text(kind.to_owned())] }).await?;
    let plan: Option<serde_json::Value> = rows.first().and_then(|row| row.json(0));
    Ok(plan.and_then(|plan| plan[0]["Plan"]["Plan Rows"].as_f64()).unwrap_or_default() as i64)
}

/// Beyond, what waits is estimated.
pub const COUNTED: i64 = 10_000;

const WAITING: &str = "\
select
  {number}::int8,
  k.kind,
  (select count(*) from (select from {schema}.outbox o where o.kind = k.kind order by o.due limit $2::int8) w),
  coalesce(
    greatest(extract(epoch from now() - (select min(o.due) from {schema}.outbox o where o.kind = k.kind)), 0)::int8,
    0
  )
from unnest($1::text[]) k (kind)";

/// Those of tenants, quoted.
const SCHEMAS: &str = "\
select quote_ident(n.nspname)
from octavo.tenants t
join pg_namespace n on n.nspname = 'tenant_' || t.id
join pg_class c on c.relnamespace = n.oid and c.relname = 'outbox'";

/// Tenants in which this process has just left something to do, so that its relay need not look everywhere.
#[derive(Debug, Default)]
pub struct Bell {
    tenants: Mutex<BTreeSet<String>>,
    rung: Notify,
}

impl Bell {
    pub fn ring(&self, tenant: &TenantId) {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.as_str().to_owned());
        self.rung.notify_one();
    }

    /// Waits until it rings; for which tenants.
    pub async fn heard(&self) -> BTreeSet<String> {
        loop {
            let tenants = std::mem::take(&mut *self.tenants.lock().unwrap_or_else(PoisonError::into_inner));
            if !tenants.is_empty() {
                return tenants;
            }
            self.rung.notified().await;
        }
    }
}
