//! `octavo bench`: the yardstick. One run measures this program and pgbench on the same PostgreSQL and the same machine, turn
//! by turn, so that what is told is a ratio and not a property of the machine.
//!
//! The server under test is a process of its own, spoken to over HTTP with a token as FOLIO's clients speak to it. It is
//! given no way in that they do not have; only the shelves are filled by SQL, which is not measured.
//! `docs/performance.md` says how to read what comes out.
//!
//! The instruments are the laboratory's (`octavo-lab`): its HTTP client, its reader of `/proc`, its runner of pgbench, its
//! tables. What stands here is what it must not know: how an Octavo is started, and how its library is made and filled.

mod backup;
mod call;
mod calls;
mod cataloging;
mod desk;
mod events;
mod gateway;
mod import;
mod kept;
mod library;
mod load;
mod loans;
mod private;
mod processes;
mod report;
mod requests;
mod rounds;
mod scratch;
mod search;
mod server;
mod sip2;
mod stock;
mod tenants;
mod timer;
mod tls;
mod trips;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgAction, ArgMatches, Command};
use octavo_lab::flags::{number, number_value, option, switch};

use self::private::{on_new_database, on_one_thread};
use self::stock::Extent;

pub(crate) fn command() -> Command {
    Command::new("bench")
        .about("Measure this machine's Octavo against pgbench")
        .subcommand(backup::command())
        .subcommand(calls::command())
        .subcommand(cataloging::command())
        .subcommand(events::command())
        .subcommand(gateway::command())
        .subcommand(import::command())
        .subcommand(loans::command())
        .subcommand(processes::command())
        .subcommand(requests::command())
        .subcommand(search::command())
        .subcommand(sip2::command())
        .subcommand(tenants::command())
        .subcommand(tls::command())
        .args_conflicts_with_subcommands(true)
        .arg(number("rounds", "3", 1..=100, "How often each side has its turn"))
        .arg(number("seconds", "5", 1..=3600, "Length of a turn"))
        .arg(number("clients", "8", 1..=64, "Clients at a time, on either side"))
        .arg(number("items", "60000", 1..=10_000_000, "Items on the shelves, each lent once at most"))
        .arg(number("patrons", "1000", 1..=10_000_000, "Patrons who borrow, one after the other"))
        .arg(number("loans", "50", 0..=10_000, "Open loans that each of them has from the beginning"))
        .arg(
            option("postgres", "NAME=VALUE", "A setting of PostgreSQL's, for both sides; may be repeated")
                .action(ArgAction::Append)
                .value_parser(parse_setting),
        )
        .arg(switch("markdown", "Print Markdown, as docs/performance.md has it"))
}

fn parse_setting(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').context("a setting is written as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Prints a line of progress to standard error; the result goes to standard output.
pub(crate) fn print_progress(text: &str) {
    eprintln!("bench: {text}");
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    match flags.subcommand() {
        Some(("backup", flags)) => return backup::run(flags),
        Some(("events", flags)) => return events::run(flags),
        Some(("sip2", flags)) => return sip2::run(flags),
        Some(("tls", flags)) => return tls::run(flags),
        Some(("calls", flags)) => return calls::run(flags),
        Some(("cataloging", flags)) => return cataloging::run(flags),
        Some(("gateway", flags)) => return gateway::run(flags),
        Some(("import", flags)) => return import::run(flags),
        Some(("loans", flags)) => return loans::run(flags),
        Some(("processes", flags)) => return processes::run(flags),
        Some(("requests", flags)) => return requests::run(flags),
        Some(("search", flags)) => return search::run(flags),
        Some(("tenants", flags)) => return tenants::run(flags),
        _ => {}
    }
    let extent = Extent {
        rounds: number_value(flags, "rounds"),
        measured_time: Duration::from_secs(number_value(flags, "seconds").into()),
        clients: number_value(flags, "clients"),
        items: number_value(flags, "items"),
        patrons: number_value(flags, "patrons"),
        loans_per_patron: number_value(flags, "loans"),
    };
    let settings = flags.get_many("postgres").unwrap_or_default().cloned().collect();
    let measured = on_one_thread(on_new_database(settings, async |scratch, database| {
        rounds::measure(extent, scratch, database).await
    }))?;
    let table = report::report(&measured);
    let text = if flags.get_flag("markdown") { table.to_markdown() } else { table.to_text() };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
