//! The tenant's rows are copied as they were when a slot of logical replication began; a publication of its tables in the one database
//! and a subscription to it in the other bring every change since.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use tokio::time::sleep;

use super::{Move, Step, Table, conflict, drop_unarrived, now, session, table_names_sql};
use crate::tenants::LOCK_NOT_AVAILABLE;

/// How often the other database is asked how far replication is.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// How many tables are copied at the same time.
const PARALLEL_COPIES: usize = 2;
/// How often a statement is tried again that PostgreSQL refuses because a table or a replication slot is still in use.
const MAX_TRIES: usize = 100;

impl Move<'_> {
    /// The name of the publication, the slot and the subscription. PostgreSQL allows no hyphen and few characters in a slot's name.
    fn replication_name(&self) -> String {
        replication_name_of(self.tenant.as_str())
    }

    /// Removes what an interrupted move has left in the databases.
    pub(super) async fn remove_leftovers(&self) -> Outcome<()> {
        self.end_replication().await?;
        self.end_replication_of_deleted_tenants().await?;
        drop_unarrived(&self.to.place, self.tenant).await
    }

    /// Removes what interrupted moves of tenants that were deleted since have left in the two databases. No later move of these tenants
    /// would remove it.
    async fn end_replication_of_deleted_tenants(&self) -> Outcome<()> {
        let tenants = self.directory.list_tenants().await?;
        let ids = tenants.iter().filter_map(|(tenant, _)| tenant.id.as_deref());
        let kept: Vec<String> = ids.map(replication_name_of).collect();
        for end in [&self.to, &self.from] {
            let asked = Statement::new(LEFT_BEHIND).texts(kept.clone());
            let names: Vec<String> = session(&end.admin).await?.read(asked).await?;
            for name in names {
                self.end_replication_named(&name).await?;
            }
        }
        Ok(())
    }

    /// Removes subscription, publication and slot in both databases, since the last move may have gone in the other direction. Also used
    /// after a move that failed.
    pub async fn end_replication(&self) -> Outcome<()> {
        for end in [&self.to, &self.from] {
            let unmark = Statement::new(UNMARK).text(self.tenant.as_str());
            session(&end.admin).await?.rows(unmark).await?;
        }
        self.end_replication_named(&self.replication_name()).await
    }

    async fn end_replication_named(&self, name: &str) -> Outcome<()> {
        for end in [&self.to, &self.from] {
            let mut session = session(&end.admin).await?;
            let asked = Statement::new(SUBSCRIPTION).text(name);
            if session.read::<Option<String>>(asked).await?.is_none() {
                continue;
            }
            session.script(&format!("alter subscription {name} disable")).await?;
            if session.script(&format!("drop subscription {name}")).await.is_err() {
                // The slot may be gone, or its server may not be reached from there.
                session.script(&format!("alter subscription {name} set (slot_name = none)")).await?;
                session.script(&format!("drop subscription {name}")).await?;
            }
        }
        for end in [&self.to, &self.from] {
            let mut session = session(&end.admin).await?;
            session.script(&format!("drop publication if exists {name}")).await?;
            for _ in 0..MAX_TRIES {
                session.rows(Statement::new(END_READER).text(name)).await?;
                match session.rows(Statement::new(DROP_SLOT).text(name)).await {
                    // Its process has not ended yet.
                    Err(error) if error.has_code("55006") => sleep(POLL_INTERVAL).await,
                    dropped => {
                        dropped?;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Copies the tables and begins to follow their changes.
    pub(super) async fn replicate(
        &self,
        tables: &[Table],
        told: &mut impl FnMut(Step) -> Outcome<()>,
    ) -> Outcome<()> {
        let (name, tenant) = (self.replication_name(), self.tenant.as_str());
        let mut from = session(&self.from.admin).await?;
        let mut to = session(&self.to.admin).await?;
        let level: Option<String> = from.read(Statement::new(WAL_LEVEL)).await?;
        if level.as_deref() != Some("logical") {
            return Err(conflict(format!(
                "the server of {} has to have wal_level = logical, which takes effect when it is restarted",
                self.from.place.name
            )));
        }
        let workers: Option<i64> = to.read(Statement::new(WORKERS)).await?;
        if workers.is_none_or(|workers| workers < 1) {
            return Err(conflict(format!(
                "the server of {} has to have max_logical_replication_workers of 1 at least",
                self.to.place.name
            )));
        }
        // PostgreSQL replicates updates and deletions of rows without a primary key only with the whole old row.
        for table in tables.iter().filter(|table| !table.has_key) {
            set_full_replica_identity(&mut from, &table.name).await?;
        }
        from.script(&format!(
            "create publication {name} for table {}, octavo.move_marker where (tenant = '{tenant}')",
            table_names_sql(tables)
        ))
        .await?;
        let slot = self.from.admin.slot_with_snapshot(&name).await?;
        let mut waiting = tables.iter().map(|table| self.copy_table(table, &slot.snapshot));
        let mut copies: FuturesUnordered<_> = waiting.by_ref().take(PARALLEL_COPIES).collect();
        let mut done = 0;
        while let Some(copied) = copies.next().await {
            copied?;
            done += 1;
            told(Step::Copied(done, tables.len()))?;
            copies.extend(waiting.next());
        }
        let reached = self.source_conninfo.replace('\\', "\\\\").replace('\'', "''");
        to.script(&format!(
            "create subscription {name} connection E'{reached}' publication {name} \
             with (create_slot = false, slot_name = '{name}', copy_data = false)"
        ))
        .await?;
        Ok(())
    }

    /// Copies the rows of a table as a snapshot sees them.
    async fn copy_table(&self, table: &Table, snapshot: &str) -> Outcome<()> {
        let mut from = session(&self.from.admin).await?;
        let mut to = session(&self.to.admin).await?;
        from.script(&format!(
            "begin isolation level repeatable read read only; set transaction snapshot '{snapshot}'; {PORTABLE}"
        ))
        .await?;
        // The rows fit together already: no foreign key is checked, no trigger adds to them.
        to.script(&format!("begin; set local session_replication_role = replica; {PORTABLE}")).await?;
        let what = format!("copy {} ({})", table.name, table.columns.join(", "));
        let there = to.copy_text_in(&format!("{what} from stdin")).await?;
        from.copy_text_to(&format!("{what} to stdout"), there).await?;
        to.script("commit").await?;
        from.rollback().await?;
        Ok(())
    }

    /// Writes a marker, which replication brings to the other database after everything that was committed before.
    pub(super) async fn write_marker(&self, number: i64) -> Outcome<()> {
        let mark = Statement::new(MARK).text(self.tenant.as_str()).long(number);
        session(&self.from.place.database).await?.rows(mark).await?;
        Ok(())
    }

    /// How many bytes of PostgreSQL's log were sent to the other database so far; 0 if it is not connected.
    pub(super) async fn sent_wal_bytes(&self) -> Outcome<i64> {
        let asked = Statement::new(SENT).text(self.replication_name());
        Ok(session(&self.from.admin).await?.read::<Option<Option<i64>>>(asked).await?.flatten().unwrap_or(0))
    }

    /// Waits until a marker has come to the other database; false if it has not come within `time`.
    pub(super) async fn wait_for_marker(&self, number: i64, time: Duration) -> Outcome<bool> {
        let mut to: Session = session(&self.to.place.database).await?;
        let begun = now();
        while begun.elapsed() < time {
            let asked = Statement::new(MARKED).text(self.tenant.as_str());
            if to.read::<Option<i64>>(asked).await?.is_some_and(|there| there >= number) {
                return Ok(true);
            }
            sleep(Duration::from_millis(2)).await;
        }
        Ok(false)
    }
}

fn replication_name_of(tenant: &str) -> String {
    let hash = tenant.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("octavo_move_{hash:016x}")
}

/// Makes PostgreSQL replicate whole rows of a table. It waits for the lock of the table for short times only: while it waits, nobody else
/// gets the lock either.
async fn set_full_replica_identity(session: &mut Session, table: &str) -> Outcome<()> {
    let change =
        format!("set lock_timeout = 200; alter table {table} replica identity full; reset lock_timeout");
    for _ in 1..MAX_TRIES {
        match session.script(&change).await {
            Err(error) if error.has_code(LOCK_NOT_AVAILABLE) => sleep(POLL_INTERVAL).await,
            done => return Ok(done?),
        }
    }
    Ok(session.script(&change).await?)
}

const SUBSCRIPTION: &str = "\
select s.subname::text
from pg_subscription s
join pg_database d on d.oid = s.subdbid and d.datname = current_database()
where s.subname = $1";
/// Subscriptions, publications and slots of moves in this database, except those with the given names.
const LEFT_BEHIND: &str = "\
select name
from (
  select slot_name::text from pg_replication_slots where database = current_database()
  union
  select pubname::text from pg_publication
  union
  select s.subname::text
  from pg_subscription s
  join pg_database d on d.oid = s.subdbid and d.datname = current_database()
) found (name)
where name ~ '^octavo_move_[0-9a-f]{16}$' and name <> all($1::text[])
order by name";
const UNMARK: &str = "delete from octavo.move_marker where tenant = $1";
const MARK: &str = "\
insert into octavo.move_marker (tenant, number) values ($1, $2)
on conflict (tenant) do update set number = excluded.number";
const MARKED: &str = "select number from octavo.move_marker where tenant = $1";
const END_READER: &str = "\
select pg_terminate_backend(active_pid)::text
from pg_replication_slots
where slot_name = $1 and database = current_database() and active_pid is not null";
const DROP_SLOT: &str = "\
select pg_drop_replication_slot(slot_name)::text
from pg_replication_slots
where slot_name = $1 and database = current_database()";
const WAL_LEVEL: &str = "select current_setting('wal_level')";
const WORKERS: &str = "select current_setting('max_logical_replication_workers')::int8";
/// The same text for the same value at both ends, however the servers are set.
const PORTABLE: &str =
    "set local datestyle = 'iso, mdy'; set local intervalstyle = postgres; set local extra_float_digits = 3";
const SENT: &str = "\
select max(pg_wal_lsn_diff(sent_lsn, '0/0'))::int8
from pg_stat_replication
where application_name = $1";

octavo_pg::statements! {
    other = [
        SUBSCRIPTION, LEFT_BEHIND, UNMARK, MARK, MARKED, END_READER, DROP_SLOT, WAL_LEVEL, WORKERS, SENT,
    ],
}
