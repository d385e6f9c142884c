//! The space that the uploaded files of one tenant may take together: the setting `upload-space`. A file that is being written reserves space before it
//! uses it, by being made longer than what is written of it so far. So the lengths of all files are the space that is taken, and every process that
//! shares the folder sees what the others have reserved.

use std::io;
use std::path::{Path, PathBuf};

use octavo_engine::Uploads;
use octavo_kernel::{Fault, Outcome, TenantId};
use tokio::fs::{self, File};
use tokio::io::{AsyncWriteExt, BufWriter};

/// The number of bytes that a file reserves at once where there is much space.
const STEP_BYTES: u64 = 16 << 20;
/// Where there is little space, a file reserves the free space divided by this number, so that some is left for other files.
const PARTS_OF_FREE_SPACE: u64 = 16;
/// The number of bytes that are written to the disk at once.
const BUFFER_BYTES: usize = 256 << 10;

/// The files of one tenant, and how many bytes they may have.
#[derive(Debug, Clone)]
pub(super) struct Space {
    folder: PathBuf,
    /// The file that is locked while the folder is measured, and while a file gets another place in it.
    lock: PathBuf,
    bytes: u64,
}

impl Space {
    pub(super) fn new(limits: &Uploads, tenant: &TenantId) -> Space {
        let (folder, lock) = (limits.tenant_folder(tenant), limits.tenant_lock(tenant));
        Space { folder, lock, bytes: limits.tenant_bytes }
    }

    /// How many bytes no file has or has reserved.
    pub(super) async fn free_bytes(&self) -> Outcome<u64> {
        let space = self.clone();
        run_blocking(move || space.measure_free_bytes()).await
    }

    fn measure_free_bytes(&self) -> io::Result<u64> {
        Ok(self.bytes.saturating_sub(folder_bytes(&self.folder)?))
    }

    /// Creates an empty file in the folder. If there is one, it is replaced.
    pub(super) async fn create_file(&self, at: &Path) -> Outcome<ReservedFile> {
        if let Some(folder) = at.parent() {
            fs::create_dir_all(folder).await.map_err(disk_fault)?;
        }
        let mut file = File::create(at).await.map_err(disk_fault)?;
        file.set_max_buf_size(BUFFER_BYTES);
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(ReservedFile { file, at: at.to_owned(), space: self.clone(), reserved: 0, written: 0 })
    }

    /// Moves a file within the folder.
    pub(super) async fn move_file(&self, from: &Path, to: &Path) -> Outcome<()> {
        let (space, from, to) = (self.clone(), from.to_owned(), to.to_owned());
        run_blocking(move || space.rename(&from, &to)).await
    }

    /// Moves a file within the folder, while no process measures it: a measurement would miss the file or count it twice.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        self.with_lock(|| std::fs::rename(from, to))
    }

    /// Makes a file so long that it has `needed` bytes at least, or returns `None` if there is not so much space. Returns the file's length.
    fn extend_file(&self, at: &Path, length: u64, needed: u64) -> io::Result<Option<u64>> {
        self.with_lock(|| {
            let (free, missing) = (self.measure_free_bytes()?, needed.saturating_sub(length));
            if missing > free {
                return Ok(None);
            }
            let extended = length + missing.max(STEP_BYTES.min(free / PARTS_OF_FREE_SPACE));
            std::fs::File::options().write(true).open(at)?.set_len(extended)?;
            Ok(Some(extended))
        })
    }

    fn with_lock<T>(&self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if let Some(folder) = self.lock.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let lock = std::fs::File::options().create(true).truncate(false).write(true).open(&self.lock)?;
        // It is unlocked when the file is closed, also if the process ends.
        lock.lock()?;
        work()
    }
}

/// A file that has reserved the space that it is written into.
#[derive(Debug)]
pub(crate) struct ReservedFile {
    file: BufWriter<File>,
    at: PathBuf,
    space: Space,
    /// The length of the file.
    reserved: u64,
    written: u64,
}

