//! Backups of the private database, and what is made from them: `octavo backup`, `octavo backup verify`, `octavo restore`.

mod archive;
mod base;
mod commands;
mod counts;
mod files;
mod folder;
mod manifest;
mod one_tenant;
mod orphans;
mod plan;
mod restore;
mod schedule;
mod shown;
mod source;
mod verify;

use std::fs;

use anyhow::Result;
use jiff::Timestamp;

pub(crate) use commands::{command, restore_command, run, run_restore};
pub(crate) use files::{bytes_of_entry, restore_files as copy_folder};
pub(crate) use manifest::sha256;
pub(crate) use restore::check_is_empty;
pub(crate) use schedule::BackupScheduler;
pub(crate) use shown::ByteProgress;

use folder::BackupFolder;
use source::Source;

/// The name of the last backup, if the next backup can be an incremental one that refers to it: PostgreSQL supports that, and
/// [`plan::incremental_parent`] finds nothing against it.
fn incremental_parent(
    source: &Source,
    folder: &BackupFolder,
    full_days: u32,
    failed_parent: Option<&str>,
    now: Timestamp,
) -> Result<Option<String>> {
    if source.reached.version().major < base::INCREMENTAL_SINCE_VERSION {
        return Ok(None);
    }
    Ok(plan::incremental_parent(&folder.readable_backups()?, full_days, failed_parent, now))
}

/// Removes backups and log files that are not needed to restore any moment of the last `days` days.
fn remove_outdated(folder: &BackupFolder, days: u32, now: Timestamp) -> Result<()> {
    let outdated = plan::outdated(&folder.readable_backups()?, days, now);
    for name in &outdated.names {
        // The folder is renamed first, so that a half-deleted backup is never taken for a complete one.
        let (whole, going) =
            (folder.backup_path(name), folder.backup_path(&format!("{name}{}", folder::UNFINISHED_SUFFIX)));
        fs::rename(&whole, &going)?;
        fs::remove_dir_all(&going)?;
        tracing::info!(name, "an old backup is removed");
    }
    for (number, _, path) in folder.log_files()? {
        if outdated.log_before.is_some_and(|first| number < first) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::SignedDuration;

    use super::manifest::{Manifest, RowCounts, Sums};
    use super::plan::{Lsn, SEGMENT_BYTES};
    use super::*;
    use crate::private_files::{make_private, write_private};

    fn make_backup(folder: &BackupFolder, number: u64, started: Timestamp) {
        let name = format!("b{number}");
        let whole = folder.backup_path(&name);
        make_private(&whole.join("postgres")).unwrap();
        write_private(&whole.join("postgres/backup_manifest"), b"{}").unwrap();
        let ended = started + SignedDuration::from_mins(5);
        let counted = RowCounts {
            at: ended,
            place: Lsn((10 * number + 1) * SEGMENT_BYTES),
            exact: true,
            rows: BTreeMap::new(),
        };
        let manifest = Manifest {
            name,
            parent: None,
            started,
            ended,
            from: Lsn(10 * number * SEGMENT_BYTES),
            counted,
            octavo: "1".to_owned(),
            postgres: "15".to_owned(),
        };
        manifest.write(&whole, Sums::new()).unwrap();
    }

    #[test]
    fn what_no_moment_needs_is_removed_and_the_rest_stays() {
        let (around, folder) = BackupFolder::in_temporary_folder("retention");
        let now: Timestamp = "2026-11-28T12:00:00Z".parse().unwrap();
        for (number, days) in [(1, 30), (2, 20), (3, 10), (4, 1)] {
            make_backup(&folder, number, now - SignedDuration::from_hours(24 * days));
        }
        for number in 10..=45 {
            // Files 12 and 22 were never filled.
            write_private(&folder.segment_path(number, [12, 22, 45].contains(&number)).0, b"").unwrap();
        }
        remove_outdated(&folder, 14, now).unwrap();
        let names: Vec<String> =
            folder.readable_backups().unwrap().into_iter().map(|whole| whole.name).collect();
        let mut log: Vec<u64> = folder.log_files().unwrap().into_iter().map(|(number, ..)| number).collect();
        log.sort_unstable();
        fs::remove_dir_all(&around).unwrap();
        assert_eq!(names, ["b2", "b3", "b4"]);
        assert_eq!(log, (20..=45).collect::<Vec<u64>>());
    }
}
