//! A folder of backups.
//!
//! ```text
//! octavo-backup.json   which database it is of; made first
//! base/TIME/           a whole backup: manifest.json, SHA256SUMS, postgres/, files/
//! base/TIME.part/      one that is being made, or was interrupted; never restored
//! wal/                 the log of changes, as pg_receivewal writes it
//! archived.json        up to when the log is whole
//! base.lock wal.lock   held by who makes a backup, and by who fetches the log
//! ```

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use super::manifest::Manifest;
use super::plan::{self, BackupSummary, LogSegments, Lsn};
use crate::private_files::{make_private, read_json, write_private};

const MARK_FILE: &str = "octavo-backup.json";
const ARCHIVED_FILE: &str = "archived.json";
const FORMAT: u32 = 1;
pub(crate) const UNFINISHED_SUFFIX: &str = ".part";

/// Says to which database a folder of backups belongs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) format: u32,
    /// What PostgreSQL calls the system identifier: that of the database and its copies.
    pub(crate) system: String,
    /// PostgreSQL's timeline number. A restored database goes on with another number.
    pub(crate) timeline: u32,
    /// The major version of PostgreSQL.
    pub(crate) postgres: u32,
}

impl Mark {
    pub(crate) fn new(system: String, timeline: u32, postgres: u32) -> Mark {
        Mark { format: FORMAT, system, timeline, postgres }
    }
}

/// Up to which time, and up to which log position, the log is in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Archived {
    pub(crate) until: Timestamp,
    pub(crate) place: Lsn,
}

#[derive(Debug, Clone)]
pub(crate) struct BackupFolder {
    path: PathBuf,
    pub(crate) mark: Mark,
}

impl BackupFolder {
    /// Opens the folder for another backup of a database; makes it if there is none.
    pub(crate) fn for_database(path: &Path, mark: &Mark, data_dir: &Path) -> Result<BackupFolder> {
        if std::path::absolute(path)?.starts_with(std::path::absolute(data_dir)?) {
            bail!(
                "{} lies in the data folder, which it is to be a backup of: name another folder",
                path.display()
            );
        }
        make_private(path)?;
        let there = has_mark(path);
        if !there && fs::read_dir(path)?.flatten().any(|entry| entry.file_name() != "lost+found") {
            bail!(
                "{} holds something else than Octavo's backups and is left alone: name a new or an empty folder",
                path.display()
            );
        }
        if !there {
            write_private(&path.join(MARK_FILE), &serde_json::to_vec_pretty(mark)?)?;
        }
        let found = BackupFolder::open(path)?;
        if found.mark.postgres != mark.postgres {
            bail!(
                "{} holds backups of PostgreSQL {}, and the database is of PostgreSQL {} now: name another folder",
                path.display(),
                found.mark.postgres,
                mark.postgres
            );
        }
        if found.mark.system != mark.system {
            bail!("{} holds backups of another database: name another folder", path.display());
        }
        if found.mark.timeline != mark.timeline {
            bail!(
                "{} holds backups from before the database was restored, or of another copy of it: name a new folder",
                path.display()
            );
        }
        for part in ["base", "wal"] {
            make_private(&path.join(part))?;
        }
        Ok(found)
    }

    /// Opens a folder that has backups.
    pub(crate) fn open(path: &Path) -> Result<BackupFolder> {
        let path =
            fs::canonicalize(path).with_context(|| format!("there is no folder {}", path.display()))?;
        if !has_mark(&path) {
            bail!("{} holds no backups of Octavo's: {MARK_FILE} is missing", path.display());
        }
        let mark: Mark = read_json(&path.join(MARK_FILE))?;
        if mark.format > FORMAT {
            bail!("{} was written by a newer Octavo: use that to read it", path.display());
        }
        Ok(BackupFolder { path, mark })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn backup_path(&self, name: &str) -> PathBuf {
        self.path.join("base").join(name)
    }

    pub(crate) fn log_path(&self) -> PathBuf {
        self.path.join("wal")
    }

    /// Reads the manifests of all complete backups, the oldest first. A damaged manifest is an `Err` in the list.
    pub(crate) fn manifests(&self) -> Result<Vec<Result<Manifest>>> {
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(self.path.join("base")).with_context(|| self.unreadable())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if !name.ends_with(UNFINISHED_SUFFIX) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names.iter().map(|name| Manifest::read(&self.backup_path(name), name)).collect())
    }

