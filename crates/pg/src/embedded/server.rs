//! The server process: started, awaited until it answers, watched over, stopped.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

use super::error::{EmbeddedError, StartFailure, io_error};
use super::installation::Installation;
use super::leftover;
use super::user::{self, User};

/// Recovery after a crash is part of starting; with PostgreSQL's five minutes between checkpoints it is far shorter.
pub(super) const LONGEST_START: Duration = Duration::from_secs(600);
const POLL: Duration = Duration::from_millis(20);
/// Attempts of the first start while processes of a killed server let go of its shared memory.
const ATTEMPTS: u32 = 8;
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A server that stayed up this long is well again: its next failure counts as the first.
const STEADY: Duration = Duration::from_secs(60);
/// How long other clients, such as psql, have to end their connections by themselves.
const STOP_KINDLY_WITHIN: Duration = Duration::from_secs(1);
const STOP_FAST_WITHIN: Duration = Duration::from_secs(60);
const STOP_AT_ONCE_WITHIN: Duration = Duration::from_secs(10);
const QUOTED_LINES: usize = 15;

pub(super) struct Launch {
    pub(super) installation: Installation,
    pub(super) user: Option<User>,
    pub(super) cluster: PathBuf,
    pub(super) configuration: PathBuf,
    pub(super) log: PathBuf,
    /// The superuser's login, to ask whether the server answers.
    pub(super) login: tokio_postgres::Config,
    /// How long the server may take until it answers.
    pub(super) patience: Duration,
}

/// The process id of the running server, or 0.
#[derive(Clone, Default)]
pub(super) struct RunningPid(Arc<AtomicI32>);

impl RunningPid {
    fn set(&self, child: &Child) {
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).unwrap_or(0);
        self.0.store(pid, Ordering::SeqCst);
    }

    fn clear(&self) {
        self.0.store(0, Ordering::SeqCst);
    }

    /// Asks the server, if one runs, for a fast shutdown: open transactions roll back, a checkpoint is written.
    pub(super) fn ask_to_stop(&self) {
        if let Some(pid) = Pid::from_raw(self.0.load(Ordering::SeqCst)) {
            let _ = kill_process(pid, Signal::INT);
        }
    }
}

impl Launch {
    /// Starts the server and waits until it answers.
    pub(super) async fn start_first(&self, running: &RunningPid) -> Result<Child, EmbeddedError> {
        let mut attempt = 0;
        loop {
            let said_before = self.log_length();
            let mut child = self.spawn()?;
            running.set(&child);
            let Err(reason) = self.wait_for_answer(&mut child).await else {
                return Ok(child);
            };
            stop_process(&mut child).await;
            running.clear();
            attempt += 1;
            let output = last_lines(&self.log_since(said_before));
            if attempt == ATTEMPTS || !output.contains("shared memory block") {
                let log = self.log.clone();
                return Err(EmbeddedError::Start { reason, log, output });
            }
            sleep(pause_after(attempt)).await;
        }
    }

    fn spawn(&self) -> Result<Child, EmbeddedError> {
        leftover::end_orphans(&self.cluster);
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.log)
            .map_err(io_error("cannot write", &self.log))?;
        let also = log.try_clone().map_err(io_error("cannot write", &self.log))?;
        let program = self.installation.program("postgres");
        let mut command = user::command(&program, self.user.as_ref());
        command
            .arg("-D")
            .arg(&self.cluster)
            .arg("-c")
            .arg(format!("config_file={}", self.configuration.display()))
            .current_dir("/")
            .stdout(log)
            .stderr(also)
            // Ctrl-C in a terminal goes to the whole group: Octavo decides when its server stops.
            .process_group(0);
        Command::from(command).spawn().map_err(io_error("cannot run", &program))
    }

    /// Waits until the server answers; returns an error if it ends or takes too long.
    async fn wait_for_answer(&self, child: &mut Child) -> Result<(), StartFailure> {
        let answered = async {
            loop {
                match self.login.connect(NoTls).await {
                    Ok(_) => return Ok(()),
                    Err(error) if error.code().is_some_and(|code| *code != SqlState::CANNOT_CONNECT_NOW) => {
                        return Err(StartFailure::Refused(error));
                    }
                    Err(_) => sleep(POLL).await,
                }
            }
        };
        tokio::select! {
            ended = child.wait() => Err(ended.map_or_else(StartFailure::Lost, StartFailure::Ended)),
            answered = timeout(self.patience, answered) => {
                answered.unwrap_or(Err(StartFailure::Silent(self.patience.as_secs())))
            }
        }
    }

    fn log_length(&self) -> u64 {
        fs::metadata(&self.log).map_or(0, |metadata| metadata.len())
    }

    fn log_since(&self, offset: u64) -> String {
        let read = || -> io::Result<Vec<u8>> {
            let mut file = fs::File::open(&self.log)?;
            file.seek(SeekFrom::Start(offset))?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
    }
}

