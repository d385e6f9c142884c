//! How often an operation asks the database, as the server itself counts it for a request with `x-octavo-trace`.

use anyhow::{Context, Result};
use octavo_lab::clock;
use octavo_lab::load::{Session, Told};
use octavo_lab::statistics::Spread;

use super::call::{CHECK_IN, CHECK_OUT, Call, RENEW};
use super::stock::Stock;

/// The reported figure is the median of the later half, when statements are prepared and memory is warm.
const REPETITIONS: u64 = 60;
pub(crate) const OPERATIONS: [&str; 4] = ["GET item by id", "check-out", "renew", "check-in"];

/// The trace of each operation; `from` is the number of the first item that may be checked out.
pub(crate) async fn count(staff: &mut Session, stock: &Stock, from: u64) -> Result<[Told; 4]> {
    let mut told = Vec::new();
    // FOLIO's clients send the clock of the desk.
    let today = format!("{}T23:59:59.000Z", clock::date());
    for number in from..from + REPETITIONS {
        let post = |path: &str, body: Option<String>| Ok(Call::post(path, body.context("too few items")?));
        let calls: [Result<Call>; 4] = [
            Ok(Call::get(format!("/item-storage/items/{}", stock.id(number)))),
            post(CHECK_OUT, stock.check_out(number)),
            post(RENEW, stock.renew(number)),
            post(CHECK_IN, stock.check_in(number, &today)),
        ];
        let mut four = [Told::default(); 4];
        for ((call, status), told) in calls.into_iter().zip([200, 201, 200, 200]).zip(&mut four) {
            *told = call?.traced(staff, status).await?;
        }
        told.push(four);
    }
    let warm = &told[told.len() / 2..];
    Ok([0, 1, 2, 3].map(|at| typical(warm.iter().map(|four| four[at]))))
}

/// Counts of the last repetition, medians of the times.
fn typical(repetitions: impl Iterator<Item = Told>) -> Told {
    let all: Vec<Told> = repetitions.collect();
    let median = |time: fn(&Told) -> f64| Spread::over(all.iter().map(time)).median;
    Told {
        database_millis: median(|told| told.database_millis),
        server_millis: median(|told| told.server_millis),
        ..all.last().copied().unwrap_or_default()
    }
}
