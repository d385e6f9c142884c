//! What can keep the private PostgreSQL from starting. Every message says what the operator can do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use super::installation::{Installation, OLDEST};

#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    #[error(
        "found no PostgreSQL on this machine: install PostgreSQL {OLDEST} or newer (scripts/setup.sh does it), \
         or name a database with --database-url"
    )]
    NoneInstalled,

    #[error(
        "the folder {folder} holds no working PostgreSQL programs (postgres and initdb): name the bin folder of \
         PostgreSQL {OLDEST} or newer, or none to have it found"
    )]
    NoBinariesIn { folder: PathBuf },

    #[error(
        "found only PostgreSQL {}: Octavo needs PostgreSQL {OLDEST} or newer; install one beside it \
         (scripts/setup.sh does it), or name a database with --database-url",
        list(.found)
    )]
    TooOld { found: Vec<Installation> },

    #[error(
        "the data in {cluster} was made by PostgreSQL {made_by}, and Octavo found only PostgreSQL {}: install \
         PostgreSQL {made_by} again, or bring the data over with pg_upgrade",
        list(.found)
    )]
    OtherMajor { cluster: PathBuf, made_by: u32, found: Vec<Installation> },

    #[error(
        "cannot write to the data folder {folder} ({source}): give this user the right to, or choose another folder"
    )]
    NotWritable { folder: PathBuf, source: io::Error },

    #[error(
        "the folder {folder} holds something else than Octavo's data, so it is left alone: choose an empty or a new folder"
    )]
    NotOctavo { folder: PathBuf },

    #[error("the data folder {folder} was not restored to the end: remove it, and restore again")]
    HalfRestored { folder: PathBuf },

    #[error(
        "the data folder {folder} is in use by another Octavo ({}): stop that one, or choose another folder",
        .pid.map_or("process unknown".to_owned(), |pid| format!("process {pid}"))
    )]
    InUse { folder: PathBuf, pid: Option<i32> },

    #[error(
        "a PostgreSQL that this process may not stop still runs on {cluster}{}: stop it, then start Octavo again",
        .pid.map_or(String::new(), |pid| format!(" (process {pid} by its own count, perhaps in another container)"))
    )]
    StillRunning { cluster: PathBuf, pid: Option<i32> },

    #[error(
        "started as root, Octavo runs PostgreSQL as an unprivileged user, and this machine has neither 'postgres' nor \
         'nobody': add one (useradd --system postgres), or start Octavo as an ordinary user"
    )]
    NoUnprivilegedUser,

    #[error(
        "PostgreSQL runs here as the user '{user}', who cannot enter {blocked} on the way to {folder}: allow it \
         (chmod o+x {blocked}), or choose a folder elsewhere, such as one under /var/lib"
    )]
    Blocked { user: String, blocked: PathBuf, folder: PathBuf },

    #[error("'{name}' is not the name of a PostgreSQL setting: use letters, digits, '_' and '.'")]
    SettingName { name: String },

    #[error("initdb could not make a database in {cluster}. Its last lines:\n{output}")]
    Initdb { cluster: PathBuf, output: String },

    #[error("PostgreSQL did not start ({reason}). The last lines of {log}:\n{output}")]
    Start { reason: StartFailure, log: PathBuf, output: String },

    #[error("PostgreSQL started, but the database 'octavo' could not be made: {0}")]
    Database(#[source] tokio_postgres::Error),

    #[error("{what} {}: {source}", .path.display())]
    Io {
        /// The deed that failed, as in "cannot remove".
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

/// How a start ended without a server that answers.
#[derive(Debug, thiserror::Error)]
pub enum StartFailure {
    #[error("it ended with {0}")]
    Ended(ExitStatus),
    #[error("it gave no answer within {0} seconds")]
    Silent(u64),
    #[error("it refused its own user: {0}")]
    Refused(#[source] tokio_postgres::Error),
    #[error("its end could not be awaited: {0}")]
    Lost(#[source] io::Error),
}

fn list(found: &[Installation]) -> String {
    let each: Vec<String> =
        found.iter().map(|one| format!("{} in {}", one.version, one.folder.display())).collect();
    each.join(", ")
}

/// Wraps an I/O error with the deed and the path, for `map_err`.
pub(super) fn io_error(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> EmbeddedError + use<> {
    let path = path.to_owned();
    move |source| EmbeddedError::Io { what, path, source }
}
