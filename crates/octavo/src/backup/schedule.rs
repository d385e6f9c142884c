//! Backups that the server makes by itself: it fetches the log of changes all the time, makes a whole backup at the times of
//! day, and removes what is older than it is to be kept. One process does: the one that runs the private PostgreSQL.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jiff::civil::Time;
use jiff::{SignedDuration, Timestamp};
use octavo_pg::embedded::Embedded;
use octavo_pg::{BackupReport, Database};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::archive::Archive;
use super::base::{self, Order};
use super::folder::{Archived, BackupFolder, has_mark};
use super::manifest::Manifest;
use super::plan::{self, Place};
use super::source::{SLOT, Source};
use super::{files, since};
use crate::config::Settings;
use crate::private_files::write_private;
use crate::start::clock;

const EVERY: Duration = Duration::from_secs(5);
/// How long before the end of the server the log may take to be fetched.
const FAREWELL: Duration = Duration::from_secs(5);
/// After a backup that failed.
const AGAIN: SignedDuration = SignedDuration::from_mins(10);
/// The archive is late when it lacks changes that are so old.
const ARCHIVE_LATE: SignedDuration = SignedDuration::from_mins(10);
/// A backup is late so long after its time.
const BACKUP_LATE: SignedDuration = SignedDuration::from_hours(6);
/// The file of the data folder that remembers which folder has had backups.
const KNOWN: &str = "backup-folder";

/// What makes backups as long as the server runs.
pub(crate) struct Backing {
    stop: watch::Sender<bool>,
    running: JoinHandle<()>,
}

impl Backing {
    pub(crate) fn begin(
        settings: &Settings,
        private: &Embedded,
        database: &Database,
        bulk: &Handle,
    ) -> Backing {
        let (stop, stopped) = watch::channel(false);
        let source = Source::new(private.reached());
        let data_dir = private.data_dir().to_owned();
        let Some(path) = settings.backup_dir.clone() else {
            // Without a folder nobody fetches the log: it is not to be kept.
            let running = bulk.spawn(async move {
                let dropped = async { source.drop_abandoned().await.and(source.drop_slot(SLOT).await) };
                if let Err(error) = dropped.await {
                    tracing::warn!(%error, "PostgreSQL may keep its log for a backup that is not made");
                }
                source.close().await;
            });
            return Backing { stop, running };
        };
        let keeper = Keeper {
            uploads: files::uploads_elsewhere(&data_dir, settings.upload_dir.as_ref()),
            data_dir,
            path,
            at: settings.backup_at.clone(),
            keep_days: settings.backup_days,
            full_days: settings.backup_full_days,
            rate: settings.backup_rate,
            source,
            database: database.clone(),
            began: clock(),
            folder: None,
            archive: None,
            waiting: None,
            archived: None,
            last: None,
            is_due_at_once: false,
            making: None,
            not_before: None,
            unwell_since: None,
        };
        Backing { stop, running: bulk.spawn(keeper.run(stopped)) }
    }

    /// Ends after the log has been fetched up to now, if that can be done soon. A backup that is being made is given up.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.running.await;
    }
}

struct Keeper {
    data_dir: PathBuf,
    uploads: Option<PathBuf>,
    path: PathBuf,
    at: Vec<Time>,
    keep_days: u32,
    full_days: u32,
    rate: u64,
    source: Source,
    database: Database,
    began: Timestamp,
    folder: Option<BackupFolder>,
    archive: Option<Archive>,
    /// What was written at a moment and is not fetched yet.
    waiting: Option<Archived>,
    archived: Option<Archived>,
    last: Option<Manifest>,
    /// The archive has a gap: what comes after it needs a backup.
    is_due_at_once: bool,
    making: Option<JoinHandle<Result<Manifest>>>,
    not_before: Option<Timestamp>,
    unwell_since: Option<Timestamp>,
}

