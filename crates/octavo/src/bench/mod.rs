//! `octavo bench`: the yardstick. One run measures this program and pgbench on the same PostgreSQL and the same machine, turn
//! by turn, so that what is told is a ratio and not a property of the machine.
//!
//! The server under test is a process of its own, spoken to over HTTP with a token as FOLIO's clients speak to it. It is
//! given no way in that they do not have; only the shelves are filled by SQL, which is not measured.
//! `docs/measurements.md` says how to read what comes out.

mod calls;
mod clock;
mod figures;
mod http;
mod library;
mod load;
mod loans;
mod machine;
mod pgbench;
mod process;
mod report;
mod rounds;
mod scratch;
mod server;
mod stock;
mod table;
mod tools;
mod trips;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use octavo_pg::embedded::{self, Embedded};

use self::scratch::Scratch;

/// How much is measured.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extent {
    rounds: u32,
    time: Duration,
    clients: u32,
    items: u32,
    patrons: u32,
}

pub(crate) fn command() -> Command {
    let number = |name: &'static str, default: &'static str, most: i64, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("NUMBER")
            .default_value(default)
            .value_parser(value_parser!(u32).range(1..=most))
            .help(help)
    };
    Command::new("bench")
        .about("Measure this machine's Octavo against pgbench")
        .subcommand(calls::command())
        .subcommand(loans::command())
        .args_conflicts_with_subcommands(true)
        .arg(number("rounds", "3", 100, "How often each side has its turn"))
        .arg(number("seconds", "5", 3600, "Length of a turn"))
        .arg(number("clients", "8", 64, "Clients at a time, on either side"))
        .arg(number("items", "60000", 10_000_000, "Items on the shelves, each lent once at most"))
        .arg(number("patrons", "2000", 10_000_000, "Patrons who borrow, one after the other"))
        .arg(
            Arg::new("postgres")
                .long("postgres")
                .value_name("NAME=VALUE")
                .action(ArgAction::Append)
                .value_parser(setting)
                .help("A setting of PostgreSQL's, for both sides; may be repeated"),
        )
        .arg(
            Arg::new("markdown")
                .long("markdown")
                .action(ArgAction::SetTrue)
                .help("Print Markdown, as docs/measurements.md has it"),
        )
}

fn setting(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').context("a setting is written as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    match flags.subcommand() {
        Some(("calls", flags)) => return calls::run(flags),
        Some(("loans", flags)) => return loans::run(flags),
        _ => {}
    }
    let number = |name: &str| flags.get_one::<u32>(name).copied().unwrap_or_default();
    let extent = Extent {
        rounds: number("rounds"),
        time: Duration::from_secs(number("seconds").into()),
        clients: number("clients"),
        items: number("items"),
        patrons: number("patrons"),
    };
    let settings = flags.get_many("postgres").unwrap_or_default().cloned().collect();
    // One thread: the generator of load shall leave the cores to those who are measured.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let text = runtime.block_on(async {
        tokio::select! {
            text = measure(extent, settings, flags.get_flag("markdown")) => text,
            _ = tokio::signal::ctrl_c() => bail!("interrupted"),
        }
    })?;
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

async fn measure(extent: Extent, settings: Vec<(String, String)>, markdown: bool) -> Result<String> {
    let scratch = Scratch::make()?;
    say("starting PostgreSQL");
    let database = Embedded::start(embedded::Options {
        data_dir: scratch.path().join("data"),
        binaries: None,
        durable: true,
        settings,
    })
    .await
    .context("the benchmark needs a PostgreSQL of its own")?;
    let measured = rounds::measure(extent, &scratch, &database).await;
    database.stop().await;
    let table = report::report(&measured?);
    Ok(if markdown { table.markdown() } else { table.plain() })
}

/// Progress, on the stream that is not the result.
pub(crate) fn say(text: &str) {
    eprintln!("bench: {text}");
}