/// Keeps the server up until `stop` is sent or dropped, then stops it.
pub(super) async fn supervise(
    launch: Launch,
    mut child: Child,
    running: RunningPid,
    mut stop: oneshot::Receiver<()>,
) {
    let mut failures = 0;
    loop {
        tokio::select! {
            _ = &mut stop => break,
            ended = child.wait() => {
                running.clear();
                let ended = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
                tracing::error!(%ended, "PostgreSQL ended on its own; starting it again");
            }
            () = sleep(STEADY), if failures > 0 => {
                failures = 0;
                continue;
            }
        }
        // A server that is down, until one answers again.
        loop {
            failures += 1;
            tokio::select! {
                _ = &mut stop => return,
                () = sleep(pause_after(failures)) => {}
            }
            let error = match launch.spawn() {
                Err(error) => error.to_string(),
                Ok(started) => {
                    child = started;
                    running.set(&child);
                    tokio::select! {
                        _ = &mut stop => return stop_and_clear(&mut child, &running).await,
                        answer = launch.wait_for_answer(&mut child) => match answer {
                            Ok(()) => break,
                            Err(failure) => {
                                stop_and_clear(&mut child, &running).await;
                                failure.to_string()
                            }
                        }
                    }
                }
            };
            tracing::error!(%error, log = %launch.log.display(), "PostgreSQL did not start; trying again");
        }
        tracing::info!("PostgreSQL answers again");
    }
    stop_and_clear(&mut child, &running).await;
}

async fn stop_and_clear(child: &mut Child, running: &RunningPid) {
    stop_process(child).await;
    running.clear();
}

/// Ends the server: when all connections have ended, else fast, else at once (it recovers at the next start), else by force.
async fn stop_process(child: &mut Child) {
    for (signal, within) in [
        (Signal::TERM, STOP_KINDLY_WITHIN),
        (Signal::INT, STOP_FAST_WITHIN),
        (Signal::QUIT, STOP_AT_ONCE_WITHIN),
    ] {
        // No id: it has ended and been awaited.
        let Some(pid) = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)) else {
            return;
        };
        let _ = kill_process(pid, signal);
        if timeout(within, child.wait()).await.is_ok() {
            return;
        }
        if signal != Signal::TERM {
            tracing::warn!(?signal, "PostgreSQL did not stop in time");
        }
    }
    let _ = child.kill().await;
}

/// Twice as long after each failure.
fn pause_after(failures: u32) -> Duration {
    let doubled = 1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX);
    SHORTEST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE)
}

/// The end of a program's output, for a message.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(QUOTED_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_limit() {
        let pauses: Vec<u128> =
            [1, 2, 3, 9, 10, 40].map(|failures| pause_after(failures).as_millis()).to_vec();
        assert_eq!(pauses, [100, 200, 400, 25_600, 30_000, 30_000]);
    }

    #[test]
    fn only_the_last_lines_are_quoted() {
        let text: String = (0..100).map(|number| format!("line {number}\n\n")).collect();
        let quoted = last_lines(&text);
        assert!(quoted.starts_with("line 85\n") && quoted.ends_with("line 99"), "{quoted}");
        assert_eq!(last_lines(""), "");
    }
}
