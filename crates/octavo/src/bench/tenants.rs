//! `octavo bench tenants`: many libraries in one server. How long it takes to make them and to start with them, what an idle minute asks of
//! the database, what memory they take, and whether the desk of one notices that another is flooded.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{given, number};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, figure};
use octavo_pg::embedded::Embedded;
use octavo_pg::{Database, Options, Statement};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::call::Call;
use super::desk::{Desk, Shelf, WARM_UP, compare};
use super::library::{self, MODULES};
use super::load::{Load, Work};
use super::private::{as_superuser, described, print_page};
use super::say;
use super::scratch::Scratch;
use super::server::{Server, measured_program, program};
use super::stock::{Extent, Stock};

pub(crate) fn command() -> Command {
    Command::new("tenants")
        .about("Measure a server with many tenants: start, idle minutes, memory, and one tenant's load beside another's desk")
        .arg(number("tenants", "50", 2..=10_000, "Tenants that are made beside the library"))
        .arg(number("settle", "360", 0..=36_000, "Seconds until timers have run once and rest"))
        .arg(number("idle", "60", 10..=3600, "Seconds for which statements are counted"))
        .arg(number("seconds", "10", 2..=600, "Length of each turn of the desk"))
        .arg(number("flood", "32", 1..=1000, "Clients who flood another tenant"))
        .arg(program())
}

#[derive(Clone, Copy)]
struct Size {
    tenants: u32,
    settle: Duration,
    idle: Duration,
    turn: Duration,
    flood: u32,
}

/// For which the goals were set; what grows with the tenants is reckoned to it in proportion.
const GOAL: f64 = 1000.0;
const ITEMS: u32 = 40_000;

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let seconds = |name| Duration::from_secs(given(flags, name).into());
    let size = Size {
        tenants: given(flags, "tenants"),
        settle: seconds("settle"),
        idle: seconds("idle"),
        turn: seconds("seconds"),
        flood: given(flags, "flood"),
    };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let extent = Extent { items: ITEMS, patrons: 1000, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await.map(drop);
    let (server, staff, ()) = library::served(program, scratch, database, None, fill).await?;
    let mut page = Page::default();
    page.text(format!("{}.", described(scratch, database)));
    let watch = Watch::of(database)?;
    let mut rows = Vec::new();
    say("idle, with one tenant");
    sleep(size.settle).await;
    rows.push(row("transactions in an idle minute, one tenant", watch.a_minute(size.idle).await?, ""));

    let (names, made) = make(size.tenants, &server).await?;
    server.stop().await?;
    let server = Server::start(program, scratch.path(), &database.url()).await?;
    let started = server.started_in.as_secs_f64() * 1000.0;
    let (count, all) = (names.len() as f64, GOAL / names.len() as f64);
    let [_, p50, p95, _] = made.cells();
    rows.push(row("making a tenant, ms: p50", p50, "2,000"));
    rows.push(row("making a tenant, ms: p95", p95, ""));
    rows.push(row(
        &format!("start to the first answer with {count} tenants, ms"),
        figure(started, 0),
        "5,000 with 1,000",
    ));
    let at_first = megabytes(server.pid)?;
    rows.push(row("memory after the start, MB", figure(at_first, 0), ""));
    say("idle, with all tenants");
    sleep(size.settle).await;
    rows.push(row(
        &format!("transactions in an idle minute, {count} tenants"),
        watch.a_minute(size.idle).await?,
        "",
    ));
    let before = megabytes(server.pid)?;
    for name in &names {
        for path in ["/groups", "/loan-types", "/service-points"] {
            Session::new(&server.address, name, None).ask("GET", path, "", 200).await?;
        }
    }
    let after = megabytes(server.pid)?;
    rows.push(row("memory when each was asked, MB", figure(after, 0), ""));
    let reckoned = before + (after - before).max(0.0) * all;
    rows.push(row("the same for 1,000 tenants, in proportion, MB", figure(reckoned, 0), "400"));
    let (connections, backends) = watch.backends().await?;
    rows.push(row("connections to the database", figure(connections, 0), ""));
    rows.push(row(
        "memory of PostgreSQL's processes for one, MB: mean",
        figure(backends / connections.max(1.0), 1),
        "",
    ));
    page.table(&["", "measured", "goal"], rows);

    let desk = Desk::new(staff.at(&server.address), Shelf { items: 0..ITEMS, borrowers: 0..1000 });
    let mut other = desk.staff();
    for _ in 0..WARM_UP {
        desk.lend(&mut other, 1).await?;
    }
    for (what, work) in [("changes", changes()), ("searches", searches())] {
        say(&format!("the desk while another tenant makes {what}"));
        let alone = desk.lend_for(size.turn).await?;
        let flood = flood(&server, &names[0], size.flood, &work).await?;
        let meanwhile = desk.lend_for(size.turn).await?;
        let turn = flood.end().await?;
        let a_second = turn.latencies.count() as f64 / turn.elapsed.as_secs_f64();
        compare(&mut page, &alone, &meanwhile, &format!("while another tenant makes {what}"));
        page.text(format!(
            "{} clients of the other tenant made {} {what} a second meanwhile. The goal is 1.5 times.",
            size.flood,
            figure(a_second, 0)
        ));
    }
    server.stop().await?;
    Ok(page)
}

