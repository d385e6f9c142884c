//! The private PostgreSQL that is backed up, used as its superuser: its system identifier, the position of its log, and the replication
//! slots that keep the log until it is fetched.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use octavo_pg::embedded::RunningServer;
use octavo_pg::{Database, Options, Session, Statement, Usage, Work};
use rustix::process::{Pid, test_kill_process};

use super::folder::Mark;
use super::plan::Lsn;

/// The replication slot of the server that fetches the log all the time. The names of slots for single backups begin with this name.
pub(crate) const SERVER_SLOT: &str = "octavo_backup";

#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) reached: RunningServer,
    database: Database,
}

/// Up to which position PostgreSQL has written its log, and up to which position the log was fetched for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LogState {
    pub(crate) written_lsn: Lsn,
    pub(crate) fetched_lsn: Option<Lsn>,
    /// Whether PostgreSQL has deleted log files that were not fetched yet.
    pub(crate) is_lost: bool,
}

impl Source {
    pub(crate) fn new(reached: RunningServer) -> Source {
        let database = Database::new(reached.superuser_config(), Options::unlimited(2));
        Source { reached, database }
    }

    pub(crate) async fn session(&self) -> Result<Session> {
        Ok(self.database.system_session(Arc::new(Usage::for_work(Work::Maintenance))).await?)
    }

    pub(crate) async fn read_mark(&self) -> Result<Mark> {
        let found: Option<(String, i64)> = self.session().await?.read(Statement::new(MARK)).await?;
        let (system, timeline) = found.context("PostgreSQL does not say which database it has")?;
        Ok(Mark::new(system, u32::try_from(timeline)?, self.reached.version().major))
    }

    /// Makes PostgreSQL keep the log for a slot; returns whether the slot existed already.
    pub(crate) async fn keep_log(&self, slot: &str) -> Result<bool> {
        let mut session = self.session().await?;
        let there: Option<bool> = session.read(Statement::new(IS_LOST).text(slot)).await?;
        match there {
            Some(false) => return Ok(true),
            Some(true) => drop(session.rows(Statement::new(DROP_SLOT).text(slot)).await?),
            None => {}
        }
        session.rows(Statement::new(CREATE_SLOT).text(slot)).await?;
        Ok(false)
    }

    pub(crate) async fn log_state(&self, slot: &str) -> Result<LogState> {
        let found: Option<(String, Option<String>, Option<bool>)> =
            self.session().await?.read(Statement::new(LOG_STATE).text(slot)).await?;
        let (written, fetched, lost) = found.context("PostgreSQL does not say how far its log has come")?;
        let fetched = fetched.as_deref().map(str::parse).transpose().map_err(|why| anyhow!("{why}"))?;
        let written = written.parse().map_err(|why: String| anyhow!(why))?;
        Ok(LogState { written_lsn: written, fetched_lsn: fetched, is_lost: lost.unwrap_or(false) })
    }

    /// Drops the slots of single backups whose process has ended.
    pub(crate) async fn drop_abandoned_slots(&self) -> Result<()> {
        let mut session = self.session().await?;
        let slots: Vec<String> = session.read(Statement::new(SLOTS).text(format!("{SERVER_SLOT}%"))).await?;
        for slot in slots.iter().filter(|slot| is_abandoned(slot)) {
            session.rows(Statement::new(DROP_SLOT).text(slot)).await?;
        }
        Ok(())
    }

    pub(crate) async fn drop_slot(&self, slot: &str) -> Result<()> {
        self.session().await?.rows(Statement::new(DROP_SLOT).text(slot)).await?;
        Ok(())
    }

    /// Writes a restore point into the log and ends the current log file; returns the position after it.
    pub(crate) async fn end_segment(&self) -> Result<Lsn> {
        let mut session = self.session().await?;
        session.rows(Statement::new(RESTORE_POINT)).await?;
        let place: Option<String> = session.read(Statement::new(SWITCH_WAL)).await?;
        place.unwrap_or_default().parse().map_err(|why: String| anyhow!(why))
    }

    /// How many bytes of a base backup PostgreSQL has sent so far, and how many it will send in all.
    pub(crate) async fn backup_progress(&self) -> Result<Option<(i64, i64)>> {
        Ok(self.session().await?.read(Statement::new(PROGRESS)).await?)
    }

    /// The size of all databases in bytes.
    pub(crate) async fn database_bytes(&self) -> Result<i64> {
        Ok(self.session().await?.read::<Option<i64>>(Statement::new(SIZE)).await?.unwrap_or(0))
    }

    pub(crate) async fn close(&self) {
        self.database.close().await;
    }
}

/// The replication slot of this process, used for a single backup.
pub(crate) fn own_slot() -> String {
    format!("{SERVER_SLOT}_{}", std::process::id())
}

fn is_abandoned(slot: &str) -> bool {
    let process = slot.strip_prefix(SERVER_SLOT).and_then(|rest| rest.strip_prefix('_')?.parse().ok());
    process.and_then(Pid::from_raw).is_some_and(|process| test_kill_process(process).is_err())
}

const MARK: &str = "\
select s.system_identifier::text, c.timeline_id::int8 from pg_control_system() s, pg_control_checkpoint() c";
const IS_LOST: &str =
    "select wal_status is not distinct from 'lost' from pg_replication_slots where slot_name = $1";
const CREATE_SLOT: &str = "select pg_create_physical_replication_slot($1::name, true)::text";
const DROP_SLOT: &str = "\
select pg_drop_replication_slot(slot_name)::text from pg_replication_slots where slot_name = $1 and not active";
const SLOTS: &str = "select slot_name::text from pg_replication_slots where slot_name like $1 and not active";
const LOG_STATE: &str = "\
select pg_current_wal_flush_lsn()::text, s.restart_lsn::text, s.wal_status = 'lost'
from (select 1) one left join pg_replication_slots s on s.slot_name = $1";
const RESTORE_POINT: &str = "select pg_create_restore_point('octavo backup')::text";
const SWITCH_WAL: &str = "select pg_switch_wal()::text";
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
        for other in [SERVER_SLOT, "octavo_backup_", "standby_2147483000"] {
            assert!(!is_abandoned(other), "{other}");
        }
    }
}
