//! A database as it was at a moment, made from a folder of backups.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_pg::embedded::recovery::{self, RecoveryTarget};
use octavo_pg::embedded::{Embedded, EmbeddedError, EmbeddedOptions, StartFailure, program_for};

use super::folder::BackupFolder;
use super::manifest;
use super::plan::{self, BackupSummary, LogSegments, Lsn, RestoreChoice};
use super::shown::ByteProgress;

/// The folder, the backups and the log files to restore from, and the moment to restore.
pub(crate) struct Restoration {
    pub(crate) folder: BackupFolder,
    pub(crate) backups: Vec<BackupSummary>,
    pub(crate) log: LogSegments,
    /// The moment to restore; `None` for the last moment in the log.
    pub(crate) moment: Option<Timestamp>,
    pub(crate) binaries: Option<PathBuf>,
}

/// How a recovery ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RecoveryEnd {
    /// The database is as it was at the wanted moment.
    Complete,
    /// A log file is missing: the changes after it are not restored.
    LogGap,
}

impl Restoration {
    pub(crate) fn open(path: &Path, to: Option<Timestamp>, binaries: Option<PathBuf>) -> Result<Restoration> {
        let folder = BackupFolder::open(path)?;
        let (wholes, log) = (folder.readable_backups()?, folder.log_segments()?);
        Ok(Restoration { folder, backups: wholes, log, moment: to, binaries })
    }

    pub(crate) fn choose_backup(&self) -> Result<RestoreChoice<'_>> {
        plan::choose(&self.backups, &self.log, self.moment).map_err(|why| {
            anyhow!(
                "{} cannot be restored: {}",
                self.folder.path().display(),
                why.message(self.folder.mark.timeline)
            )
        })
    }

    /// Compares all files of a backup, and of the backups that it refers to, with their checksums.
    pub(crate) fn check_files(&self, name: &str) -> Result<()> {
        for part in plan::chain(&self.backups, name) {
            let folder = self.folder.backup_path(&part.name);
            manifest::check_files(&folder)?;
            // PostgreSQL's pg_verifybackup does not check the log here, because the log is in another folder.
            let mut verify = self.postgres_command("pg_verifybackup")?;
            verify.args(["--no-parse-wal", "--quiet"]).arg(folder.join("postgres"));
            run_command(verify)
                .with_context(|| format!("the backup {} is damaged, or can't be checked", part.name))?;
        }
        Ok(())
    }

    /// Makes a data folder from a backup. PostgreSQL has still to replay the log on it.
    pub(crate) fn make_data_folder(&self, choice: &RestoreChoice<'_>, data_dir: &Path) -> Result<()> {
        let chain = plan::chain(&self.backups, &choice.backup.name);
        let full = chain.last().context("there is no such backup")?;
        if full.parent.is_some() {
            bail!(
                "the backup {} is missing, which {} is made from",
                full.parent.as_deref().unwrap_or_default(),
                full.name
            );
        }
        let (first, last) = choice.log;
        let segments: Vec<(PathBuf, String)> = (first..=last)
            .filter_map(|number| Some(self.folder.segment_path(number, *self.log.get(&number)?)))
            .collect();
        let mut shown = ByteProgress::new("copied");
        let copied = |bytes: u64| shown.add(bytes);
        if chain.len() == 1 {
            let base = self.folder.backup_path(&full.name).join("postgres");
            return Ok(recovery::place_backup(data_dir, &base, &segments, copied)?);
        }
        // pg_combinebackup writes into a folder next to the data folder, on the same disk.
        let mut combined = data_dir.as_os_str().to_owned();
        combined.push(".combined");
        let combined = PathBuf::from(combined);
        let mut combine = self.postgres_command("pg_combinebackup")?;
        combine.arg("-o").arg(&combined);
        combine.args(chain.iter().rev().map(|part| self.folder.backup_path(&part.name).join("postgres")));
        let placed = run_command(combine)
            .and_then(|()| Ok(recovery::place_backup(data_dir, &combined, &segments, copied)?));
        match fs::remove_dir_all(&combined) {
            Err(error) if placed.is_ok() => {
                Err(error).with_context(|| format!("can't remove {}", combined.display()))
            }
            _ => placed,
        }
    }

    /// Starts PostgreSQL on the data folder, and waits until it has replayed all changes up to the wanted moment.
    pub(crate) async fn recover(
        &self,
        choice: &RestoreChoice<'_>,
        data_dir: &Path,
    ) -> Result<(Embedded, RecoveryEnd)> {
        let options = self.options(data_dir);
        if let Some(to) = self.moment {
            match recovery::recover(options.clone(), &RecoveryTarget::Time(postgres_time(to))).await {
                Ok(running) => return Ok((running, RecoveryEnd::Complete)),
                Err(EmbeddedError::Start { reason: StartFailure::Ended(_), output, .. })
                    if output.contains("recovery ended before configured recovery target was reached") => {}
                Err(other) => return Err(other.into()),
            }
            // The log has no change after the wanted moment. Then all of the log up to that moment must exist.
            let until = self.folder.read_archived().map(|archived| archived.until);
            if !choice.reaches_archive_end || until.is_none_or(|until| until < to) {
                let last = until.map_or("the end of the last backup".to_owned(), |until| until.to_string());
                bail!("the log of changes does not reach {to}; it is whole until {last} at most");
            }
        }
        let running = recovery::recover(options, &RecoveryTarget::End).await?;
        let reached = self.recovery_end_lsn(data_dir)?;
        // With a moment, the log ends at the next backup, which may be long before the end of the archive.
        let end = Lsn((choice.log.1 + 1) * plan::SEGMENT_BYTES);
        let archived = self.folder.read_archived().map(|archived| archived.place);
        let archived = archived.filter(|place| choice.reaches_archive_end && *place <= end);
        let least = archived.unwrap_or(Lsn(choice.log.1 * plan::SEGMENT_BYTES)).max(choice.backup.to_lsn);
        if reached < least {
            running.stop().await;
            bail!(
                "the log of changes breaks off at {reached}, before {least}: the file wal/{} is damaged",
                plan::segment_name(self.folder.mark.timeline, plan::segment_of(reached))
            );
        }
        Ok((running, if choice.reaches_archive_end { RecoveryEnd::Complete } else { RecoveryEnd::LogGap }))
    }

    pub(crate) fn options(&self, data_dir: &Path) -> EmbeddedOptions {
        EmbeddedOptions {
            data_dir: data_dir.to_owned(),
            binaries: self.binaries.clone(),
            durable: true,
            settings: Vec::new(),
        }
    }

    /// The log position at which the recovery ended, read from PostgreSQL's timeline history file.
    fn recovery_end_lsn(&self, data_dir: &Path) -> Result<Lsn> {
        let file = format!("postgres/pg_wal/{:08X}.history", self.folder.mark.timeline + 1);
        let text = fs::read_to_string(data_dir.join(&file)).with_context(|| format!("can't read {file}"))?;
        let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let place = last.split_whitespace().nth(1).unwrap_or_default();
        place.parse().map_err(|why: String| anyhow!("{file}: {why}"))
    }

    fn postgres_command(&self, name: &str) -> Result<std::process::Command> {
        Ok(program_for(self.binaries.as_deref(), self.folder.mark.postgres, name)?)
    }
}

