//! Where uploaded files are kept: a folder of each tenant in the folder of the setting `upload-dir`, which all processes have in common.
//! Nothing that a client says becomes the name of a file: a file is named by a hash of its key, a part by numbers.

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

/// What was received.
pub(crate) struct Received {
    pub(crate) at: PathBuf,
    /// A hash of what it holds.
    pub(crate) tag: String,
}

/// How much is written before it is looked again how much room there is.
/// Each of several uploads at the same time can exceed the room by so much.
const STEP: u64 = 16 << 20;
/// How much is handed to the disk at once.
const BUFFER: usize = 256 << 10;

impl Store {
    pub(crate) fn of(context: &Context) -> Store {
        let limits = context.platform.settings.uploads.clone();
        Store { folder: limits.of(&context.tenant.id), limits }
    }

    /// Where the file with a key is, whether it is there or not.
    pub(crate) fn file(&self, key: &str) -> PathBuf {
        self.folder.join("files").join(hex(&Sha256::digest(key)))
    }

    pub(super) fn parts(&self, upload: &str) -> PathBuf {
        self.folder.join("parts").join(upload)
    }

    /// How many bytes a further file may have.
    pub(crate) async fn room(&self) -> Outcome<u64> {
        let (folder, limits) = (self.folder.clone(), self.limits.clone());
        let used = tokio::task::spawn_blocking(move || size(&folder)).await.map_err(Fault::internal)?;
        let used = used.map_err(Fault::internal)?;
        Ok(limits.file_bytes.min(limits.tenant_bytes.saturating_sub(used)))
    }

    /// Writes a body to the disk while it comes. What is broken off leaves nothing behind.
    pub(super) async fn receive(&self, mut body: Incoming, name: &str) -> Outcome<Received> {
        let at = self.folder.join("incoming").join(name);
        match self.written(&mut body, &at).await {
            Ok(tag) => Ok(Received { at, tag }),
            Err(fault) => {
                let _ = fs::remove_file(&at).await;
                Err(fault)
            }
        }
    }

    async fn written(&self, body: &mut Incoming, at: &Path) -> Outcome<String> {
        let mut file = created(at).await.map_err(failed)?;
        file.set_max_buf_size(BUFFER);
        let (mut hash, mut room, mut written) = (Sha256::new(), self.room().await?, 0u64);
        while let Some(piece) = body.next().await? {
            let length = piece.len() as u64;
            if length > room || written > STEP {
                file.flush().await.map_err(failed)?;
                // What is written of this file counts as used by now.
                room = self.room().await?;
                written = 0;
            }
            if length > room {
                let message = "The uploaded files take more room than the setting upload-space allows";
                return Err(Fault::text(507, message));
            }
            hash.update(&piece);
            file.write_all(&piece).await.map_err(failed)?;
            (room, written) = (room - length, written + length);
        }
        file.flush().await.map_err(failed)?;
        file.sync_all().await.map_err(failed)?;
        Ok(hex(&hash.finalize())[..TAG].to_owned())
    }

    /// Makes what was received the file with a key.
    pub(super) async fn keep(&self, received: &Path, key: &str) -> Outcome<()> {
        moved(received, &self.file(key)).await.map_err(failed)
    }

    /// Removes a file; one that is not there stays away.
    pub(super) async fn remove(&self, key: &str) -> Outcome<()> {
        match fs::remove_file(self.file(key)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Makes one file of parts, in their order. The parts stay until the caller takes them away.
    pub(super) async fn put_together(&self, parts: Vec<PathBuf>, name: &str, key: &str) -> Outcome<()> {
        let (at, to) = (self.folder.join("incoming").join(name), self.file(key));
        let joined = move || {
            let result = joined(&parts, &at).and_then(|()| {
                std::fs::create_dir_all(to.parent().unwrap_or(&to))?;
                std::fs::rename(&at, &to)
            });
            if result.is_err() {
                let _ = std::fs::remove_file(&at);
            }
            result
        };
        tokio::task::spawn_blocking(joined).await.map_err(Fault::internal)?.map_err(failed)
    }

    /// Removes what has not changed in these folders since a time.
    pub(super) async fn forget(&self, folders: &[&str], before: SystemTime) -> Outcome<()> {
        let folders: Vec<PathBuf> = folders.iter().map(|name| self.folder.join(name)).collect();
        let clean = move || folders.iter().try_for_each(|folder| forget(folder, before));
        tokio::task::spawn_blocking(clean).await.map_err(Fault::internal)?.map_err(Fault::internal)
    }
}

/// How many digits of its hash a part is known by.
const TAG: usize = 32;

/// What the disk refuses: 507 if it is full.
pub(crate) fn failed(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Fault::text(507, "The disk for uploaded files is full")
        }
        _ => Fault::internal(error),
    }
}

async fn created(at: &Path) -> io::Result<File> {
    if let Some(folder) = at.parent() {
        fs::create_dir_all(folder).await?;
    }
    File::create(at).await
}

pub(super) async fn moved(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).await?;
    }
    fs::rename(from, to).await
}

fn joined(parts: &[PathBuf], at: &Path) -> io::Result<()> {
    std::fs::create_dir_all(at.parent().unwrap_or(at))?;
    let mut file = std::fs::File::create(at)?;
    for part in parts {
        io::copy(&mut std::fs::File::open(part)?, &mut file)?;
    }
    file.sync_all()
}

/// The bytes of all files in a folder. Others may be removing them meanwhile.
fn size(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for (path, is_folder) in entries(folder)? {
        sum += match is_folder {
            true => size(&path)?,
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

fn forget(folder: &Path, before: SystemTime) -> io::Result<()> {
    for (path, is_folder) in entries(folder)? {
        let changed = std::fs::metadata(&path).and_then(|about| about.modified());
        if changed.is_ok_and(|changed| changed < before) {
            let _ = if is_folder { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        }
    }
    Ok(())
}

/// Keys of files that came in one request begin so; FOLIO keeps these elsewhere, too.
const WHOLE: &str = "upload/";

/// The key under which a new file is kept that comes in parts. Clients show what follows the first hyphen of its last part. The six digits
/// behind the time keep files apart that begin in the same millisecond.
pub(super) fn key(context: &Context, name: &str) -> String {
    let (tenant, time) = (context.tenant.id.as_str(), context.now.as_millisecond());
    let digits = context.fresh_id().as_u128() % 1_000_000;
    format!("data-import/{tenant}/{time}{digits:06}-{name}")
}

/// The key under which a new file is kept that comes in one request.
pub(super) fn key_of_whole(context: &Context, name: &str) -> String {
    format!("{WHOLE}{}", key(context, name))
}

/// Whether the file with this key came in parts.
pub(super) fn came_in_parts(key: &str) -> bool {
    !key.starts_with(WHOLE)
}
