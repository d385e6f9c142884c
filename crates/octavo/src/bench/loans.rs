//! `octavo bench loans`: what many loans cost. A patron with a long history borrows beside new ones, their loans are renewed,
//! and tens of thousands of overdue items age to lost while the desk goes on lending.

mod desk;
mod past;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use octavo_pg::embedded::{self, Embedded};
use octavo_pg::{Database, Options, Statement};

use self::desk::{Desk, Load, at_work};
use self::past::Past;
use super::figures::{Latencies, told};
use super::scratch::Scratch;
use super::server::Server;
use super::stock::Stock;
use super::table::Page;
use super::{Extent, clock, library, machine, say};

pub(crate) fn command() -> Command {
    let at_least = |least: i64, name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("NUMBER")
            .default_value(default)
            .value_parser(value_parser!(u32).range(least..=1_000_000))
            .help(help)
    };
    let number = |name, default, help| at_least(1, name, default, help);
    let warm = i64::from(desk::WARM_UP) + 1;
    Command::new("loans")
        .about("Measure what long histories, many open loans and the ageing of overdue items cost")
        .arg(number("overdue", "100000", "Overdue items that age to lost"))
        .arg(number("closed", "10000", "Closed loans of the patron with a history"))
        .arg(number("open", "500", "Open loans of the same patron"))
        .arg(at_least(
            warm,
            "calls",
            "300",
            "Check-outs and renewals of each kind, of which the first 50 do not count",
        ))
        .arg(number("seconds", "10", "How long the desk lends before anything ages"))
        .arg(
            Arg::new("program")
                .long("program")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("The Octavo that is measured, of the same version [default: this one]"),
        )
}

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Size {
    overdue: u32,
    closed: u32,
    open: u32,
    calls: u32,
    time: Duration,
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let number = |name: &str| flags.get_one::<u32>(name).copied().unwrap_or_default();
    let size = Size {
        overdue: number("overdue"),
        closed: number("closed"),
        open: number("open"),
        calls: number("calls"),
        time: Duration::from_secs(number("seconds").into()),
    };
    let program = match flags.get_one::<PathBuf>("program") {
        Some(program) => program.clone(),
        None => std::env::current_exe()?,
    };
    // One thread: the generator of load shall leave the cores to those who are measured.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let page = runtime.block_on(async {
        tokio::select! {
            page = on_a_database(size, &program) => page,
            _ = tokio::signal::ctrl_c() => bail!("interrupted"),
        }
    })?;
    Ok(std::io::stdout().write_all(page.markdown().as_bytes())?)
}

async fn on_a_database(size: Size, program: &std::path::Path) -> Result<Page> {
    let scratch = Scratch::make()?;
    say("starting PostgreSQL");
    let options = embedded::Options {
        data_dir: scratch.path().join("data"),
        binaries: None,
        durable: true,
        settings: Vec::new(),
    };
    let database = Embedded::start(options).await.context("the benchmark needs a PostgreSQL of its own")?;
    let page = at_work(measure(size, program, &scratch, &database)).await;
    database.stop().await;
    page
}

/// What was asked for in one go.
struct Row {
    what: String,
    latencies: Latencies,
}

async fn measure(
    size: Size,
    program: &std::path::Path,
    scratch: &Scratch,
    database: &Embedded,
) -> Result<Page> {
    let (folder, url) = (scratch.path(), database.url());
    say("making the library");
    let server = Server::start_program(program, folder, &url).await?;
    let headers = library::make(server.address).await?;
    server.stop().await?;
    let past = Past::of(size);
    say(&format!("filling it: {} items, {} loans", past.items(), past.loans()));
    let extent = Extent { items: past.items(), patrons: past.patrons(), ..Extent::default() };
    Stock::fill(&url, extent).await?;
    past.fill(&url).await?;
    let server = Server::start_program(program, folder, &url).await?;
    let desk = Desk::new(server.address, headers, past);

    say("lending to the patron with a history and to new ones, in turns");
    let [new, old] = desk.patrons(size.calls).await?;
    say("renewing");
    let renewed = desk.renewals(size.calls).await?;
    say("lending before anything ages");
    let before = desk.lend_for(size.time).await?;
    say("ageing to lost");
    let watcher = Database::from_url(&url, Options { connections: 1, connect_seconds: 10 })?;
    let load = Load::begin(&desk);
    let started = clock::now();
    let (first, last) = age(&watcher, size.overdue, started).await?;
    let meanwhile = load.end().await?;
    server.stop().await?;

    let mut page = Page::default();
    page.text(format!(
        "Octavo {} on {}, {}. {} overdue loans, {} closed and {} open loans of one patron, limits that block patrons set.",
        env!("CARGO_PKG_VERSION"),
        clock::today(),
        machine::described(folder, database),
        told(size.overdue.into(), 0),
        told(size.closed.into(), 0),
        told(size.open.into(), 0),
    ));
    let p95 = |row: &Row| row.latencies.clone().percentiles().p95;
    let ratio = |one: &Row, other: &Row| told(p95(one) / p95(other).max(0.001), 2);
    let rows = [
        Row { what: "check-out, new patrons".to_owned(), latencies: new },
        Row {
            what: format!("check-out, patron with {} loans", told((size.closed + size.open).into(), 0)),
            latencies: old,
        },
        Row { what: "renewal".to_owned(), latencies: renewed },
        Row { what: "desk, before".to_owned(), latencies: before },
        Row { what: "desk, while items age to lost".to_owned(), latencies: meanwhile },
    ];
    let (patrons, ageing) = (ratio(&rows[1], &rows[0]), ratio(&rows[4], &rows[3]));
    page.table(table(rows));
    page.text(format!(
        "p95 of the patron with a history is {patrons} times that of new ones; that of the desk while items age {ageing} times \
         that before. {} items aged to lost in {} s, {} a second.",
        told(size.overdue.into(), 0),
        told((last - first).as_secs_f64(), 1),
        told(f64::from(size.overdue) / (last - first).as_secs_f64().max(0.001), 0),
    ));
    Ok(page)
}

fn table(rows: [Row; 5]) -> Vec<Vec<String>> {
    let mut table = vec![["", "calls", "p50 ms", "p95 ms", "p99 ms"].map(str::to_owned).to_vec()];
    for Row { what, latencies } in rows {
        let count = told(latencies.len() as f64, 0);
        let figures = latencies.percentiles();
        let times = [figures.p50, figures.p95, figures.p99].map(|figure| told(figure, 2));
        table.push([vec![what, count], times.to_vec()].concat());
    }
    table
}

const LOOK: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(900);

/// Has the timer of ageing run. When the first items had aged, and when all had.
async fn age(watcher: &Database, all: u32, started: std::time::Instant) -> Result<(Duration, Duration)> {
    let mut session = past::session(watcher).await?;
    session.rows(Statement::new(BEGIN)).await?;
    let mut first = None;
    loop {
        let before = started.elapsed();
        let rows = session.rows(Statement::new(AGED)).await?;
        let count = rows.first().map_or(0, |row| row.long(0));
        if count > 0 && first.is_none() {
            // Between this look and the one before.
            first = Some(before.saturating_sub(LOOK));
        }
        if count >= i64::from(all) {
            return Ok((first.unwrap_or(before), started.elapsed()));
        }
        if started.elapsed() > LONGEST {
            bail!("only {count} of {all} items have aged to lost");
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// `POST /circulation/scheduled-age-to-lost`
const BEGIN: &str = "update octavo.timers set next_run = now() where id = 'mod-circulation_9'";

const AGED: &str = "select count(*) from loan where \"itemStatus\" = 'aged to lost'";
