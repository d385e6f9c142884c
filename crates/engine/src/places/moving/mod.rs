//! Moves a tenant from one database to another while its library works: its tables are copied, and PostgreSQL's logical replication
//! adds the changes since; then writing transactions wait for a moment, in which the tenant leaves the one database for the other.
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

use super::{FIRST_DATABASE, NamedDatabase, TenantDirectory};
use crate::Module;
use crate::tenants::{migrations, tenant_exists};

/// One end of a move.
pub struct End {
    pub place: NamedDatabase,
    /// The same database, with a user who may replicate: on PostgreSQL 15 the superuser.
    pub admin: Database,
}

pub struct Move<'a> {
    pub directory: &'a TenantDirectory,
    pub tenant: &'a TenantId,
    pub modules: &'static [&'static Module],
    pub from: End,
    pub to: End,
    /// The connection string of libpq by which the server of the other database connects to this one.
    pub source_conninfo: String,
}

/// A step of a move that is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What an earlier move has left was removed.
    Cleaned,
    /// How many tables are copied, and how many there are.
    Copied(usize, usize),
    /// All changes so far are in the other database.
    CaughtUp,
    /// Writing transactions wait.
    Paused,
    /// All rows are in the other database; the tenant has not left this one yet.
    Ready,
    /// The tenant has left this database, and cannot be used in the other one yet.
    Left,
    /// The tenant can be used in the other database.
    Arrived,
    /// How many tables are compared, and how many there are.
    Compared(usize, usize),
}

/// The result of a move.
#[derive(Debug)]
pub struct MoveReport {
    /// The longest time for which writing transactions waited.
    pub paused: Duration,
    /// How many attempts to switch failed before, because a transaction of somebody else did not end or replication was behind.
    pub attempts: usize,
    pub tables: usize,
    pub rows: i64,
    /// Tables whose rows are not the same in both databases.
    pub differences: Vec<Difference>,
    /// The names of schemas with views for reports, which have to be created again.
    pub reports: Vec<String>,
}

/// A table that differs between the two databases: the number of its rows in each, and a checksum of their contents.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub table: String,
    pub in_source: (i64, String),
    pub in_target: (i64, String),
}

/// How far replication may be behind when the writing transactions are stopped.
const MAX_LAG: Duration = Duration::from_millis(300);
/// A move is given up if nothing of PostgreSQL's log was sent to the other database for this time.
const STALL_LIMIT: Duration = Duration::from_secs(60);

