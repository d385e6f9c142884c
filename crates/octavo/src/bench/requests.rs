//! `octavo bench requests` measures requests and patron notices. Requests are placed into long queues, filled and put into another order,
//! the pick slips of a morning are asked for, and notices about due dates are sent while the desk goes on checking items out.

mod notices;
mod queues;
mod report;
mod sink;
mod slips;
mod waiting;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::{ArgMatches, Command};
use octavo_lab::flags::{number, number_value};
use octavo_lab::table::Page;
use octavo_pg::embedded::Embedded;

use self::queues::Queues;
use self::report::Measured;
use self::sink::Sink;
use self::waiting::{InitialRequests, Level, Size};
use super::desk::{self, Desk};
use super::library;
use super::print_progress;
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{measured_program, program_arg};
use super::stock::{self, Extent, Stock};

pub(crate) fn command() -> Command {
    let warm = i64::from(desk::WARM_UP) + 1;
    Command::new("requests")
        .about("Measure long queues of requests, the pick slips of a morning and a hundred thousand patron notices")
        .arg(number("queue", "1000", 2..=100_000, "Requests that wait for an item, and as many for a title"))
        .arg(number(
            "calls",
            "300",
            warm..=100_000,
            "Requests placed and filled of each kind, of which the first 50 do not count",
        ))
        .arg(number("slips", "2500", 1..=100_000, "Items to be fetched in a morning"))
        .arg(number("notices", "100000", 1..=1_000_000, "Patron notices about due dates"))
        .arg(number("seconds", "10", 1..=3600, "How long the desk checks items out before notices are written"))
        .arg(program_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let size = Size {
        queue: number_value(flags, "queue"),
        calls: number_value(flags, "calls"),
        slips: number_value(flags, "slips"),
        notices: number_value(flags, "notices"),
        time: Duration::from_secs(number_value(flags, "seconds").into()),
    };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let sink = Sink::open()?;
    let waiting = InitialRequests::new(size);
    let fill = async |url: &str| {
        let (items, loans, requests) = (waiting.item_count(), waiting.loan_count(), waiting.request_count());
        print_progress(&format!("filling the library: {items} items, {loans} loans, {requests} requests"));
        let extent = Extent { items, patrons: waiting.patron_count(), ..Extent::default() };
        Stock::fill(url, extent).await?;
        let behind = stock::connect(url)?;
        let mut session = stock::tenant_session(&behind).await?;
        waiting.fill(&mut session).await?;
        Ok((behind, session))
    };
    let (server, staff, (_behind, mut session)) =
        library::start_server_with_library(program, scratch, database, Some(sink.address), fill).await?;
    let desk = Desk::new(staff, waiting.shelf());

    let mut queues = Vec::new();
    for level in [Level::Item, Level::Title] {
        let known = waiting.queue(level, &mut session).await?;
        queues.push(Queues { desk: &desk, queue: known, calls: size.calls }.measure().await?);
    }
    print_progress("asking for pick slips");
    let slips = slips::measure(&desk, size.slips).await?;
    print_progress("checking items out before notices are written");
    let before = desk.check_out_for(size.time).await?;
    let notices = notices::measure(&desk, &sink, &mut session, waiting).await?;
    server.stop().await?;
    let machine = describe_run(scratch, database);
    let [item, title] = <[_; 2]>::try_from(queues).unwrap_or_default();
    Ok(report::report(Measured { machine, size, item, title, slips, before, notices }))
}
