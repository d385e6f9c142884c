//! The order of a run: the library is made and filled, the server is started anew, and then the four sides take turns.

use std::fs;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_lab::load::{ServerTrace, Session};
use octavo_lab::pgbench::{self, Pgbench};
use octavo_lab::process::{Stat, family_cpu_seconds, memory_kb};
use octavo_lab::statistics::{Latencies, Percentiles};
use octavo_lab::{clock, machine};
use octavo_pg::Database;
use octavo_pg::embedded::Embedded;

use super::call::{CHECK_OUT, Call};
use super::library;
use super::load::{Load, Work};
use super::print_progress;
use super::private::{as_superuser, describe_run, url_of};
use super::scratch::Scratch;
use super::server::Server;
use super::stock::{Extent, Stock};
use super::trips;

/// All figures of a report.
pub(crate) struct Measured {
    pub(crate) machine: String,
    pub(crate) extent: Extent,
    pub(crate) sides: [Side; 4],
    pub(crate) round_trips: [ServerTrace; 4],
    pub(crate) start_time: Duration,
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

/// The figures of one turn. Processor time is in milliseconds, and write-ahead log (WAL) in bytes, for one operation each.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) percentiles: Percentiles,
    pub(crate) server_ms: f64,
    pub(crate) postgres_ms: f64,
    pub(crate) client_ms: f64,
    pub(crate) wal_bytes: f64,
    /// The share of the machine's processor time that other programs took.
    pub(crate) others_share: f64,
}

const SIDE_NAMES: [&str; 4] = ["check-out", "pgbench TPC-B", "GET item by id", "pgbench -S"];
const WARM_UP: Duration = Duration::from_secs(2);
/// The scale of pgbench's tables: ten branches, a million accounts.
const SCALE: u32 = 10;
const PGBENCH: &str = "pgbench";

pub(crate) async fn measure(extent: Extent, scratch: &Scratch, database: &Embedded) -> Result<Measured> {
    print_progress("filling pgbench's database");
    as_superuser(database, &format!("create database {PGBENCH} owner octavo")).await?;
    let pgbench = Pgbench::new(Some(database.binaries()), &url_of(database, PGBENCH));
    pgbench.create_tables(SCALE).await?;
    let Extent { items, patrons, loans_per_patron: loans, .. } = extent;
    let fill = async |url: &str| {
        print_progress(&format!(
            "filling the shelves: {items} items, {patrons} patrons with {loans} open loans each"
        ));
        Stock::fill(url, extent).await
    };
    let program = std::env::current_exe()?;
    let (server, staff, stock) =
        library::start_server_with_library(&program, scratch, database, None, fill).await?;
    let stock = Rc::new(stock);
    let idle_kb = memory_kb_of(&server, "VmRSS")?;
    let mut run = Run {
        works: [check_out_work(&stock), get_item_work(&stock)],
        postmaster: postmaster_pid(database)?,
        wal_database: Database::from_url(&database.url(), octavo_pg::Options::unlimited(1))?,
        server,
        staff,
        pgbench,
        scratch,
        extent,
        remarks: Vec::new(),
    };
    let sides = run.rounds().await?;
    let (loaded_kb, most_kb) = (memory_kb_of(&run.server, "VmRSS")?, memory_kb_of(&run.server, "VmHWM")?);
    print_progress("counting round trips");
    let trips = trips::trace_operations(&mut run.staff, &stock, run.works[0].next_number()).await?;
    let start = run.server.started_in;
    run.server.stop().await?;
    let machine = describe_run(scratch, database);
    Ok(Measured {
        machine,
        extent,
        sides,
        round_trips: trips,
        start_time: start,
        idle_kb,
        loaded_kb,
        most_kb,
        remarks: run.remarks,
    })
}

fn memory_kb_of(server: &Server, field: &str) -> Result<u64> {
    memory_kb(server.pid, field).with_context(|| format!("the server under test tells no {field}"))
}

struct Run<'a> {
    /// Check-outs and GETs.
    works: [Rc<Work>; 2],
    postmaster: u32,
    wal_database: Database,
    server: Server,
    staff: Session,
    pgbench: Pgbench,
    scratch: &'a Scratch,
    extent: Extent,
    remarks: Vec<String>,
}

