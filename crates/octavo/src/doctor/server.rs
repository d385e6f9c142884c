//! PostgreSQL itself: its version, its settings, what it knows of its disk, and its clock.

use anyhow::Result;
use octavo_pg::{Session, Statement};

use super::finding::Report;
use crate::start::clock;

/// Beyond two thousand million transactions PostgreSQL stops to take changes.
const OLD: i64 = 1_500_000_000;
/// Clocks that differ by more make tokens end too early or too late, and due dates fall on other minutes.
const APART: i64 = 5_000;
const OLDEST: i64 = 150_000;

/// What is asked of the server, in the order of the query.
#[derive(Debug, Clone)]
struct Server {
    version: i64,
    /// Blocks that were read and were not as they had been written.
    damaged: i64,
    /// The age of the oldest transaction that it has to remember.
    age: i64,
    /// Settings that let it forget what it has acknowledged.
    forgetful: String,
    checksums: bool,
    /// Transactions that have been open for an hour and do nothing.
    idle: i64,
    milliseconds: i64,
    /// When the last change of a schema was noted, in milliseconds.
    noted: i64,
}

pub(super) async fn look(session: &mut Session, report: &mut Report) -> Result<()> {
    let before = clock().as_millisecond();
    let rows = session.rows(Statement::new(SERVER)).await?;
    let row = rows.first().ok_or_else(|| anyhow::anyhow!("PostgreSQL tells nothing of itself"))?;
    let noted = session.read::<Option<i64>>(Statement::new(NOTED)).await.ok().flatten();
    let server = Server {
        version: row.long(0),
        damaged: row.long(1),
        age: row.long(2),
        forgetful: row.text(3).to_owned(),
        checksums: row.text(4) == "on",
        idle: row.long(5),
        milliseconds: row.long(6),
        noted: noted.unwrap_or_default(),
    };
    judge(&server, before, report);
    Ok(())
}

fn judge(server: &Server, now: i64, report: &mut Report) {
    let (major, minor) = (server.version / 10_000, server.version % 10_000);
    report.looked_at("server", format!("PostgreSQL {major}.{minor}"));
    if server.version < OLDEST {
        let what = format!("PostgreSQL is of version {major}; Octavo needs 15 or newer");
        report.problem("server", what).advice("Upgrade PostgreSQL with pg_upgrade or by dump and restore");
    }
    if server.damaged > 0 {
        let what = format!("{} blocks that were read were damaged", server.damaged);
        report
            .problem("server", what)
            .advice("Look after the disk, and restore the last backup that verifies");
    }
    if server.age > OLD {
        let what =
            format!("{} transactions have to be remembered; at 2 thousand million it stops", server.age);
        report
            .problem("server", what)
            .advice("Run VACUUM FREEZE, and see why autovacuum does not come through");
    }
    if !server.forgetful.is_empty() {
        let what = format!("{} is off: a crash loses what was acknowledged", server.forgetful);
        report.problem("server", what).advice("Set it to on");
    }
    if !server.checksums {
        report
            .hint("server", "data checksums are off: damage on the disk is not noticed")
            .advice("Switch them on with pg_checksums while the server is stopped");
    }
    if server.idle > 0 {
        let what = format!("{} transactions have been open for an hour and do nothing", server.idle);
        report.hint("server", what).advice("End the programs that hold them; pg_stat_activity lists them");
    }
    let apart = server.milliseconds - now;
    report.looked_at("clock", format!("{} ms from the database's", apart.abs()));
    if apart.abs() > APART {
        let what = format!("the clock of the database differs from this machine's by {} s", apart / 1000);
        report.problem("clock", what).advice("Have both machines' clocks set by NTP");
    }
    if server.noted - server.milliseconds > APART {
        report
            .problem(
                "clock",
                "the clock was set back: the database was changed at a time that has not come yet",
            )
            .advice("Set the clock by NTP before anybody works");
    }
}

const SERVER: &str = "\
select
  current_setting('server_version_num')::int8,
  coalesce((select sum(checksum_failures) from pg_stat_database), 0)::int8,
  (select age(datfrozenxid) from pg_database where datname = current_database())::int8,
  concat_ws(' and ',
    case when current_setting('fsync') = 'off' then 'fsync' end,
    case when current_setting('full_page_writes') = 'off' then 'full_page_writes' end,
    case when current_setting('synchronous_commit') = 'off' then 'synchronous_commit' end),
  current_setting('data_checksums'),
  (select count(*) from pg_stat_activity
   where state like 'idle in transaction%' and xact_start < now() - interval '1 hour'),
  (extract(epoch from clock_timestamp()) * 1000)::int8";
const NOTED: &str = "select (extract(epoch from max(applied)) * 1000)::int8 from octavo.migration";

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn well() -> Server {
        Server {
            version: 150_018,
            damaged: 0,
            age: 1_000_000,
            forgetful: String::new(),
            checksums: true,
            idle: 0,
            milliseconds: NOW + 3,
            noted: NOW - 1_000_000,
        }
    }

    #[test]
    fn what_is_wrong_with_a_server_is_seen() {
        for (server, expected) in [
            (well(), ""),
            (Server { version: 140_012, ..well() }, "PostgreSQL is of version 14; Octavo needs 15 or newer"),
            (Server { damaged: 2, ..well() }, "2 blocks that were read were damaged"),
            (
                Server { age: 1_600_000_000, ..well() },
                "1600000000 transactions have to be remembered; at 2 thousand million it stops",
            ),
            (
                Server { forgetful: "fsync".into(), ..well() },
                "fsync is off: a crash loses what was acknowledged",
            ),
            (
                Server { checksums: false, ..well() },
                "data checksums are off: damage on the disk is not noticed",
            ),
            (Server { idle: 1, ..well() }, "1 transactions have been open for an hour and do nothing"),
            (
                Server { milliseconds: NOW - 60_000, noted: 0, ..well() },
                "the clock of the database differs from this machine's by -60 s",
            ),
            (
                Server { noted: NOW + 3_600_000, ..well() },
                "the clock was set back: the database was changed at a time that has not come yet",
            ),
        ] {
            let mut report = Report::default();
            judge(&server, NOW, &mut report);
            let found: Vec<&str> = report.findings.iter().map(|finding| finding.what.as_str()).collect();
            assert_eq!(found.join("; "), expected);
            assert!(report.findings.iter().all(|finding| !finding.advice.is_empty()));
        }
    }
}
