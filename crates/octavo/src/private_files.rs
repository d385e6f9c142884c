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

/// Writes a file that only Octavo's own user may read, in the place of one that is there.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().with_context(|| format!("can't write {}", path.display()))
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("can't understand {}", path.display()))
}

/// Writes to the disk which files a folder holds.
pub(crate) fn sync(path: &Path) -> Result<()> {
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .with_context(|| format!("can't save {}", path.display()))
}
