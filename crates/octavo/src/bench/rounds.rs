//! The order of a run: the library is made and filled, the server is started anew, and then the four sides take turns.

use std::fs;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_lab::load::{Session, Told};
use octavo_lab::pgbench::{self, Pgbench};
use octavo_lab::process::{Stat, family_seconds, memory_kb};
use octavo_lab::statistics::{Latencies, Percentiles};
use octavo_lab::{clock, machine};
use octavo_pg::Database;
use octavo_pg::embedded::Embedded;

use super::call::{CHECK_OUT, Call};
use super::library;
use super::load::{Load, Work};
use super::private::{as_superuser, described, url_of};
use super::say;
use super::scratch::Scratch;
use super::server::Server;
use super::stock::{Extent, Stock};
use super::trips;

/// Everything that a report tells.
pub(crate) struct Measured {
    pub(crate) machine: String,
    pub(crate) extent: Extent,
    pub(crate) sides: [Side; 4],
    pub(crate) trips: [Told; 4],
    pub(crate) start: Duration,
    pub(crate) idle_kb: u64,
    pub(crate) loaded_kb: u64,
    pub(crate) most_kb: u64,
    pub(crate) remarks: Vec<String>,
}

/// The figures of one side, over all rounds: of an operation of Octavo, or a script of pgbench.
#[derive(Debug, Default)]
pub(crate) struct Side {
    pub(crate) name: &'static str,
    pub(crate) rounds: Vec<Figures>,
}

/// The figures of one turn. Processor time in milliseconds and WAL in bytes are those of one operation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) percentiles: Percentiles,
    pub(crate) server_ms: f64,
    pub(crate) postgres_ms: f64,
    pub(crate) client_ms: f64,
    pub(crate) wal: f64,
    /// The share of the machine's processor time that other programs took.
    pub(crate) others: f64,
}

const NAMES: [&str; 4] = ["check-out", "pgbench TPC-B", "GET item by id", "pgbench -S"];
const WARM_UP: Duration = Duration::from_secs(2);
/// The scale of pgbench's tables: ten branches, a million accounts.
const SCALE: u32 = 10;
const PGBENCH: &str = "pgbench";

pub(crate) async fn measure(extent: Extent, scratch: &Scratch, database: &Embedded) -> Result<Measured> {
    say("filling pgbench's database");
    as_superuser(database, &format!("create database {PGBENCH} owner octavo")).await?;
    let pgbench = Pgbench::new(Some(database.binaries()), &url_of(database, PGBENCH));
    pgbench.fill(SCALE).await?;
    let Extent { items, patrons, loans, .. } = extent;
    let fill = async |url: &str| {
        say(&format!("filling the shelves: {items} items, {patrons} patrons with {loans} open loans each"));
        Stock::fill(url, extent).await
    };
    let program = std::env::current_exe()?;
    let (server, staff, stock) = library::served(&program, scratch, database, None, fill).await?;
    let stock = Rc::new(stock);
    let idle_kb = memory(&server, "VmRSS")?;
    let mut run = Run {
        works: [check_outs(&stock), gets(&stock)],
        postmaster: postmaster(database)?,
        wal: Database::from_url(&database.url(), octavo_pg::Options::unlimited(1))?,
        server,
        staff,
        pgbench,
        scratch,
        extent,
        remarks: Vec::new(),
    };
    let sides = run.rounds().await?;
    let (loaded_kb, most_kb) = (memory(&run.server, "VmRSS")?, memory(&run.server, "VmHWM")?);
    say("counting round trips");
    let trips = trips::count(&mut run.staff, &stock, run.works[0].take()).await?;
    let start = run.server.started_in;
    run.server.stop().await?;
    let machine = described(scratch, database);
    Ok(Measured { machine, extent, sides, trips, start, idle_kb, loaded_kb, most_kb, remarks: run.remarks })
}

fn memory(server: &Server, field: &str) -> Result<u64> {
    memory_kb(server.pid, field).with_context(|| format!("the server under test tells no {field}"))
}