/// Fails if the data folder exists and has any content except `lost+found`.
pub(crate) fn check_is_empty(data_dir: &Path) -> Result<()> {
    let taken = match fs::read_dir(data_dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        found => found
            .with_context(|| format!("can't read {}", data_dir.display()))?
            .flatten()
            .any(|entry| entry.file_name() != "lost+found"),
    };
    if taken {
        bail!(
            "{} is not empty and is left as it is: restore into a new folder, with --data-dir",
            data_dir.display()
        );
    }
    Ok(())
}

pub(crate) fn postgres_time(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M:%S.%6f+00").to_string()
}

/// Parses a time of the command line, which has its offset from UTC.
pub(crate) fn parse_time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| {
        "must be a time with its offset, such as 2026-11-28T06:00:00Z or 2026-11-28T07:00:00+01:00".to_owned()
    })
}

fn run_command(mut command: std::process::Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ended = command.current_dir("/").output().with_context(|| format!("{name} can't be run"))?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let lines = said.lines().take(5).collect::<Vec<_>>().join("\n");
        bail!("{name} does not succeed ({}): {lines}", ended.status);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_says_its_offset() {
        let at = parse_time("2026-11-28T07:00:00.5+01:00").unwrap();
        assert_eq!(postgres_time(at), "2026-11-28 06:00:00.500000+00");
        for wrong in ["2026-11-28", "2026-11-28T07:00:00", "yesterday", ""] {
            assert!(parse_time(wrong).unwrap_err().contains("offset"), "{wrong}");
        }
    }
}
