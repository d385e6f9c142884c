//! Who runs PostgreSQL. It refuses to run as root, so a root Octavo lends it an unprivileged user and the few rights it needs.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::{EmbeddedError, io_error};

/// Users that may run PostgreSQL, in the order of preference.
const UNPRIVILEGED: &[&str] = &["postgres", "nobody"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct User {
    name: String,
    uid: u32,
    gid: u32,
}

/// The user to run PostgreSQL as, or none to run it as ourselves. Data that exists keeps its owner.
pub(super) fn server_user(cluster: &Path) -> Result<Option<User>, EmbeddedError> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    if let Ok(owner) = fs::metadata(cluster)
        && owner.uid() != 0
    {
        let (uid, gid) = (owner.uid(), owner.gid());
        let name = uid.to_string();
        return Ok(Some(User { name, uid, gid }));
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    UNPRIVILEGED
        .iter()
        .find_map(|name| find_in_passwd(&users, name))
        .map(Some)
        .ok_or(EmbeddedError::NoUnprivilegedUser)
}

fn find_in_passwd(users: &str, name: &str) -> Option<User> {
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    let uid = fields.next()?.parse().ok().filter(|&uid| uid != 0)?;
    let gid = fields.next()?.parse().ok()?;
    let name = name.to_owned();
    Some(User { name, uid, gid })
}

/// Variables with which systemd waits to hear from Octavo: PostgreSQL would answer in its place.
const OCTAVO_VARIABLES: &[&str] = &["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"];

/// A command without PostgreSQL's variables in its environment (PGDATA and its like would mislead it), run as `user`.
pub(super) fn command(program: &Path, user: Option<&User>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"PG") || OCTAVO_VARIABLES.iter().any(|ours| name == *ours) {
            command.env_remove(name);
        }
    }
    // Dropping root by uid() also drops root's supplementary groups.
    if let Some(user) = user {
        command.uid(user.uid).gid(user.gid);
    }
    command.stdin(Stdio::null());
    command
}

pub(super) fn change_owner(path: &Path, user: Option<&User>) -> Result<(), EmbeddedError> {
    match user {
        Some(user) => {
            chown(path, Some(user.uid), Some(user.gid)).map_err(io_error("cannot change the owner of", path))
        }
        None => Ok(()),
    }
}

/// Lets the user pass through `folder`, which stays root's: by its group, so that nobody else gains the right.
pub(super) fn grant_entry(folder: &Path, user: Option<&User>) -> Result<(), EmbeddedError> {
    let Some(user) = user else { return Ok(()) };
    let failed = "cannot open the data folder to PostgreSQL's user:";
    let metadata = fs::metadata(folder).map_err(io_error(failed, folder))?;
    if !may_enter(&metadata, user) {
        chown(folder, None, Some(user.gid)).map_err(io_error(failed, folder))?;
        let mode = metadata.permissions().mode() | 0o010;
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).map_err(io_error(failed, folder))?;
    }
    check_reachable(folder, Some(user))
}

/// Makes sure that the user gets to `folder`; else says which folder on the way is closed.
pub(super) fn check_reachable(folder: &Path, user: Option<&User>) -> Result<(), EmbeddedError> {
    let Some(user) = user else { return Ok(()) };
    // Asked by trying, for access lists decide too; the modes only tell where the way is closed.
    let entered = command(Path::new("/bin/sh"), Some(user))
        .args(["-c", "cd -- \"$1\"", "sh"])
        .arg(folder)
        .current_dir("/")
        .stderr(Stdio::null())
        .status();
    match entered {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(EmbeddedError::Blocked {
            user: user.name.clone(),
            blocked: first_closed_folder(folder, user),
            folder: folder.to_owned(),
        }),
        Err(source) => Err(EmbeddedError::Io {
            what: "cannot run as PostgreSQL's user",
            path: PathBuf::from("/bin/sh"),
            source,
        }),
    }
}

fn first_closed_folder(folder: &Path, user: &User) -> PathBuf {
    let mut way: Vec<&Path> = folder.ancestors().collect();
    way.reverse();
    let closed = |step: &&&Path| -> bool {
        let metadata: io::Result<fs::Metadata> = fs::metadata(step);
        !metadata.is_ok_and(|metadata| may_enter(&metadata, user))
    };
    way.iter().find(closed).copied().unwrap_or(folder).to_owned()
}

fn may_enter(metadata: &fs::Metadata, user: &User) -> bool {
    let bit = match () {
        () if metadata.uid() == user.uid => 0o100,
        () if metadata.gid() == user.gid => 0o010,
        () => 0o001,
    };
    metadata.mode() & bit != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const USERS: &str =
        "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533:n:/:/bin/false\npostgres:x:101:104::/:/bin/sh\n";

    #[test]
    fn users_are_read_from_the_password_file() {
        let postgres = find_in_passwd(USERS, "postgres").unwrap();
        assert_eq!((postgres.uid, postgres.gid), (101, 104));
        assert_eq!(find_in_passwd(USERS, "nobody").unwrap().gid, 65533);
        assert_eq!(find_in_passwd(USERS, "_postgres"), None);
    }

    #[test]
    fn root_is_never_unprivileged() {
        assert_eq!(find_in_passwd("postgres:x:0:0::/:/bin/sh", "postgres"), None);
    }

    #[test]
    fn the_first_closed_folder_on_the_way_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let closed = folder.path().join("closed");
        let inner = closed.join("inner");
        fs::create_dir_all(&inner).unwrap();
        for (path, mode) in [(folder.path(), 0o711), (&closed, 0o700)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let (uid, gid) = (4_000_001, 4_000_001);
        let name = "stranger".to_owned();
        assert_eq!(first_closed_folder(&inner, &User { name, uid, gid }), closed);
    }
}
