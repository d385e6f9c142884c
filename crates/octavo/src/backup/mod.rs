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
use jiff::{SignedDuration, Timestamp};

pub(crate) use commands::{command, restore_command, run, run_restore};
pub(crate) use files::put_back as copy_folder;
pub(crate) use manifest::sha256;
pub(crate) use restore::is_free;
pub(crate) use schedule::Backing;
pub(crate) use shown::Shown;

use folder::BackupFolder;
use source::Source;

/// The backup to hold only the changes since, where the server can do that and the last full one is not too old.
fn since(source: &Source, folder: &BackupFolder, full_days: u32, now: Timestamp) -> Result<Option<String>> {
    if source.reached.version().major < base::INCREMENTAL {
        return Ok(None);
    }
    let wholes = folder.readable()?;
    let Some(last) = wholes.iter().max_by_key(|whole| whole.ended) else { return Ok(None) };
    let chain = plan::chain(&wholes, &last.name);
    let full = chain.last().filter(|whole| whole.parent.is_none());
    let limit = SignedDuration::from_hours(24 * i64::from(full_days));
    let is_fresh = full.is_some_and(|whole| full_days == 0 || now.duration_since(whole.started) < limit);
    Ok(is_fresh.then(|| last.name.clone()))
}

/// Removes backups, and files of the log, that no moment of the days to be kept needs.
fn remove_outdated(folder: &BackupFolder, days: u32, now: Timestamp) -> Result<()> {
    let outdated = plan::outdated(&folder.readable()?, days, now);
    for name in &outdated.names {
        // Renamed first: half of a backup never passes for a whole one.
        let (whole, going) = (folder.base(name), folder.base(&format!("{name}{}", folder::UNFINISHED)));
        fs::rename(&whole, &going)?;
        fs::remove_dir_all(&going)?;
        tracing::info!(name, "an old backup is removed");
    }
    for (number, is_partial) in folder.log()? {
        if outdated.log_before.is_some_and(|first| number < first) {
            fs::remove_file(folder.segment(number, is_partial).0)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::folder::Mark;
    use super::manifest::{Counted, Manifest, Sums};
    use super::plan::{Place, SEGMENT};
    use super::*;
    use crate::private_files::{make_private, write_private};

    fn made(folder: &BackupFolder, number: u64, started: Timestamp) {
        let name = format!("b{number}");
        let whole = folder.base(&name);
        make_private(&whole.join("postgres")).unwrap();
        write_private(&whole.join("postgres/backup_manifest"), b"{}").unwrap();
        let ended = started + SignedDuration::from_mins(5);
        let counted = Counted {
            at: ended,
            place: Place((10 * number + 1) * SEGMENT),
            exact: true,
            rows: BTreeMap::new(),
        };
        let manifest = Manifest {
            name,
            parent: None,
            started,
            ended,
            from: Place(10 * number * SEGMENT),
            counted,
            octavo: "1".to_owned(),
            postgres: "15".to_owned(),
        };
        manifest.write(&whole, Sums::new()).unwrap();
    }

    #[test]
    fn what_no_moment_needs_is_removed_and_the_rest_stays() {
        let around = octavo_testkit::temporary_folder("retention");
        let mark = Mark::new("7".to_owned(), 1, 15);
        let folder =
            BackupFolder::for_database(&around.join("backups"), &mark, &around.join("data")).unwrap();
        let now: Timestamp = "2026-11-28T12:00:00Z".parse().unwrap();
        for (number, days) in [(1, 30), (2, 20), (3, 10), (4, 1)] {
            made(&folder, number, now - SignedDuration::from_hours(24 * days));
        }
        for number in 10..=45 {
            write_private(&folder.segment(number, number == 45).0, b"").unwrap();
        }
        remove_outdated(&folder, 14, now).unwrap();
        let names: Vec<String> = folder.readable().unwrap().into_iter().map(|whole| whole.name).collect();
        let log = folder.log().unwrap();
        let (first, last) = (log.keys().next().copied(), log.keys().next_back().copied());
        fs::remove_dir_all(&around).unwrap();
        assert_eq!(names, ["b2", "b3", "b4"]);
        assert_eq!((first, last), (Some(20), Some(45)));
    }
}
