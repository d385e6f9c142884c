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

const NAMES: [&str; 3] =
    ["one process", "two processes that divide the processors", "two processes with all threads each"];

/// The turns of one side.
#[derive(Default)]
struct Side {
    per_second: Vec<f64>,
    /// Check-outs in a second of processor time, of Octavo and PostgreSQL together.
    per_processor_second: Vec<f64>,
    latencies: Latencies,
}

async fn measure(extent: Extent, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let fill = async |url: &str| Stock::fill(url, extent).await;
    let (first, staff, stock) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let mut beside = Vec::new();
    let processors = std::thread::available_parallelism()?.get();
    let divided = ["--worker-threads".to_owned(), processors.div_ceil(2).to_string()];
    for (name, settings) in [("second", &[][..]), ("third", &divided), ("fourth", &divided)] {
        let folder = scratch.path().join(name);
        std::fs::create_dir(&folder)?;
        beside.push(Server::start_with(program, &folder, &database.url(), None, settings).await?);
    }
    let servers = [vec![&first], vec![&beside[1], &beside[2]], vec![&first, &beside[0]]];
    let postmaster = postmaster_pid(database)?;
    let setups = servers.map(|servers| Setup {
        users: servers.iter().map(|server| staff.at_address(&server.address)).collect(),
        pids: servers.iter().map(|server| server.pid).collect(),
        postmaster,
    });
    let work = Work::new(201, move |number| Some(Call::post(CHECK_OUT, stock.check_out_body_of(number)?)));
    let mut sides = [Side::default(), Side::default(), Side::default()];
    // All processes execute every statement once before the measurement begins.
    for setup in &setups[1..] {
        setup.run_turn(extent, &work, &mut Side::default()).await?;
    }
    for round in 1..=extent.rounds {
        print_progress(&format!("round {round} of {}", extent.rounds));
        // Check-outs take longer the more loans there are, so the order changes.
        let mut order = [0, 1, 2];
        if round % 2 == 0 {
            order.reverse();
        }
        for side in order {
            setups[side].run_turn(extent, &work, &mut sides[side]).await?;
        }
    }
    first.stop().await?;
    for server in beside {
        server.stop().await?;
    }
    page(&describe_run(scratch, database), sides)
}

/// The processes of one side, with a member of staff at each.
struct Setup {
    users: Vec<Session>,
    pids: Vec<u32>,
    postmaster: u32,
}

impl Setup {
    async fn run_turn(&self, extent: Extent, work: &Rc<Work>, side: &mut Side) -> Result<()> {
        let before = self.processor_seconds()?;
        let each = extent.clients / u32::try_from(self.users.len())?;
        let mut loads = Vec::new();
        for user in &self.users {
            loads.push(Load::begin(user, each, Duration::ZERO, work).await?);
        }
        let (mut count, mut elapsed) = (0, Duration::ZERO);
        for load in loads {
            let turn = load.end_after(extent.measured_time).await?;
            ensure!(!turn.ran_out, "the shelves are empty before the last turn has ended: give more --items");
            elapsed = elapsed.max(turn.elapsed);
            let latencies = turn.expect_no_failure()?;
            count += latencies.count();
            side.latencies.append(latencies);
        }
        side.per_second.push(count as f64 / elapsed.as_secs_f64());
        side.per_processor_second.push(count as f64 / (self.processor_seconds()? - before).max(0.001));
        Ok(())
    }

    /// Processor time so far of the processes and PostgreSQL, in seconds.
    fn processor_seconds(&self) -> Result<f64> {
        let own = |pid: &u32| Some(Stat::read(*pid)?.own_cpu_seconds);
        let processes: Option<f64> = self.pids.iter().map(own).sum();
        processes
            .zip(family_cpu_seconds(self.postmaster))
            .map(|(processes, postgresql)| processes + postgresql)
            .context("/proc does not tell what the processes took")
    }
}

fn page(described: &str, sides: [Side; 3]) -> Result<Page> {
    let mut page = Page::default();
    page.add_text(format!(
        "{described}. Check-outs by one process, and by two on the same database with the same clients."
    ));
    let [one, others @ ..] = &sides;
    // Of the turns of one round, because the machine and the number of loans change.
    let ratios = others.each_ref().map(|side| {
        let rounds = side.per_processor_second.iter().zip(&one.per_processor_second);
        Spread::from_rounds(rounds.map(|(two, one)| two / one.max(0.001))).with_range(2)
    });
    let rows = NAMES.into_iter().zip(sides).map(|(name, side)| {
        let spread = |figures: Vec<f64>| Spread::from_rounds(figures).with_range(0);
        let head = [name.to_owned(), spread(side.per_second), spread(side.per_processor_second)];
        [head.to_vec(), side.latencies.to_cells().to_vec()].concat()
    });
    let names = ["", "a second", "a processor second", "calls", "p50 ms", "p95 ms", "p99 ms"];
    page.add_table(&names, rows.collect());
    for (name, ratio) in NAMES[1..].iter().zip(ratios) {
        page.add_text(format!(
            "In a second of processor time, {name} make {ratio} times the check-outs of one."
        ));
    }
    Ok(page)
}