struct Run<'a> {
    /// Check-outs and GETs.
    works: [Rc<Work>; 2],
    postmaster: u32,
    wal: Database,
    server: Server,
    staff: Session,
    pgbench: Pgbench,
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
        let (spent, wal, started) = (self.spent()?, self.wal_position().await?, clock::now());
        let (per_second, latencies) = match side {
            0 => self.ours(0, time).await?,
            1 => self.theirs("tpcb-like", time).await?,
            2 => self.ours(1, time).await?,
            _ => self.theirs("select-only", time).await?,
        };
        let elapsed = started.elapsed();
        let (spent, wal) = (self.spent()?.since(spent), self.wal_position().await? - wal);
        let operations = (latencies.count() as f64).max(1.0);
        let each = |seconds: f64| seconds * 1000.0 / operations;
        let cores = machine::cores().max(1) as f64;
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
        let load = Load::begin(&self.staff, self.extent.clients, Duration::ZERO, &self.works[work]).await?;
        let turn = load.end_after(time).await?;
        let per_second = turn.latencies.count() as f64 / turn.elapsed.as_secs_f64();
        for (status, count) in &turn.unexpected {
            let example = turn.example.as_deref().unwrap_or_default();
            self.remarks
                .push(format!("{count} answers of status {status}, the first unexpected one: {example}"));
        }
        if turn.latencies.count() == 0 {
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

    async fn theirs(&self, script: &str, time: Duration) -> Result<(f64, Latencies)> {
        let log = self.scratch.path().join("pgbench-logs");
        fs::create_dir(&log).with_context(|| format!("can't make {}", log.display()))?;
        let clients = self.extent.clients;
        let turn = pgbench::Turn { script, clients, time, log: Some(&log) };
        let done = self.pgbench.turn(&turn).await?;
        fs::remove_dir_all(&log)?;
        Ok((done.per_second, done.times))
    }

    /// The processor time so far, also of pgbench's turns: a process that has ended counts with its parent.
    fn spent(&self) -> Result<Spent> {
        let spent = || {
            let client = Stat::read(std::process::id())?;
            Some(Spent {
                server: Stat::read(self.server.pid)?.own,
                postgres: family_seconds(self.postmaster)?,
                client: client.own + client.children,
                all: machine::busy_seconds()?,
            })
        };
        spent().context("/proc does not tell what the processes took")
    }

    /// Bytes of write-ahead log since the beginning.
    async fn wal_position(&self) -> Result<i64> {
        let mut session = self.wal.system(Arc::default()).await?;
        let position: Option<i64> = session.read(octavo_pg::Statement::new(WAL)).await?;
        position.context("PostgreSQL tells no WAL position")
    }
}

const WAL: &str = "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8";

fn check_outs(stock: &Rc<Stock>) -> Rc<Work> {
    let stock = Rc::clone(stock);
    Work::new(201, move |number| Some(Call::post(CHECK_OUT, stock.check_out(number)?)))
}

fn gets(stock: &Rc<Stock>) -> Rc<Work> {
    let stock = Rc::clone(stock);
    Work::new(200, move |number| Some(Call::get(format!("/item-storage/items/{}", stock.id(number)))))
}

/// Processor time in seconds, up to now.
#[derive(Debug, Clone, Copy)]
struct Spent {
    server: f64,
    postgres: f64,
    client: f64,
    /// The processor time of the whole machine.
    all: f64,
}

impl Spent {
    fn since(self, before: Spent) -> Spent {
        Spent {
            server: self.server - before.server,
            postgres: self.postgres - before.postgres,
            client: self.client - before.client,
            all: self.all - before.all,
        }
    }

    /// The share that other programs took.
    fn others(self) -> f64 {
        (self.all - self.server - self.postgres - self.client).max(0.0)
    }
}

/// The first line of PostgreSQL's own file.
pub(super) fn postmaster(database: &Embedded) -> Result<u32> {
    let file = database.data_dir().join("postgres/postmaster.pid");
    let text = fs::read_to_string(&file).with_context(|| format!("can't read {}", file.display()))?;
    text.lines().next().and_then(|line| line.trim().parse().ok()).context("PostgreSQL has no process id")
}
