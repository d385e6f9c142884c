//! Makes a full or an incremental backup with PostgreSQL's program pg_basebackup while the server goes on working.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::process::Command;
use tokio::time::sleep;

use super::folder::{BackupFolder, UNFINISHED_SUFFIX};
use super::manifest::{Manifest, POSTGRES_MANIFEST};
use super::plan::Lsn;
use super::source::Source;
use super::{archive, counts, files, orphans};
use crate::private_files::{make_private, read_json, sync_folder};
use crate::start::clock;

/// The first major version of PostgreSQL that can send only what has changed since an earlier backup (an incremental backup).
pub(crate) const INCREMENTAL_SINCE_VERSION: u32 = 17;
const LONGEST_WAIT: Duration = Duration::from_secs(1800);
const QUOTED_LINES: usize = 10;

/// The options of one backup.
pub(crate) struct BackupOptions<'a> {
    pub(crate) data_dir: &'a Path,
    pub(crate) uploads: Option<PathBuf>,
    /// The most bytes that are sent in a second; 0 means no limit.
    pub(crate) bytes_per_second: u64,
    /// The replication slot of the process that fetches the log while the backup is made.
    pub(crate) slot: &'a str,
    /// Whether PostgreSQL may spread the first checkpoint over time instead of writing it at once.
    pub(crate) spread_checkpoint: bool,
    /// The name of the earlier backup that this incremental backup refers to; `None` makes a full backup.
    pub(crate) parent: Option<String>,
}

/// Makes a backup. `shown` is called with the number of bytes sent so far and the number of bytes in all. The caller holds the lock of
/// the folder.
pub(crate) async fn make(
    source: &Source,
    folder: &BackupFolder,
    order: &BackupOptions<'_>,
    mut shown: impl FnMut(i64, i64),
) -> Result<Manifest> {
    remove_unfinished(folder)?;
    let started = clock();
    let name = started.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string();
    let (part, whole) =
        (folder.backup_path(&format!("{name}{UNFINISHED_SUFFIX}")), folder.backup_path(&name));
    if whole.exists() {
        bail!("there is a backup of this second already");
    }
    // How much has changed since another backup is not known before it is sent.
    let database_bytes =
        if order.parent.is_none() { source.database_bytes().await?.cast_unsigned() } else { 0 };
    let (data_dir, uploads) = (order.data_dir.to_owned(), order.uploads.clone());
    let file_bytes =
        tokio::task::spawn_blocking(move || files::copied_bytes(&data_dir, uploads.as_deref())).await??;
    check_free_space(folder.path(), database_bytes.saturating_add(file_bytes))?;
    make_private(&part)?;
    let filled = fill(source, folder, order, &part, name, started, &mut shown).await;
    if filled.is_err() {
        // The failed backup is removed to free the disk space that the next attempt needs.
        let _ = fs::remove_dir_all(&part);
    }
    let manifest = filled?;
    fs::rename(&part, &whole).with_context(|| format!("can't put {} into place", whole.display()))?;
    sync_folder(&folder.backup_path(""))?;
    Ok(manifest)
}

/// Fails, before the backup is begun, if the disk has fewer than `size` free bytes. The size of an incremental backup's database part is
/// not known in advance; then only the other files count.
fn check_free_space(folder: &Path, size: u64) -> Result<()> {
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
    order: &BackupOptions<'_>,
    part: &Path,
    name: String,
    started: Timestamp,
    shown: &mut impl FnMut(i64, i64),
) -> Result<Manifest> {
    send(source, folder, order, part, shown).await?;
    let (data_dir, uploads, into) = (order.data_dir.to_owned(), order.uploads.clone(), part.join("files"));
    let sums = tokio::task::spawn_blocking(move || files::copy_files(&data_dir, uploads.as_deref(), &into))
        .await??;
    let counted = counts::count_at_lsn(&mut source.session().await?).await?;
    let needed = source.end_segment().await?;
    archive::wait_for(source, order.slot, needed, LONGEST_WAIT).await?;
    let manifest = Manifest {
        name,
        parent: order.parent.clone(),
        started,
        ended: counted.at,
        from: first_lsn(&part.join(POSTGRES_MANIFEST))?,
        counted,
        octavo: env!("CARGO_PKG_VERSION").to_owned(),
        postgres: source.reached.version().to_string(),
    };
    manifest.write(part, sums)?;
    sync_folder(part)?;
    Ok(manifest)
}

/// Removes what an interrupted backup left. The caller holds the lock of the folder, so no other process works on it.
fn remove_unfinished(folder: &BackupFolder) -> Result<()> {
    for entry in fs::read_dir(folder.backup_path(""))?.flatten() {
        if entry.file_name().to_string_lossy().ends_with(UNFINISHED_SUFFIX) {
            orphans::end_processes("pg_basebackup", &entry.path())?;
            fs::remove_dir_all(entry.path())
                .with_context(|| format!("can't remove {}", entry.path().display()))?;
        }
    }
    Ok(())
}

async fn send(
    source: &Source,
    folder: &BackupFolder,
    order: &BackupOptions<'_>,
    part: &Path,
    shown: &mut impl FnMut(i64, i64),
) -> Result<()> {
    let mut command = source.reached.client_command("pg_basebackup");
    command.arg("-D").arg(part.join("postgres")).args(["--wal-method=none", "--label", "octavo backup"]);
    command.arg(if order.spread_checkpoint { "--checkpoint=spread" } else { "--checkpoint=fast" });
    if order.bytes_per_second > 0 {
        command.arg(format!("--max-rate={}k", (order.bytes_per_second / 1024).clamp(32, 1 << 20)));
    }
    if let Some(since) = &order.parent {
        command.arg("--incremental").arg(folder.backup_path(since).join(POSTGRES_MANIFEST));
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
                if let Ok(Some((sent, total))) = source.backup_progress().await {
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

/// Reads from PostgreSQL's own backup manifest the log position from which the log is needed to restore the backup.
fn first_lsn(manifest: &Path) -> Result<Lsn> {
    #[derive(serde::Deserialize)]
    struct OfPostgres {
        #[serde(rename = "WAL-Ranges")]
        ranges: Vec<Range>,
    }
    #[derive(serde::Deserialize)]
    struct Range {
        #[serde(rename = "Start-LSN")]
        start: Lsn,
    }
    let found: OfPostgres = read_json(manifest)?;
    found
        .ranges
        .iter()
        .map(|range| range.start)
        .min()
        .context("PostgreSQL's manifest names no place in the log")
}
