//! The other side: PostgreSQL's own benchmark, on the same server, in a database of its own.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use octavo_pg::embedded::Embedded;

use super::figures::Latencies;
use super::tools::{self, OCTAVO, SUPERUSER};
use super::{Extent, say};

const DATABASE: &str = "pgbench";
const SCALE: &str = "10";

/// What one turn came to.
pub(crate) struct Turn {
    pub(crate) per_second: f64,
    pub(crate) latencies: Latencies,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Three updates, a select and an insert in one transaction.
    TpcB,
    /// One row by its key (`-S`).
    SelectOnly,
}

pub(crate) async fn prepare(database: &Embedded, folder: &Path) -> Result<()> {
    say("filling pgbench's database");
    let within = Duration::from_secs(300);
    tools::run(database, "createdb", SUPERUSER, &["-O", OCTAVO, DATABASE], folder, within).await?;
    tools::run(database, "pgbench", OCTAVO, &["-i", "-q", "-s", SCALE, DATABASE], folder, within).await?;
    Ok(())
}

pub(crate) async fn turn(
    database: &Embedded,
    folder: &Path,
    script: Script,
    extent: Extent,
    time: Duration,
) -> Result<Turn> {
    let logs = folder.join("pgbench-logs");
    fs::create_dir(&logs).with_context(|| format!("can't make {}", logs.display()))?;
    let (clients, seconds) = (extent.clients.to_string(), time.as_secs().max(1).to_string());
    let mut arguments = vec!["-M", "prepared", "-c", &clients, "-T", &seconds, "--log"];
    if script == Script::SelectOnly {
        arguments.push("-S");
    }
    arguments.push(DATABASE);
    let told =
        tools::run(database, "pgbench", OCTAVO, &arguments, &logs, time + Duration::from_secs(60)).await?;
    let mut latencies = Latencies::default();
    for log in fs::read_dir(&logs)?.flatten() {
        read(&fs::read_to_string(log.path())?, &mut latencies);
    }
    fs::remove_dir_all(&logs)?;
    let per_second = rate(&told).with_context(|| format!("pgbench told no rate:\n{told}"))?;
    Ok(Turn { per_second, latencies })
}

/// `client_id transaction_no time script_no time_epoch time_us`, the time in microseconds.
fn read(log: &str, into: &mut Latencies) {
    for micros in log.lines().filter_map(|line| line.split(' ').nth(2)?.parse().ok()) {
        into.push(micros);
    }
}

/// `tps = 1234.567890 (without initial connection time)`
fn rate(told: &str) -> Option<f64> {
    let line = told.lines().find_map(|line| line.strip_prefix("tps = "))?;
    line.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgbench_tells_its_rate() {
        let told =
            "number of failed transactions: 0 (0.000%)\ntps = 1234.5 (without initial connection time)\n";
        assert_eq!(rate(told), Some(1234.5));
        assert_eq!(rate("pgbench: error"), None);
    }

    #[test]
    fn the_third_column_of_its_log_is_the_time() {
        let mut latencies = Latencies::default();
        read("0 1 2000 0 1763760000 1\n1 1 4000 0 1763760000 2\n", &mut latencies);
        assert_eq!(latencies.len(), 2);
        assert!((latencies.percentiles().p99 - 4.0).abs() < f64::EPSILON);
    }
}
