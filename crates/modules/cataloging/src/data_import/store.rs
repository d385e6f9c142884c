//! The storage of uploaded files: a folder for each tenant in the folder of the setting `upload-dir`, which all processes share.
//! No text of a client becomes a file name: a file is named by a hash of its key, a part by numbers.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use octavo_engine::{Context, Incoming};
use octavo_kernel::{Fault, Outcome, hex};
use sha2::{Digest, Sha256};
use tokio::fs;

use super::space::{ReservedFile, Space, disk_fault, folder_entries, run_blocking};

pub(crate) struct Store {
    folder: PathBuf,
    /// The most bytes of a file.
    file_bytes: u64,
    space: Space,
}

/// A request body that was stored.
pub(crate) struct Received {
    at: PathBuf,
    /// A hash of the content, in hexadecimal digits.
    pub(crate) tag: String,
}

impl Store {
    pub(crate) fn from_context(context: &Context) -> Store {
        let (limits, tenant) = (&context.platform.settings.uploads, &context.tenant.id);
        let folder = limits.tenant_folder(tenant);
        Store { folder, file_bytes: limits.file_bytes, space: Space::new(limits, tenant) }
    }

    /// The path of the file with a key, whether it exists or not.
    pub(crate) fn file(&self, key: &str) -> PathBuf {
        self.folder.join("files").join(hex(&Sha256::digest(key)))
    }

    pub(super) fn parts(&self, upload: &str) -> PathBuf {
        self.folder.join("parts").join(upload)
    }

    /// How many bytes a new file may have.
    pub(super) async fn free_bytes(&self) -> Outcome<u64> {
        Ok(self.file_bytes.min(self.space.free_bytes().await?))
    }

    /// Creates a file with a key, in the space of the uploaded files.
    pub(crate) async fn create(&self, key: &str) -> Outcome<ReservedFile> {
        self.space.create_file(&self.file(key)).await
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
        let (mut file, mut hash) = (self.space.create_file(at).await?, Sha256::new());
        while let Some(piece) = body.next().await? {
            hash.update(&piece);
            file.write(&piece).await?;
        }
        file.finish().await?;
        Ok(hex(&hash.finalize())[..TAG_DIGITS].to_owned())
    }

    /// Moves a received file to the place of the file with a key.
    pub(super) async fn move_to_key(&self, received: &Received, key: &str) -> Outcome<()> {
        self.space.move_file(&received.at, &self.file(key)).await
    }

    /// Moves a received file to the place of a part of an upload.
    pub(super) async fn move_to_part(&self, received: &Received, upload: &str, number: i64) -> Outcome<()> {
        let part = self.parts(upload).join(format!("{number}-{}", received.tag));
        self.space.move_file(&received.at, &part).await
    }

    /// Removes a file. It is no error if there is none.
    pub(crate) async fn remove(&self, key: &str) -> Outcome<()> {
        match fs::remove_file(self.file(key)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(disk_fault(error)),
            _ => Ok(()),
        }
    }

    /// Joins parts to one file, in their order. The caller removes the parts.
    pub(super) async fn put_together(&self, parts: Vec<PathBuf>, name: &str, key: &str) -> Outcome<()> {
        let (space, at, to) = (self.space.clone(), self.folder.join("incoming").join(name), self.file(key));
        run_blocking(move || {
            let result = join_parts(&parts, &at).and_then(|()| space.rename(&at, &to));
            if result.is_err() {
                let _ = std::fs::remove_file(&at);
            }
            result
        })
        .await
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

fn join_parts(parts: &[PathBuf], at: &Path) -> io::Result<()> {
    std::fs::create_dir_all(at.parent().unwrap_or(at))?;
    let mut file = std::fs::File::create(at)?;
    for part in parts {
        io::copy(&mut std::fs::File::open(part)?, &mut file)?;
    }
    file.sync_all()
}

fn remove_older_entries(folder: &Path, before: SystemTime) -> io::Result<()> {
    for (path, is_folder) in folder_entries(folder)? {
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
