//! PostgreSQL itself: its version, its settings, what it knows of its disk, and its clock.

use anyhow::Result;
use octavo_pg::{Session, Statement};

use super::finding::Report;
use crate::start::clock;

/// The age in transactions from which a problem is reported. Beyond two thousand million PostgreSQL accepts no changes.
const OLD_TRANSACTION_AGE: i64 = 1_500_000_000;
/// The largest difference between both clocks in milliseconds. With more, tokens end too early or too late, and due dates are wrong.
const LARGEST_CLOCK_DIFFERENCE_MS: i64 = 5_000;
const OLDEST_VERSION: i64 = 150_000;

/// What PostgreSQL says about itself, in the order of the query's columns.
#[derive(Debug, Clone)]
struct Server {
    version: i64,
    /// The number of blocks whose checksum was wrong when they were read.
    damaged_blocks: i64,
    /// The age of the oldest transaction id that PostgreSQL has to keep, in transactions.
    oldest_transaction_age: i64,
    /// Settings with which PostgreSQL can lose committed changes.
    unsafe_settings: String,
    checksums: bool,
    /// The number of transactions that have been open for an hour and do nothing.
    idle_transactions: i64,
    /// The number of replication slots of moves of tenants.
    move_slots: i64,
    clock_ms: i64,
    /// The time of the last migration, in milliseconds since 1970.
    last_migration_ms: i64,
}

pub(super) async fn check_server(session: &mut Session, report: &mut Report) -> Result<()> {
    let before = clock().as_millisecond();
    let rows = session.rows(Statement::new(SERVER)).await?;
    let row = rows.first().ok_or_else(|| anyhow::anyhow!("PostgreSQL tells nothing of itself"))?;
    let noted = session.read::<Option<i64>>(Statement::new(LAST_MIGRATION)).await.ok().flatten();
    let server = Server {
        version: row.long(0),
        damaged_blocks: row.long(1),
        oldest_transaction_age: row.long(2),
        unsafe_settings: row.text(3).to_owned(),
        checksums: row.text(4) == "on",
        idle_transactions: row.long(5),
        move_slots: row.long(6),
        clock_ms: row.long(7),
        last_migration_ms: noted.unwrap_or_default(),
    };
    report_on(&server, before, report);
    Ok(())
}

fn report_on(server: &Server, now: i64, report: &mut Report) {
    let (major, minor) = (server.version / 10_000, server.version % 10_000);
    report.looked_at("server", format!("PostgreSQL {major}.{minor}"));
    if server.version < OLDEST_VERSION {
        let what = format!("PostgreSQL is of version {major}; Octavo needs 15 or newer");
        report.problem("server", what).advice("Upgrade PostgreSQL with pg_upgrade or by dump and restore");
    }
    if server.damaged_blocks > 0 {
        let what = format!("{} blocks that were read were damaged", server.damaged_blocks);
        report
            .problem("server", what)
            .advice("Look after the disk, and restore the last backup that verifies");
    }
    if server.oldest_transaction_age > OLD_TRANSACTION_AGE {
        let what = format!(
            "{} transactions have to be remembered; at 2 thousand million it stops",
            server.oldest_transaction_age
        );
        report
            .problem("server", what)
            .advice("Run VACUUM FREEZE, and see why autovacuum does not come through");
    }
    if !server.unsafe_settings.is_empty() {
        let what = format!("{} is off: a crash loses what was acknowledged", server.unsafe_settings);
        report.problem("server", what).advice("Set it to on");
    }
    if !server.checksums {
        report
            .hint("server", "data checksums are off: damage on the disk is not noticed")
            .advice("Switch them on with pg_checksums while the server is stopped");
    }
    if server.idle_transactions > 0 {
        let what =
            format!("{} transactions have been open for an hour and do nothing", server.idle_transactions);
        report.hint("server", what).advice("End the programs that hold them; pg_stat_activity lists them");
    }
    if server.move_slots > 0 {
        let what = format!(
            "{} replication slots of moves of tenants: while there are any, PostgreSQL keeps its log",
            server.move_slots
        );
        report.hint("server", what).advice(
            "If no move is under way, move a tenant from or to this database: the next `octavo tenant move` removes them",
        );
    }
    let apart = server.clock_ms - now;
    report.looked_at("clock", format!("{} ms from the database's", apart.abs()));
    if apart.abs() > LARGEST_CLOCK_DIFFERENCE_MS {
        let what = format!("the clock of the database differs from this machine's by {} s", apart / 1000);
        report.problem("clock", what).advice("Have both machines' clocks set by NTP");
    }
    if server.last_migration_ms - server.clock_ms > LARGEST_CLOCK_DIFFERENCE_MS {
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
  (select count(*) from pg_replication_slots
   where database = current_database() and slot_name ~ '^octavo_move_[0-9a-f]{16}$'),
  (extract(epoch from clock_timestamp()) * 1000)::int8";
const LAST_MIGRATION: &str = "select (extract(epoch from max(applied)) * 1000)::int8 from octavo.migration";

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn well() -> Server {
        Server {
            version: 150_018,
            damaged_blocks: 0,
            oldest_transaction_age: 1_000_000,
            unsafe_settings: String::new(),
            checksums: true,
            idle_transactions: 0,
            move_slots: 0,
            clock_ms: NOW + 3,
            last_migration_ms: NOW - 1_000_000,
        }
    }

    #[test]
    fn what_is_wrong_with_a_server_is_seen() {
        for (server, expected) in [
            (well(), ""),
            (Server { version: 140_012, ..well() }, "PostgreSQL is of version 14; Octavo needs 15 or newer"),
            (Server { damaged_blocks: 2, ..well() }, "2 blocks that were read were damaged"),
            (
                Server { oldest_transaction_age: 1_600_000_000, ..well() },
                "1600000000 transactions have to be remembered; at 2 thousand million it stops",
            ),
            (
                Server { unsafe_settings: "fsync".into(), ..well() },
                "fsync is off: a crash loses what was acknowledged",
            ),
            (
                Server { checksums: false, ..well() },
                "data checksums are off: damage on the disk is not noticed",
            ),
            (
                Server { idle_transactions: 1, ..well() },
                "1 transactions have been open for an hour and do nothing",
            ),
            (
                Server { move_slots: 1, ..well() },
                "1 replication slots of moves of tenants: while there are any, PostgreSQL keeps its log",
            ),
            (
                Server { clock_ms: NOW - 60_000, last_migration_ms: 0, ..well() },
                "the clock of the database differs from this machine's by -60 s",
            ),
            (
                Server { last_migration_ms: NOW + 3_600_000, ..well() },
                "the clock was set back: the database was changed at a time that has not come yet",
            ),
        ] {
            let mut report = Report::default();
            report_on(&server, NOW, &mut report);
            let found: Vec<&str> = report.findings.iter().map(|finding| finding.what.as_str()).collect();
            assert_eq!(found.join("; "), expected);
            assert!(report.findings.iter().all(|finding| !finding.advice.is_empty()));
        }
    }
}
