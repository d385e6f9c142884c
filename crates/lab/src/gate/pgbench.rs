//! A transaction of PostgreSQL's own benchmark, as a measure that every machine has.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use octavo_pg::embedded;

/// One client alone, so long.
const SECONDS: &str = "3";

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pgbench {
    pub(super) script: &'static str,
    /// Of one transaction, on average.
    pub(super) millis: f64,
}

impl Pgbench {
    pub(super) fn run(script: &'static str, url: &str) -> Result<Pgbench> {
        let program = embedded::newest()
            .map_or_else(|| "pgbench".into(), |one| embedded::client(&one.folder, "pgbench"));
        let ended = Command::new(&program)
            .args([
                "--no-vacuum",
                "--protocol=prepared",
                "--client=1",
                "--time",
                SECONDS,
                "--builtin",
                script,
                url,
            ])
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("can't run {}: is PostgreSQL's client installed?", program.display()))?;
        let (out, error) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        if !ended.status.success() {
            bail!("pgbench {script}: {}\n{error}", ended.status);
        }
        let millis = millis(&out).with_context(|| format!("pgbench told no time:\n{out}{error}"))?;
        Ok(Pgbench { script, millis })
    }
}

/// `latency average = 0.612 ms`
fn millis(told: &str) -> Option<f64> {
    let line = told.lines().find_map(|line| line.strip_prefix("latency average = "))?;
    line.strip_suffix(" ms")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgbench_tells_the_time_of_a_transaction() {
        let told = "number of failed transactions: 0 (0.000%)\nlatency average = 0.612 ms\ntps = 1633.9\n";
        assert_eq!((millis(told), millis("pgbench: error")), (Some(0.612), None));
    }
}
