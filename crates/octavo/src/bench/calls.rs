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
use octavo_lab::table::{Page, figure as written};

use self::asked::{Asked, MOST};
use self::keys::Keys;
use super::private::on_one_thread;
use super::say;
use super::scratch::Scratch;
use super::server::Server;
use crate::{config, start};

const LONGEST: Duration = Duration::from_secs(5);
/// The least number of times that each call is made, however long it takes.
const LEAST: usize = 20;
const UNCOUNTED: usize = 3;

pub(crate) fn command() -> Command {
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
        let server = Server::start(&std::env::current_exe()?, scratch.path(), &url).await?;
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
    let login = Login { username: format!("{tenant}_admin"), password: password.to_owned() };
    let mut user = Session::new(&server.address, tenant, Some(login));
    user.log_in().await.context("was the library made with --admin-password?")?;
    let mut rows = Vec::new();
    for asked in asked::all(keys) {
        say(&asked.name);
        let mut user = user.another();
        let first = time(&mut user, &asked, &mut (0..MOST)).await?;
        undo(&mut user, &asked, &first.made).await?;
        rows.push(first.row(&asked.name, if asked.again { "any" } else { "the same" })?);
        if asked.again {
            let again = time(&mut user, &asked, &mut first.made.iter().copied()).await?;
            undo(&mut user, &asked, &again.made).await?;
            rows.push(again.row(&asked.name, "these again")?);
        }
    }
    let mut page = Page::default();
    page.text(format!(
        "{} instances, {} holdings, {} items; database {} GB. Server's memory at most {} MB.",
        written(keys.sizes[0], 0),
        written(keys.sizes[1], 0),
        written(keys.sizes[2], 0),
        written(keys.bytes / 1e9, 1),
        written(memory_kb(server.pid, "VmHWM").context("the server tells no memory")? as f64 / 1024.0, 0),
    ));
    page.table(&["call", "records", "calls", "p50 ms", "p95 ms", "p99 ms", "answer kB"], rows);
    Ok(page)
}

struct Timed {
    latencies: Latencies,
    /// The numbers of the requests.
    made: Vec<usize>,
    bytes: usize,
}

/// Makes the requests with these numbers, over one connection, as long as there are more and time is left.
async fn time(user: &mut Session, asked: &Asked, numbers: &mut dyn Iterator<Item = usize>) -> Result<Timed> {
    let mut timed = Timed { latencies: Latencies::default(), made: Vec::new(), bytes: 0 };
    let started = clock::now();
    for number in numbers {
        let Some(call) = (asked.nth)(number) else { break };
        let body = Some(&*call.body).filter(|body| !body.is_empty());
        user.connect().await?;
        let sent = clock::now();
        let answer = user.send(call.method, &call.path, "", body).await?;
        let elapsed = sent.elapsed();
        // An item that is not loanable by the rules does not count.
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
            answer.in_short()
        );
        timed.bytes = answer.body.len();
        timed.made.push(number);
        // The first let the server prepare its statements.
        if timed.made.len() > UNCOUNTED {
            timed.latencies.push(elapsed.as_micros());
        }
        if timed.latencies.count() >= LEAST && started.elapsed() > LONGEST {
            break;
        }
    }
    Ok(timed)
}

/// The library is left as it was found.
async fn undo(user: &mut Session, asked: &Asked, made: &[usize]) -> Result<()> {
    let Some(undo) = &asked.undo else { return Ok(()) };
    for call in made.iter().filter_map(|number| undo(*number)) {
        call.by(user, 200).await?;
    }
    Ok(())
}

impl Timed {
    fn row(&self, name: &str, records: &str) -> Result<Vec<String>> {
        ensure!(self.latencies.count() > 0, "{name}: nothing was answered as expected");
        let mut row = vec![name.to_owned(), records.to_owned()];
        row.extend(self.latencies.clone().cells());
        row.push(written(self.bytes as f64 / 1000.0, 1));
        Ok(row)
    }
}