impl Keeper {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut said = String::new();
        loop {
            let lag = match self.tick().await {
                Ok(lag) => {
                    self.unwell_since = None;
                    said.clear();
                    lag
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    if said != error {
                        tracing::error!(%error, folder = %self.path.display(), "backups are not made");
                    }
                    said = error;
                    self.unwell_since = self.unwell_since.or(Some(clock()));
                    0
                }
            };
            self.report(lag);
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = tokio::time::sleep(EVERY) => {}
            }
        }
        self.end().await;
    }

    /// Looks after everything once; returns how many bytes of the log are not fetched yet.
    async fn tick(&mut self) -> Result<u64> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => self.open().await?,
        };
        if self.archive.is_none() {
            let archive = Archive::start(&self.source, &folder, SLOT).await?;
            let archive = archive.context("another process fetches the log into the folder")?;
            self.is_due_at_once |= !archive.was_kept && self.last.is_some();
            self.archive = Some(archive);
        }
        let now = clock();
        let state = self.source.fetched(SLOT).await?;
        if state.is_lost || state.fetched.is_none() {
            tracing::error!("PostgreSQL no longer had the log that the archive lacks; a new backup is made");
            if let Some(archive) = self.archive.take() {
                archive.stop().await;
            }
            self.is_due_at_once = true;
            return Ok(state.written.0);
        }
        let fetched = state.fetched.unwrap_or(Place(0));
        self.note(&folder, now, state.written, fetched)?;
        self.look_after_backups(&folder, now).await?;
        Ok(state.written.0.saturating_sub(fetched.0))
    }

    async fn open(&mut self) -> Result<BackupFolder> {
        let mark = self.source.mark().await?;
        let known = self.data_dir.join(KNOWN);
        let was_here = fs::read_to_string(&known).is_ok_and(|path| path == self.path.to_string_lossy());
        if was_here && !has_mark(&self.path) {
            bail!(
                "its backups are gone: is the disk mounted? If they are to be made anew, remove {}",
                known.display()
            );
        }
        let folder = BackupFolder::for_database(&self.path, &mark, &self.data_dir)?;
        write_private(&known, self.path.to_string_lossy().as_bytes())?;
        self.source.drop_abandoned().await?;
        self.last = folder.wholes()?.into_iter().filter_map(Result::ok).next_back();
        self.archived = folder.archived();
        self.folder = Some(folder.clone());
        Ok(folder)
    }

    /// Writes down up to when all changes are in the archive.
    fn note(&mut self, folder: &BackupFolder, now: Timestamp, written: Place, fetched: Place) -> Result<()> {
        let waiting = *self.waiting.get_or_insert(Archived { until: now, place: written });
        if fetched >= waiting.place {
            self.waiting = None;
            let archived = if fetched >= written { Archived { until: now, place: written } } else { waiting };
            folder.note_archived(archived)?;
            self.archived = Some(archived);
        }
        Ok(())
    }

    async fn look_after_backups(&mut self, folder: &BackupFolder, now: Timestamp) -> Result<()> {
        if let Some(made) = self.making.take_if(|making| making.is_finished()) {
            match made.await? {
                Ok(manifest) => {
                    tracing::info!(name = manifest.name, "a backup is whole");
                    self.last = Some(manifest);
                    self.is_due_at_once = false;
                    super::remove_outdated(folder, self.keep_days, now)?;
                }
                Err(error) => {
                    tracing::error!(error = format!("{error:#}"), "a backup failed");
                    self.not_before = now.checked_add(AGAIN).ok();
                }
            }
        }
        let may = self.making.is_none() && self.not_before.is_none_or(|moment| moment <= now);
        if may && (self.is_due_at_once || self.due_since(now).is_some()) {
            let lock = folder.lock("base")?.context("another backup is being made")?;
            let since = since(&self.source, folder, self.full_days, now)?;
            let (source, folder) = (self.source.clone(), folder.clone());
            // Without any backup nothing can be restored: the first one is in a hurry.
            let gently = self.last.is_some();
            let (data_dir, uploads, rate) = (self.data_dir.clone(), self.uploads.clone(), self.rate);
            self.making = Some(tokio::spawn(async move {
                let order = Order { data_dir: &data_dir, uploads, rate, slot: SLOT, gently, since };
                let made = base::make(&source, &folder, &order, |_, _| {}).await;
                drop(lock);
                made
            }));
        }
        Ok(())
    }

    fn due_since(&self, now: Timestamp) -> Option<Timestamp> {
        plan::due_since(&self.at, self.last.as_ref().map(|last| last.started), self.began, now)
    }

    fn report(&self, lag: u64) {
        let now = clock();
        let is_old = |moment: Option<Timestamp>, limit: SignedDuration| {
            moment.is_some_and(|moment| now.duration_since(moment) > limit)
        };
        let archived = self.archived.map(|archived| archived.until);
        let is_late = is_old(self.unwell_since, ARCHIVE_LATE)
            || (self.unwell_since.is_none() && is_old(archived.or(Some(self.began)), ARCHIVE_LATE))
            || is_old(self.due_since(now), BACKUP_LATE);
        self.database.backups().report(BackupReport {
            ended: self.last.as_ref().map(|last| last.ended.as_second()),
            archived: archived.map(Timestamp::as_second),
            lag,
            is_late,
        });
    }

    async fn end(mut self) {
        if let Some(making) = self.making.take() {
            making.abort();
            let _ = making.await;
        }
        if let (Some(folder), Some(archive)) = (self.folder.take(), self.archive.take()) {
            let last = async {
                let (now, state) = (clock(), self.source.fetched(SLOT).await?);
                super::archive::wait_for(&self.source, SLOT, state.written, FAREWELL).await?;
                folder.note_archived(Archived { until: now, place: state.written })
            };
            if let Err(error) = last.await {
                tracing::warn!(error = format!("{error:#}"), "the last changes are not in the archive yet");
            }
            archive.stop().await;
        }
        self.source.close().await;
    }
}
