//! The private PostgreSQL that is backed up, as its superuser: who it is, how far its log has come, and the slots that keep
//! the log until it is fetched.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use octavo_pg::embedded::Reached;
use octavo_pg::{Database, Options, Session, Statement, Usage, Work};
use rustix::process::{Pid, test_kill_process};

use super::folder::Mark;
use super::plan::Place;

/// The slot of the server that fetches the log all the time; those of single backups begin with its name.
pub(crate) const SLOT: &str = "octavo_backup";

#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) reached: Reached,
    database: Database,
}

/// How far the log has come, and what of it was fetched for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fetched {
    pub(crate) written: Place,
    pub(crate) fetched: Option<Place>,
    /// Whether files of the log that were still to be fetched are gone.
    pub(crate) is_lost: bool,
}

impl Source {
    pub(crate) fn new(reached: Reached) -> Source {
        let database = Database::new(reached.superuser(), Options::unlimited(2));
        Source { reached, database }
    }

    pub(crate) async fn session(&self) -> Result<Session> {
        Ok(self.database.system(Arc::new(Usage::of(Work::Maintenance))).await?)
    }

    pub(crate) async fn mark(&self) -> Result<Mark> {
        let found: Option<(String, i64)> = self.session().await?.read(Statement::new(MARK)).await?;
        let (system, timeline) = found.context("PostgreSQL does not say which database it has")?;
        Ok(Mark::new(system, u32::try_from(timeline)?, self.reached.version().major))
    }

    /// Begins to keep the log for a slot; returns whether the slot was there already.
    pub(crate) async fn keep_log(&self, slot: &str) -> Result<bool> {
        let mut session = self.session().await?;
        let there: Option<bool> = session.read(Statement::new(IS_LOST).text(slot)).await?;
        match there {
            Some(false) => return Ok(true),
            Some(true) => drop(session.rows(Statement::new(DROP).text(slot)).await?),
            None => {}
        }
        session.rows(Statement::new(CREATE).text(slot)).await?;
        Ok(false)
    }

    pub(crate) async fn fetched(&self, slot: &str) -> Result<Fetched> {
        let found: Option<(String, Option<String>, Option<bool>)> =
            self.session().await?.read(Statement::new(FETCHED).text(slot)).await?;
        let (written, fetched, lost) = found.context("PostgreSQL does not say how far its log has come")?;
        let fetched = fetched.as_deref().map(str::parse).transpose().map_err(|why| anyhow!("{why}"))?;
        let written = written.parse().map_err(|why: String| anyhow!(why))?;
        Ok(Fetched { written, fetched, is_lost: lost.unwrap_or(false) })
    }

    /// Lets go of the slots of single backups whose process is gone.
    pub(crate) async fn drop_abandoned(&self) -> Result<()> {
        let mut session = self.session().await?;
        let slots: Vec<String> = session.read(Statement::new(SLOTS).text(format!("{SLOT}%"))).await?;
        for slot in slots.iter().filter(|slot| is_abandoned(slot)) {
            session.rows(Statement::new(DROP).text(slot)).await?;
        }
        Ok(())
    }

    pub(crate) async fn drop_slot(&self, slot: &str) -> Result<()> {
        self.session().await?.rows(Statement::new(DROP).text(slot)).await?;
        Ok(())
    }

    /// Writes a mark into the log and ends the file that it is in; returns the place behind it.
    pub(crate) async fn end_segment(&self) -> Result<Place> {
        let mut session = self.session().await?;
        session.rows(Statement::new(RESTORE_POINT)).await?;
        let place: Option<String> = session.read(Statement::new(SWITCH)).await?;
        place.unwrap_or_default().parse().map_err(|why: String| anyhow!(why))
    }

    /// How much of a base backup has been sent, in bytes: so far, and in all.
    pub(crate) async fn progress(&self) -> Result<Option<(i64, i64)>> {
        Ok(self.session().await?.read(Statement::new(PROGRESS)).await?)
    }

    /// The bytes of the database.
    pub(crate) async fn size(&self) -> Result<i64> {
        Ok(self.session().await?.read::<Option<i64>>(Statement::new(SIZE)).await?.unwrap_or(0))
    }

    pub(crate) async fn close(&self) {
        self.database.close().await;
    }
}

/// The slot of this process, for a single backup.
pub(crate) fn own_slot() -> String {
    format!("{SLOT}_{}", std::process::id())
}

fn is_abandoned(slot: &str) -> bool {
    let process = slot.strip_prefix(SLOT).and_then(|rest| rest.strip_prefix('_')?.parse().ok());
    process.and_then(Pid::from_raw).is_some_and(|process| test_kill_process(process).is_err())
}

const MARK: &str = "\
select s.system_identifier::text, c.timeline_id::int8 from pg_control_system() s, pg_control_checkpoint() c";
const IS_LOST: &str =
    "select wal_status is not distinct from 'lost' from pg_replication_slots where slot_name = $1";
const CREATE: &str = "select pg_create_physical_replication_slot($1::name, true)::text";
const DROP: &str = "\
select pg_drop_replication_slot(slot_name)::text from pg_replication_slots where slot_name = $1 and not active";
const SLOTS: &str = "select slot_name::text from pg_replication_slots where slot_name like $1 and not active";
const FETCHED: &str = "\
select pg_current_wal_flush_lsn()::text, s.restart_lsn::text, s.wal_status = 'lost'
from (select 1) one left join pg_replication_slots s on s.slot_name = $1";
const RESTORE_POINT: &str = "select pg_create_restore_point('octavo backup')::text";
const SWITCH: &str = "select pg_switch_wal()::text";
const SIZE: &str = "select sum(pg_database_size(oid))::int8 from pg_database";
const PROGRESS: &str = "\
select coalesce(backup_streamed, 0)::int8, coalesce(backup_total, 0)::int8 from pg_stat_progress_basebackup limit 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_processes_that_live_are_left() {
        assert!(!is_abandoned(&own_slot()));
        assert!(is_abandoned("octavo_backup_2147483000"));
        for other in [SLOT, "octavo_backup_", "standby_2147483000"] {
            assert!(!is_abandoned(other), "{other}");
        }
    }
}