impl Move<'_> {
    /// Moves the tenant. It calls `told` after each step; if that returns an error, the move ends there, as if the process had been killed.
    pub async fn run(&self, mut told: impl FnMut(Step) -> Outcome<()>) -> Outcome<MoveReport> {
        let mut first = session(&self.directory.find_database(FIRST_DATABASE)?.database).await?;
        first.begin(Vec::new()).await?;
        let alone = Statement::new(ALONE).text(self.tenant.as_str());
        if first.read::<Option<String>>(alone).await?.is_none_or(|got| got != "true") {
            return Err(conflict("another move of this tenant is under way"));
        }
        if tenant_exists(&self.to.place.database, self.tenant).await? {
            return Err(conflict("the other database has a tenant of this name"));
        }
        self.directory.mirror_to(&self.to.place).await?;
        self.remove_leftovers().await?;
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
        Ok(MoveReport { paused, attempts, tables: tables.len(), rows, differences, reports })
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
            aside = moved_schema(self.tenant),
            tables = migrations::tenant_schema_sql(self.modules),
        );
        if let Err(error) = to.script(&make).await {
            to.script("rollback").await?;
            return Err(error.into());
        }
        let tables = tables(&mut from, schema).await?;
        let there = table_names_sql(&tables);
        let made = self::tables(&mut to, schema).await?;
        if let Some(table) =
            tables.iter().find(|table| !made.iter().any(|other| other.can_hold_rows_of(table)))
        {
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
            self.write_marker(*number).await?;
            while !self.wait_for_marker(*number, STALL_LIMIT).await? {
                let before = sent;
                sent = sent.max(self.sent_wal_bytes().await?);
                if sent == before {
                    return Err(Fault::unavailable(
                        "the other database does not catch up",
                        "it was sent nothing for a minute: the log of its server may say why",
                    ));
                }
            }
            if begun.elapsed() < MAX_LAG {
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
    /// Whether this table has all columns of the other one.
    fn can_hold_rows_of(&self, other: &Table) -> bool {
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

fn table_names_sql(tables: &[Table]) -> String {
    tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The name of the schema in which a tenant's tables are kept in the database that it has left.
pub(super) fn moved_schema(tenant: &TenantId) -> String {
    format!("moved_{tenant}")
}

/// Removes the tables that an interrupted move has made in a database in which the tenant has not arrived.
async fn drop_unarrived(place: &NamedDatabase, tenant: &TenantId) -> Outcome<()> {
    let mut session = session(&place.database).await?;
    // From now on the tenant does not arrive; if it is arriving just now, the statement waits for it.
    session.rows(Statement::new(FORGET).text(tenant.as_str())).await?;
    if !tenant_exists(&place.database, tenant).await? {
        session.script(&format!("drop schema if exists {:?} cascade", tenant.schema())).await?;
    }
    Ok(())
}

async fn session(database: &Database) -> Outcome<Session> {
    Ok(database.system_session(Arc::new(Usage::for_work(Work::Maintenance))).await?)
}

fn conflict(why: impl Into<String>) -> Fault {
    Fault::text(409, why)
}

#[expect(clippy::disallowed_methods, reason = "how long writers wait is measured")]
fn now() -> Instant {
    Instant::now()
}

impl TenantDirectory {
    /// Removes the tables that a tenant has left in other databases. Returns the names of the databases in which there were any.
    pub async fn drop_copies(&self, tenant: &TenantId) -> Outcome<Vec<String>> {
        let mut dropped = Vec::new();
        for place in self.all_databases() {
            let mut session = session(&place.database).await?;
            let aside = moved_schema(tenant);
            let there = Statement::new(THERE).text(&aside);
            if session.read::<Option<Option<String>>>(there).await?.flatten().is_some() {
                session.script(&format!("drop schema {aside:?} cascade")).await?;
                dropped.push(place.name.clone());
            }
        }
        Ok(dropped)
    }

    /// Removes what an interrupted move of a deleted tenant has left in other databases: it would be in the way of a new tenant of this
    /// name.
    pub(super) async fn drop_unarrived_everywhere(&self, tenant: &TenantId) -> Outcome<()> {
        for place in self.all_databases() {
            drop_unarrived(place, tenant).await?;
        }
        Ok(())
    }

    /// The name of the database that a tenant has left last.
    pub async fn database_last_left(&self, tenant: &TenantId) -> Outcome<Option<String>> {
        let mut last: Option<(i64, String)> = None;
        for place in self.all_databases() {
            let asked = Statement::new(LEFT).text(tenant.as_str());
            let at: Option<i64> = session(&place.database).await?.read(asked).await?;
            last = last.max(at.map(|at| (at, place.name.clone())));
        }
        Ok(last.map(|(_, name)| name))
    }

    /// The bytes of the tenant's tables and indexes in a database, and of the copy that it has left there.
    pub async fn size(&self, tenant: &TenantId, place: &NamedDatabase) -> Outcome<(i64, i64)> {
        let asked = Statement::new(SIZE).text(tenant.schema()).text(moved_schema(tenant));
        Ok(session(&place.database).await?.read::<Option<(i64, i64)>>(asked).await?.unwrap_or_default())
    }

    pub(super) async fn mirror_to(&self, place: &NamedDatabase) -> Outcome<()> {
        match place.name.as_str() {
            FIRST_DATABASE => Ok(()),
            _ => self.mirror(place).await,
        }
    }
}

const FORGET: &str = "delete from octavo.arriving where tenant = $1";
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
    other = [FORGET, ALONE, THERE, LEFT, SIZE, TABLES],
    within = [comparing, replicating, switching],
}
