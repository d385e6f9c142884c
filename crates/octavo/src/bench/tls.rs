//! `octavo bench tls`: what TLS costs on connections that are kept. Two servers on one database, one with TLS, answer in turn.

use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};
use octavo_lab::flags::{number, number_value};
use octavo_lab::process::Stat;
use octavo_lab::statistics::Spread;
use octavo_lab::table::Page;
use octavo_pg::embedded::Embedded;

use super::call::Call;
use super::load::{Load, Work};
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{Certificate, Server, measured_program, program_arg};
use super::stock::{Extent, Stock};
use super::{library, print_progress};

const ITEMS: u32 = 1000;
const WARM_UP: Duration = Duration::from_secs(1);

pub(crate) fn command() -> Command {
    Command::new("tls")
        .about("Measure what TLS costs requests on connections that are kept")
        .arg(number("rounds", "7", 1..=100, "How often each side has its turn"))
        .arg(number("seconds", "5", 1..=3600, "Length of a turn"))
        .arg(number("clients", "8", 1..=1000, "Connections"))
        .arg(program_arg())
}

#[derive(Clone, Copy)]
struct Size {
    rounds: u32,
    turn: Duration,
    clients: u32,
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let [rounds, seconds, clients]: [u32; 3] =
        ["rounds", "seconds", "clients"].map(|name| number_value(flags, name));
    let size = Size { rounds, turn: Duration::from_secs(seconds.into()), clients };
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let extent = Extent { items: ITEMS, patrons: 10, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await;
    let (plain, staff, stock) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let certificate = certificate(scratch.path())?;
    let folder = scratch.path().join("tls");
    fs::create_dir(&folder)?;
    let encrypted = Server::start_with(program, &folder, &database.url(), Some(&certificate), &[]).await?;
    let stock = Rc::new(stock);
    let work = Work::new(200, move |number| {
        Some(Call::get(format!("/item-storage/items/{}", stock.item_id(number))))
    });
    let sides = [&plain, &encrypted];
    let mut told = [const { Vec::new() }; 2];
    print_progress("reading items without TLS and with it, in turn");
    for round in 0..=size.rounds {
        for (server, told) in sides.iter().zip(&mut told) {
            let time = if round == 0 { WARM_UP } else { size.turn };
            let spent =
                || Ok::<_, anyhow::Error>(Stat::read(server.pid).context("no such process")?.own_cpu_seconds);
            let before = spent()?;
            let load =
                Load::begin(&staff.at_address(&server.address), size.clients, Duration::ZERO, &work).await?;
            let turn = load.end_after(time).await?;
            let elapsed = turn.elapsed.as_secs_f64();
            let spent = spent()? - before;
            let calls = turn.expect_no_failure()?.count() as f64;
            if round > 0 {
                told.push([calls / elapsed, spent * 1e6 / calls.max(1.0)]);
            }
        }
    }
    for server in [plain, encrypted] {
        server.stop().await?;
    }

    let mut page = Page::default();
    page.add_text(format!(
        "{}. {} connections that are kept, {} rounds of {} s for each side in turn; `GET /item-storage/items/{{id}}`.",
        describe_run(scratch, database),
        size.clients,
        size.rounds,
        size.turn.as_secs()
    ));
    let figures = |side: &[[f64; 2]], at: usize, places| {
        Spread::from_rounds(side.iter().map(move |figures| figures[at])).with_range(places)
    };
    let ratio = |at: usize| {
        let [plain, encrypted] = &told;
        Spread::from_rounds(
            plain.iter().zip(encrypted).map(move |(plain, encrypted)| encrypted[at] / plain[at]),
        )
        .with_range(3)
    };
    let row = |name: &str, side: &[[f64; 2]]| vec![name.to_owned(), figures(side, 0, 0), figures(side, 1, 1)];
    page.add_table(
        &["", "requests/s", "server's processor time of one, µs"],
        vec![
            row("without TLS", &told[0]),
            row("with TLS", &told[1]),
            vec!["with TLS / without".to_owned(), ratio(0), ratio(1)],
        ],
    );
    page.add_text("The client's share of TLS takes processor time of the same machine.");
    Ok(page)
}

/// A certificate for this machine that signs itself.
fn certificate(folder: &Path) -> Result<Certificate> {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()])?;
    let files = Certificate { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") };
    fs::write(&files.certificate, made.cert.pem())?;
    crate::private_files::write_private(&files.key, made.signing_key.serialize_pem().as_bytes())?;
    Ok(files)
}
