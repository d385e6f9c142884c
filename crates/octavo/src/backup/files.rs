//! Copies the files of the data folder that are not in the database: uploaded files, and others that Octavo does not make again by
//! itself.

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
const UNFINISHED_DATABASE: &str = "postgres.new-";

/// Copies the files into `into`; returns their checksums by path, which begins with `files/`.
pub(crate) fn copy_files(data_dir: &Path, uploads: Option<&Path>, into: &Path) -> Result<Sums> {
    make_private(into)?;
    let mut sums = Sums::new();
    for (from, name) in sources(data_dir, uploads)? {
        copy_entry(&from, &into.join(&name), &format!("files/{name}"), &mut sums)?;
    }
    Ok(sums)
}

/// How many bytes would be copied now.
pub(crate) fn copied_bytes(data_dir: &Path, uploads: Option<&Path>) -> Result<u64> {
    Ok(sources(data_dir, uploads)?.iter().map(|(from, _)| bytes_of_entry(from)).sum())
}

/// The bytes of a file, or of all files in a folder. What cannot be read counts as nothing.
pub(crate) fn bytes_of_entry(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => about.len(),
        Ok(about) if about.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| bytes_of_entry(&entry.path())).sum()
        }
        _ => 0,
    }
}

/// The files and folders that are copied, each with its name in the backup.
fn sources(data_dir: &Path, uploads: Option<&Path>) -> Result<Vec<(PathBuf, String)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(data_dir).with_context(|| format!("can't read {}", data_dir.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_uploads = name == "uploads" && uploads.is_some();
        if !LEFT_OUT.contains(&name.as_str()) && !name.starts_with(UNFINISHED_DATABASE) && !is_uploads {
            all.push((data_dir.join(&name), name));
        }
    }
    if let Some(uploads) = uploads.filter(|uploads| uploads.exists()) {
        all.push((uploads.to_owned(), "uploads".to_owned()));
    }
    Ok(all)
}

/// Copies a file or a folder with its content. A file that disappears during the copy was deleted on purpose, and is left out.
fn copy_entry(from: &Path, to: &Path, name: &str, sums: &mut Sums) -> Result<()> {
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
            copy_entry(
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

/// Copies a file and replaces an existing one.
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

/// Copies the files of a backup back into a data folder; returns their number.
pub(crate) fn restore_files(from: &Path, data_dir: &Path) -> Result<usize> {
    let mut sums = Sums::new();
    for entry in fs::read_dir(from).with_context(|| format!("can't read {}", from.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        copy_entry(&from.join(&name), &data_dir.join(&name), &name, &mut sums)?;
    }
    Ok(sums.len())
}

/// Where uploaded files are kept if not in the data folder.
pub(crate) fn uploads_elsewhere(data_dir: &Path, upload_dir: Option<&PathBuf>) -> Option<PathBuf> {
    upload_dir.filter(|folder| **folder != data_dir.join("uploads")).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_of_what_is_copied() {
        let folder = octavo_testkit::temporary_folder("size");
        let (data, elsewhere) = (folder.join("data"), folder.join("elsewhere"));
        for (file, length) in [
            (data.join("postgres/base"), 1_000),
            (data.join("uploads/tenants/diku/files/a"), 100),
            (data.join("else"), 10),
            (elsewhere.join("b"), 1),
        ] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, vec![b'x'; length]).unwrap();
        }
        for (uploads, expected) in [(None, 110), (Some(elsewhere.as_path()), 11)] {
            assert_eq!(copied_bytes(&data, uploads).unwrap(), expected);
            let into = folder.join(format!("copy of {expected}"));
            copy_files(&data, uploads, &into).unwrap();
            assert_eq!(bytes_of_entry(&into), expected);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
