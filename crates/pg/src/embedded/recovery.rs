//! A data folder made from a base backup and the log of changes behind it, and the PostgreSQL on it that works the log off up
//! to a moment.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{EmbeddedError, io_error};
use super::folder::DataFolder;
use super::user::{self, User};
use super::{Embedded, EmbeddedOptions};

/// A log of several days takes its time.
const LONGEST_RECOVERY: Duration = Duration::from_secs(48 * 3600);
const PIECE: usize = 1 << 20;
/// The file of a data folder that is there as long as the folder is not restored whole.
const UNFINISHED: &str = "restore-unfinished";

/// How far the log of changes is replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecoveryTarget {
    /// All of it.
    End,
    /// The last change that was committed by then, as PostgreSQL writes a time.
    Time(String),
    /// The changes before a place in the log. The server then waits there, and can be read only.
    Position(String),
}

impl RecoveryTarget {
    fn settings(&self) -> Vec<(String, String)> {
        let own: &[(&str, &str)] = match self {
            RecoveryTarget::End => &[("hot_standby", "off")],
            RecoveryTarget::Time(time) => &[
                ("hot_standby", "off"),
                ("recovery_target_time", time),
                ("recovery_target_action", "promote"),
            ],
            RecoveryTarget::Position(place) => &[
                ("hot_standby", "on"),
                ("recovery_target_lsn", place),
                ("recovery_target_inclusive", "off"),
                ("recovery_target_action", "pause"),
            ],
        };
        // The log lies in the cluster already: nothing is to be fetched.
        let always = [("restore_command", "false"), ("recovery_target_timeline", "current")];
        always.iter().chain(own).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }
}

/// Makes a new data folder from the cluster of a base backup and files of the log, each with the name that it is to have. `copied` is
/// called with the number of bytes of each piece that was copied. The folder must be new or empty, and cannot be used until
/// [`mark_restored`] is called.
pub fn place_backup(
    data_dir: &Path,
    base: &Path,
    log: &[(PathBuf, String)],
    mut copied: impl FnMut(u64),
) -> Result<(), EmbeddedError> {
    let data = DataFolder::claim(data_dir)?;
    let cluster = data.cluster();
    if cluster.exists() {
        return Err(EmbeddedError::NotOctavo { folder: data_dir.to_owned() });
    }
    let mark = data.path().join(UNFINISHED);
    private_file(&mark).map_err(io_error("cannot write", &mark))?;
    let user = user::server_user(&cluster)?;
    user::grant_entry(data.path(), user.as_ref())?;
    // Put into place when it is whole, so that an interrupted one never passes for a database.
    let unfinished = data.path().join("postgres.restored");
    super::folder::remove(&unfinished).map_err(io_error("cannot remove", &unfinished))?;
    copy_folder(base, &unfinished, user.as_ref(), &mut copied)?;
    let wal = unfinished.join("pg_wal");
    for (file, name) in log {
        copy_file(file, &wal.join(name), user.as_ref(), &mut copied)?;
    }
    let signal = unfinished.join("recovery.signal");
    private_file(&signal).map_err(io_error("cannot write", &signal))?;
    user::change_owner(&signal, user.as_ref())?;
    fs::rename(&unfinished, &cluster).map_err(io_error("cannot put into place", &cluster))?;
    File::open(data.path()).and_then(|folder| folder.sync_all()).map_err(io_error("cannot save", data.path()))
}

/// Whether a data folder is being restored, or the restore was interrupted.
pub(super) fn is_unfinished(data_dir: &Path) -> bool {
    data_dir.join(UNFINISHED).exists()
}

/// Marks the folder as restored: from now on it is as good as any other.
pub fn mark_restored(data_dir: &Path) -> Result<(), EmbeddedError> {
    let mark = data_dir.join(UNFINISHED);
    fs::remove_file(&mark).map_err(io_error("cannot remove", &mark))?;
    File::open(data_dir).and_then(|folder| folder.sync_all()).map_err(io_error("cannot save", data_dir))
}

/// Starts PostgreSQL on a folder that [`place_backup`] made. It answers once the log is replayed; with [`RecoveryTarget::Position`] before
/// that.
pub async fn recover(options: EmbeddedOptions, until: &RecoveryTarget) -> Result<Embedded, EmbeddedError> {
    let mut options = options;
    options.settings.extend(until.settings());
    Embedded::start_within(options, LONGEST_RECOVERY).await
}

fn copy_folder(
    from: &Path,
    to: &Path,
    user: Option<&User>,
    copied: &mut impl FnMut(u64),
) -> Result<(), EmbeddedError> {
    DirBuilder::new().mode(0o700).create(to).map_err(io_error("cannot make the folder", to))?;
    user::change_owner(to, user)?;
    for entry in fs::read_dir(from).map_err(io_error("cannot read", from))? {
        let entry = entry.map_err(io_error("cannot read", from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(io_error("cannot read", &path))?;
        if kind.is_dir() {
            copy_folder(&path, &target, user, copied)?;
        } else if kind.is_file() {
            copy_file(&path, &target, user, copied)?;
        } else {
            let strange = io::Error::other("it is neither a file nor a folder");
            return Err(io_error("cannot copy", &path)(strange));
        }
    }
    Ok(())
}

fn copy_file(
    from: &Path,
    to: &Path,
    user: Option<&User>,
    copied: &mut impl FnMut(u64),
) -> Result<(), EmbeddedError> {
    let mut source = File::open(from).map_err(io_error("cannot read", from))?;
    let mut target = private_file(to).map_err(io_error("cannot write", to))?;
    let mut piece = vec![0; PIECE];
    loop {
        let read = source.read(&mut piece).map_err(io_error("cannot read", from))?;
        if read == 0 {
            break;
        }
        target.write_all(&piece[..read]).map_err(io_error("cannot write", to))?;
        copied(read as u64);
    }
    target.sync_data().map_err(io_error("cannot save", to))?;
    user::change_owner(to, user)
}

fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_waited_at_and_a_time_is_the_end() {
        let value = |until: &RecoveryTarget, name: &str| {
            until.settings().into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
        };
        let place = RecoveryTarget::Position("0/3000028".to_owned());
        assert_eq!(value(&place, "recovery_target_action").as_deref(), Some("pause"));
        assert_eq!(value(&place, "recovery_target_inclusive").as_deref(), Some("off"));
        let time = RecoveryTarget::Time("2026-11-28 06:00:00+00".to_owned());
        assert_eq!(value(&time, "recovery_target_action").as_deref(), Some("promote"));
        assert_eq!(value(&RecoveryTarget::End, "recovery_target_time"), None);
        assert_eq!(value(&RecoveryTarget::End, "restore_command").as_deref(), Some("false"));
    }
}
