//! Fetches PostgreSQL's write-ahead log (WAL) while it is written. PostgreSQL's program pg_receivewal does the work; this module starts
//! it again whenever it ends.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::folder::BackupFolder;
use super::orphans;
use super::plan::{Lsn, SEGMENT_BYTES, parse_segment_name, segment_of};
use super::source::Source;
use crate::private_files::write_private;

const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(100);
/// How long pg_receivewal may take to end after it was asked to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) struct Archive {
    slot: String,
    /// Whether PostgreSQL had kept the log for the replication slot before this archive started. If so, the archive has no gap.
    pub(crate) was_kept: bool,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
    _lock: File,
}

impl Archive {
    /// Begins to fetch the log into a folder; `None` if another process does so already.
    pub(crate) async fn start(source: &Source, folder: &BackupFolder, slot: &str) -> Result<Option<Archive>> {
        let Some(lock) = folder.lock("wal")? else { return Ok(None) };
        orphans::end_processes("pg_receivewal", &folder.log_path())?;
        let was_kept = source.keep_log(slot).await?;
        if !was_kept && let Some(kept_from) = source.log_state(slot).await?.fetched_lsn {
            set_first_segment(folder, segment_of(kept_from))?;
        }
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(keep_fetching(source.clone(), folder.clone(), slot.to_owned(), stopped));
        Ok(Some(Archive { slot: slot.to_owned(), was_kept, stop: Some(stop), running, _lock: lock }))
    }

    pub(crate) fn slot(&self) -> &str {
        &self.slot
    }

    /// Whether the task that fetches the log has ended by itself, which only a panic can bring about.
    pub(crate) fn has_ended(&self) -> bool {
        self.running.is_finished()
    }

    pub(crate) async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        let _ = (&mut self.running).await;
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// Waits until the log up to the given position has been fetched for a replication slot.
pub(crate) async fn wait_for(source: &Source, slot: &str, place: Lsn, longest: Duration) -> Result<()> {
    let arrived = async {
        loop {
            let state = source.log_state(slot).await?;
            if state.is_lost {
                bail!("PostgreSQL removed files of its log before they were fetched");
            }
            if state.fetched_lsn.is_some_and(|fetched| fetched >= place) {
                return Ok(());
            }
            sleep(POLL).await;
        }
    };
    timeout(longest, arrived).await.context("the log of changes was not fetched in time")?
}

/// Keeps a pg_receivewal running until `stopped`.
async fn keep_fetching(
    source: Source,
    folder: BackupFolder,
    slot: String,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut pause = SHORTEST_PAUSE;
    loop {
        let began = octavo_lab::clock::now();
        let error = match start_pg_receivewal(&source, &folder, &slot) {
            Err(error) => error.to_string(),
            Ok(mut child) => {
                let said = child.stderr.take();
                tokio::select! {
                    _ = &mut stopped => return stop_process(&mut child).await,
                    last = last_line(said) => {
                        let _ = child.wait().await;
                        last
                    }
                }
            }
        };
        pause = if began.elapsed() > LONGEST_PAUSE { SHORTEST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
        tracing::warn!(%error, "pg_receivewal ended; starting it again");
        tokio::select! {
            _ = &mut stopped => return,
            () = sleep(pause) => {}
        }
    }
}

fn start_pg_receivewal(source: &Source, folder: &BackupFolder, slot: &str) -> Result<Child> {
    remove_incomplete_segment(folder)?;
    let mut command = source.reached.client_command("pg_receivewal");
    // pg_receivewal writes each piece to the disk before PostgreSQL counts it as fetched.
    command.arg("-D").arg(folder.log_path()).args(["--slot", slot, "--no-loop", "--synchronous"]);
    command.current_dir("/").process_group(0).stderr(std::process::Stdio::piped());
    let mut command = Command::from(command);
    command
        .kill_on_drop(true)
        .spawn()
        .context("pg_receivewal, one of PostgreSQL's client programs, can't be run")
}

/// Makes pg_receivewal begin with this log file. Without this, pg_receivewal would continue with the newest log file in the folder if that
/// one is incomplete, and after it otherwise, and PostgreSQL may no longer have that file.
fn set_first_segment(folder: &BackupFolder, first: u64) -> Result<()> {
    let newest = folder.log_segments()?.into_iter().next_back();
    if newest.is_none_or(|(number, is_partial)| number + u64::from(!is_partial) < first) {
        write_private(&folder.segment_path(first, true).0, b"")?;
    }
    Ok(())
}

/// Removes an incomplete log file. pg_receivewal refuses to start if a partial file has neither 0 bytes nor the full size.
fn remove_incomplete_segment(folder: &BackupFolder) -> Result<()> {
    for entry in fs::read_dir(folder.log_path())?.flatten() {
        let is_partial =
            entry.file_name().to_str().and_then(parse_segment_name).is_some_and(|(_, _, partial)| partial);
        let size = entry.metadata()?.len();
        if is_partial && size != 0 && size != SEGMENT_BYTES {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

async fn last_line(said: Option<tokio::process::ChildStderr>) -> String {
    let mut last = "it said nothing".to_owned();
    if let Some(said) = said {
        let mut lines = BufReader::new(said).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            last = line;
        }
    }
    last
}

async fn stop_process(child: &mut Child) {
    if let Some(pid) = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)) {
        let _ = kill_process(pid, Signal::INT);
    }
    if timeout(STOP_TIMEOUT, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log file: its number, and whether it is incomplete.
    type LogFile = (u64, bool);

    /// The log files in the folder, the number of the first one that PostgreSQL still has, and the newest in the folder afterwards.
    const CASES: [(&[LogFile], u64, LogFile); 5] = [
        (&[], 5, (5, true)),
        (&[(3, false)], 4, (3, false)),
        (&[(3, false)], 5, (5, true)),
        (&[(3, false), (4, true)], 4, (4, true)),
        (&[(3, false), (4, true)], 5, (5, true)),
    ];

    #[test]
    fn fetching_goes_on_with_a_file_that_postgresql_still_has() {
        for (present, first, newest) in CASES {
            let (around, folder) = BackupFolder::in_temporary_folder("first-log-file");
            for (number, is_partial) in present {
                write_private(&folder.segment_path(*number, *is_partial).0, b"").unwrap();
            }
            set_first_segment(&folder, first).unwrap();
            let log = folder.log_segments().unwrap();
            fs::remove_dir_all(&around).unwrap();
            assert_eq!(log.into_iter().next_back(), Some(newest), "{present:?} and {first}");
        }
    }
}
