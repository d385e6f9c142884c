//! `octavo bench loans`: what many loans cost. A patron with a long history borrows beside new ones, their loans are renewed,
//! and tens of thousands of overdue items age to lost while the desk goes on lending.

mod past;
mod turns;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{given, number};
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, figure as written};
use octavo_pg::embedded::Embedded;
use octavo_pg::{Database, Statement};

use self::past::{Past, Size};
use super::desk::{self, Desk};
use super::private::{described, print_page};
use super::say;
use super::scratch::Scratch;
use super::server::{measured_program, program};
use super::stock::{self, Extent, Stock};
use super::{library, timer};

pub(crate) fn command() -> Command {
    let warm = i64::from(desk::WARM_UP) + 1;
    Command::new("loans")
        .about("Measure what long histories, many open loans and the ageing of overdue items cost")
        .arg(number("overdue", "100000", 1..=1_000_000, "Overdue items that age to lost"))
        .arg(number("closed", "10000", 1..=1_000_000, "Closed loans of the patron with a history"))
        .arg(number("open", "500", 1..=1_000_000, "Open loans of the same patron"))
        .arg(number(
            "calls",
            "300",
            warm..=1_000_000,
            "Check-outs and renewals of each kind, of which the first 50 do not count",
        ))
        .arg(number("seconds", "10", 1..=1_000_000, "How long the desk lends before anything ages"))
        .arg(program())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let size = Size {
        overdue: given(flags, "overdue"),
        closed: given(flags, "closed"),
        open: given(flags, "open"),
        calls: given(flags, "calls"),
        time: Duration::from_secs(given(flags, "seconds").into()),
    };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

/// One row of the report: a kind of call.
struct Row {
    what: String,
    latencies: Latencies,
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let past = Past::new(size);
    let fill = async |url: &str| {
        say(&format!("filling the library: {} items, {} loans", past.items(), past.loans()));
        let extent = Extent { items: past.items(), patrons: past.patrons(), ..Extent::default() };
        Stock::fill(url, extent).await?;
        past.fill(url).await
    };
    let (server, staff, ()) = library::served(program, scratch, database, None, fill).await?;
    let desk = Desk::new(staff, past.shelf());

    say("checking items out to the patron with a history and to new patrons, in turns");
    let [new, old] = turns::patrons(&desk, past, size.calls).await?;
    say("renewing the new patrons' loans");
    let renewed = turns::renewals(&desk, past, size.calls).await?;
    say("checking items out before any item ages to lost");
    let before = desk.lend_for(size.time).await?;
    say("checking items out while overdue items age to lost");
    let watcher = stock::connect(&database.url())?;
    let load = desk.begin().await?;
    let started = clock::now();
    let (first, last) = age(&watcher, size.overdue, started).await?;
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expected()?;
    server.stop().await?;

    let mut page = Page::default();
    page.text(format!(
        "{}. {} overdue loans, {} closed and {} open loans of one patron, limits that block patrons set.",
        described(scratch, database),
        written(size.overdue.into(), 0),
        written(size.closed.into(), 0),
        written(size.open.into(), 0),
    ));
    let p95 = |row: &Row| row.latencies.clone().percentiles().p95;
    let ratio = |one: &Row, other: &Row| written(p95(one) / p95(other).max(0.001), 2);
    let rows = [
        Row { what: "check-out, new patrons".to_owned(), latencies: new },
        Row {
            what: format!("check-out, patron with {} loans", written((size.closed + size.open).into(), 0)),
            latencies: old,
        },
        Row { what: "renewal".to_owned(), latencies: renewed },
        Row { what: "desk, before".to_owned(), latencies: before },
        Row { what: "desk, while items age to lost".to_owned(), latencies: meanwhile },
    ];
    let (patrons, ageing) = (ratio(&rows[1], &rows[0]), ratio(&rows[4], &rows[3]));
    let table = |row: Row| desk::row(&row.what, &row.latencies);
    page.table(&["", "calls", "p50 ms", "p95 ms", "p99 ms"], rows.into_iter().map(table).collect());
    page.text(format!(
        "p95 of the patron with a history is {patrons} times that of new ones; that of the desk while items age {ageing} times \
         that before. {} items aged to lost in {} s, {} a second.",
        written(size.overdue.into(), 0),
        written((last - first).as_secs_f64(), 1),
        written(f64::from(size.overdue) / (last - first).as_secs_f64().max(0.001), 0),
    ));
    if ran_out {
        page.text(desk::RAN_OUT);
    }
    Ok(page)
}

const LOOK: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(900);

/// Has the timer of ageing run; returns when the first items had aged, and when all had.
async fn age(watcher: &Database, all: u32, started: Instant) -> Result<(Duration, Duration)> {
    let mut session = stock::session(watcher).await?;
    timer::begin(&mut session, "/circulation/scheduled-age-to-lost").await?;
    let mut first = None;
    loop {
        let before = started.elapsed();
        let count = session.read::<Option<i64>>(Statement::new(AGED)).await?.unwrap_or(0);
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

const AGED: &str = "select count(*) from loan where \"itemStatus\" = 'aged to lost'";
