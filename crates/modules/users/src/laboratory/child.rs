//! The run that this process has started: `octavo lab run`, a process of its own, so that it shares no threads with the measured server.
//! It ends with its input: when a user stops it, and when this server ends.

use std::collections::VecDeque;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

use octavo_kernel::{Fault, Kind, Outcome};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};

/// How many lines of output are kept, and how many characters of each.
const MAX_LINES: usize = 40;
const MAX_LINE_BYTES: usize = 400;
/// The most bytes of the summary at the end.
const MAX_SUMMARY_BYTES: usize = 256 * 1024;

/// The only run of the machine, for all tenants: two at a time would disturb each other.
static RUN: Mutex<Option<Run>> = Mutex::new(None);

struct Run {
    /// The request, without user name and password.
    about: Value,
    output: ProgressOutput,
    state: State,
    input: Option<ChildStdin>,
    stopped: bool,
}

enum State {
    UnderWay,
    /// The run has ended; this is the name of its report.
    Done(String),
    Failed,
}

/// Begins a run with these arguments; `line` is the first of its input.
pub(super) async fn begin(program: &Path, arguments: &[String], about: Value, line: &str) -> Outcome<()> {
    reserve(about)?;
    let begun = spawn(program, arguments, line).await;
    let mut run = lock_run();
    let Some(run) = run.as_mut() else { return Ok(()) };
    match begun {
        Ok((input, child)) => {
            run.input = Some(input).filter(|_| !run.stopped);
            tokio::spawn(await_child(child));
            Ok(())
        }
        Err(error) => {
            run.output.push_bytes(b"octavo: it could not be started\n");
            run.state = State::Failed;
            Err(Fault::internal(error))
        }
    }
}

pub(super) fn stop() {
    if let Some(run) = lock_run().as_mut() {
        run.stopped = true;
        run.input = None;
    }
}

pub(super) fn state() -> Value {
    let run = lock_run();
    let Some(run) = run.as_ref() else { return json!({"state": "none"}) };
    let (state, report) = match &run.state {
        State::UnderWay if run.stopped => ("stopping", None),
        State::UnderWay => ("running", None),
        State::Done(report) => ("done", Some(report)),
        State::Failed => ("failed", None),
    };
    json!({"state": state, "run": run.about, "lines": run.output.lines(), "report": report})
}

fn lock_run() -> MutexGuard<'static, Option<Run>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reserve(about: Value) -> Outcome<()> {
    let mut run = lock_run();
    if run.as_ref().is_some_and(|run| matches!(run.state, State::UnderWay)) {
        return Err(Fault::new(Kind::Conflict, "A run is under way; one at a time"));
    }
    *run = Some(Run {
        about,
        output: ProgressOutput::default(),
        state: State::UnderWay,
        input: None,
        stopped: false,
    });
    Ok(())
}

async fn spawn(program: &Path, arguments: &[String], line: &str) -> std::io::Result<(ChildStdin, Child)> {
    let mut child = Command::new(program)
        .args(arguments)
        // The run does not get the environment, which has the address of the database.
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or_else(|| std::io::Error::other("it has no input"))?;
    // A run that ends at once prints the reason itself.
    let _ = input.write_all(format!("{line}\n").as_bytes()).await;
    Ok((input, child))
}

async fn await_child(mut child: Child) {
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (summary, ()) = tokio::join!(read_summary(output), read_progress(errors));
    let succeeded = child.wait().await.is_ok_and(|status| status.success());
    let mut run = lock_run();
    let Some(run) = run.as_mut() else { return };
    run.input = None;
    run.output.push_bytes(b"\n");
    run.state = match report_name(&summary) {
        Some(report) if succeeded => State::Done(report),
        _ => State::Failed,
    };
}

async fn read_summary(output: Option<impl AsyncRead + Unpin>) -> String {
    let mut text = Vec::new();
    let Some(mut output) = output else { return String::new() };
    let mut piece = [0; 4096];
    while let Ok(read @ 1..) = output.read(&mut piece).await {
        let room = MAX_SUMMARY_BYTES.saturating_sub(text.len()).min(read);
        text.extend_from_slice(&piece[..room]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

async fn read_progress(errors: Option<impl AsyncRead + Unpin>) {
    let Some(mut errors) = errors else { return };
    let mut piece = [0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut piece).await {
        if let Some(run) = lock_run().as_mut() {
            run.output.push_bytes(&piece[..read]);
        }
    }
}

/// The name of the report, from where it was written.
fn report_name(summary: &str) -> Option<String> {
    let path = summary.lines().rev().find(|line| line.ends_with(".json"))?;
    Path::new(path).file_stem()?.to_str().map(str::to_owned)
}

/// The progress that a program prints on a terminal: lines, of which it overwrites the last.
#[derive(Default)]
struct ProgressOutput {
    finished_lines: VecDeque<String>,
    unfinished_line: Vec<u8>,
    /// The last character was a carriage return, so the next ones overwrite the line.
    overwrites: bool,
}

impl ProgressOutput {
    fn push_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                b'\r' => self.overwrites = true,
                _ => {
                    if std::mem::take(&mut self.overwrites) {
                        self.unfinished_line.clear();
                    }
                    if self.unfinished_line.len() < MAX_LINE_BYTES {
                        self.unfinished_line.push(byte);
                    }
                }
            }
        }
    }

    fn end_line(&mut self) {
        self.overwrites = false;
        let line = line_to_string(&std::mem::take(&mut self.unfinished_line));
        if line.is_empty() {
            return;
        }
        self.finished_lines.push_back(line);
        if self.finished_lines.len() > MAX_LINES {
            self.finished_lines.pop_front();
        }
    }

    fn lines(&self) -> Vec<String> {
        let last = Some(line_to_string(&self.unfinished_line)).filter(|line| !line.is_empty());
        self.finished_lines.iter().cloned().chain(last).collect()
    }
}

fn line_to_string(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_written_over_is_one_line() {
        let mut told = ProgressOutput::default();
        told.push_bytes(b"lab: 1 of 2: 8 users\n\r  1 of 20 s  \r  2 of 2");
        assert_eq!(told.lines(), ["lab: 1 of 2: 8 users", "2 of 2"]);
        told.push_bytes(b"0 s   \nlab: 2 of 2\n\n");
        assert_eq!(told.lines(), ["lab: 1 of 2: 8 users", "2 of 20 s", "lab: 2 of 2"]);
    }

    #[test]
    fn of_many_lines_the_last_are_kept_and_of_a_long_one_its_beginning() {
        let mut told = ProgressOutput::default();
        for line in 0..100 {
            told.push_bytes(format!("{line} {}\n", "x".repeat(1000)).as_bytes());
        }
        let lines = told.lines();
        assert_eq!(lines.len(), MAX_LINES);
        assert!(lines[0].starts_with("60 x") && lines[0].len() == MAX_LINE_BYTES, "{}", lines[0]);
    }

    #[test]
    fn the_report_is_named_by_its_file() {
        let summary = "8 users: 3 ms\n/a/x-1.html\n/a/x-1.md\n/a/x-1.json\n";
        assert_eq!(report_name(summary).as_deref(), Some("x-1"));
        assert_eq!(report_name("octavo: nothing ran\n"), None);
    }
}
