//! What the data folder holds beside the database: uploaded files, and whatever else is not made anew by itself.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::manifest::{Sums, sha256};
use crate::private_files::make_private;

/// Parts of the data folder that are in the backup in another way, or made anew at the next start: the database, its settings,
/// log and socket, the lock, indexes of searches, and the operator's token, which is in the database.
const LEFT_OUT: &[&str] = &[
    "postgres",
    "octavo.conf",
    "octavo.lock",
    "postgres.log",
    "postgres.log.1",
    "run",
    "derived",
    "operator-token",
    "operator-token.new",
    "backup-folder",
    "lost+found",
];
const UNFINISHED: &str = "postgres.new-";

/// Copies the files into `into`; returns their checksums by path, which begins with `files/`.
pub(crate) fn copy(data_dir: &Path, uploads: Option<&Path>, into: &Path) -> Result<Sums> {
    make_private(into)?;
    let mut sums = Sums::new();
    for entry in fs::read_dir(data_dir).with_context(|| format!("can't read {}", data_dir.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_uploads = name == "uploads" && uploads.is_some();
        if !LEFT_OUT.contains(&name.as_str()) && !name.starts_with(UNFINISHED) && !is_uploads {
            copy_any(&data_dir.join(&name), &into.join(&name), &format!("files/{name}"), &mut sums)?;
        }
    }
    if let Some(uploads) = uploads.filter(|uploads| uploads.exists()) {
        copy_any(uploads, &into.join("uploads"), "files/uploads", &mut sums)?;
    }
    Ok(sums)
}

/// What goes while it is copied was removed on purpose.
fn copy_any(from: &Path, to: &Path, name: &str, sums: &mut Sums) -> Result<()> {
    if name.contains('\n') {
        bail!("{} has a line break in its name and cannot be backed up", from.display());
    }
    let unreadable = || format!("can't read {}", from.display());
    let kind = match fs::symlink_metadata(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.with_context(unreadable)?.file_type(),
    };
    if kind.is_dir() {
        make_private(to)?;
        for entry in fs::read_dir(from).with_context(unreadable)? {
            let part = entry?.file_name();
            copy_any(
                &from.join(&part),
                &to.join(&part),
                &format!("{name}/{}", part.to_string_lossy()),
                sums,
            )?;
        }
    } else if kind.is_file() {
        match copy_file(from, to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            copied => copied.with_context(|| format!("can't copy {}", from.display()))?,
        }
        sums.insert(name.to_owned(), sha256(to)?);
    }
    Ok(())
}

/// A file that is there already gives way.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut source, &mut target)?;
    target.sync_all()
}

/// Puts the files of a backup into a folder; returns how many there are.
pub(crate) fn put_back(from: &Path, data_dir: &Path) -> Result<usize> {
    let mut sums = Sums::new();
    for entry in fs::read_dir(from).with_context(|| format!("can't read {}", from.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        copy_any(&from.join(&name), &data_dir.join(&name), &name, &mut sums)?;
    }
    Ok(sums.len())
}

/// Where uploaded files are kept if not in the data folder.
pub(crate) fn uploads_elsewhere(data_dir: &Path, upload_dir: Option<&PathBuf>) -> Option<PathBuf> {
    upload_dir.filter(|folder| **folder != data_dir.join("uploads")).cloned()
}
