//! The order of a run: the library is made and filled, the server is started anew, and then the four sides take turns.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::Database;
use octavo_pg::embedded::Embedded;

use super::figures::{Latencies, Percentiles};
use super::http::request;
use super::load::{self, Work};
use super::pgbench::{self, Script};
use super::process::{Watched, memory};
use super::scratch::Scratch;
use super::server::Server;
use super::stock::Stock;
use super::trips::{self, CHECK_OUT, Trips};
use super::{Extent, clock, library, machine, say, tools};

/// Everything that a report tells.
pub(crate) struct Measured {
    pub(crate) machine: String,
    pub(crate) extent: Extent,
    pub(crate) sides: [Side; 4],
    pub(crate) trips: Vec<Trips>,
    pub(crate) start: Duration,
    pub(crate) idle_kb: u64,
    pub(crate) loaded_kb: u64,
    pub(crate) most_kb: u64,
    pub(crate) remarks: Vec<String>,
}

/// One of the four, over all rounds.
#[derive(Debug, Default)]
pub(crate) struct Side {
    pub(crate) name: &'static str,
    pub(crate) rounds: Vec<Figures>,
}

/// One turn, as figures. Processor time in milliseconds and WAL in bytes are those of one operation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) percentiles: Percentiles,
    pub(crate) server_ms: f64,
    pub(crate) postgres_ms: f64,
    pub(crate) client_ms: f64,
    pub(crate) wal: f64,
    /// Of all processor time of the machine, the share that neither side took.
    pub(crate) others: f64,
}

const NAMES: [&str; 4] = ["check-out", "pgbench TPC-B", "GET item by id", "pgbench -S"];
const WARM_UP: Duration = Duration::from_secs(2);

pub(crate) async fn measure(extent: Extent, scratch: &Scratch, database: &Embedded) -> Result<Measured> {
    let (folder, url) = (scratch.path(), database.url());
    pgbench::prepare(database, folder).await?;
    say("making the library");
    let server = Server::start(folder, &url).await?;
    let headers = library::make(&server, None).await?;
    server.stop().await?;
    let Extent { items, patrons, loans, .. } = extent;
    say(&format!("filling the shelves: {items} items, {patrons} patrons with {loans} open loans each"));
    let stock = Arc::new(Stock::fill(&url, extent).await?);
    tools::checkpoint(database, folder).await?;
    let server = Server::start(folder, &url).await?;
    let idle_kb = memory(server.pid, "VmRSS")?;
    let mut run = Run {
        works: [check_outs(&stock, &headers), gets(&stock, &headers)],
        watched: Watched { server: server.pid, postmaster: postmaster(database)? },
        wal: Database::from_url(&url, octavo_pg::Options::unlimited(1))?,
        server,
        database,
        scratch,
        extent,
        remarks: Vec::new(),
    };
    let sides = run.rounds().await?;
    let (loaded_kb, most_kb) = (memory(run.server.pid, "VmRSS")?, memory(run.server.pid, "VmHWM")?);
    say("counting round trips");
    let trips = trips::count(run.server.address, &headers, &stock, run.works[0].take()).await?;
    let start = run.server.started_in;
    run.server.stop().await?;
    let machine = machine::described(folder, database);
    Ok(Measured { machine, extent, sides, trips, start, idle_kb, loaded_kb, most_kb, remarks: run.remarks })
}

struct Run<'a> {
    /// Check-outs and GETs.
    works: [Arc<Work>; 2],
    watched: Watched,
    wal: Database,
    server: Server,
    database: &'a Embedded,
    scratch: &'a Scratch,
    extent: Extent,
    remarks: Vec<String>,
}