fn row(what: &str, measured: String, goal: &str) -> Vec<String> {
    vec![what.to_owned(), measured, goal.to_owned()]
}

fn megabytes(pid: u32) -> Result<f64> {
    let kilobytes = memory_kb(pid, "VmRSS").context("the server under test tells no memory")?;
    Ok(kilobytes as f64 * 1.024 / 1000.0)
}

/// Makes tenants with the modules of a desk and their reference records.
async fn make(count: u32, server: &Server) -> Result<(Vec<String>, Latencies)> {
    let mut operator = Session::with_token(&server.address, "", &server.operator().await?);
    let (mut names, mut times) = (Vec::new(), Latencies::default());
    let modules: Vec<Value> = MODULES.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
    let modules = Value::Array(modules).to_string();
    for number in 1..=count {
        let (name, started) = (format!("tenant{number}"), clock::now());
        operator.ask("POST", "/_/proxy/tenants", &json!({"id": name}).to_string(), 201).await?;
        let path = format!("/_/proxy/tenants/{name}/install?tenantParameters=loadReference%3Dtrue");
        operator.ask("POST", &path, &modules, 200).await?;
        times.push(started.elapsed().as_micros());
        names.push(name);
        if number % 50 == 0 {
            say(&format!("{number} of {count} tenants are made"));
        }
    }
    Ok((names, times))
}

async fn flood(server: &Server, tenant: &str, clients: u32, work: &Rc<Work>) -> Result<Load> {
    Load::begin(&Session::new(&server.address, tenant, None), clients, Duration::ZERO, work).await
}

fn changes() -> Rc<Work> {
    Work::new(201, |number| {
        Some(Call::post("/groups", json!({"group": format!("flood {number}")}).to_string()))
    })
}

fn searches() -> Rc<Work> {
    Work::new(200, |_| Some(Call::get("/groups?query=group%3D%22flood%201*%22&limit=100")))
}

/// What PostgreSQL tells of itself.
struct Watch<'a> {
    embedded: &'a Embedded,
    database: Database,
}

impl Watch<'_> {
    fn of(embedded: &Embedded) -> Result<Watch<'_>> {
        Ok(Watch { embedded, database: Database::from_url(&embedded.url(), Options::unlimited(1))? })
    }

    async fn read(&self, sql: &'static str) -> Result<Vec<i64>> {
        Ok(self.database.system(Arc::default()).await?.read(Statement::new(sql)).await?)
    }

    /// How many transactions are ended in a minute, most of which are single statements. PostgreSQL's own upkeep of tables, which counts
    /// as transactions too, is off meanwhile.
    async fn a_minute(&self, time: Duration) -> Result<String> {
        self.upkeep("off").await?;
        while self.read(AUTOVACUUM_WORKERS).await? != [0] {
            sleep(Duration::from_secs(1)).await;
        }
        let first = self.read(ENDED).await?;
        sleep(time).await;
        let last = self.read(ENDED).await?;
        self.upkeep("on").await?;
        let ended = last.iter().sum::<i64>() - first.iter().sum::<i64>();
        Ok(figure(ended as f64 * 60.0 / time.as_secs_f64(), 0))
    }

    async fn upkeep(&self, wanted: &str) -> Result<()> {
        as_superuser(self.embedded, &format!("alter system set autovacuum = {wanted}")).await?;
        as_superuser(self.embedded, "select pg_reload_conf()").await
    }

    /// The server's connections, and what the processes behind them take together, in MB.
    async fn backends(&self) -> Result<(f64, f64)> {
        let processes = self.read(BACKENDS).await?;
        let each = processes.iter().filter_map(|pid| memory_kb(u32::try_from(*pid).ok()?, "RssAnon"));
        Ok((processes.len() as f64, each.sum::<u64>() as f64 * 1.024 / 1000.0))
    }
}

const ENDED: &str = "\
select xact_commit + xact_rollback
from pg_stat_database
where datname = current_database()";

const AUTOVACUUM_WORKERS: &str =
    "select count(*) from pg_stat_activity where backend_type = 'autovacuum worker'";

const BACKENDS: &str = "\
select pid::int8
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";
