//! `octavo bench tenants`: many libraries in one server. How long it takes to make them and to start with them, what an idle minute asks of
//! the database, what memory they take, and whether the desk of one notices that another is flooded.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};
use octavo_pg::embedded::Embedded;
use octavo_pg::{Database, Options, Statement};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::call::Call;
use super::desk::{Desk, Shelf, WARM_UP, add_comparison};
use super::library::{self, MODULES};
use super::load::{Load, Work};
use super::print_progress;
use super::private::{as_superuser, describe_run, print_page};
use super::scratch::Scratch;
use super::server::{Server, measured_program, program_arg};
use super::stock::{Extent, Stock};

pub(crate) fn command() -> Command {
    Command::new("tenants")
        .about("Measure a server with many tenants: start, idle minutes, memory, and one tenant's load beside another's desk")
        .arg(number("tenants", "50", 2..=10_000, "Tenants that are made beside the library"))
        .arg(number("settle", "360", 0..=36_000, "Seconds until timers have run once and rest"))
        .arg(number("idle", "60", 10..=3600, "Seconds for which statements are counted"))
        .arg(number("seconds", "10", 2..=600, "Length of each turn of the desk"))
        .arg(number("flood", "32", 1..=1000, "Clients who flood another tenant"))
        .arg(program_arg())
}

#[derive(Clone, Copy)]
struct Size {
    tenants: u32,
    settling_time: Duration,
    idle_time: Duration,
    turn_time: Duration,
    flood_clients: u32,
}

