//! `octavo bench gateway`: what the way into a library costs. The check of a token, a call that is passed on to a module outside
//! of the process, many people who log in at the same time, and many tenants in one server.

mod crowd;
mod outside;
mod tenants;
mod tokens;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};
use octavo_lab::flags::{number, number_value};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::table::{Page, format_number};
use octavo_pg::embedded::Embedded;
use serde_json::{Value, json};

use self::tenants::Tenants;
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{Server, measured_program, program_arg};
use super::stock::{Extent, Stock};
use super::{library, print_progress};

pub(crate) fn command() -> Command {
    Command::new("gateway")
        .about("Measure the check of a token, calls of outside modules, many log-ins and many tenants")
        .arg(number("rounds", "3", 1..=100, "How often each side has its turn"))
        .arg(number("seconds", "3", 1..=3600, "Length of a turn"))
        .arg(number("tenants", "20", 0..=10_000, "Tenants that are made"))
        .arg(program_arg())
}

#[derive(Clone, Copy)]
struct Size {
    rounds: u32,
    turn_time: Duration,
    tenants: u32,
}

const ITEMS: u32 = 1000;

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let size = Size {
        rounds: number_value(flags, "rounds"),
        turn_time: Duration::from_secs(number_value(flags, "seconds").into()),
        tenants: number_value(flags, "tenants"),
    };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let extent = Extent { items: ITEMS, patrons: 10, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await;
    let (server, staff, stock) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let mut operator = Session::with_token(&server.address, "", &server.operator_token().await?);
    let mut page = Page::default();
    page.add_text(format!(
        "{}. {} rounds of {} s for each side in turn.",
        describe_run(scratch, database),
        size.rounds,
        size.turn_time.as_secs()
    ));
    print_progress("calling a module outside of the process, directly and through the server");
    outside::measure(size, &mut operator, &staff, &mut page).await?;
    print_progress("reading items while many log in");
    crowd::measure(size, &staff, stock, &mut page).await?;
    print_progress("calling with a token and without");
    tokens::measure(size, &server, &mut operator, &staff, &mut page).await?;
    let made = Tenants::make(size.tenants, &mut operator).await?;
    server.stop().await?;
    print_progress("starting with all tenants");
    let server = Server::start(program, scratch.path(), &database.url()).await?;
    made.measure(&server, &mut page).await?;
    server.stop().await?;
    Ok(page)
}

/// Enables or disables modules for a tenant.
async fn change_modules(operator: &mut Session, tenant: &str, action: &str, modules: &[&str]) -> Result<()> {
    let wanted: Vec<Value> = modules.iter().map(|id| json!({"id": id, "action": action})).collect();
    let path = format!("/_/proxy/tenants/{tenant}/install?tenantParameters=loadReference%3Dtrue");
    operator.ask("POST", &path, &Value::Array(wanted).to_string(), 200).await?;
    Ok(())
}

fn memory_text(server: &Server) -> Result<String> {
    let kilobytes = memory_kb(server.pid, "VmRSS").context("the server under test tells no memory")?;
    Ok(format!("{} MB", format_number(kilobytes as f64 * 1.024 / 1000.0, 0)))
}
