//! A tenant moves from one database to another while its library works: its tables are copied, and PostgreSQL's logical replication
//! follows with the changes since; then writers wait for a moment, in which the tenant leaves the one database and is in the other.
//!
//! Until the transaction ends in which it leaves, the tenant is where it was, whatever happens: what an interrupted move has left is
//! removed by the next one. After that transaction it is in the other database: see [`super::departure`].

mod comparing;
mod replicating;
mod switching;

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};

use super::{FIRST, Place, Places};
use crate::Module;
use crate::tenants::{is_there, migrations};

/// One end of a move.
pub struct End {
    pub place: Place,
    /// The same database as a user who may replicate: on PostgreSQL 15 the superuser.
    pub admin: Database,
}

pub struct Move<'a> {
    pub places: &'a Places,
    pub tenant: &'a TenantId,
    pub modules: &'static [&'static Module],
    pub from: End,
    pub to: End,
    /// How the server of the other database reaches this one, as libpq reads it.
    pub reached: String,
}

/// How far a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What an earlier move has left was removed.
    Cleaned,
    /// So many tables are copied, of so many.
    Copied(usize, usize),
    /// All changes so far are in the other database.
    CaughtUp,
    /// Writers wait.
    Paused,
    /// Everything is in the other database; the tenant has not left yet.
    Ready,
    /// The tenant has left, and is not there yet.
    Left,
    /// It can be used in the other database.
    Arrived,
    /// So many tables are compared, of so many.
    Compared(usize, usize),
}

/// How a move went.
#[derive(Debug)]
pub struct Moved {
    /// How long writers waited at most.
    pub paused: Duration,
    /// How often they waited in vain, because somebody's transaction did not end.
    pub attempts: usize,
    pub tables: usize,
    pub rows: i64,
    /// Tables whose rows are not the same in both databases.
    pub differences: Vec<Difference>,
    /// Schemas of views for reports, which have to be made anew.
    pub reports: Vec<String>,
}

/// A table that is not the same in both databases: its rows here and there, and a sum over what is in them.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub table: String,
    pub left: (i64, String),
    pub arrived: (i64, String),
}

/// How far behind the other database may be when writers are to wait.
const LAG: Duration = Duration::from_millis(300);
/// A move is given up when the other database is sent nothing of the log for so long.
const STANDSTILL: Duration = Duration::from_secs(60);

impl Move<'_> {
    /// Moves the tenant. `told` hears how far it is; an error of its own ends the move there, as if the process had been killed.
    pub async fn run(&self, mut told: impl FnMut(Step) -> Outcome<()>) -> Outcome<Moved> {
        let mut first = session(&self.places.place(FIRST)?.database).await?;
        first.begin(Vec::new()).await?;
        let alone = Statement::new(ALONE).text(self.tenant.as_str());
        if first.read::<Option<String>>(alone).await?.is_none_or(|got| got != "true") {
            return Err(conflict("another move of this tenant is under way"));
        }
        if is_there(&self.to.place.database, self.tenant).await? {
            return Err(conflict("the other database has a tenant of this name"));
        }
        self.places.mirror_to(&self.to.place).await?;
        self.clean().await?;
        told(Step::Cleaned)?;
        let tables = self.prepare().await?;
        self.replicate(&tables, &mut told).await?;
        let mut number = 0;
        self.catch_up(&mut number).await?;
        for table in &tables {
            session(&self.to.place.database).await?.script(&format!("analyze {}", table.name)).await?;
        }
        self.catch_up(&mut number).await?;
        told(Step::CaughtUp)?;
        let (switched, attempts) = self.switch(&tables, &mut number, &mut told).await?;
        self.end_replication().await?;
        let (rows, differences) = self.compare(&tables, switched.frozen, &mut told).await?;
        first.rollback().await?;
        let (paused, reports) = (switched.paused, switched.reports);
        Ok(Moved { paused, attempts, tables: tables.len(), rows, differences, reports })
    }

    /// Makes the tenant's schema in the other database, without a row. Returns the tables to copy.
    async fn prepare(&self) -> Outcome<Vec<Table>> {
        let schema = self.tenant.schema();
        let mut from = session(&self.from.place.database).await?;
        let mut to = session(&self.to.place.database).await?;
        let applied: Vec<i64> =
            from.read(Statement::new(format!("select number from {schema:?}.migration order by 1"))).await?;
        let known: Vec<i64> =
            migrations::tenant_migrations(self.modules).iter().map(|migration| migration.number).collect();
        if applied != known {
            return Err(conflict(
                "the tenant's schema is of another release: start this release on its database first",
            ));
        }
        let make = format!(
            "begin; drop schema if exists {aside:?} cascade; create schema {schema:?}; \
             set local search_path = {schema:?}, octavo; {tables}; commit",
            aside = aside(self.tenant),
            tables = migrations::tenant_schema(self.modules),
        );
        if let Err(error) = to.script(&make).await {
            to.script("rollback").await?;
            return Err(error.into());
        }
        let tables = tables(&mut from, schema).await?;
        let there = tables_text(&tables);
        let made = self::tables(&mut to, schema).await?;
        if let Some(table) = tables.iter().find(|table| !made.iter().any(|other| other.holds(table))) {
            return Err(conflict(format!(
                "{} is not as this release makes it; `octavo doctor` says what differs",
                table.name
            )));
        }
        // A new schema has some rows from the beginning.
        to.script(&format!("truncate {there}")).await?;
        Ok(tables)
    }

    /// Waits until the other database has everything that was committed before.
    async fn catch_up(&self, number: &mut i64) -> Outcome<()> {
        let mut sent = 0;
        loop {
            let begun = now();
            *number += 1;
            self.mark(*number).await?;
            while !self.has_mark(*number, STANDSTILL).await? {
                let before = sent;
                sent = sent.max(self.sent().await?);
                if sent == before {
                    return Err(Fault::unavailable(
                        "the other database does not catch up",
                        "it was sent nothing for a minute: the log of its server may say why",
                    ));
                }
            }
            if begun.elapsed() < LAG {
                return Ok(());
            }
        }
    }
}

