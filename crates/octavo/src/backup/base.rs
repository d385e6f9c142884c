//! A whole backup: PostgreSQL's pg_basebackup makes it, beside the work of everybody else.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::process::Command;
use tokio::time::sleep;

use super::folder::{BackupFolder, UNFINISHED};
use super::manifest::{Manifest, OF_POSTGRES};
use super::plan::Place;
use super::source::Source;
use super::{archive, counts, files, orphans};
use crate::private_files::{make_private, read_json, sync};
use crate::start::clock;

/// PostgreSQL can send only what has changed since another backup from this version on.
pub(crate) const INCREMENTAL: u32 = 17;
const LONGEST_WAIT: Duration = Duration::from_secs(1800);
const QUOTED_LINES: usize = 10;

/// How a backup is made.
pub(crate) struct Order<'a> {
    pub(crate) data_dir: &'a Path,
    pub(crate) uploads: Option<PathBuf>,
    /// Bytes a second at most; 0 is as fast as can be.
    pub(crate) rate: u64,
    /// The slot of who fetches the log meanwhile.
    pub(crate) slot: &'a str,
    /// Whether PostgreSQL may take its time for the checkpoint that comes first.
    pub(crate) gently: bool,
    /// The backup to hold the changes since; the server can do that.
    pub(crate) since: Option<String>,
}

/// Makes a backup; `shown` is told how many bytes were sent, of how many. The folder's lock is held by the caller.
pub(crate) async fn make(
    source: &Source,
    folder: &BackupFolder,
    order: &Order<'_>,
    mut shown: impl FnMut(i64, i64),
) -> Result<Manifest> {
    remove_unfinished(folder)?;
    let started = clock();
    let name = started.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string();
    let (part, whole) = (folder.base(&format!("{name}{UNFINISHED}")), folder.base(&name));
    if whole.exists() {
        bail!("there is a backup of this second already");
    }
    // How much has changed since another backup is not known before it is sent.
    let of_database = if order.since.is_none() { source.size().await?.cast_unsigned() } else { 0 };
    let (data_dir, uploads) = (order.data_dir.to_owned(), order.uploads.clone());
    let of_files = tokio::task::spawn_blocking(move || files::size(&data_dir, uploads.as_deref())).await??;
    room(folder.path(), of_database.saturating_add(of_files))?;
    make_private(&part)?;
    let filled = fill(source, folder, order, &part, name, started, &mut shown).await;
    if filled.is_err() {
        // The room is needed for the next attempt.
        let _ = fs::remove_dir_all(&part);
    }
    let manifest = filled?;
    fs::rename(&part, &whole).with_context(|| format!("can't put {} into place", whole.display()))?;
    sync(&folder.base(""))?;
    Ok(manifest)
}

/// A backup is not begun that can't come to its end.
fn room(folder: &Path, size: u64) -> Result<()> {
    let disk =
        rustix::fs::statvfs(folder).with_context(|| format!("can't ask how full {} is", folder.display()))?;
    let (free, size) = (disk.f_bavail.saturating_mul(disk.f_frsize) >> 20, size >> 20);
    if free < size {
        bail!(
            "the disk of {} has {free} MB left, and the database has {size} MB with the files beside it",
            folder.display()
        );
    }
    Ok(())
}

async fn fill(
    source: &Source,
    folder: &BackupFolder,
    order: &Order<'_>,
    part: &Path,
    name: String,
    started: Timestamp,
    shown: &mut impl FnMut(i64, i64),
) -> Result<Manifest> {
    send(source, folder, order, part, shown).await?;
    let (data_dir, uploads, into) = (order.data_dir.to_owned(), order.uploads.clone(), part.join("files"));
    let sums =
        tokio::task::spawn_blocking(move || files::copy(&data_dir, uploads.as_deref(), &into)).await??;
    let counted = counts::count(&mut source.session().await?).await?;
    let needed = source.end_segment().await?;
    archive::wait_for(source, order.slot, needed, LONGEST_WAIT).await?;
    let manifest = Manifest {
        name,
        parent: order.since.clone(),
        started,
        ended: counted.at,
        from: first_place(&part.join(OF_POSTGRES))?,
        counted,
        octavo: env!("CARGO_PKG_VERSION").to_owned(),
        postgres: source.reached.version().to_string(),
    };
    manifest.write(part, sums)?;
    sync(part)?;
    Ok(manifest)
}

/// Removes what an interrupted backup left; the caller holds the folder's lock, so nobody works on it.
fn remove_unfinished(folder: &BackupFolder) -> Result<()> {
    for entry in fs::read_dir(folder.base(""))?.flatten() {
        if entry.file_name().to_string_lossy().ends_with(UNFINISHED) {
            orphans::end("pg_basebackup", &entry.path())?;
            fs::remove_dir_all(entry.path())
                .with_context(|| format!("can't remove {}", entry.path().display()))?;
        }
    }
    Ok(())
}

async fn send(
    source: &Source,
    folder: &BackupFolder,
    order: &Order<'_>,
    part: &Path,
    shown: &mut impl FnMut(i64, i64),
) -> Result<()> {
    let mut command = source.reached.client("pg_basebackup");
    command.arg("-D").arg(part.join("postgres")).args(["--wal-method=none", "--label", "octavo backup"]);
    command.arg(if order.gently { "--checkpoint=spread" } else { "--checkpoint=fast" });
    if order.rate > 0 {
        command.arg(format!("--max-rate={}k", (order.rate / 1024).clamp(32, 1 << 20)));
    }
    if let Some(since) = &order.since {
        command.arg("--incremental").arg(folder.base(since).join(OF_POSTGRES));
    }
    command.current_dir("/").stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let mut command = Command::from(command);
    let child = command.kill_on_drop(true).spawn();
    let child = child.context("pg_basebackup, one of PostgreSQL's client programs, can't be run")?;
    let mut ended = Box::pin(child.wait_with_output());
    let ended = loop {
        tokio::select! {
            ended = &mut ended => break ended?,
            () = sleep(Duration::from_millis(500)) => {
                if let Ok(Some((sent, total))) = source.progress().await {
                    shown(sent, total);
                }
            }
        }
    };
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with("NOTICE")).collect();
        let last = lines[lines.len().saturating_sub(QUOTED_LINES)..].join("\n");
        bail!("pg_basebackup failed. Its last lines:\n{last}");
    }
    Ok(())
}

/// From where on the log is needed, as PostgreSQL's own manifest says it.
fn first_place(manifest: &Path) -> Result<Place> {
    #[derive(serde::Deserialize)]
    struct OfPostgres {
        #[serde(rename = "WAL-Ranges")]
        ranges: Vec<Range>,
    }
    #[derive(serde::Deserialize)]
    struct Range {
        #[serde(rename = "Start-LSN")]
        start: Place,
    }
    let found: OfPostgres = read_json(manifest)?;
    found
        .ranges
        .iter()
        .map(|range| range.start)
        .min()
        .context("PostgreSQL's manifest names no place in the log")
}
