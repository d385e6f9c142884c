//! `octavo bench processes`: whether two processes on one database check out as much as one, at the same processor time. The same
//! clients have their turns with one process, and spread over two: over processes that divide the processors among their threads, and
//! over processes that each have a thread for each processor.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::flags::{number, number_value};
use octavo_lab::load::Session;
use octavo_lab::process::{Stat, family_cpu_seconds};
use octavo_lab::statistics::{Latencies, Spread};
use octavo_lab::table::Page;
use octavo_pg::embedded::Embedded;

use super::call::{CHECK_OUT, Call};
use super::load::{Load, Work};
use super::private::{describe_run, print_page};
use super::rounds::postmaster_pid;
use super::scratch::Scratch;
use super::server::{Server, measured_program, program_arg};
use super::stock::{Extent, Stock};
use super::{library, print_progress};

pub(crate) fn command() -> Command {
    Command::new("processes")
        .about("Measure whether two processes on one database check out as much as one")
        .arg(number("rounds", "3", 1..=100, "How often each side has its turn"))
        .arg(number("seconds", "10", 1..=3600, "Length of a turn"))
        .arg(number("clients", "8", 2..=64, "Clients at a time; with two processes, half of them at each"))
        .arg(number("items", "120000", 1..=10_000_000, "Items on the shelves, each lent once at most"))
        .arg(program_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let extent = Extent {
        rounds: number_value(flags, "rounds"),
        measured_time: Duration::from_secs(number_value(flags, "seconds").into()),
        clients: number_value(flags, "clients"),
        items: number_value(flags, "items"),
        patrons: 1000,
        loans_per_patron: 0,
    };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(extent, &program, scratch, database).await)
}

/// One or two processes, with a member of staff at each, and what was measured in their turns.
struct Side {
    name: &'static str,
    users: Vec<Session>,
    pids: Vec<u32>,
    turns: Vec<Turn>,
}

struct Turn {
    per_second: f64,
    /// Check-outs in a second of processor time, of Octavo and PostgreSQL together.
    per_processor_second: f64,
    latencies: Latencies,
}

async fn measure(extent: Extent, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let fill = async |url: &str| Stock::fill(url, extent).await;
    let (first, staff, stock) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let start = async |name: &str, settings: &[String]| {
        let folder = scratch.path().join(name);
        std::fs::create_dir(&folder)?;
        Server::start_with(program, &folder, &database.url(), None, settings).await
    };
    let processors = std::thread::available_parallelism()?.get();
    let half = ["--worker-threads".to_owned(), processors.div_ceil(2).to_string()];
    let beside = start("beside", &[]).await?;
    let halves = [start("half", &half).await?, start("other-half", &half).await?];
    let side = |name, servers: [Option<&Server>; 2]| Side {
        name,
        users: servers.iter().flatten().map(|server| staff.at_address(&server.address)).collect(),
        pids: servers.iter().flatten().map(|server| server.pid).collect(),
        turns: Vec::new(),
    };
    let mut sides = [
        side("one process", [Some(&first), None]),
        side("two processes that divide the processors", halves.each_ref().map(Some)),
        side("two processes with all threads each", [Some(&first), Some(&beside)]),
    ];
    let postmaster = postmaster_pid(database)?;
    let work = Work::new(201, move |number| Some(Call::post(CHECK_OUT, stock.check_out_body_of(number)?)));
    // All processes execute every statement once before the measurement begins.
    for side in &sides[1..] {
        side.run_turn(extent, &work, postmaster).await?;
    }
    for round in 1..=extent.rounds {
        print_progress(&format!("round {round} of {}", extent.rounds));
        for side in &mut sides {
            let turn = side.run_turn(extent, &work, postmaster).await?;
            side.turns.push(turn);
        }
        // Check-outs take longer the more loans there are, so the order changes.
        sides.reverse();
    }
    for server in halves.into_iter().chain([first, beside]) {
        server.stop().await?;
    }
    if extent.rounds % 2 == 1 {
        sides.reverse();
    }
    Ok(page(&describe_run(scratch, database), &sides))
}

impl Side {
    async fn run_turn(&self, extent: Extent, work: &Rc<Work>, postmaster: u32) -> Result<Turn> {
        let before = self.processor_seconds(postmaster)?;
        let each = extent.clients / u32::try_from(self.users.len())?;
        let mut loads = Vec::new();
        for user in &self.users {
            loads.push(Load::begin(user, each, Duration::ZERO, work).await?);
        }
        let (mut latencies, mut elapsed) = (Latencies::default(), Duration::ZERO);
        for load in loads {
            let turn = load.end_after(extent.measured_time).await?;
            ensure!(!turn.ran_out, "the shelves are empty before the last turn has ended: give more --items");
            elapsed = elapsed.max(turn.elapsed);
            latencies.append(turn.expect_no_failure()?);
        }
        let (count, spent) = (latencies.count() as f64, self.processor_seconds(postmaster)? - before);
        Ok(Turn {
            per_second: count / elapsed.as_secs_f64(),
            per_processor_second: count / spent.max(0.001),
            latencies,
        })
    }

    fn row(&self) -> Vec<String> {
        let spread =
            |figure: fn(&Turn) -> f64| Spread::from_rounds(self.turns.iter().map(figure)).with_range(0);
        let mut latencies = Latencies::default();
        self.turns.iter().for_each(|turn| latencies.append(turn.latencies.clone()));
        let head =
            [self.name.to_owned(), spread(|turn| turn.per_second), spread(|turn| turn.per_processor_second)];
        [&head[..], &latencies.to_cells()].concat()
    }

    /// Processor time so far of the processes and PostgreSQL, in seconds.
    fn processor_seconds(&self, postmaster: u32) -> Result<f64> {
        let own = |pid: &u32| Some(Stat::read(*pid)?.own_cpu_seconds);
        let processes: Option<f64> = self.pids.iter().map(own).sum();
        processes
            .zip(family_cpu_seconds(postmaster))
            .map(|(processes, postgresql)| processes + postgresql)
            .context("/proc does not tell what the processes took")
    }
}

fn page(described: &str, sides: &[Side; 3]) -> Page {
    let mut page = Page::default();
    page.add_text(format!(
        "{described}. Check-outs by one process, and by two on the same database with the same clients."
    ));
    let names = ["", "a second", "a processor second", "calls", "p50 ms", "p95 ms", "p99 ms"];
    page.add_table(&names, sides.iter().map(Side::row).collect());
    let [one, others @ ..] = sides;
    for side in others {
        // Of the turns of one round, because the machine and the number of loans change.
        let rounds = side.turns.iter().zip(&one.turns);
        let ratios = rounds.map(|(two, one)| two.per_processor_second / one.per_processor_second.max(0.001));
        page.add_text(format!(
            "In a second of processor time, {} make {} times the check-outs of one.",
            side.name,
            Spread::from_rounds(ratios).with_range(2)
        ));
    }
    page
}
