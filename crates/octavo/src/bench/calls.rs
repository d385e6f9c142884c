//! `octavo bench calls`: how long the calls of a desk and of a discovery system take on a library that
//! `octavo load synthetic` made, of any size. Run on a small library and on a large one, it tells what size costs.
//!
//! The indexes of keys are read first. Calls by a key are made with records from anywhere, and then with the same once more:
//! what is in circulation is asked for again and again, and lies in memory even where the whole library does not fit in.

mod asked;
mod keys;

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Arg, ArgMatches, Command};
use octavo_kernel::TenantId;
use serde_json::json;

use self::asked::Call;
use self::keys::Keys;
use super::figures::{Latencies, told};
use super::http::{Connection, request};
use super::private::on_one_thread;
use super::process::memory;
use super::scratch::Scratch;
use super::server::Server;
use super::table::Page;
use super::{clock, say};
use crate::{config, start};

const LONGEST: Duration = Duration::from_secs(5);
/// Of a call that takes longer, at least so many are made.
const LEAST: usize = 20;
const MOST: usize = 3000;
const UNCOUNTED: usize = 3;

pub(crate) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let command = Command::new("calls")
        .about("Time the calls of a desk and of a discovery system on a library of `octavo load synthetic`")
        .arg(option("tenant", "TENANT", "The tenant that was made [default: synthetic]"))
        .arg(option("admin-password", "PASSWORD", "The password that it was made with").required(true));
    config::args(command)
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let settings = config::load(flags)?.settings;
    let tenant = flags.get_one::<String>("tenant").map_or("synthetic", String::as_str);
    let password = flags.get_one::<String>("admin-password").map_or("", String::as_str);
    let page = on_one_thread(async {
        let scratch = Scratch::make()?;
        let (database, private) = start::database(&settings, octavo_pg::Limits::default()).await?;
        let url = private.as_ref().map(octavo_pg::embedded::Embedded::url).or(settings.database_url);
        let url = url.context("no database")?;
        say("reading indexes, choosing instances, items and patrons");
        let keys = Keys::choose(&database, &TenantId::parse(tenant)?).await?;
        let server = Server::start(scratch.path(), &url).await?;
        let page = measure(&server, tenant, password, &keys).await;
        server.stop().await?;
        if let Some(private) = private {
            private.stop().await;
        }
        page
    })?;
    Ok(std::io::stdout().write_all(page.markdown().as_bytes())?)
}

async fn measure(server: &Server, tenant: &str, password: &str, keys: &Keys) -> Result<Page> {
    let headers = log_in(server, tenant, password).await?;
    let head = ["call", "records", "calls", "p50 ms", "p95 ms", "p99 ms", "answer kB"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for call in asked::calls(keys) {
        say(&call.name);
        let mut desk = Desk { connection: Connection::open(server.address).await?, headers: &headers };
        let first = desk.time(&call, &mut (0..MOST)).await?;
        desk.undo(&call, &first.made).await?;
        rows.push(first.row(&call.name, if call.again { "any" } else { "the same" })?);
        if call.again {
            let again = desk.time(&call, &mut first.made.iter().copied()).await?;
            desk.undo(&call, &again.made).await?;
            rows.push(again.row(&call.name, "these again")?);
        }
    }
    let mut page = Page::default();
    page.text(format!(
        "{} instances, {} holdings, {} items; database {} GB. Server's memory at most {} MB.",
        told(keys.sizes[0], 0),
        told(keys.sizes[1], 0),
        told(keys.sizes[2], 0),
        told(keys.bytes / 1e9, 1),
        told(memory(server.pid, "VmHWM")? as f64 / 1024.0, 0),
    ));
    page.table(rows);
    Ok(page)
}

async fn log_in(server: &Server, tenant: &str, password: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let who = json!({"username": format!("{tenant}_admin"), "password": password});
    request(&mut bytes, "POST", "/authn/login", &format!("X-Okapi-Tenant: {tenant}\r\n"), &who.to_string());
    let mut connection = Connection::open(server.address).await?;
    let answer = connection.exchange(&bytes).await?;
    answer.expect(201, "logging in; was the library made with --admin-password?")?;
    let token = answer.header("x-okapi-token").context("logging in gave no token")?;
    Ok(format!("X-Okapi-Tenant: {tenant}\r\nX-Okapi-Token: {token}\r\nAccept: application/json\r\n"))
}

/// One connection, over which one call follows the other.
struct Desk<'h> {
    connection: Connection,
    headers: &'h str,
}

/// What was measured of a call.
struct Timed {
    latencies: Latencies,
    /// The numbers of the requests.
    made: Vec<usize>,
    /// Of an answer.
    bytes: usize,
}

impl Desk<'_> {
    /// Makes the requests with these numbers, as long as there are more and time is left.
    async fn time(&mut self, call: &Call, numbers: &mut dyn Iterator<Item = usize>) -> Result<Timed> {
        let mut timed = Timed { latencies: Latencies::default(), made: Vec::new(), bytes: 0 };
        let (mut bytes, started) = (Vec::new(), clock::now());
        for number in numbers {
            let Some(asked) = (call.nth)(number) else { break };
            request(&mut bytes, asked.method, &asked.path, self.headers, &asked.body);
            let sent = clock::now();
            let answer = self.connection.exchange(&bytes).await?;
            let elapsed = sent.elapsed();
            // What the library's rules do not lend does not count.
            if call.undo.is_some() && answer.status == 422 {
                continue;
            }
            answer.expect(call.status, &format!("{} {} {}", asked.method, asked.path, asked.body))?;
            timed.bytes = answer.body.len();
            timed.made.push(number);
            // The first let the server prepare its statements.
            if timed.made.len() > UNCOUNTED {
                timed.latencies.push(elapsed.as_micros());
            }
            if timed.latencies.len() >= LEAST && started.elapsed() > LONGEST {
                break;
            }
        }
        Ok(timed)
    }

    /// The library is left as it was found.
    async fn undo(&mut self, call: &Call, made: &[usize]) -> Result<()> {
        let Some(undo) = &call.undo else { return Ok(()) };
        let mut bytes = Vec::new();
        for asked in made.iter().filter_map(|number| undo(*number)) {
            request(&mut bytes, asked.method, &asked.path, self.headers, &asked.body);
            self.connection.exchange(&bytes).await?.expect(200, &asked.body)?;
        }
        Ok(())
    }
}

impl Timed {
    fn row(&self, name: &str, records: &str) -> Result<Vec<String>> {
        let count = self.latencies.len();
        ensure!(count > 0, "{name}: nothing was answered as expected");
        let figures = self.latencies.clone().percentiles();
        let mut row = vec![name.to_owned(), records.to_owned(), told(count as f64, 0)];
        row.extend([figures.p50, figures.p95, figures.p99].map(|figure| told(figure, 2)));
        row.push(told(self.bytes as f64 / 1000.0, 1));
        Ok(row)
    }
}
