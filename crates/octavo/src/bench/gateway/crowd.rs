//! Many log in at the same time: the same user again and again, as scripts and edge modules do, and a different person each time, as in
//! the morning or when a class begins. Others go on reading.

use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use octavo_lab::load::Session;
use octavo_lab::statistics::{Latencies, Spread};
use octavo_lab::table::{Page, format_number};
use serde_json::json;

use super::Size;
use crate::bench::call::Call;
use crate::bench::library::STAFF;
use crate::bench::load::{Load, Work};
use crate::bench::print_progress;
use crate::bench::stock::Stock;

const READERS: u32 = 4;
const READ_PAUSE: Duration = Duration::from_millis(10);
/// Number of clients. Each pauses for 250 ms between two log-ins, so that all together log in 100 times a second if a log-in takes 50 ms.
const LOG_IN_CLIENTS: u32 = 30;
const LOG_IN_PAUSE: Duration = Duration::from_millis(250);
/// More than log in within all turns, for each second of them.
const PEOPLE_PER_SECOND: u64 = 120;

pub(super) async fn measure(size: Size, staff: &Session, stock: Stock, page: &mut Page) -> Result<()> {
    let reads = Work::new(200, move |number| {
        Some(Call::get(format!("/item-storage/items/{}", stock.item_id(number))))
    });
    let people = PEOPLE_PER_SECOND * size.turn_time.as_secs() * u64::from(size.rounds);
    print_progress("giving people passwords");
    for number in 0..people {
        create_user(staff, &user_name(number)).await?;
    }
    let same = log_ins(|_| Some(STAFF.to_owned()));
    let each = log_ins(move |number| (number < people).then(|| user_name(number)));
    for (whose, log_ins) in
        [("the same user logs in again and again", same), ("another person logs in each time", each)]
    {
        print_progress(&format!("reading items while {whose}"));
        measure_reads_during_log_ins(size, staff, &reads, &log_ins, whose, page).await?;
    }
    Ok(())
}

/// Measures read requests alone and while other users log in, in alternating turns.
async fn measure_reads_during_log_ins(
    size: Size,
    staff: &Session,
    reads: &Rc<Work>,
    log_ins: &Rc<Work>,
    whose: &str,
    page: &mut Page,
) -> Result<()> {
    let [mut calm, mut crowded, mut waited] = [const { Vec::new() }; 3];
    let mut logged_in = 0.0;
    measure_reads(staff, reads, size.turn_time).await?;
    for _ in 0..size.rounds {
        calm.push(measure_reads(staff, reads, size.turn_time).await?.percentiles().p95);
        let crowd = Load::begin(staff, LOG_IN_CLIENTS, LOG_IN_PAUSE, log_ins).await?;
        crowded.push(measure_reads(staff, reads, size.turn_time).await?.percentiles().p95);
        let turn = crowd.end().await?;
        let elapsed = turn.elapsed.as_secs_f64();
        let times = turn.expect_no_failure()?;
        logged_in += times.count() as f64 / elapsed / f64::from(size.rounds);
        waited.push(times.percentiles().p95);
    }
    let ratio = Spread::from_rounds(crowded.iter().zip(&calm).map(|(crowded, calm)| crowded / calm));
    page.add_text(format!(
        "{READERS} readers of items, each with a pause of {} ms: p95 {} ms alone, {} ms while {whose}, {} log-ins a second (their p95 \
         {} ms): {} times.",
        READ_PAUSE.as_millis(),
        Spread::from_rounds(calm).with_range(2),
        Spread::from_rounds(crowded).with_range(2),
        format_number(logged_in, 0),
        Spread::from_rounds(waited).with_range(0),
        ratio.with_range(2),
    ));
    Ok(())
}

fn log_ins(name: impl Fn(u64) -> Option<String> + 'static) -> Rc<Work> {
    Work::new(201, move |number| {
        let name = name(number)?;
        Some(Call::post("/authn/login", json!({"username": name, "password": name}).to_string()))
    })
}

fn user_name(number: u64) -> String {
    format!("reader{number}")
}

async fn create_user(staff: &Session, name: &str) -> Result<()> {
    let mut staff = staff.with_new_connection();
    let user = json!({"username": name, "active": true, "personal": {"lastName": name}});
    staff.ask("POST", "/users", &user.to_string(), 201).await?;
    let credentials = json!({"username": name, "password": name}).to_string();
    staff.ask("POST", "/authn/credentials", &credentials, 201).await?;
    Ok(())
}

async fn measure_reads(staff: &Session, reads: &Rc<Work>, turn: Duration) -> Result<Latencies> {
    Load::begin(staff, READERS, READ_PAUSE, reads).await?.end_after(turn).await?.expect_no_failure()
}
