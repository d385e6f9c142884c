//! `octavo bench loans`: what many loans cost. A patron with a long history borrows beside new ones, their loans are renewed,
//! and tens of thousands of overdue items age to lost while the desk goes on lending.

mod past;
mod turns;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value};
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};
use octavo_pg::embedded::Embedded;
use octavo_pg::{Database, Statement};

use self::past::{PastLoans, Size};
use super::desk::{self, Desk};
use super::print_progress;
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{measured_program, program_arg};
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
        .arg(program_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let size = Size {
        overdue: number_value(flags, "overdue"),
        closed: number_value(flags, "closed"),
        open: number_value(flags, "open"),
        calls: number_value(flags, "calls"),
        time: Duration::from_secs(number_value(flags, "seconds").into()),
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
    let past = PastLoans::new(size);
    let fill = async |url: &str| {
        print_progress(&format!(
            "filling the library: {} items, {} loans",
            past.item_count(),
            past.loan_count()
        ));
        let extent = Extent { items: past.item_count(), patrons: past.patron_count(), ..Extent::default() };
        Stock::fill(url, extent).await?;
        past.fill(url).await
    };
    let (server, staff, ()) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let desk = Desk::new(staff, past.shelf());

    print_progress("checking items out to the patron with a history and to new patrons, in turns");
    let [new, old] = turns::measure_check_outs(&desk, past, size.calls).await?;
    print_progress("renewing the new patrons' loans");
    let renewed = turns::measure_renewals(&desk, past, size.calls).await?;
    print_progress("checking items out before any item ages to lost");
    let before = desk.check_out_for(size.time).await?;
    print_progress("checking items out while overdue items age to lost");
    let watcher = stock::connect(&database.url())?;
    let load = desk.begin().await?;
    let started = clock::now();
    let (first, last) = run_ageing(&watcher, size.overdue, started).await?;
    let ran_out = desk.is_empty();
    let meanwhile = load.end().await?.expect_no_failure()?;
    server.stop().await?;

    let mut page = Page::default();
    page.add_text(format!(
        "{}. {} overdue loans, {} closed and {} open loans of one patron, limits that block patrons set.",
        describe_run(scratch, database),
        format_number(size.overdue.into(), 0),
        format_number(size.closed.into(), 0),
        format_number(size.open.into(), 0),
    ));
    let p95 = |row: &Row| row.latencies.clone().percentiles().p95;
    let ratio = |one: &Row, other: &Row| format_number(p95(one) / p95(other).max(0.001), 2);
    let rows = [
        Row { what: "check-out, new patrons".to_owned(), latencies: new },
        Row {
            what: format!(
                "check-out, patron with {} loans",
                format_number((size.closed + size.open).into(), 0)
            ),
            latencies: old,
        },
        Row { what: "renewal".to_owned(), latencies: renewed },
        Row { what: "desk, before".to_owned(), latencies: before },
        Row { what: "desk, while items age to lost".to_owned(), latencies: meanwhile },
    ];
    let (patrons, ageing) = (ratio(&rows[1], &rows[0]), ratio(&rows[4], &rows[3]));
    let table = |row: Row| desk::row(&row.what, &row.latencies);
    page.add_table(&["", "calls", "p50 ms", "p95 ms", "p99 ms"], rows.into_iter().map(table).collect());
    page.add_text(format!(
        "p95 of the patron with a history is {patrons} times that of new ones; that of the desk while items age {ageing} times \
         that before. {} items aged to lost in {} s, {} a second.",
        format_number(size.overdue.into(), 0),
        format_number((last - first).as_secs_f64(), 1),
        format_number(f64::from(size.overdue) / (last - first).as_secs_f64().max(0.001), 0),
    ));
    if ran_out {
        page.add_text(desk::RAN_OUT);
    }
    Ok(page)
}

const POLL_INTERVAL: Duration = Duration::from_millis(500);
const LONGEST_AGEING: Duration = Duration::from_secs(900);

/// Runs the timer that ages loans to lost; returns the times until the first items and until all items had aged.
async fn run_ageing(watcher: &Database, all: u32, started: Instant) -> Result<(Duration, Duration)> {
    let mut session = stock::tenant_session(watcher).await?;
    timer::make_timer_due(&mut session, "/circulation/scheduled-age-to-lost").await?;
    let mut first = None;
    loop {
        let before = started.elapsed();
        let count = session.read::<Option<i64>>(Statement::new(COUNT_AGED)).await?.unwrap_or(0);
        if count > 0 && first.is_none() {
            // The moment lies between this look into the database and the one before.
            first = Some(before.saturating_sub(POLL_INTERVAL));
        }
        if count >= i64::from(all) {
            return Ok((first.unwrap_or(before), started.elapsed()));
        }
        if started.elapsed() > LONGEST_AGEING {
            bail!("only {count} of {all} items have aged to lost");
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

const COUNT_AGED: &str = "select count(*) from loan where \"itemStatus\" = 'aged to lost'";
