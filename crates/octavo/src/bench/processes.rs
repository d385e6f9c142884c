//! `octavo bench processes`: whether two processes on one database check out as much as one, at the same processor time. The same
//! clients have their turns with one process, and spread over both.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::flags::{number, number_value};
use octavo_lab::load::Session;
use octavo_lab::process::{Stat, family_cpu_seconds};
use octavo_lab::statistics::{Latencies, Spread};
use octavo_lab::table::{Page, format_number};
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
        .arg(number("clients", "8", 2..=64, "Clients at a time; with two processes, half of them each"))
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
    let beside = scratch.path().join("second");
    std::fs::create_dir(&beside)?;
    let second = Server::start(program, &beside, &database.url()).await?;
    let users = [staff.at_address(&first.address), staff.at_address(&second.address)];
    let pids = [first.pid, second.pid, postmaster_pid(database)?];
    let work = Work::new(201, move |number| Some(Call::post(CHECK_OUT, stock.check_out_body_of(number)?)));
    let mut sides = [Side::default(), Side::default()];
    // Both processes execute every statement once before the measurement begins.
    turn(&users, extent, &work, pids, &mut Side::default()).await?;
    for round in 1..=extent.rounds {
        print_progress(&format!("round {round} of {}", extent.rounds));
        // Check-outs take longer the more loans there are, so the side that begins changes.
        let order = if round % 2 == 1 { [0, 1] } else { [1, 0] };
        for side in order {
            turn(&users[..=side], extent, &work, pids, &mut sides[side]).await?;
        }
    }
    first.stop().await?;
    second.stop().await?;
    page(&describe_run(scratch, database), sides)
}

async fn turn(
    users: &[Session],
    extent: Extent,
    work: &Rc<Work>,
    pids: [u32; 3],
    side: &mut Side,
) -> Result<()> {
    let before = processor_seconds(pids)?;
    let each = extent.clients / u32::try_from(users.len())?;
    let mut loads = Vec::new();
    for user in users {
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
    side.per_processor_second.push(count as f64 / (processor_seconds(pids)? - before).max(0.001));
    Ok(())
}

/// Processor time so far of both processes and PostgreSQL, in seconds.
fn processor_seconds([first, second, postmaster]: [u32; 3]) -> Result<f64> {
    let spent = || {
        Some(
            Stat::read(first)?.own_cpu_seconds
                + Stat::read(second)?.own_cpu_seconds
                + family_cpu_seconds(postmaster)?,
        )
    };
    spent().context("/proc does not tell what the processes took")
}

fn page(described: &str, sides: [Side; 2]) -> Result<Page> {
    let mut page = Page::default();
    page.add_text(format!(
        "{described}. Check-outs by one process, and by two on the same database with the same clients."
    ));
    let [one, two] = &sides;
    let middle = |figures: &[f64]| Spread::from_rounds(figures.iter().copied()).median;
    let ratio = middle(&two.per_processor_second) / middle(&one.per_processor_second).max(0.001);
    let rows = ["one process", "two processes"].into_iter().zip(sides).map(|(name, side)| {
        let spread = |figures: Vec<f64>| Spread::from_rounds(figures).with_range(0);
        let head = [name.to_owned(), spread(side.per_second), spread(side.per_processor_second)];
        [head.to_vec(), side.latencies.to_cells().to_vec()].concat()
    });
    let names = ["", "a second", "a processor second", "calls", "p50 ms", "p95 ms", "p99 ms"];
    page.add_table(&names, rows.collect());
    page.add_text(format!(
        "Two processes make {} times the check-outs of one in a second of processor time.",
        format_number(ratio, 2)
    ));
    Ok(page)
}
