//! Octavo's data folder: recognised by its lock file, and used by one process at a time.
//!
//! ```text
//! octavo.lock     the pid of the Octavo that uses the folder; held with flock, so never stale
//! octavo.conf     PostgreSQL's settings, written anew on each start
//! postgres.log    what PostgreSQL says
//! postgres/       the database
//! run/            the socket; who may enter this folder may use the database
//! operator-token  what the operator shows to the server; the program writes it
//! ```

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::error::{EmbeddedError, io_error};
use super::user::{self, User};

/// A unix socket's path may have 103 bytes on macOS and 107 on Linux, of which its own name takes 18.
const LONGEST_SOCKET_FOLDER: usize = 84;
/// A log above this size is put aside at the next start, where it replaces the one put aside before.
const LARGEST_LOG: u64 = 16 * 1024 * 1024;

pub(super) struct DataFolder {
    path: PathBuf,
    lock: File,
}

impl DataFolder {
    /// Makes the folder if need be and takes its lock, which lasts as long as the value.
    pub(super) fn claim(path: &Path) -> Result<DataFolder, EmbeddedError> {
        let not_writable = |source| EmbeddedError::NotWritable { folder: path.to_owned(), source };
        make_private(path).map_err(not_writable)?;
        let path = fs::canonicalize(path).map_err(not_writable)?;
        if !is_ours_or_empty(&path).map_err(not_writable)? {
            return Err(EmbeddedError::NotOctavo { folder: path });
        }
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path.join("octavo.lock"))
            .map_err(not_writable)?;
        if let Err(error) = rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            if error != Errno::WOULDBLOCK {
                return Err(not_writable(error.into()));
            }
            let mut holder = String::new();
            let pid = lock.read_to_string(&mut holder).ok().and_then(|_| holder.trim().parse().ok());
            return Err(EmbeddedError::InUse { folder: path, pid });
        }
        record_pid(&mut lock).map_err(not_writable)?;
        Ok(DataFolder { path, lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn cluster(&self) -> PathBuf {
        self.path.join("postgres")
    }

    pub(super) fn configuration(&self) -> PathBuf {
        self.path.join("octavo.conf")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.path.join("postgres.log")
    }

    /// Where the socket goes if its path is short and plain enough.
    pub(super) fn usual_socket_folder(&self) -> PathBuf {
        self.path.join("run")
    }

    /// An empty folder for the socket that only PostgreSQL's user may enter. The caller has made sure that no server lives.
    pub(super) fn make_socket_folder(&self, user: Option<&User>) -> Result<PathBuf, EmbeddedError> {
        let folder = self.usual_socket_folder();
        let failed = io_error("cannot make the folder for the socket,", &folder);
        let folder = match fits_a_socket(&folder) {
            true => remove(&folder).and_then(|()| private_builder().create(&folder)).map(|()| folder),
            false => make_temporary(),
        }
        .map_err(failed)?;
        user::change_owner(&folder, user)?;
        Ok(folder)
    }

    /// Puts a log that has grown large aside.
    pub(super) fn rotate_log(&self) -> Result<(), EmbeddedError> {
        let log = self.log();
        if fs::metadata(&log).is_ok_and(|metadata| metadata.len() > LARGEST_LOG) {
            let aside = self.path.join("postgres.log.1");
            fs::rename(&log, aside).map_err(io_error("cannot put aside", &log))?;
        }
        Ok(())
    }
}

impl Drop for DataFolder {
    /// Closing the file is not enough: a program that another thread is just starting has it open, too, until it runs.
    fn drop(&mut self) {
        let _ = rustix::fs::flock(&self.lock, FlockOperation::Unlock);
    }
}

/// Whether a process uses the data folder.
pub(super) fn is_in_use(path: &Path) -> bool {
    let Ok(lock) = File::open(path.join("octavo.lock")) else { return false };
    rustix::fs::flock(&lock, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK)
}

fn record_pid(lock: &mut File) -> io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    writeln!(lock, "{}", std::process::id())
}

fn private_builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// Makes the folder for its owner alone, and its parents as usual.
fn make_private(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    private_builder().create(path)
}

fn is_ours_or_empty(folder: &Path) -> io::Result<bool> {
    if folder.join("octavo.lock").exists() || folder.join("octavo.conf").exists() {
        return Ok(true);
    }
    for entry in fs::read_dir(folder)? {
        // A volume of its own has this folder from the start.
        if entry?.file_name() != "lost+found" {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a socket can live here, and PostgreSQL's list of socket folders can name it without quoting.
fn fits_a_socket(folder: &Path) -> bool {
    let plain = |c: char| !c.is_control() && !matches!(c, '"' | '\'' | ',' | '\\');
    folder.to_str().is_some_and(|path| path.len() <= LONGEST_SOCKET_FOLDER && path.chars().all(plain))
}

/// A new private folder under the temporary one: `create` fails if anyone made it before, so it is ours.
fn make_temporary() -> io::Result<PathBuf> {
    let parent = match std::env::temp_dir() {
        given if fits_a_socket(&given.join("octavo-0000000000-000")) => given,
        _ => PathBuf::from("/tmp"),
    };
    for attempt in 0..1000 {
        let folder = parent.join(format!("octavo-{}-{attempt}", std::process::id()));
        match private_builder().create(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Makes a private folder and hands it to the user.
pub(super) fn create_for_user(folder: &Path, user: Option<&User>) -> Result<(), EmbeddedError> {
    private_builder().create(folder).map_err(io_error("cannot make the folder", folder))?;
    user::change_owner(folder, user)
}

/// Removes a folder with all that is in it; none there is fine.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file that PostgreSQL's user may read but not change, whatever the umask says.
pub(super) fn write_readable(path: &Path, text: &str) -> Result<(), EmbeddedError> {
    fs::write(path, text)
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o644)))
        .map_err(io_error("cannot write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_odd_paths_are_no_place_for_a_socket() {
        assert!(fits_a_socket(Path::new("/var/lib/octavo/run")));
        assert!(!fits_a_socket(Path::new(&format!("/{}/run", "x".repeat(100)))));
        assert!(!fits_a_socket(Path::new("/srv/a,b/run")));
        assert!(!fits_a_socket(Path::new("/srv/o'hara/run")));
    }

    #[test]
    fn a_folder_is_claimed_once() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/b");
        let held = DataFolder::claim(&path).unwrap();
        let refusal = DataFolder::claim(&path).err().unwrap().to_string();
        assert!(refusal.contains(&format!("process {}", std::process::id())), "{refusal}");
        drop(held);
        DataFolder::claim(&path).unwrap();
    }

    #[test]
    fn a_program_being_started_does_not_hold_on_to_a_folder() {
        let parent = tempfile::tempdir().unwrap();
        let held = DataFolder::claim(parent.path()).unwrap();
        let inherited = held.lock.try_clone().unwrap();
        drop(held);
        DataFolder::claim(parent.path()).unwrap();
        drop(inherited);
    }
}
