//! Many log in at the same time: the same user again and again, as scripts and edge modules do, and a different person each time, as in
//! the morning or when a class begins. Others go on reading.

use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use octavo_lab::load::Session;
use octavo_lab::statistics::{Latencies, Spread};
use octavo_lab::table::{Page, figure as written};
use serde_json::json;

use super::Size;
use crate::bench::call::Call;
use crate::bench::library::STAFF;
use crate::bench::load::{Load, Work};
use crate::bench::say;
use crate::bench::stock::Stock;

const READERS: u32 = 4;
const BREATH: Duration = Duration::from_millis(10);
/// Each pauses for a quarter of a second between two log-ins, so that together they log in a hundred times a second if that takes 50 ms.
const CROWD: u32 = 30;
const AGAIN: Duration = Duration::from_millis(250);
/// More than log in within all turns, for each second of them.
const PEOPLE: u64 = 120;

pub(super) async fn measure(size: Size, staff: &Session, stock: Stock, page: &mut Page) -> Result<()> {
    let reads =
        Work::new(200, move |number| Some(Call::get(format!("/item-storage/items/{}", stock.id(number)))));
    let people = PEOPLE * size.turn.as_secs() * u64::from(size.rounds);
    say("giving people passwords");
    for number in 0..people {
        employ(staff, &person(number)).await?;
    }
    let same = log_ins(|_| Some(STAFF.to_owned()));
    let each = log_ins(move |number| (number < people).then(|| person(number)));
    for (whose, log_ins) in
        [("the same user logs in again and again", same), ("another person logs in each time", each)]
    {
        say(&format!("reading items while {whose}"));
        beside(size, staff, &reads, &log_ins, whose, page).await?;
    }
    Ok(())
}

/// The readers alone and while others log in, in turn.
async fn beside(
    size: Size,
    staff: &Session,
    reads: &Rc<Work>,
    log_ins: &Rc<Work>,
    whose: &str,
    page: &mut Page,
) -> Result<()> {
    let [mut calm, mut crowded, mut waited] = [const { Vec::new() }; 3];
    let mut logged_in = 0.0;
    read(staff, reads, size.turn).await?;
    for _ in 0..size.rounds {
        calm.push(read(staff, reads, size.turn).await?.percentiles().p95);
        let crowd = Load::begin(staff, CROWD, AGAIN, log_ins).await?;
        crowded.push(read(staff, reads, size.turn).await?.percentiles().p95);
        let turn = crowd.end().await?;
        let elapsed = turn.elapsed.as_secs_f64();
        let times = turn.expected()?;
        logged_in += times.count() as f64 / elapsed / f64::from(size.rounds);
        waited.push(times.percentiles().p95);
    }
    let ratio = Spread::over(crowded.iter().zip(&calm).map(|(crowded, calm)| crowded / calm));
    page.text(format!(
        "{READERS} readers of items, each with a pause of {} ms: p95 {} ms alone, {} ms while {whose}, {} log-ins a second (their p95 \
         {} ms): {} times.",
        BREATH.as_millis(),
        Spread::over(calm).with_range(2),
        Spread::over(crowded).with_range(2),
        written(logged_in, 0),
        Spread::over(waited).with_range(0),
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

fn person(number: u64) -> String {
    format!("reader{number}")
}

async fn employ(staff: &Session, name: &str) -> Result<()> {
    let mut staff = staff.another();
    let user = json!({"username": name, "active": true, "personal": {"lastName": name}});
    staff.ask("POST", "/users", &user.to_string(), 201).await?;
    let credentials = json!({"username": name, "password": name}).to_string();
    staff.ask("POST", "/authn/credentials", &credentials, 201).await?;
    Ok(())
}

async fn read(staff: &Session, reads: &Rc<Work>, turn: Duration) -> Result<Latencies> {
    Load::begin(staff, READERS, BREATH, reads).await?.end_after(turn).await?.expected()
}
