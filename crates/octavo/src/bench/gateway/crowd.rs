//! Many people log in at the same time, as in the morning or when a class begins. Others go on reading.

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
use crate::bench::stock::Stock;

const READERS: u32 = 4;
const BREATH: Duration = Duration::from_millis(10);
/// Twenty-five people, each of whom logs in four times a second.
const CROWD: u32 = 25;
const AGAIN: Duration = Duration::from_millis(250);

pub(super) async fn measure(size: Size, staff: &Session, stock: Stock, page: &mut Page) -> Result<()> {
    let reads =
        Work::new(200, move |number| Some(Call::get(format!("/item-storage/items/{}", stock.id(number)))));
    let body = json!({"username": STAFF, "password": STAFF}).to_string();
    let log_ins = Work::new(201, move |_| Some(Call::post("/authn/login", body.clone())));
    let [mut calm, mut crowded, mut waited] = [const { Vec::new() }; 3];
    let mut logged_in = 0.0;
    read(staff, &reads, size.turn).await?;
    for _ in 0..size.rounds {
        calm.push(read(staff, &reads, size.turn).await?.percentiles().p95);
        let crowd = Load::begin(staff, CROWD, AGAIN, &log_ins).await?;
        crowded.push(read(staff, &reads, size.turn).await?.percentiles().p95);
        let turn = crowd.end().await?;
        let elapsed = turn.elapsed.as_secs_f64();
        let times = turn.expected()?;
        logged_in += times.count() as f64 / elapsed / f64::from(size.rounds);
        waited.push(times.percentiles().p95);
    }
    let ratio = Spread::over(crowded.iter().zip(&calm).map(|(crowded, calm)| crowded / calm));
    page.text(format!(
        "{READERS} readers of items, each with a pause of {} ms: p95 {} ms alone, {} ms while {} people a second log in (p95 of a log-in \
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

async fn read(staff: &Session, reads: &Rc<Work>, turn: Duration) -> Result<Latencies> {
    Load::begin(staff, READERS, BREATH, reads).await?.end_after(turn).await?.expected()
}
