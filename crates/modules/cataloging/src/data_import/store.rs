//! The storage of uploaded files: a folder for each tenant in the folder of the setting `upload-dir`, which all processes share.
//! No text of a client becomes a file name: a file is named by a hash of its key, a part by numbers.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use octavo_engine::{Context, Incoming, Uploads};
use octavo_kernel::{Fault, Outcome, hex};
use sha2::{Digest, Sha256};
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;

pub(crate) struct Store {
    folder: PathBuf,
    limits: Uploads,
}

/// A request body that was stored.
pub(crate) struct Received {
    pub(crate) at: PathBuf,
    /// A hash of the content, in hexadecimal digits.
    pub(crate) tag: String,
}

/// The number of bytes after which the free space is computed again.
/// Each of several uploads at the same time can exceed the room by so much.
const RECHECK_BYTES: u64 = 16 << 20;
/// The number of bytes that are written to the disk at once.
const BUFFER_BYTES: usize = 256 << 10;

impl Store {
    pub(crate) fn from_context(context: &Context) -> Store {
        let limits = context.platform.settings.uploads.clone();
        Store { folder: limits.tenant_folder(&context.tenant.id), limits }
    }

    /// The path of the file with a key, whether it exists or not.
    pub(crate) fn file(&self, key: &str) -> PathBuf {
        self.folder.join("files").join(hex(&Sha256::digest(key)))
    }

    pub(super) fn parts(&self, upload: &str) -> PathBuf {
        self.folder.join("parts").join(upload)
    }

    /// How many more bytes a new file may have.
    pub(crate) async fn free_bytes(&self) -> Outcome<u64> {
        let (folder, limits) = (self.folder.clone(), self.limits.clone());
        let used =
            tokio::task::spawn_blocking(move || folder_bytes(&folder)).await.map_err(Fault::internal)?;
        let used = used.map_err(Fault::internal)?;
        Ok(limits.file_bytes.min(limits.tenant_bytes.saturating_sub(used)))
    }

    /// Writes a request body to the disk while it arrives. If it is interrupted, the file is removed.
    pub(super) async fn receive(&self, mut body: Incoming, name: &str) -> Outcome<Received> {
        let at = self.folder.join("incoming").join(name);
        match self.write_body(&mut body, &at).await {
            Ok(tag) => Ok(Received { at, tag }),
            Err(fault) => {
                let _ = fs::remove_file(&at).await;
                Err(fault)
            }
        }
    }

    async fn write_body(&self, body: &mut Incoming, at: &Path) -> Outcome<String> {
        let mut file = create_file(at).await.map_err(disk_fault)?;
        file.set_max_buf_size(BUFFER_BYTES);
        let (mut hash, mut room, mut written) = (Sha256::new(), self.free_bytes().await?, 0u64);
        while let Some(piece) = body.next().await? {
            let length = piece.len() as u64;
            if length > room || written > RECHECK_BYTES {
                file.flush().await.map_err(disk_fault)?;
                // The bytes that are written of this file are included in the used space by now.
                room = self.free_bytes().await?;
                written = 0;
            }
            if length > room {
                let message = "The uploaded files take more room than the setting upload-space allows";
                return Err(Fault::text(507, message));
            }
            hash.update(&piece);
            file.write_all(&piece).await.map_err(disk_fault)?;
            (room, written) = (room - length, written + length);
        }
        file.flush().await.map_err(disk_fault)?;
        file.sync_all().await.map_err(disk_fault)?;
        Ok(hex(&hash.finalize())[..TAG_DIGITS].to_owned())
    }

    /// Moves a received file to the place of the file with a key.
    pub(super) async fn move_to_key(&self, received: &Path, key: &str) -> Outcome<()> {
        move_file(received, &self.file(key)).await.map_err(disk_fault)
    }

    /// Removes a file. It is no error if there is none.
    pub(super) async fn remove(&self, key: &str) -> Outcome<()> {
        match fs::remove_file(self.file(key)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(disk_fault(error)),
            _ => Ok(()),
        }
    }

