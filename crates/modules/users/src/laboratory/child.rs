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
const LINES: usize = 40;
const LONGEST_LINE: usize = 400;
/// The most bytes of the summary at the end.
const LONGEST_SUMMARY: usize = 256 * 1024;

/// The only run of the machine, for all tenants: two at a time would disturb each other.
static RUN: Mutex<Option<Run>> = Mutex::new(None);

struct Run {
    /// The request, without user name and password.
    about: Value,
    told: Told,
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
    let mut run = run();
    let Some(run) = run.as_mut() else { return Ok(()) };
    match begun {
        Ok((input, child)) => {
            run.input = Some(input).filter(|_| !run.stopped);
            tokio::spawn(follow(child));
            Ok(())
        }
        Err(error) => {
            run.told.take(b"octavo: it could not be started\n");
            run.state = State::Failed;
            Err(Fault::internal(error))
        }
    }
}

pub(super) fn stop() {
    if let Some(run) = run().as_mut() {
        run.stopped = true;
        run.input = None;
    }
}

pub(super) fn state() -> Value {
    let run = run();
    let Some(run) = run.as_ref() else { return json!({"state": "none"}) };
    let (state, report) = match &run.state {
        State::UnderWay if run.stopped => ("stopping", None),
        State::UnderWay => ("running", None),
        State::Done(report) => ("done", Some(report)),
        State::Failed => ("failed", None),
    };
    json!({"state": state, "run": run.about, "lines": run.told.lines(), "report": report})
}

fn run() -> MutexGuard<'static, Option<Run>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reserve(about: Value) -> Outcome<()> {
    let mut run = run();
    if run.as_ref().is_some_and(|run| matches!(run.state, State::UnderWay)) {
        return Err(Fault::new(Kind::Conflict, "A run is under way; one at a time"));
    }
    *run = Some(Run { about, told: Told::default(), state: State::UnderWay, input: None, stopped: false });
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

async fn follow(mut child: Child) {
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (summary, ()) = tokio::join!(read(output), listen(errors));
    let succeeded = child.wait().await.is_ok_and(|status| status.success());
    let mut run = run();
    let Some(run) = run.as_mut() else { return };
    run.input = None;
    run.told.take(b"\n");
    run.state = match report(&summary) {
        Some(report) if succeeded => State::Done(report),
        _ => State::Failed,
    };
}

async fn read(output: Option<impl AsyncRead + Unpin>) -> String {
    let mut text = Vec::new();
    let Some(mut output) = output else { return String::new() };
    let mut piece = [0; 4096];
    while let Ok(read @ 1..) = output.read(&mut piece).await {
        let room = LONGEST_SUMMARY.saturating_sub(text.len()).min(read);
        text.extend_from_slice(&piece[..room]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

async fn listen(errors: Option<impl AsyncRead + Unpin>) {
    let Some(mut errors) = errors else { return };
    let mut piece = [0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut piece).await {
        if let Some(run) = run().as_mut() {
            run.told.take(&piece[..read]);
        }
    }
}

/// The name of the report, from where it was written.
fn report(summary: &str) -> Option<String> {
    let path = summary.lines().rev().find(|line| line.ends_with(".json"))?;
    Path::new(path).file_stem()?.to_str().map(str::to_owned)
}

/// The progress that a program prints on a terminal: lines, of which it overwrites the last.
#[derive(Default)]
struct Told {
    done: VecDeque<String>,
    last: Vec<u8>,
    /// The last character was a carriage return, so the next ones overwrite the line.
    over: bool,
}

impl Told {
    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end(),
                b'\r' => self.over = true,
                _ => {
                    if std::mem::take(&mut self.over) {
                        self.last.clear();
                    }
                    if self.last.len() < LONGEST_LINE {
                        self.last.push(byte);
                    }
                }
            }
        }
    }

    fn end(&mut self) {
        self.over = false;
        let line = shown(&std::mem::take(&mut self.last));
        if line.is_empty() {
            return;
        }
        self.done.push_back(line);
        if self.done.len() > LINES {
            self.done.pop_front();
        }
    }

    fn lines(&self) -> Vec<String> {
        let last = Some(shown(&self.last)).filter(|line| !line.is_empty());
        self.done.iter().cloned().chain(last).collect()
    }
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_written_over_is_one_line() {
        let mut told = Told::default();
        told.take(b"lab: 1 of 2: 8 users\n\r  1 of 20 s  \r  2 of 2");
        assert_eq!(told.lines(), ["lab: 1 of 2: 8 users", "2 of 2"]);
        told.take(b"0 s   \nlab: 2 of 2\n\n");
        assert_eq!(told.lines(), ["lab: 1 of 2: 8 users", "2 of 20 s", "lab: 2 of 2"]);
    }

    #[test]
    fn of_many_lines_the_last_are_kept_and_of_a_long_one_its_beginning() {
        let mut told = Told::default();
        for line in 0..100 {
            told.take(format!("{line} {}\n", "x".repeat(1000)).as_bytes());
        }
        let lines = told.lines();
        assert_eq!(lines.len(), LINES);
        assert!(lines[0].starts_with("60 x") && lines[0].len() == LONGEST_LINE, "{}", lines[0]);
    }

    #[test]
    fn the_report_is_named_by_its_file() {
        let summary = "8 users: 3 ms\n/a/x-1.html\n/a/x-1.md\n/a/x-1.json\n";
        assert_eq!(report(summary).as_deref(), Some("x-1"));
        assert_eq!(report("octavo: nothing ran\n"), None);
    }
}
