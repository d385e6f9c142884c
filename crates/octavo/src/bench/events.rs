//! `octavo bench events`: many changes a second are told to a webhook, and for a while nobody is there to take them, while the desk
//! works. The receiver knows from each item's version whether a change is missing or came out of order.

mod receiver;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};
use octavo_lab::clock;
use octavo_lab::flags::{number, number_value};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};
use octavo_pg::embedded::Embedded;
use serde_json::{Value, json};
use tokio::time::sleep;

use self::receiver::Receiver;
use super::desk::{self, Desk, Shelf};
use super::private::{describe_run, print_page};
use super::scratch::Scratch;
use super::server::{Server, measured_program, program_arg};
use super::stock::{Extent, Stock};
use super::{library, print_progress};

/// Items that are changed at once, by one call.
const BATCH: usize = 100;
/// Items that change in turn; the desk lends others.
const CHANGED_ITEMS: u32 = 5000;
const EVENT: &str = "inventory.item";
const LONGEST_DELIVERY: Duration = Duration::from_secs(3600);
/// How long it may take until the receiver gets the first event.
const FIRST_EVENT_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) fn command() -> Command {
    Command::new("events")
        .about("Measure many events a second to a webhook, which does not answer for a while, and what the desk feels")
        .arg(number("rate", "1000", 100..=100_000, "Changes of records a second"))
        .arg(number("seconds", "30", 1..=3600, "How long changes are made while the receiver answers"))
        .arg(number("down", "600", 1..=7200, "How long they are made while it does not, in seconds"))
        .arg(program_arg())
}

#[derive(Clone, Copy)]
struct Size {
    changes_per_second: u32,
    seconds: u32,
    down_seconds: u32,
}

pub(crate) fn run(flags: &ArgMatches) -> Result<()> {
    let [rate, seconds, down]: [u32; 3] = ["rate", "seconds", "down"].map(|name| number_value(flags, name));
    let program = measured_program(flags)?;
    let size = Size { changes_per_second: rate, seconds, down_seconds: down };
    print_page(async |scratch, database| measure(size, &program, scratch, database).await)
}

