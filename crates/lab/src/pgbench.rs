//! pgbench, PostgreSQL's own benchmark, as a measure that every machine has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::embedded;
use tokio::process::Command;
use tokio::time::timeout;

use crate::statistics::Latencies;

/// Filling its tables may take so long; a turn so much longer than it lasts.
const LONGEST_FILL: Duration = Duration::from_secs(300);
const LONGEST_END: Duration = Duration::from_secs(60);

/// The program, and the database in which it has its tables.
pub struct Pgbench {
    program: PathBuf,
    url: String,
}

pub struct Turn<'a> {
    /// One of its own transactions: `tpcb-like`, `simple-update`, `select-only`.
    pub script: &'a str,
    pub clients: u32,
    pub time: Duration,
    /// An empty folder, if the time of each transaction is wanted.
    pub log: Option<&'a Path>,
}

#[derive(Debug)]
pub struct Done {
    pub per_second: f64,
    /// The average time of a transaction, in milliseconds.
    pub average: f64,
    /// Empty without a folder for them.
    pub times: Latencies,
}

impl Pgbench {
    /// The pgbench beside a server's programs, or else the newest that is installed.
    pub fn new(server: Option<&Path>, url: &str) -> Pgbench {
        let program = match server {
            Some(folder) => embedded::client(folder, "pgbench"),
            None => embedded::newest()
                .map_or_else(|| "pgbench".into(), |one| embedded::client(&one.folder, "pgbench")),
        };
        Pgbench { program, url: url.to_owned() }
    }

    /// Makes its tables, with so many times 100,000 accounts.
    pub async fn fill(&self, scale: u32) -> Result<()> {
        self.run(&["-i", "-q", "-s", &scale.to_string()], Path::new("/"), LONGEST_FILL).await.map(|_| ())
    }

    pub async fn turn(&self, turn: &Turn<'_>) -> Result<Done> {
        let (clients, seconds) = (turn.clients.to_string(), turn.time.as_secs().max(1).to_string());
        let mut arguments = vec!["-M", "prepared", "-c", &clients, "-T", &seconds, "-b", turn.script];
        arguments.extend(turn.log.map(|_| "--log"));
        let told = self.run(&arguments, turn.log.unwrap_or(Path::new("/")), turn.time + LONGEST_END).await?;
        let mut times = Latencies::default();
        for log in turn.log.map(fs::read_dir).transpose()?.into_iter().flatten() {
            read(&fs::read_to_string(log?.path())?, &mut times);
        }
        let figure = |before: &str| {
            number(&told, before).with_context(|| format!("pgbench told no \"{before}\":\n{told}"))
        };
        Ok(Done { per_second: figure(RATE)?, average: figure(AVERAGE)?, times })
    }

    async fn run(&self, arguments: &[&str], folder: &Path, within: Duration) -> Result<String> {
        let path = self.program.display();
        let child = Command::new(&self.program)
            // The settings of a caller's session are not those of the other side.
            .env_remove("PGOPTIONS")
            .env("LC_ALL", "C")
            .args(arguments)
            .arg(&self.url)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("can't run {path}: is PostgreSQL's client installed?"))?;
        let ended = timeout(within, child.wait_with_output()).await.context("pgbench hangs")??;
        let (out, error) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        if !ended.status.success() {
            bail!("pgbench {}: {}\n{out}{error}", arguments.join(" "), ended.status);
        }
        Ok(out.into_owned())
    }
}

/// `tps = 1234.567890 (without initial connection time)`, `latency average = 0.612 ms`
const RATE: &str = "tps = ";
const AVERAGE: &str = "latency average = ";

fn number(told: &str, before: &str) -> Option<f64> {
    let line = told.lines().find_map(|line| line.strip_prefix(before))?;
    line.split(' ').next()?.parse().ok()
}

/// `client_id transaction_no time script_no time_epoch time_us`, the time in microseconds.
fn read(log: &str, into: &mut Latencies) {
    for micros in log.lines().filter_map(|line| line.split(' ').nth(2)?.parse().ok()) {
        into.push(micros);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgbench_tells_its_rate_and_the_time_of_a_transaction() {
        let told = "number of failed transactions: 0 (0.000%)\nlatency average = 0.612 ms\n\
                    tps = 1234.5 (without initial connection time)\n";
        assert_eq!((number(told, RATE), number(told, AVERAGE)), (Some(1234.5), Some(0.612)));
        assert_eq!((number("pgbench: error", RATE), number("pgbench: error", AVERAGE)), (None, None));
    }

    #[test]
    fn the_third_column_of_its_log_is_the_time() {
        let mut latencies = Latencies::default();
        read("0 1 2000 0 1763760000 1\n1 1 4000 0 1763760000 2\n", &mut latencies);
        assert_eq!(latencies.count(), 2);
        assert!((latencies.percentiles().p99 - 4.0).abs() < f64::EPSILON);
    }
}