impl Run<'_> {
    async fn rounds(&mut self) -> Result<[Side; 4]> {
        say("warming up");
        for side in 0..4 {
            self.turn(side, WARM_UP).await?;
        }
        let mut sides = NAMES.map(|name| Side { name, rounds: Vec::new() });
        for round in 1..=self.extent.rounds {
            for (at, side) in sides.iter_mut().enumerate() {
                let figures = self.turn(at, self.extent.time).await?;
                let told = format!("round {round}: {} {:.0} per second", side.name, figures.per_second);
                say(&told);
                side.rounds.push(figures);
            }
        }
        Ok(sides)
    }

    async fn turn(&mut self, side: usize, time: Duration) -> Result<Figures> {
        let (spent, wal, started) = (self.watched.spent()?, self.wal_position().await?, clock::now());
        let (per_second, latencies) = match side {
            0 => self.ours(0, time).await?,
            1 => self.theirs(Script::TpcB, time).await?,
            2 => self.ours(1, time).await?,
            _ => self.theirs(Script::SelectOnly, time).await?,
        };
        let elapsed = started.elapsed();
        let (spent, wal) = (self.watched.spent()?.since(spent), self.wal_position().await? - wal);
        let operations = (latencies.len() as f64).max(1.0);
        let each = |seconds: f64| seconds * 1000.0 / operations;
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        Ok(Figures {
            per_second,
            percentiles: latencies.percentiles(),
            server_ms: each(spent.server),
            postgres_ms: each(spent.postgres),
            client_ms: each(spent.client),
            wal: wal as f64 / operations,
            others: spent.others() / (elapsed.as_secs_f64() * cores),
        })
    }

    async fn ours(&mut self, work: usize, time: Duration) -> Result<(f64, Latencies)> {
        let turn = load::turn(self.server.address, self.extent.clients, time, &self.works[work]).await?;
        let per_second = turn.latencies.len() as f64 / turn.elapsed.as_secs_f64();
        for (status, count) in &turn.unexpected {
            let example = turn.example.as_deref().unwrap_or_default();
            self.remarks
                .push(format!("{count} answers of status {status}, the first unexpected one: {example}"));
        }
        if turn.latencies.len() == 0 {
            bail!("nothing was answered as expected\n{}", self.remarks.join("\n"));
        }
        if turn.ran_out {
            self.remarks.push(format!(
                "All items were lent after {:.1} s of a turn; more of them with --items",
                turn.elapsed.as_secs_f64()
            ));
        }
        Ok((per_second, turn.latencies))
    }

    async fn theirs(&self, script: Script, time: Duration) -> Result<(f64, Latencies)> {
        let turn = pgbench::turn(self.database, self.scratch.path(), script, self.extent, time).await?;
        Ok((turn.per_second, turn.latencies))
    }

    /// Bytes of write-ahead log since the beginning.
    async fn wal_position(&self) -> Result<i64> {
        let mut session = self.wal.system(Arc::default()).await?;
        let rows = session.rows(octavo_pg::Statement::new(WAL)).await?;
        rows.first().map(|row| row.long(0)).context("PostgreSQL tells no WAL position")
    }
}

const WAL: &str = "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8";

fn check_outs(stock: &Arc<Stock>, headers: &str) -> Arc<Work> {
    let (stock, headers) = (Arc::clone(stock), headers.to_owned());
    Work::new(201, move |number, bytes| {
        let body = stock.check_out(number);
        if let Some(body) = &body {
            request(bytes, "POST", CHECK_OUT, &headers, body);
        }
        body.is_some()
    })
}

fn gets(stock: &Arc<Stock>, headers: &str) -> Arc<Work> {
    let (stock, headers) = (Arc::clone(stock), headers.to_owned());
    Work::new(200, move |number, bytes| {
        request(bytes, "GET", &format!("/item-storage/items/{}", stock.id(number)), &headers, "");
        true
    })
}

/// The first line of PostgreSQL's own file.
fn postmaster(database: &Embedded) -> Result<u32> {
    let file = database.data_dir().join("postgres/postmaster.pid");
    let text = fs::read_to_string(&file).with_context(|| format!("can't read {}", file.display()))?;
    text.lines().next().and_then(|line| line.trim().parse().ok()).context("PostgreSQL has no process id")
}
