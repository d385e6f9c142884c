//! The disk under the private database. PostgreSQL that finds no room for its log stops altogether: before that, changes are
//! refused, so that reads go on.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::usage::now;

/// Changes are refused with less free space than this: four files of PostgreSQL's log.
const FULL_BYTES: u64 = 64 << 20;
/// `/admin/health` reports the disk with less free space than this.
const LOW_BYTES: u64 = 256 << 20;
const CACHE_TIME: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub struct Disk {
    folder: Option<PathBuf>,
    last_reading: Mutex<Option<(Instant, u64)>>,
}

impl Disk {
    pub(crate) fn for_folder(folder: Option<PathBuf>) -> Disk {
        Disk { folder, last_reading: Mutex::default() }
    }

    /// Free bytes, read at most a second ago; `None` for a database that is not Octavo's private one.
    pub fn free_bytes(&self) -> Option<u64> {
        let folder = self.folder.as_ref()?;
        let mut seen = self.last_reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, free)) = *seen
            && at.elapsed() < CACHE_TIME
        {
            return Some(free);
        }
        let disk = rustix::fs::statvfs(folder).ok()?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        *seen = Some((now(), free));
        Some(free)
    }

    /// Whether so little space is left that nothing may be changed.
    pub fn is_full(&self) -> bool {
        self.free_bytes().is_some_and(|free| free < FULL_BYTES)
    }

    pub fn is_low(&self) -> bool {
        self.free_bytes().is_some_and(|free| free < LOW_BYTES)
    }
}
