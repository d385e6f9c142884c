//! A database as it was at a moment, made from a folder of backups.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_pg::embedded::recovery::{self, Until};
use octavo_pg::embedded::{Embedded, EmbeddedError, EmbeddedOptions, StartFailure, program_for};

use super::folder::BackupFolder;
use super::manifest;
use super::plan::{self, Choice, Log, Place, Whole};
use super::shown::Shown;

/// What is restored, and from what.
pub(crate) struct Restoring {
    pub(crate) folder: BackupFolder,
    pub(crate) wholes: Vec<Whole>,
    pub(crate) log: Log,
    /// `None` for the last moment that there is.
    pub(crate) to: Option<Timestamp>,
    pub(crate) binaries: Option<PathBuf>,
}

/// How a recovery came to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// All that was wanted is there.
    Wanted,
    /// A file of the log is missing: what was changed later is not there.
    Gap,
}

impl Restoring {
    pub(crate) fn of(path: &Path, to: Option<Timestamp>, binaries: Option<PathBuf>) -> Result<Restoring> {
        let folder = BackupFolder::open(path)?;
        let (wholes, log) = (folder.readable()?, folder.log()?);
        Ok(Restoring { folder, wholes, log, to, binaries })
    }

    pub(crate) fn choice(&self) -> Result<Choice<'_>> {
        plan::choose(&self.wholes, &self.log, self.to).map_err(|why| {
            anyhow!(
                "{} cannot be restored: {}",
                self.folder.path().display(),
                why.words(self.folder.mark.timeline)
            )
        })
    }

    /// Compares all files of a backup, and of those that it is made from, with their checksums.
    pub(crate) fn check(&self, name: &str) -> Result<()> {
        for part in plan::chain(&self.wholes, name) {
            let folder = self.folder.base(&part.name);
            manifest::check_files(&folder)?;
            // The log lies elsewhere.
            let mut verify = self.program("pg_verifybackup")?;
            verify.args(["--no-parse-wal", "--quiet"]).arg(folder.join("postgres"));
            run(verify)
                .with_context(|| format!("the backup {} is damaged, or can't be checked", part.name))?;
        }
        Ok(())
    }

    /// Makes the data folder, whose PostgreSQL has the changes of the log still before it.
    pub(crate) fn place(&self, choice: &Choice<'_>, data_dir: &Path) -> Result<()> {
        let chain = plan::chain(&self.wholes, &choice.whole.name);
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
            .filter_map(|number| Some(self.folder.segment(number, *self.log.get(&number)?)))
            .collect();
        let mut shown = Shown::new("copied");
        let copied = |bytes: u64| shown.add(bytes);
        if chain.len() == 1 {
            let base = self.folder.base(&full.name).join("postgres");
            return Ok(recovery::place(data_dir, &base, &segments, copied)?);
        }
        // Beside the data folder, on the same disk.
        let mut combined = data_dir.as_os_str().to_owned();
        combined.push(".combined");
        let combined = PathBuf::from(combined);
        let mut combine = self.program("pg_combinebackup")?;
        combine.arg("-o").arg(&combined);
        combine.args(chain.iter().rev().map(|part| self.folder.base(&part.name).join("postgres")));
        let placed = run(combine).and_then(|()| Ok(recovery::place(data_dir, &combined, &segments, copied)?));
        match fs::remove_dir_all(&combined) {
            Err(error) if placed.is_ok() => {
                Err(error).with_context(|| format!("can't remove {}", combined.display()))
            }
            _ => placed,
        }
    }

    /// Starts PostgreSQL on the folder; it answers when all changes up to the moment are there.
    pub(crate) async fn recover(&self, choice: &Choice<'_>, data_dir: &Path) -> Result<(Embedded, Reached)> {
        let options = self.options(data_dir);
        if let Some(to) = self.to {
            match recovery::recover(options.clone(), &Until::Time(postgres_time(to))).await {
                Ok(running) => return Ok((running, Reached::Wanted)),
                Err(EmbeddedError::Start { reason: StartFailure::Ended(_), output, .. })
                    if output.contains("recovery ended before configured recovery target was reached") => {}
                Err(other) => return Err(other.into()),
            }
            // No change came after the moment; all of the log up to it has to be there.
            let until = self.folder.archived().map(|archived| archived.until);
            if !choice.goes_to_the_end || until.is_none_or(|until| until < to) {
                let last = until.map_or("the end of the last backup".to_owned(), |until| until.to_string());
                bail!("the log of changes does not reach {to}; it is whole until {last} at most");
            }
        }
        let running = recovery::recover(options, &Until::End).await?;
        let reached = self.end_of_log(data_dir)?;
        let archived =
            self.folder.archived().map(|archived| archived.place).filter(|_| choice.goes_to_the_end);
        let least = archived.unwrap_or(Place(choice.log.1 * plan::SEGMENT)).max(choice.whole.to);
        if reached < least {
            running.stop().await;
            bail!(
                "the log of changes breaks off at {reached}, before {least}: the file wal/{} is damaged",
                plan::segment_name(self.folder.mark.timeline, plan::segment_of(reached))
            );
        }
        Ok((running, if choice.goes_to_the_end { Reached::Wanted } else { Reached::Gap }))
    }

    pub(crate) fn options(&self, data_dir: &Path) -> EmbeddedOptions {
        EmbeddedOptions {
            data_dir: data_dir.to_owned(),
            binaries: self.binaries.clone(),
            durable: true,
            settings: Vec::new(),
        }
    }

    /// Where the recovery ended, as PostgreSQL wrote it down.
    fn end_of_log(&self, data_dir: &Path) -> Result<Place> {
        let file = format!("postgres/pg_wal/{:08X}.history", self.folder.mark.timeline + 1);
        let text = fs::read_to_string(data_dir.join(&file)).with_context(|| format!("can't read {file}"))?;
        let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let place = last.split_whitespace().nth(1).unwrap_or_default();
        place.parse().map_err(|why: String| anyhow!("{file}: {why}"))
    }

    fn program(&self, name: &str) -> Result<std::process::Command> {
        Ok(program_for(self.binaries.as_deref(), self.folder.mark.postgres, name)?)
    }
}

/// Nothing is there yet where a database is to be restored.
pub(crate) fn is_free(data_dir: &Path) -> Result<()> {
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

/// A time as it is typed: with its offset from UTC.
pub(crate) fn parse_time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| {
        "must be a time with its offset, such as 2026-11-28T06:00:00Z or 2026-11-28T07:00:00+01:00".to_owned()
    })
}

fn run(mut command: std::process::Command) -> Result<()> {
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