/// The number of tenants for which the goals are set. Figures that grow with the tenants are scaled to this number.
const GOAL_TENANTS: f64 = 1000.0;
const ITEMS: u32 = 40_000;

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let seconds = |name| Duration::from_secs(number_value(flags, name).into());
    let size = Size {
        tenants: number_value(flags, "tenants"),
        settling_time: seconds("settle"),
        idle_time: seconds("idle"),
        turn_time: seconds("seconds"),
        flood_clients: number_value(flags, "flood"),
    };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let extent = Extent { items: ITEMS, patrons: 1000, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await.map(drop);
    let (server, staff, ()) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let mut page = Page::default();
    page.add_text(format!("{}.", describe_run(scratch, database)));
    let watch = DatabaseWatch::open(database)?;
    let mut rows = Vec::new();
    print_progress("idle, with one tenant");
    sleep(size.settling_time).await;
    rows.push(row(
        "transactions in an idle minute, one tenant",
        watch.transactions_per_minute(size.idle_time).await?,
        "",
    ));

    let (names, made) = make_tenants(size.tenants, &server).await?;
    server.stop().await?;
    let server = Server::start(program, scratch.path(), &database.url()).await?;
    let started = server.started_in.as_secs_f64() * 1000.0;
    let (count, all) = (names.len() as f64, GOAL_TENANTS / names.len() as f64);
    let [_, p50, p95, _] = made.to_cells();
    rows.push(row("making a tenant, ms: p50", p50, "2,000"));
    rows.push(row("making a tenant, ms: p95", p95, ""));
    rows.push(row(
        &format!("start to the first answer with {count} tenants, ms"),
        format_number(started, 0),
        "5,000 with 1,000",
    ));
    let at_first = megabytes(server.pid)?;
    rows.push(row("memory after the start, MB", format_number(at_first, 0), ""));
    print_progress("idle, with all tenants");
    sleep(size.settling_time).await;
    rows.push(row(
        &format!("transactions in an idle minute, {count} tenants"),
        watch.transactions_per_minute(size.idle_time).await?,
        "",
    ));
    let before = megabytes(server.pid)?;
    for name in &names {
        for path in ["/groups", "/loan-types", "/service-points"] {
            Session::new(&server.address, name, None).ask("GET", path, "", 200).await?;
        }
    }
    let after = megabytes(server.pid)?;
    rows.push(row("memory when each was asked, MB", format_number(after, 0), ""));
    let reckoned = before + (after - before).max(0.0) * all;
    rows.push(row("the same for 1,000 tenants, in proportion, MB", format_number(reckoned, 0), "400"));
    let (connections, backends) = watch.backends().await?;
    rows.push(row("connections to the database", format_number(connections, 0), ""));
    rows.push(row(
        "memory of PostgreSQL's processes for one, MB: mean",
        format_number(backends / connections.max(1.0), 1),
        "",
    ));
    page.add_table(&["", "measured", "goal"], rows);

    let desk = Desk::new(staff.at_address(&server.address), Shelf { items: 0..ITEMS, borrowers: 0..1000 });
    let mut other = desk.another_member_of_staff();
    for _ in 0..WARM_UP {
        desk.check_out_to(&mut other, 1).await?;
    }
    for (what, work) in [("changes", changes()), ("searches", searches())] {
        print_progress(&format!("the desk while another tenant makes {what}"));
        let alone = desk.check_out_for(size.turn_time).await?;
        let flood = flood(&server, &names[0], size.flood_clients, &work).await?;
        let meanwhile = desk.check_out_for(size.turn_time).await?;
        let turn = flood.end().await?;
        let a_second = turn.latencies.count() as f64 / turn.elapsed.as_secs_f64();
        add_comparison(&mut page, &alone, &meanwhile, &format!("while another tenant makes {what}"));
        page.add_text(format!(
            "{} clients of the other tenant made {} {what} a second meanwhile. The goal is 1.5 times.",
            size.flood_clients,
            format_number(a_second, 0)
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
async fn make_tenants(count: u32, server: &Server) -> Result<(Vec<String>, Latencies)> {
    let mut operator = Session::with_token(&server.address, "", &server.operator_token().await?);
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
            print_progress(&format!("{number} of {count} tenants are made"));
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

/// Reads PostgreSQL's own statistics.
struct DatabaseWatch<'a> {
    embedded: &'a Embedded,
    database: Database,
}

impl DatabaseWatch<'_> {
    fn open(embedded: &Embedded) -> Result<DatabaseWatch<'_>> {
        Ok(DatabaseWatch { embedded, database: Database::from_url(&embedded.url(), Options::unlimited(1))? })
    }

    async fn read(&self, sql: &'static str) -> Result<Vec<i64>> {
        Ok(self.database.system_session(Arc::default()).await?.read(Statement::new(sql)).await?)
    }

    /// The number of transactions in a minute; most of them are single statements. Autovacuum is off meanwhile, because its work counts
    /// as transactions too.
    async fn transactions_per_minute(&self, time: Duration) -> Result<String> {
        self.set_autovacuum("off").await?;
        while self.read(AUTOVACUUM_WORKERS).await? != [0] {
            sleep(Duration::from_secs(1)).await;
        }
        let first = self.read(COUNT_TRANSACTIONS).await?;
        sleep(time).await;
        let last = self.read(COUNT_TRANSACTIONS).await?;
        self.set_autovacuum("on").await?;
        let ended = last.iter().sum::<i64>() - first.iter().sum::<i64>();
        Ok(format_number(ended as f64 * 60.0 / time.as_secs_f64(), 0))
    }

    async fn set_autovacuum(&self, wanted: &str) -> Result<()> {
        as_superuser(self.embedded, &format!("alter system set autovacuum = {wanted}")).await?;
        as_superuser(self.embedded, "select pg_reload_conf()").await
    }

    /// The number of the server's database connections, and the memory of the PostgreSQL processes behind them, in MB.
    async fn backends(&self) -> Result<(f64, f64)> {
        let processes = self.read(BACKENDS).await?;
        let each = processes.iter().filter_map(|pid| memory_kb(u32::try_from(*pid).ok()?, "RssAnon"));
        Ok((processes.len() as f64, each.sum::<u64>() as f64 * 1.024 / 1000.0))
    }
}

const COUNT_TRANSACTIONS: &str = "\
select xact_commit + xact_rollback
from pg_stat_database
where datname = current_database()";

const AUTOVACUUM_WORKERS: &str =
    "select count(*) from pg_stat_activity where backend_type = 'autovacuum worker'";

const BACKENDS: &str = "\
select pid::int8
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";
