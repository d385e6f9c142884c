//! Runs pgbench, PostgreSQL's own benchmark, which is available for every machine, as a measure for comparison.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::embedded;
use tokio::process::Command;
use tokio::time::timeout;

use crate::statistics::Latencies;

/// The longest time for creating the tables of pgbench. Next constant: how much longer than planned a turn may take.
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
    /// An empty folder for the log of pgbench, if the time of each transaction is wanted.
    pub log: Option<&'a Path>,
}

#[derive(Debug)]
pub struct TurnResult {
    pub per_second: f64,
    /// The average time of a transaction, in milliseconds.
    pub average_ms: f64,
    /// The time of each transaction; empty if `Turn::log` was None.
    pub latencies: Latencies,
}

impl Pgbench {
    /// The pgbench beside a server's programs, or else the newest that is installed.
    pub fn new(server: Option<&Path>, url: &str) -> Pgbench {
        let program = match server {
            Some(folder) => embedded::client_program(folder, "pgbench"),
            None => embedded::newest_installation()
                .map_or_else(|| "pgbench".into(), |one| embedded::client_program(&one.folder, "pgbench")),
        };
        Pgbench { program, url: url.to_owned() }
    }

    /// Creates the tables of pgbench with `scale` times 100,000 accounts.
    pub async fn create_tables(&self, scale: u32) -> Result<()> {
        self.run(&["-i", "-q", "-s", &scale.to_string()], Path::new("/"), LONGEST_FILL).await.map(|_| ())
    }

    pub async fn run_turn(&self, turn: &Turn<'_>) -> Result<TurnResult> {
        let (clients, seconds) = (turn.clients.to_string(), turn.time.as_secs().max(1).to_string());
        let mut arguments = vec!["-M", "prepared", "-c", &clients, "-T", &seconds, "-b", turn.script];
        arguments.extend(turn.log.map(|_| "--log"));
        let told = self.run(&arguments, turn.log.unwrap_or(Path::new("/")), turn.time + LONGEST_END).await?;
        let mut times = Latencies::default();
        for log in turn.log.map(fs::read_dir).transpose()?.into_iter().flatten() {
            read_log(&fs::read_to_string(log?.path())?, &mut times);
        }
        let figure = |before: &str| {
            parse_figure(&told, before).with_context(|| format!("pgbench told no \"{before}\":\n{told}"))
        };
        Ok(TurnResult {
            per_second: figure(RATE_PREFIX)?,
            average_ms: figure(AVERAGE_PREFIX)?,
            latencies: times,
        })
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
const RATE_PREFIX: &str = "tps = ";
const AVERAGE_PREFIX: &str = "latency average = ";

fn parse_figure(told: &str, before: &str) -> Option<f64> {
    let line = told.lines().find_map(|line| line.strip_prefix(before))?;
    line.split(' ').next()?.parse().ok()
}

/// `client_id transaction_no time script_no time_epoch time_us`, the time in microseconds.
fn read_log(log: &str, into: &mut Latencies) {
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
        assert_eq!(
            (parse_figure(told, RATE_PREFIX), parse_figure(told, AVERAGE_PREFIX)),
            (Some(1234.5), Some(0.612))
        );
        assert_eq!(
            (parse_figure("pgbench: error", RATE_PREFIX), parse_figure("pgbench: error", AVERAGE_PREFIX)),
            (None, None)
        );
    }

    #[test]
    fn the_third_column_of_its_log_is_the_time() {
        let mut latencies = Latencies::default();
        read_log("0 1 2000 0 1763760000 1\n1 1 4000 0 1763760000 2\n", &mut latencies);
        assert_eq!(latencies.count(), 2);
        assert!((latencies.percentiles().p99 - 4.0).abs() < f64::EPSILON);
    }
}
