//! How the private database is backed up, as the part of the program that does it last said.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::usage::now;

/// A report is renewed every few seconds; without one for this long, what makes backups is stuck.
const STUCK: Duration = Duration::from_secs(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BackupReport {
    /// The second, counted from 1970, in which the last whole backup ended.
    pub ended: Option<i64>,
    /// The second up to which all changes are in the archive.
    pub archived_until: Option<i64>,
    /// Bytes of the log of changes that the archive does not have yet.
    pub lag_bytes: u64,
    /// Whether a backup is long due, or the archive far behind.
    pub is_late: bool,
}

/// Nothing is reported where no backups are made.
#[derive(Debug, Default)]
pub struct Backups {
    last: Mutex<Option<(Instant, BackupReport)>>,
}

impl Backups {
    pub fn report(&self, report: BackupReport) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((now(), report));
    }

    pub fn last_report(&self) -> Option<BackupReport> {
        let (at, report) = (*self.last.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some(BackupReport { is_late: report.is_late || at.elapsed() > STUCK, ..report })
    }
}
