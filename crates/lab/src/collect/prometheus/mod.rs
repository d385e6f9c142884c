//! Pages for Prometheus: Octavo's own, with its modules; those of FOLIO's modules, which have the names that Java programs give
//! their metrics; those of cAdvisor, which tells of every container.

mod known;
mod octavo;
mod text;

use anyhow::{Context, Result, bail};

use crate::http::{Address, Answer, Authorities, Connection};

use super::found::Found;
use super::lines::{Lines, Rates};
use octavo::Modules;
use text::parse;

pub(super) struct Metrics {
    name: String,
    address: Address,
    connection: Connection,
    lines: Lines,
    rates: Rates,
    modules: Modules,
}

impl Metrics {
    pub(super) async fn begin(name: &str, url: &str, authorities: &Authorities) -> Result<Metrics> {
        let address = Address::parse(url, authorities)?;
        let connection = Connection::to(&address);
        let (lines, rates) = (Lines::new("Prometheus"), Rates::default());
        let mut metrics =
            Metrics { name: name.to_owned(), address, connection, lines, rates, modules: Modules::default() };
        metrics.read(None).await?;
        Ok(metrics)
    }

    pub(super) async fn sample(&mut self, seconds: f64) -> Result<()> {
        self.read(Some(seconds)).await
    }

    /// Reads the page. A reading without a time is the one before the load, from which counters are counted.
    async fn read(&mut self, seconds: Option<f64>) -> Result<()> {
        let answer = self.page().await?;
        if answer.status != 200 {
            bail!("{}: {}", self.address.url, answer.in_short());
        }
        let text = std::str::from_utf8(&answer.body).context("the page is no text")?;
        let values = parse(text);
        if values.is_empty() {
            bail!("{} is no page for Prometheus: {}", self.address.url, answer.in_short());
        }
        if values.iter().any(|value| value.name == "octavo_build_info") {
            self.lines.is_from("octavo");
        }
        self.rates.read_at(seconds.unwrap_or(0.0));
        known::add(&mut self.lines, &mut self.rates, &self.name, seconds, &values);
        self.modules.add(&mut self.lines, seconds, &values);
        Ok(())
    }

    async fn page(&mut self) -> Result<Answer> {
        let Address { prefix, .. } = &self.address;
        let (path, host) = (if prefix.is_empty() { "/" } else { prefix }, self.address.authority());
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/plain\r\n\r\n");
        self.connection.exchange(request.as_bytes()).await
    }

    pub(super) fn found(self) -> Found {
        let (series, told) = self.lines.finish();
        Found { series, modules: self.modules.uses(), notes: told.into_iter().collect(), ..Found::default() }
    }
}
