//! `octavo bench sip2`: a self-check machine checks items out, in turn with a client of the HTTP interface.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value};
use octavo_lab::statistics::Latencies;
use octavo_lab::table::Page;
use octavo_pg::embedded::Embedded;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;

use super::call::{CHECK_OUT, Call};
use super::desk;
use super::library::{self, STAFF, TENANT};
use super::print_progress;
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{Server, free_address, measured_program, program_arg};
use super::stock::{self, Extent, Stock};

/// Check-outs of one side before the other has its turn.
const CHECK_OUTS_PER_TURN: u32 = 100;

pub(crate) fn command() -> Command {
    Command::new("sip2")
        .about("Measure check-outs by a self-check machine, one after the other")
        .arg(number("rounds", "20", 1..=10_000, "How often each side checks a hundred items out"))
        .arg(program_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let rounds = number_value(flags, "rounds");
    let program = measured_program(flags)?;
    print_page(async |scratch, database| measure(rounds, &program, scratch, database).await)
}

async fn measure(rounds: u32, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let items = 2 * CHECK_OUTS_PER_TURN * (rounds + 1);
    let extent = Extent { items, patrons: desk::BORROWERS, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await.map(drop);
    let (server, staff, ()) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    server.stop().await?;
    let machines = free_address()?;
    let settings = ["--sip2".to_owned(), machines.to_string(), "--sip2-tenant".to_owned(), TENANT.to_owned()];
    let server = Server::start_with(program, scratch.path(), &database.url(), None, &settings).await?;
    let mut staff = staff.at_address(&server.address);
    let mut machine = Machine::connect(machines).await?;
    print_progress("checking items out");
    let [mut by_http, mut by_sip2] = [Latencies::default(), Latencies::default()];
    for item in 0..items {
        let (barcode, patron) =
            (stock::item_barcode(item.into()), stock::patron_barcode((item % desk::BORROWERS).into()));
        let by_machine = item / CHECK_OUTS_PER_TURN % 2 == 1;
        let took = if by_machine {
            machine.check_out(&barcode, &patron).await?
        } else {
            Call::post(CHECK_OUT, stock::check_out_body(&barcode, &patron)).send(&mut staff, 201).await?.time
        };
        // The first turn of each side warms up.
        if item >= 2 * CHECK_OUTS_PER_TURN {
            if by_machine { &mut by_sip2 } else { &mut by_http }.push(took.as_micros());
        }
    }
    server.stop().await?;

    let mut page = Page::default();
    page.add_text(format!(
        "{}. Check-outs one after the other, a hundred of each side in turn.",
        describe_run(scratch, database)
    ));
    page.add_table(
        &["check-out", "calls", "p50 ms", "p95 ms", "p99 ms"],
        vec![desk::row("by SIP2", &by_sip2), desk::row("`POST /circulation/check-out-by-barcode`", &by_http)],
    );
    Ok(page)
}

/// A machine that has logged in.
struct Machine(BufStream<TcpStream>);

impl Machine {
    async fn connect(address: SocketAddr) -> Result<Machine> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let mut machine = Machine(BufStream::new(stream));
        let log_in = format!("9300CN{STAFF}|CO{STAFF}|CP{}|\r", stock::SERVICE_POINT);
        let answer = machine.ask(&log_in).await?;
        ensure!(answer.starts_with("941"), "the machine was not let in: {answer}");
        Ok(machine)
    }

    async fn check_out(&mut self, item: &str, patron: &str) -> Result<Duration> {
        let date = clock::timestamp_now().strftime("%Y%m%d   Z%H%M%S");
        let message = format!("11NN{date}{date}AO{TENANT}|AA{patron}|AB{item}|AC|\r");
        let sent = clock::now();
        let answer = self.ask(&message).await?;
        let took = sent.elapsed();
        ensure!(answer.starts_with("121"), "the item was not checked out: {answer}");
        Ok(took)
    }

    async fn ask(&mut self, message: &str) -> Result<String> {
        self.0.write_all(message.as_bytes()).await?;
        self.0.flush().await?;
        let mut answer = Vec::new();
        self.0.read_until(b'\r', &mut answer).await?;
        String::from_utf8(answer).context("the answer is no UTF-8")
    }
}