/// A table to copy: its name with its schema, and its columns in the order of their names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    name: String,
    relation: String,
    columns: Vec<String>,
    has_key: bool,
}

impl Table {
    /// Whether it can hold the rows of another.
    fn holds(&self, other: &Table) -> bool {
        self.name == other.name && other.columns.iter().all(|column| self.columns.contains(column))
    }
}

async fn tables(session: &mut Session, schema: &str) -> Outcome<Vec<Table>> {
    type Columns = (String, String, String, bool);
    let found: Vec<Columns> = session.read(Statement::new(TABLES).text(schema)).await?;
    let table = |(name, relation, columns, has_key): Columns| {
        let columns = columns.split(',').map(str::to_owned).collect();
        Table { name, relation, columns, has_key }
    };
    Ok(found.into_iter().map(table).collect())
}

fn tables_text(tables: &[Table]) -> String {
    tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// What the schema of a tenant is called that has left.
pub(super) fn aside(tenant: &TenantId) -> String {
    format!("moved_{tenant}")
}

async fn session(database: &Database) -> Outcome<Session> {
    Ok(database.system(Arc::new(Usage::of(Work::Maintenance))).await?)
}

fn conflict(why: impl Into<String>) -> Fault {
    Fault::text(409, why)
}

#[expect(clippy::disallowed_methods, reason = "how long writers wait is measured")]
fn now() -> Instant {
    Instant::now()
}

impl Places {
    /// Removes the copies of a tenant that it has left behind; the names of the databases where there were any.
    pub async fn drop_copies(&self, tenant: &TenantId) -> Outcome<Vec<String>> {
        let mut dropped = Vec::new();
        for place in self.all() {
            let mut session = session(&place.database).await?;
            let aside = aside(tenant);
            let there = Statement::new(THERE).text(&aside);
            if session.read::<Option<Option<String>>>(there).await?.flatten().is_some() {
                session.script(&format!("drop schema {aside:?} cascade")).await?;
                dropped.push(place.name.clone());
            }
        }
        Ok(dropped)
    }

    /// The database that a tenant has left last.
    pub async fn left(&self, tenant: &TenantId) -> Outcome<Option<String>> {
        let mut last: Option<(i64, String)> = None;
        for place in self.all() {
            let asked = Statement::new(LEFT).text(tenant.as_str());
            let at: Option<i64> = session(&place.database).await?.read(asked).await?;
            last = last.max(at.map(|at| (at, place.name.clone())));
        }
        Ok(last.map(|(_, name)| name))
    }

    /// The bytes of the tenant's tables and indexes in a database, and of the copy that it has left there.
    pub async fn size(&self, tenant: &TenantId, place: &Place) -> Outcome<(i64, i64)> {
        let asked = Statement::new(SIZE).text(tenant.schema()).text(aside(tenant));
        Ok(session(&place.database).await?.read::<Option<(i64, i64)>>(asked).await?.unwrap_or_default())
    }

    pub(super) async fn mirror_to(&self, place: &Place) -> Outcome<()> {
        match place.name.as_str() {
            FIRST => Ok(()),
            _ => self.mirror(place).await,
        }
    }
}

const ALONE: &str = "select pg_try_advisory_xact_lock(7302, hashtext($1))::text";
const THERE: &str = "select to_regnamespace(quote_ident($1))::text";
const LEFT: &str = "select (extract(epoch from at) * 1000000)::int8 from octavo.departed where tenant = $1";
const SIZE: &str = "\
select
  coalesce(sum(pg_total_relation_size(c.oid)) filter (where n.nspname = $1), 0)::int8,
  coalesce(sum(pg_total_relation_size(c.oid)) filter (where n.nspname = $2), 0)::int8
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname in ($1, $2)";
const TABLES: &str = "\
select
  format('%I.%I', n.nspname, c.relname),
  c.relname::text,
  string_agg(format('%I', a.attname), ',' order by a.attname),
  exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where c.relkind = 'r' and n.nspname = $1
group by c.oid, n.nspname, c.relname
order by c.relname";

octavo_pg::statements! {
    other = [ALONE, THERE, LEFT, SIZE, TABLES],
    within = [comparing, replicating, switching],
}