    /// Joins parts to one file, in their order. The caller removes the parts.
    pub(super) async fn put_together(&self, parts: Vec<PathBuf>, name: &str, key: &str) -> Outcome<()> {
        let (at, to) = (self.folder.join("incoming").join(name), self.file(key));
        let joined = move || {
            let result = join_parts(&parts, &at).and_then(|()| {
                std::fs::create_dir_all(to.parent().unwrap_or(&to))?;
                std::fs::rename(&at, &to)
            });
            if result.is_err() {
                let _ = std::fs::remove_file(&at);
            }
            result
        };
        tokio::task::spawn_blocking(joined).await.map_err(Fault::internal)?.map_err(disk_fault)
    }

    /// Removes the entries of these folders that have not changed since a time.
    pub(super) async fn remove_older(&self, folders: &[&str], before: SystemTime) -> Outcome<()> {
        let folders: Vec<PathBuf> = folders.iter().map(|name| self.folder.join(name)).collect();
        let clean = move || folders.iter().try_for_each(|folder| remove_older_entries(folder, before));
        tokio::task::spawn_blocking(clean).await.map_err(Fault::internal)?.map_err(Fault::internal)
    }
}

/// The number of hexadecimal digits of the hash in the name of a part.
const TAG_DIGITS: usize = 32;

/// The answer to a failed access to the disk: 507 if the disk is full.
pub(crate) fn disk_fault(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Fault::text(507, "The disk for uploaded files is full")
        }
        _ => Fault::internal(error),
    }
}

async fn create_file(at: &Path) -> io::Result<File> {
    if let Some(folder) = at.parent() {
        fs::create_dir_all(folder).await?;
    }
    File::create(at).await
}

pub(super) async fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).await?;
    }
    fs::rename(from, to).await
}

fn join_parts(parts: &[PathBuf], at: &Path) -> io::Result<()> {
    std::fs::create_dir_all(at.parent().unwrap_or(at))?;
    let mut file = std::fs::File::create(at)?;
    for part in parts {
        io::copy(&mut std::fs::File::open(part)?, &mut file)?;
    }
    file.sync_all()
}

/// The bytes of all files in a folder. Other processes may be removing files meanwhile.
fn folder_bytes(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for (path, is_folder) in entries(folder)? {
        sum += match is_folder {
            true => folder_bytes(&path)?,
            false => std::fs::metadata(&path).map_or(0, |about| about.len()),
        };
    }
    Ok(sum)
}

fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let found = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    let entry = |entry: io::Result<std::fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.path(), entry.file_type().is_ok_and(|kind| kind.is_dir())))
    };
    found.map(entry).collect()
}

fn remove_older_entries(folder: &Path, before: SystemTime) -> io::Result<()> {
    for (path, is_folder) in entries(folder)? {
        let changed = std::fs::metadata(&path).and_then(|about| about.modified());
        if changed.is_ok_and(|changed| changed < before) {
            let _ = if is_folder { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        }
    }
    Ok(())
}

/// The prefix of the keys of files that were sent in one request; FOLIO, too, keeps them in another place.
const WHOLE_FILE_PREFIX: &str = "upload/";

/// A new key for a file that is sent in parts. Clients show the text after the first hyphen of the last part of the key. The six digits
/// after the time distinguish files that begin in the same millisecond.
pub(super) fn new_key(context: &Context, name: &str) -> String {
    let (tenant, time) = (context.tenant.id.as_str(), context.now.as_millisecond());
    let digits = context.fresh_id().as_u128() % 1_000_000;
    format!("data-import/{tenant}/{time}{digits:06}-{name}")
}

/// A new key for a file that is sent in one request.
pub(super) fn new_whole_file_key(context: &Context, name: &str) -> String {
    format!("{WHOLE_FILE_PREFIX}{}", new_key(context, name))
}

/// Whether the file with this key was sent in parts.
pub(super) fn came_in_parts(key: &str) -> bool {
    !key.starts_with(WHOLE_FILE_PREFIX)
}
