//! Backups that the server makes by itself. It fetches the log all the time, makes a backup at the configured times of day, and removes
//! backups that are older than configured. Only the process that runs the private PostgreSQL does this.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use jiff::civil::Time;
use jiff::{SignedDuration, Timestamp};
use octavo_engine::outbox;
use octavo_pg::embedded::Embedded;
use octavo_pg::{BackupReport, Database};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::archive::Archive;
use super::base::{self, BackupOptions};
use super::folder::{Archived, BackupFolder, has_mark};
use super::manifest::Manifest;
use super::plan::{self, Lsn};
use super::source::{SERVER_SLOT, Source};
use super::{files, incremental_parent};
use crate::config::Settings;
use crate::private_files::write_private;
use crate::start::clock;

const TICK_INTERVAL: Duration = Duration::from_secs(5);
/// How long the server may wait for the last part of the log when it stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause after a failed backup.
const RETRY_AFTER: SignedDuration = SignedDuration::from_mins(10);
/// The archive is reported as late when changes of this age are not in it.
const LATE_ARCHIVE_AGE: SignedDuration = SignedDuration::from_mins(10);
/// A backup is reported as late when it has been due for this long.
const LATE_BACKUP_AGE: SignedDuration = SignedDuration::from_hours(6);
/// The file in the data folder that holds the path of the folder to which backups were made.
const KNOWN_FOLDER_FILE: &str = "backup-folder";

/// The handle of the task that makes backups while the server runs.
pub(crate) struct BackupScheduler {
    stop: watch::Sender<bool>,
    running: JoinHandle<()>,
}

impl BackupScheduler {
    pub(crate) fn begin(
        settings: &Settings,
        private: &Embedded,
        database: &Database,
        bulk: &Handle,
    ) -> BackupScheduler {
        let (stop, stopped) = watch::channel(false);
        let source = Source::new(private.running_server());
        let data_dir = private.data_dir().to_owned();
        let Some(path) = settings.backup_dir.clone() else {
            // If no backup folder is configured, no process fetches the log, so PostgreSQL must not keep it.
            let running = bulk.spawn(async move {
                let dropped =
                    async { source.drop_abandoned_slots().await.and(source.drop_slot(SERVER_SLOT).await) };
                if let Err(error) = dropped.await {
                    tracing::warn!(%error, "PostgreSQL may keep its log for a backup that is not made");
                }
                source.close().await;
            });
            return BackupScheduler { stop, running };
        };
        let keeper = BackupWorker {
            uploads: files::uploads_elsewhere(&data_dir, settings.upload_dir.as_ref()),
            data_dir,
            path,
            times_of_day: settings.backup_at.clone(),
            keep_days: settings.backup_days,
            full_days: settings.backup_full_days,
            bytes_per_second: settings.backup_rate,
            source,
            database: database.clone(),
            running_since: clock(),
            folder: None,
            archive: None,
            not_yet_archived: None,
            archived: None,
            last_backup: None,
            is_due_at_once: false,
            running_backup: None,
            running_parent: None,
            failed_parent: None,
            retry_not_before: None,
            failing_since: None,
        };
        BackupScheduler { stop, running: bulk.spawn(keeper.run(stopped)) }
    }

    /// Ends the task after the log has been fetched up to now, if that can be done within a few seconds. A backup that is being made is
    /// aborted.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.running.await;
    }
}

struct BackupWorker {
    data_dir: PathBuf,
    uploads: Option<PathBuf>,
    path: PathBuf,
    times_of_day: Vec<Time>,
    keep_days: u32,
    full_days: u32,
    bytes_per_second: u64,
    source: Source,
    database: Database,
    running_since: Timestamp,
    folder: Option<BackupFolder>,
    archive: Option<Archive>,
    /// A time and the log position that was written then, whose log is not completely fetched yet.
    not_yet_archived: Option<Archived>,
    archived: Option<Archived>,
    last_backup: Option<Manifest>,
    /// The archive has a gap, so changes after the gap can only be restored with a new backup.
    is_due_at_once: bool,
    running_backup: Option<JoinHandle<Result<Manifest>>>,
    /// The name of the backup to which the one that is being made refers, if that is an incremental one.
    running_parent: Option<String>,
    /// The name of the backup to which the incremental backup referred that failed last.
    failed_parent: Option<String>,
    retry_not_before: Option<Timestamp>,
    failing_since: Option<Timestamp>,
}

