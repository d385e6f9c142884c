//! How often an operation asks the database, as the server itself counts it for a request with `x-octavo-trace`.

use std::net::SocketAddr;

use anyhow::{Context, Result};

use super::figures::Spread;
use super::http::{Connection, request};
use super::stock::Stock;

#[derive(Debug, Clone, Default)]
pub(crate) struct Trips {
    pub(crate) operation: &'static str,
    pub(crate) round_trips: String,
    pub(crate) statements: String,
    pub(crate) database_ms: f64,
    pub(crate) total_ms: f64,
}

/// What is told is the median of the later half: statements are prepared and memory is warm.
const REPETITIONS: u64 = 60;

/// `from` is the number of the first of the items that may be lent.
pub(crate) async fn count(
    address: SocketAddr,
    headers: &str,
    stock: &Stock,
    from: u64,
) -> Result<Vec<Trips>> {
    let mut asker = Asker::new(address, headers).await?;
    let mut asked = Vec::new();
    for number in from..from + REPETITIONS {
        let body = |body: Option<String>| body.context("too few items");
        let get = format!("/item-storage/items/{}", stock.id(number));
        // FOLIO's clients send the clock of the desk.
        let today = format!("{}T23:59:59.000Z", super::clock::today());
        asked.push([
            asker.ask("GET item by id", "GET", &get, "", 200).await?,
            asker.ask("check-out", "POST", CHECK_OUT, &body(stock.check_out(number))?, 201).await?,
            asker.ask("renew", "POST", RENEW, &body(stock.renew(number))?, 200).await?,
            asker.ask("check-in", "POST", CHECK_IN, &body(stock.check_in(number, &today))?, 200).await?,
        ]);
    }
    let warm = &asked[asked.len() / 2..];
    Ok((0..4).map(|at| typical(warm.iter().map(|four| &four[at]))).collect())
}

/// Counts of the last repetition, medians of the times.
fn typical<'a>(repetitions: impl Iterator<Item = &'a Trips>) -> Trips {
    let all: Vec<&Trips> = repetitions.collect();
    let median = |time: fn(&Trips) -> f64| Spread::of(all.iter().map(|trips| time(trips))).median;
    let last = all.last().copied().cloned().unwrap_or_default();
    Trips { database_ms: median(|trips| trips.database_ms), total_ms: median(|trips| trips.total_ms), ..last }
}

pub(crate) const CHECK_OUT: &str = "/circulation/check-out-by-barcode";
pub(crate) const RENEW: &str = "/circulation/renew-by-barcode";
pub(crate) const CHECK_IN: &str = "/circulation/check-in-by-barcode";

/// Has the server count.
pub(crate) struct Asker {
    connection: Connection,
    headers: String,
}

impl Asker {
    pub(crate) async fn new(address: SocketAddr, headers: &str) -> Result<Asker> {
        let headers = format!("{headers}X-Octavo-Trace: 1\r\n");
        Ok(Asker { connection: Connection::open(address).await?, headers })
    }

    pub(crate) async fn ask(
        &mut self,
        operation: &'static str,
        method: &str,
        path: &str,
        body: &str,
        status: u16,
    ) -> Result<Trips> {
        let mut bytes = Vec::new();
        request(&mut bytes, method, path, &self.headers, body);
        let answer = self.connection.exchange(&bytes).await?;
        answer.expect(status, &format!("{method} {path} {body}"))?;
        let trace = answer.header("x-octavo-trace").context("the server tells no trace")?;
        let part = |name: &str| part(trace, name).with_context(|| format!("no {name} in {trace}"));
        let milliseconds = |name: &str| Ok::<f64, anyhow::Error>(part(name)?.parse::<f64>()? / 1000.0);
        Ok(Trips {
            operation,
            round_trips: part("round-trips")?.to_owned(),
            statements: part("statements")?.to_owned(),
            database_ms: milliseconds("database-us")?,
            total_ms: milliseconds("total-us")?,
        })
    }
}

/// `round-trips=2, statements=8, ...`
fn part<'a>(trace: &'a str, name: &str) -> Option<&'a str> {
    trace.split(", ").find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_read_by_name() {
        let trace = "round-trips=2, statements=8, rows=5";
        assert_eq!(part(trace, "statements"), Some("8"));
        assert_eq!(part(trace, "trips"), None);
    }
}
