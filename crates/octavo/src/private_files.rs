//! Folders and files that only Octavo's own user may read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

/// Makes a folder that only Octavo's own user may enter; one that is there is left as it is.
pub(crate) fn make_private(path: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.with_context(|| format!("can't make the folder {}", path.display()))
}

/// The rights of a file that only Octavo's own user may read.
pub(crate) const OWN_USER_ONLY: u32 = 0o600;

/// Writes a file that only Octavo's own user may read, in the place of one that is there: whole, or not at all.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let write = || {
        // A file that a killed process left may have other access rights.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(OWN_USER_ONLY).open(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| format!("can't write {}", path.display()))
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("can't understand {}", path.display()))
}

/// Writes the folder's list of files to the disk.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .with_context(|| format!("can't save {}", path.display()))
}