impl BackupWorker {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut said = String::new();
        loop {
            // A panic of one check must not end the checks.
            let checked = outbox::catch_panics(async { Ok(self.tick().await) }).await;
            let lag = match checked.unwrap_or_else(|fault| Err(anyhow!("{fault}"))) {
                Ok(lag) => {
                    self.failing_since = None;
                    said.clear();
                    lag
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    if said != error {
                        tracing::error!(%error, folder = %self.path.display(), "backups are not made");
                    }
                    said = error;
                    self.failing_since = self.failing_since.or(Some(clock()));
                    0
                }
            };
            self.report_health(lag);
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = tokio::time::sleep(TICK_INTERVAL) => {}
            }
        }
        self.finish().await;
    }

    /// Checks the archive and the backups once; returns the number of log bytes that are not fetched yet.
    async fn tick(&mut self) -> Result<u64> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => self.open().await?,
        };
        if self.archive.as_ref().is_some_and(Archive::has_ended) {
            self.archive = None;
        }
        if self.archive.is_none() {
            let archive = Archive::start(&self.source, &folder, SERVER_SLOT).await?;
            let archive = archive.context("another process fetches the log into the folder")?;
            self.is_due_at_once |= !archive.was_kept && self.last_backup.is_some();
            self.archive = Some(archive);
        }
        let now = clock();
        let state = self.source.log_state(SERVER_SLOT).await?;
        if state.is_lost || state.fetched_lsn.is_none() {
            tracing::error!("PostgreSQL no longer had the log that the archive lacks; a new backup is made");
            if let Some(archive) = self.archive.take() {
                archive.stop().await;
            }
            self.is_due_at_once = true;
            return Ok(state.written_lsn.0);
        }
        let fetched = state.fetched_lsn.unwrap_or(Lsn(0));
        self.note_archived(&folder, now, state.written_lsn, fetched)?;
        self.start_or_finish_backup(&folder, now).await?;
        Ok(state.written_lsn.0.saturating_sub(fetched.0))
    }

    async fn open(&mut self) -> Result<BackupFolder> {
        let mark = self.source.read_mark().await?;
        let known = self.data_dir.join(KNOWN_FOLDER_FILE);
        let was_here = fs::read_to_string(&known).is_ok_and(|path| path == self.path.to_string_lossy());
        if was_here && !has_mark(&self.path) {
            bail!(
                "its backups are gone: is the disk mounted? If they are to be made anew, remove {}",
                known.display()
            );
        }
        let folder = BackupFolder::for_database(&self.path, &mark, &self.data_dir)?;
        write_private(&known, self.path.to_string_lossy().as_bytes())?;
        self.source.drop_abandoned_slots().await?;
        self.last_backup = folder.manifests()?.into_iter().filter_map(Result::ok).next_back();
        self.archived = folder.read_archived();
        self.folder = Some(folder.clone());
        Ok(folder)
    }

    /// Writes into the folder up to which time all changes are in the archive.
    fn note_archived(
        &mut self,
        folder: &BackupFolder,
        now: Timestamp,
        written: Lsn,
        fetched: Lsn,
    ) -> Result<()> {
        let waiting = *self.not_yet_archived.get_or_insert(Archived { until: now, place: written });
        if fetched >= waiting.place {
            self.not_yet_archived = None;
            let archived = if fetched >= written { Archived { until: now, place: written } } else { waiting };
            folder.write_archived(archived)?;
            self.archived = Some(archived);
        }
        Ok(())
    }

    async fn start_or_finish_backup(&mut self, folder: &BackupFolder, now: Timestamp) -> Result<()> {
        if let Some(made) = self.running_backup.take_if(|making| making.is_finished()) {
            match result_of(made).await {
                Ok(manifest) => {
                    tracing::info!(name = manifest.name, "a backup is whole");
                    self.last_backup = Some(manifest);
                    self.is_due_at_once = false;
                    super::remove_outdated(folder, self.keep_days, now)?;
                }
                Err(error) => {
                    tracing::error!(error = format!("{error:#}"), "a backup failed");
                    self.retry_not_before = now.checked_add(RETRY_AFTER).ok();
                    if self.running_parent.is_some() {
                        self.failed_parent = self.running_parent.take();
                    }
                }
            }
        }
        let may = self.running_backup.is_none() && self.retry_not_before.is_none_or(|moment| moment <= now);
        if may && (self.is_due_at_once || self.due_since(now).is_some()) {
            let lock = folder.lock("base")?.context("another backup is being made")?;
            let failed = self.failed_parent.as_deref();
            let since = incremental_parent(&self.source, folder, self.full_days, failed, now)?;
            self.running_parent.clone_from(&since);
            let (source, folder) = (self.source.clone(), folder.clone());
            // While there is no backup, nothing can be restored. So the first backup does not spread its checkpoint.
            let gently = self.last_backup.is_some();
            let (data_dir, uploads, rate) =
                (self.data_dir.clone(), self.uploads.clone(), self.bytes_per_second);
            self.running_backup = Some(tokio::spawn(async move {
                let order = BackupOptions {
                    data_dir: &data_dir,
                    uploads,
                    bytes_per_second: rate,
                    slot: SERVER_SLOT,
                    spread_checkpoint: gently,
                    parent: since,
                };
                let made = base::make(&source, &folder, &order, |_, _| {}).await;
                drop(lock);
                made
            }));
        }
        Ok(())
    }

    fn due_since(&self, now: Timestamp) -> Option<Timestamp> {
        plan::due_since(
            &self.times_of_day,
            self.last_backup.as_ref().map(|last| last.started),
            self.running_since,
            now,
        )
    }

    fn report_health(&self, lag: u64) {
        let now = clock();
        let is_old = |moment: Option<Timestamp>, limit: SignedDuration| {
            moment.is_some_and(|moment| now.duration_since(moment) > limit)
        };
        let archived = self.archived.map(|archived| archived.until);
        let is_late = is_old(self.failing_since, LATE_ARCHIVE_AGE)
            || (self.failing_since.is_none()
                && is_old(archived.or(Some(self.running_since)), LATE_ARCHIVE_AGE))
            || is_old(self.due_since(now), LATE_BACKUP_AGE);
        self.database.backups().report(BackupReport {
            ended: self.last_backup.as_ref().map(|last| last.ended.as_second()),
            archived_until: archived.map(Timestamp::as_second),
            lag_bytes: lag,
            is_late,
        });
    }

    async fn finish(mut self) {
        if let Some(making) = self.running_backup.take() {
            making.abort();
            let _ = making.await;
        }
        if let (Some(folder), Some(archive)) = (self.folder.take(), self.archive.take()) {
            let last = async {
                let (now, state) = (clock(), self.source.log_state(SERVER_SLOT).await?);
                super::archive::wait_for(&self.source, SERVER_SLOT, state.written_lsn, STOP_TIMEOUT).await?;
                folder.write_archived(Archived { until: now, place: state.written_lsn })
            };
            if let Err(error) = last.await {
                tracing::warn!(error = format!("{error:#}"), "the last changes are not in the archive yet");
            }
            archive.stop().await;
        }
        self.source.close().await;
    }
}

/// The result of a task that has ended; a panic in it is an error of the task.
async fn result_of<T>(task: JoinHandle<Result<T>>) -> Result<T> {
    task.await.unwrap_or_else(|error| Err(anyhow!("{error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_backup_that_panics_is_a_backup_that_failed() {
        let error = result_of(tokio::spawn(make_and_panic())).await.unwrap_err();
        assert!(error.to_string().contains("a part of the folder is no file"), "{error}");
    }

    async fn make_and_panic() -> Result<u32> {
        panic!("a part of the folder is no file")
    }
}