    /// All complete backups whose manifests can be read.
    pub(crate) fn readable_backups(&self) -> Result<Vec<BackupSummary>> {
        Ok(self.manifests()?.into_iter().flatten().map(|manifest| manifest.summary()).collect())
    }

    /// The log files in the folder that a database can be restored from.
    pub(crate) fn log_segments(&self) -> Result<LogSegments> {
        let mut log = LogSegments::new();
        for (number, partial, _) in self.log_files()? {
            log.entry(number).and_modify(|known| *known &= partial).or_insert(partial);
        }
        // A file that is incomplete although there are later ones is never filled: the log breaks off there.
        let newest = log.keys().next_back().copied();
        log.retain(|number, partial| !*partial || Some(*number) == newest);
        Ok(log)
    }

    /// All log files in the folder: the number, whether the file is incomplete, and its path.
    pub(crate) fn log_files(&self) -> Result<Vec<(u64, bool, PathBuf)>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.log_path()).with_context(|| self.unreadable())? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if let Some((timeline, number, partial)) = name.and_then(plan::parse_segment_name)
                && timeline == self.mark.timeline
            {
                files.push((number, partial, path));
            }
        }
        Ok(files)
    }

    /// The path of a log file in the folder, and the file name that PostgreSQL gives it.
    pub(crate) fn segment_path(&self, number: u64, is_partial: bool) -> (PathBuf, String) {
        let name = plan::segment_name(self.mark.timeline, number);
        let suffix = if is_partial { ".partial" } else { "" };
        (self.log_path().join(format!("{name}{suffix}")), name)
    }

    pub(crate) fn read_archived(&self) -> Option<Archived> {
        read_json(&self.path.join(ARCHIVED_FILE)).ok()
    }

    pub(crate) fn write_archived(&self, archived: Archived) -> Result<()> {
        write_private(&self.path.join(ARCHIVED_FILE), &serde_json::to_vec(&archived)?)
    }

    /// Locks the folder for one kind of work (`base` or `wal`) as long as the returned file is open; `None` if another process holds the
    /// lock.
    pub(crate) fn lock(&self, what: &str) -> Result<Option<File>> {
        let path = self.path.join(format!("{what}.lock"));
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = file.with_context(|| format!("can't write {}", path.display()))?;
        Ok(rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(file))
    }

    fn unreadable(&self) -> String {
        format!("can't read {}", self.path.display())
    }
}

pub(crate) fn has_mark(path: &Path) -> bool {
    path.join(MARK_FILE).is_file()
}

#[cfg(test)]
impl BackupFolder {
    /// A new backup folder, and the temporary folder around it, which the caller removes.
    pub(super) fn in_temporary_folder(purpose: &str) -> (PathBuf, BackupFolder) {
        let around = octavo_testkit::temporary_folder(purpose);
        let mark = Mark::new("7".to_owned(), 1, 15);
        let folder = BackupFolder::for_database(&around.join("backups"), &mark, &around.join("data"));
        (around, folder.unwrap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_log_file_counts_only_while_it_is_the_newest() {
        let (around, folder) = BackupFolder::in_temporary_folder("log-files");
        for (number, is_partial) in [(3, false), (4, true), (6, false), (7, true)] {
            write_private(&folder.segment_path(number, is_partial).0, b"").unwrap();
        }
        let log = folder.log_segments().unwrap();
        fs::remove_dir_all(&around).unwrap();
        assert_eq!(log, LogSegments::from([(3, false), (6, false), (7, true)]));
    }
}
