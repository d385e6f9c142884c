//! `octavo bench calls`: how long the calls of a desk and of a discovery system take on a library that
//! `octavo load synthetic` made, of any size. Run on a small library and on a large one, it tells what size costs.
//!
//! The indexes of keys are read first. Calls by a key are made with records from anywhere, and then with the same once more:
//! what is in circulation is asked for again and again, and lies in memory even where the whole library does not fit in.

pub(super) mod asked;
pub(super) mod keys;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_kernel::TenantId;
use octavo_lab::clock;
use octavo_lab::flags::option;
use octavo_lab::load::{Login, Session};
use octavo_lab::process::memory_kb;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};

use self::asked::{MOST_REQUESTS, MeasuredCall};
use self::keys::Keys;
use super::print_progress;
use super::private::on_one_thread;
use super::scratch::Scratch;
use super::server::Server;
use crate::{config, start};

const LONGEST_TIME: Duration = Duration::from_secs(5);
/// The least number of times that each call is made, however long it takes.
const LEAST_REQUESTS: usize = 20;
const WARM_UP_REQUESTS: usize = 3;

pub(crate) fn command() -> Command {
    let command = Command::new("calls")
        .about("Time the calls of a desk and of a discovery system on a library of `octavo load synthetic`")
        .arg(option("tenant", "TENANT", "The tenant that was made [default: synthetic]"))
        .arg(option("admin-password", "PASSWORD", "The password that it was made with").required(true));
    config::add_setting_args(command)
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let settings = config::load(flags)?.settings;
    let tenant = flags.get_one::<String>("tenant").map_or("synthetic", String::as_str);
    let password = flags.get_one::<String>("admin-password").map_or("", String::as_str);
    let page = on_one_thread(async {
        let scratch = Scratch::make()?;
        let (database, private) = start::open_database(&settings, octavo_pg::Limits::default()).await?;
        let url = private.as_ref().map(octavo_pg::embedded::Embedded::url).or(settings.database_url);
        let url = url.context("no database")?;
        print_progress("reading indexes, choosing instances, items and patrons");
        let keys = Keys::choose(&database, &TenantId::parse(tenant)?).await?;
        let server = Server::start(&std::env::current_exe()?, scratch.path(), &url).await?;
        let page = measure(&server, tenant, password, &keys).await;
        server.stop().await?;
        if let Some(private) = private {
            private.stop().await;
        }
        page
    })?;
    Ok(std::io::stdout().write_all(page.to_markdown().as_bytes())?)
}

async fn measure(server: &Server, tenant: &str, password: &str, keys: &Keys) -> Result<Page> {
    let login = Login { username: format!("{tenant}_admin"), password: password.to_owned() };
    let mut user = Session::new(&server.address, tenant, Some(login));
    user.log_in().await.context("was the library made with --admin-password?")?;
    let mut rows = Vec::new();
    for asked in asked::all_calls(keys) {
        print_progress(&asked.name);
        let mut user = user.with_new_connection();
        let first = time_requests(&mut user, &asked, &mut (0..MOST_REQUESTS)).await?;
        undo_requests(&mut user, &asked, &first.request_numbers).await?;
        rows.push(first.row(&asked.name, if asked.is_repeated { "any" } else { "the same" })?);
        if asked.is_repeated {
            let again = time_requests(&mut user, &asked, &mut first.request_numbers.iter().copied()).await?;
            undo_requests(&mut user, &asked, &again.request_numbers).await?;
            rows.push(again.row(&asked.name, "these again")?);
        }
    }
    let mut page = Page::default();
    page.add_text(format!(
        "{} instances, {} holdings, {} items; database {} GB. Server's memory at most {} MB.",
        format_number(keys.record_counts[0], 0),
        format_number(keys.record_counts[1], 0),
        format_number(keys.record_counts[2], 0),
        format_number(keys.database_bytes / 1e9, 1),
        format_number(
            memory_kb(server.pid, "VmHWM").context("the server tells no memory")? as f64 / 1024.0,
            0
        ),
    ));
    page.add_table(&["call", "records", "calls", "p50 ms", "p95 ms", "p99 ms", "answer kB"], rows);
    Ok(page)
}

struct TimedRequests {
    latencies: Latencies,
    /// The numbers of the requests.
    request_numbers: Vec<usize>,
    bytes: usize,
}

/// Sends the requests with these numbers one after the other, until there are no more or the time is over.
async fn time_requests(
    user: &mut Session,
    asked: &MeasuredCall,
    numbers: &mut dyn Iterator<Item = usize>,
) -> Result<TimedRequests> {
    let mut timed = TimedRequests { latencies: Latencies::default(), request_numbers: Vec::new(), bytes: 0 };
    let started = clock::now();
    for number in numbers {
        let Some(call) = (asked.call)(number) else { break };
        let body = Some(&*call.body).filter(|body| !body.is_empty());
        user.connect().await?;
        let sent = clock::now();
        let answer = user.send(call.method, &call.path, "", body).await?;
        let elapsed = sent.elapsed();
        // A refused check-out, of an item that the circulation rules do not lend, does not count.
        if asked.undo.is_some() && answer.status == 422 {
            continue;
        }
        ensure!(
            answer.status == asked.status,
            "{} {} {}: expected {}, got {}",
            call.method,
            call.path,
            call.body,
            asked.status,
            answer.summary()
        );
        timed.bytes = answer.body.len();
        timed.request_numbers.push(number);
        // The first requests are not counted, because the server prepares its statements with them.
        if timed.request_numbers.len() > WARM_UP_REQUESTS {
            timed.latencies.push(elapsed.as_micros());
        }
        if timed.latencies.count() >= LEAST_REQUESTS && started.elapsed() > LONGEST_TIME {
            break;
        }
    }
    Ok(timed)
}

/// Undoes the changes, so that the library is as it was before the measurement.
async fn undo_requests(user: &mut Session, asked: &MeasuredCall, made: &[usize]) -> Result<()> {
    let Some(undo) = &asked.undo else { return Ok(()) };
    for call in made.iter().filter_map(|number| undo(*number)) {
        call.send(user, 200).await?;
    }
    Ok(())
}

impl TimedRequests {
    fn row(&self, name: &str, records: &str) -> Result<Vec<String>> {
        ensure!(self.latencies.count() > 0, "{name}: nothing was answered as expected");
        let mut row = vec![name.to_owned(), records.to_owned()];
        row.extend(self.latencies.clone().to_cells());
        row.push(format_number(self.bytes as f64 / 1000.0, 1));
        Ok(row)
    }
}