async fn measure(size: Size, program: &Path, scratch: &Scratch, database: &Embedded) -> Result<Page> {
    let lent = (4 * size.seconds + size.down_seconds) * desk::ITEMS_PER_SECOND;
    let extent = Extent { items: CHANGED_ITEMS + lent, patrons: desk::BORROWERS, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await;
    let (server, staff, stock) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    server.stop().await?;
    let settings = ["--private-webhooks", "on"].map(str::to_owned);
    let server = Server::start_with(program, scratch.path(), &database.url(), None, &settings).await?;
    let mut staff = staff.at_address(&server.address);
    let shelf = Shelf { items: CHANGED_ITEMS..CHANGED_ITEMS + lent, borrowers: 0..desk::BORROWERS };
    let desk = Desk::new(staff.with_new_connection(), shelf);
    let time = Duration::from_secs(size.seconds.into());

    print_progress("checking items out alone");
    desk.check_out_for(Duration::from_secs(2)).await?;
    let alone = desk.check_out_for(time).await?;
    let mut changes = Changes::choose(&mut staff, &stock).await?;
    let receiver = Receiver::begin(changes.ids())?;
    let consumer = create_webhook(&mut staff, &receiver).await?;
    changes.change_until_received(&mut staff, &receiver).await?;
    let memory_at_first = memory_kb_of(&server)?;

    print_progress("checking items out while items change and the receiver answers");
    let load = desk.begin().await?;
    changes.change_items(&mut staff, size.changes_per_second, time).await?;
    let told = load.end().await?.expect_no_failure()?;
    let memory_told = memory_kb_of(&server)?;
    let behind = clock::now();
    receiver.wait_for_events(changes.made, LONGEST_DELIVERY).await?;
    let behind = behind.elapsed();

    print_progress("the same while nobody takes the events");
    receiver.set_answering(false);
    let load = desk.begin().await?;
    changes
        .change_items(&mut staff, size.changes_per_second, Duration::from_secs(size.down_seconds.into()))
        .await?;
    let untold = load.end().await?.expect_no_failure()?;
    let waiting = changes.made - receiver.received_events();
    let memory_behind = memory_kb_of(&server)?;

    print_progress("handing over what has waited, while items go on to change");
    receiver.set_answering(true);
    let before = receiver.received_events();
    let began = clock::now();
    staff.ask("POST", &format!("/octavo/event-consumers/{consumer}/retry"), "", 204).await?;
    let load = desk.begin().await?;
    // Until no more is on its way than changes in a second.
    while changes.made.saturating_sub(receiver.received_events()) > u64::from(size.changes_per_second) {
        if began.elapsed() > LONGEST_DELIVERY {
            bail!("{} of {} events were taken", receiver.received_events(), changes.made);
        }
        changes.change_items(&mut staff, size.changes_per_second, Duration::from_secs(1)).await?;
    }
    receiver.wait_for_events(changes.made, LONGEST_DELIVERY).await?;
    let caught_up = began.elapsed();
    let rate = (receiver.received_events() - before) as f64 / caught_up.as_secs_f64();
    let after = load.end().await?.expect_no_failure()?;
    let ran_out = desk.is_empty();
    let memory_after = memory_kb_of(&server)?;
    let seen = receiver.irregularities();
    server.stop().await?;

    let mut page = Page::default();
    page.add_text(format!(
        "{}. {} changes of items a second, {BATCH} in a call; an event each, type `{EVENT}`, to one webhook.",
        describe_run(scratch, database),
        format_number(size.changes_per_second.into(), 0),
    ));
    let row = |what: &str, times: Latencies, memory: u64| {
        let mut row = desk::row(what, &times);
        row.push(format_number(memory as f64 * 1.024 / 1000.0, 0));
        row
    };
    page.add_table(
        &["desk", "calls", "p50 ms", "p95 ms", "p99 ms", "server's memory MB"],
        vec![
            row("alone", alone, memory_at_first),
            row("items change, the receiver answers", told, memory_told),
            row("items change, nobody answers", untold, memory_behind),
            row("what has waited is handed over", after, memory_after),
        ],
    );
    page.add_text(format!(
        "{} changes were made, {} a second. The receiver had all {} s after the first {} s. After {} s without an answer {} events waited; they and \
         those of the meantime were taken in {} s, {} a second.",
        format_number(changes.made as f64, 0),
        format_number(changes.made as f64 / changes.spent.as_secs_f64(), 0),
        format_number(behind.as_secs_f64(), 1),
        size.seconds,
        size.down_seconds,
        format_number(waiting as f64, 0),
        format_number(caught_up.as_secs_f64(), 1),
        format_number(rate, 0),
    ));
    page.add_text(format!(
        "Of the events {} came once more; {} versions of items are missing, {} came before an earlier one.",
        seen.repeated, seen.missing, seen.disordered
    ));
    if ran_out {
        page.add_text(desk::RAN_OUT);
    }
    Ok(page)
}

fn memory_kb_of(server: &Server) -> Result<u64> {
    memory_kb(server.pid, "VmRSS").context("the server under test tells no memory")
}

/// Makes a webhook that sends the library's changes of items to the receiver; returns the name of its consumer.
async fn create_webhook(staff: &mut Session, receiver: &Receiver) -> Result<String> {
    let webhook = json!({"name": "Receiver", "url": receiver.url(), "types": [EVENT]});
    let made = staff.ask("POST", "/octavo/webhooks", &webhook.to_string(), 201).await?.answer.json()?;
    let id = made["id"].as_str().context("a webhook without an id")?;
    staff.ask("POST", &format!("/octavo/webhooks/{id}/secret"), "", 201).await?;
    Ok(format!("webhook:{id}"))
}

/// Items that change in turn, by calls that change many.
struct Changes {
    items: Vec<Value>,
    next: usize,
    made: u64,
    spent: Duration,
}

impl Changes {
    async fn choose(staff: &mut Session, stock: &Stock) -> Result<Changes> {
        let mut items = Vec::new();
        for number in 0..CHANGED_ITEMS {
            let path = format!(
                "/item-storage/items/{}",
                stock.item_id_by_barcode(&super::stock::item_barcode(number.into()))?
            );
            items.push(staff.ask("GET", &path, "", 200).await?.answer.json()?);
        }
        Ok(Changes { items, next: 0, made: 0, spent: Duration::ZERO })
    }

    fn ids(&self) -> impl Iterator<Item = String> {
        self.items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned))
    }

    /// Changes items until the receiver gets the first event: the database triggers that write events are created some time after the
    /// webhook. Changes before that are not counted.
    async fn change_until_received(&mut self, staff: &mut Session, receiver: &Receiver) -> Result<()> {
        let began = clock::now();
        while receiver.received_events() == 0 {
            if began.elapsed() > FIRST_EVENT_TIMEOUT {
                bail!("the receiver has heard of no change");
            }
            self.change_items(staff, BATCH as u32, Duration::from_secs(1)).await?;
        }
        receiver.wait_until_quiet().await;
        (self.made, self.spent) = (receiver.received_events(), Duration::ZERO);
        Ok(())
    }

    /// Changes `rate` items a second for the given time. After a call that takes too long, the next calls come sooner.
    async fn change_items(&mut self, staff: &mut Session, rate: u32, time: Duration) -> Result<()> {
        let every = Duration::from_secs_f64(BATCH as f64 / f64::from(rate));
        let began = clock::now();
        let mut due = Duration::ZERO;
        while due < time {
            sleep(due.saturating_sub(began.elapsed())).await;
            let batch = &mut self.items[self.next..self.next + BATCH];
            let body = json!({"items": batch}).to_string();
            staff.ask("POST", "/item-storage/batch/synchronous?upsert=true", &body, 201).await?;
            for item in batch {
                let version = item["_version"].as_i64().unwrap_or_default();
                item["_version"] = json!(version + 1);
                item["copyNumber"] = json!(version.to_string());
            }
            self.made += BATCH as u64;
            self.next = (self.next + BATCH) % self.items.len();
            due += every;
        }
        self.spent += began.elapsed();
        Ok(())
    }
}
