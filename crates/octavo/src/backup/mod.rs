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
mod private;
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
pub(crate) use manifest::{hex, sha256};
pub(crate) use private::{make_private, read_json, sync, write_private};
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