impl ReservedFile {
    /// Writes at the end of the file. The error 507 if there is no space for it; then the caller removes the file.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        let needed = self.written + bytes.len() as u64;
        if needed > self.reserved {
            self.reserve(needed).await?;
        }
        self.file.write_all(bytes).await.map_err(disk_fault)?;
        self.written = needed;
        Ok(())
    }

    async fn reserve(&mut self, needed: u64) -> Outcome<()> {
        let (space, at, length) = (self.space.clone(), self.at.clone(), self.reserved);
        let extended = run_blocking(move || space.extend_file(&at, length, needed)).await?;
        let message = "The uploaded files take more room than the setting upload-space allows";
        self.reserved = extended.ok_or_else(|| Fault::text(507, message))?;
        Ok(())
    }

    /// Gives back the space that was not used. When this returns, the file is on the disk.
    pub(crate) async fn finish(mut self) -> Outcome<()> {
        self.file.flush().await.map_err(disk_fault)?;
        let file = self.file.get_ref();
        file.set_len(self.written).await.map_err(disk_fault)?;
        file.sync_all().await.map_err(disk_fault)
    }
}

/// The answer to a failed access to the disk: 507 if the disk is full.
pub(crate) fn disk_fault(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Fault::text(507, "The disk for uploaded files is full")
        }
        _ => Fault::internal(error),
    }
}

/// Does work that waits for the disk, on a thread for such work.
pub(super) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Outcome<T> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::internal)?.map_err(disk_fault)
}

/// The bytes of all files in a folder. Other processes may be removing files meanwhile.
fn folder_bytes(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for (path, is_folder) in folder_entries(folder)? {
        sum += match is_folder {
            true => folder_bytes(&path)?,
            false => std::fs::metadata(&path).map_or(0, |about| about.len()),
        };
    }
    Ok(sum)
}

/// The files and folders in a folder, and whether each is a folder.
pub(super) fn folder_entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1 << 10;

    /// Writes files in turns, as uploads at the same time do, 16 KiB of each in a turn. Returns how many are written to their end.
    async fn count_files_that_fit(space: &Space, files: usize, file_bytes: usize) -> usize {
        let mut open = Vec::new();
        for number in 0..files {
            let at = space.folder.join("incoming").join(number.to_string());
            open.push((space.clone().create_file(&at).await.unwrap(), file_bytes));
        }
        let mut whole = 0;
        while !open.is_empty() {
            for (mut file, rest) in std::mem::take(&mut open) {
                let bytes = vec![b'x'; rest.min(16 * KIB)];
                match file.write(&bytes).await {
                    Ok(()) if bytes.len() == rest => {
                        file.finish().await.unwrap();
                        whole += 1;
                    }
                    Ok(()) => open.push((file, rest - bytes.len())),
                    Err(fault) => {
                        assert_eq!(fault.status, 507);
                        fs::remove_file(&file.at).await.unwrap();
                    }
                }
                assert!(folder_bytes(&space.folder).unwrap() <= space.bytes);
            }
        }
        whole
    }

    #[tokio::test]
    async fn files_that_are_written_at_once_stay_within_the_space_together() {
        // The space, the number of files, the bytes of each, and how many of them are stored.
        for (bytes, files, file_bytes, stored) in [
            (1024 * KIB, 1, 1024 * KIB, 1),
            (1024 * KIB, 1, 1024 * KIB + 1, 0),
            (1024 * KIB, 2, 512 * KIB, 2),
            (1024 * KIB, 4, 512 * KIB, 2),
            (1024 * KIB, 8, 128 * KIB, 8),
            (0, 2, KIB, 0),
            (0, 2, 0, 2),
            (40 << 20, 2, 17 << 20, 2),
        ] {
            let parent = tempfile::tempdir().unwrap();
            let (folder, lock) = (parent.path().join("tenant"), parent.path().join("tenant.lock"));
            let space = Space { folder, lock, bytes: bytes as u64 };
            let case = format!("{files} files of {file_bytes} bytes in {bytes}");
            assert_eq!(count_files_that_fit(&space, files, file_bytes).await, stored, "{case}");
            // Nothing stays reserved.
            assert_eq!(folder_bytes(&space.folder).unwrap(), (stored * file_bytes) as u64, "{case}");
        }
    }
}
