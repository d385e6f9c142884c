//! How often an operation asks the database, as the server itself counts it for a request with `x-octavo-trace`.

use anyhow::{Context, Result};
use octavo_lab::clock;
use octavo_lab::load::{ServerTrace, Session};
use octavo_lab::statistics::Spread;

use super::call::{CHECK_IN, CHECK_OUT, Call, RENEW};
use super::stock::Stock;

/// How often each operation is repeated. The median of the second half is reported, when statements are prepared and caches are filled.
const REPETITIONS: u64 = 60;
pub(crate) const OPERATIONS: [&str; 4] = ["GET item by id", "check-out", "renew", "check-in"];

/// The trace of each operation; `from` is the number of the first item that may be checked out.
pub(crate) async fn trace_operations(
    staff: &mut Session,
    stock: &Stock,
    from: u64,
) -> Result<[ServerTrace; 4]> {
    let mut told = Vec::new();
    // FOLIO's clients send the clock of the desk.
    let today = format!("{}T23:59:59.000Z", clock::date());
    for number in from..from + REPETITIONS {
        let post = |path: &str, body: Option<String>| Ok(Call::post(path, body.context("too few items")?));
        let calls: [Result<Call>; 4] = [
            Ok(Call::get(format!("/item-storage/items/{}", stock.item_id(number)))),
            post(CHECK_OUT, stock.check_out_body_of(number)),
            post(RENEW, stock.renew_body_of(number)),
            post(CHECK_IN, stock.check_in_body_of(number, &today)),
        ];
        let mut four = [ServerTrace::default(); 4];
        for ((call, status), told) in calls.into_iter().zip([200, 201, 200, 200]).zip(&mut four) {
            *told = call?.send_traced(staff, status).await?;
        }
        told.push(four);
    }
    let warm = &told[told.len() / 2..];
    Ok([0, 1, 2, 3].map(|at| medians(warm.iter().map(|four| four[at]))))
}

/// Counts of the last repetition, medians of the times.
fn medians(repetitions: impl Iterator<Item = ServerTrace>) -> ServerTrace {
    let all: Vec<ServerTrace> = repetitions.collect();
    let median = |time: fn(&ServerTrace) -> f64| Spread::from_rounds(all.iter().map(time)).median;
    ServerTrace {
        database_millis: median(|told| told.database_millis),
        server_millis: median(|told| told.server_millis),
        ..all.last().copied().unwrap_or_default()
    }
}