impl Run<'_> {
    async fn rounds(&mut self) -> Result<[Side; 4]> {
        print_progress("warming up");
        for side in 0..4 {
            self.turn(side, WARM_UP).await?;
        }
        let mut sides = SIDE_NAMES.map(|name| Side { name, rounds: Vec::new() });
        for round in 1..=self.extent.rounds {
            for (at, side) in sides.iter_mut().enumerate() {
                let figures = self.turn(at, self.extent.measured_time).await?;
                let told = format!("round {round}: {} {:.0} per second", side.name, figures.per_second);
                print_progress(&told);
                side.rounds.push(figures);
            }
        }
        Ok(sides)
    }

    async fn turn(&mut self, side: usize, time: Duration) -> Result<Figures> {
        let (spent, wal, started) = (self.processor_time()?, self.wal_position().await?, clock::now());
        let (per_second, latencies) = match side {
            0 => self.run_octavo(0, time).await?,
            1 => self.run_pgbench("tpcb-like", time).await?,
            2 => self.run_octavo(1, time).await?,
            _ => self.run_pgbench("select-only", time).await?,
        };
        let elapsed = started.elapsed();
        let (spent, wal) = (self.processor_time()?.since(spent), self.wal_position().await? - wal);
        let operations = (latencies.count() as f64).max(1.0);
        let each = |seconds: f64| seconds * 1000.0 / operations;
        let cores = machine::cores().max(1) as f64;
        Ok(Figures {
            per_second,
            percentiles: latencies.percentiles(),
            server_ms: each(spent.server),
            postgres_ms: each(spent.postgres),
            client_ms: each(spent.client),
            wal_bytes: wal as f64 / operations,
            others_share: spent.other_programs() / (elapsed.as_secs_f64() * cores),
        })
    }

    async fn run_octavo(&mut self, work: usize, time: Duration) -> Result<(f64, Latencies)> {
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

    async fn run_pgbench(&self, script: &str, time: Duration) -> Result<(f64, Latencies)> {
        let log = self.scratch.path().join("pgbench-logs");
        fs::create_dir(&log).with_context(|| format!("can't make {}", log.display()))?;
        let clients = self.extent.clients;
        let turn = pgbench::Turn { script, clients, time, log: Some(&log) };
        let done = self.pgbench.run_turn(&turn).await?;
        fs::remove_dir_all(&log)?;
        Ok((done.per_second, done.latencies))
    }

    /// The processor time up to now. It includes pgbench's time, because the time of an ended process is added to its parent's.
    fn processor_time(&self) -> Result<ProcessorTime> {
        let spent = || {
            let client = Stat::read(std::process::id())?;
            Some(ProcessorTime {
                server: Stat::read(self.server.pid)?.own_cpu_seconds,
                postgres: family_cpu_seconds(self.postmaster)?,
                client: client.own_cpu_seconds + client.children_cpu_seconds,
                machine: machine::busy_seconds()?,
            })
        };
        spent().context("/proc does not tell what the processes took")
    }

    /// The number of bytes of write-ahead log since the database was made.
    async fn wal_position(&self) -> Result<i64> {
        let mut session = self.wal_database.system_session(Arc::default()).await?;
        let position: Option<i64> = session.read(octavo_pg::Statement::new(WAL_POSITION)).await?;
        position.context("PostgreSQL tells no WAL position")
    }
}

const WAL_POSITION: &str = "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8";

fn check_out_work(stock: &Rc<Stock>) -> Rc<Work> {
    let stock = Rc::clone(stock);
    Work::new(201, move |number| Some(Call::post(CHECK_OUT, stock.check_out_body_of(number)?)))
}

fn get_item_work(stock: &Rc<Stock>) -> Rc<Work> {
    let stock = Rc::clone(stock);
    Work::new(200, move |number| Some(Call::get(format!("/item-storage/items/{}", stock.item_id(number)))))
}

/// Processor time in seconds, up to now.
#[derive(Debug, Clone, Copy)]
struct ProcessorTime {
    server: f64,
    postgres: f64,
    client: f64,
    /// The processor time of the whole machine, in seconds.
    machine: f64,
}

impl ProcessorTime {
    fn since(self, before: ProcessorTime) -> ProcessorTime {
        ProcessorTime {
            server: self.server - before.server,
            postgres: self.postgres - before.postgres,
            client: self.client - before.client,
            machine: self.machine - before.machine,
        }
    }

    /// The processor time of all other programs, in seconds.
    fn other_programs(self) -> f64 {
        (self.machine - self.server - self.postgres - self.client).max(0.0)
    }
}

/// The process id of PostgreSQL's postmaster, which is the first line of `postmaster.pid`.
pub(super) fn postmaster_pid(database: &Embedded) -> Result<u32> {
    let file = database.data_dir().join("postgres/postmaster.pid");
    let text = fs::read_to_string(&file).with_context(|| format!("can't read {}", file.display()))?;
    text.lines().next().and_then(|line| line.trim().parse().ok()).context("PostgreSQL has no process id")
}
