//! The collector that reads pages of metrics for Prometheus: of Octavo (with figures of its modules), of FOLIO's modules (with the usual
//! names of Java programs) and of cAdvisor (figures of all containers).

mod known;
mod octavo;
mod text;

use anyhow::{Context, Result, bail};

use crate::http::{Address, Answer, Authorities, Connection};

use super::found::Findings;
use super::lines::{CollectorSeries, Rates};
use octavo::ModuleCounters;
use text::parse;

pub(super) struct Metrics {
    name: String,
    address: Address,
    connection: Connection,
    series: CollectorSeries,
    rates: Rates,
    modules: ModuleCounters,
}

impl Metrics {
    pub(super) async fn begin(name: &str, url: &str, authorities: &Authorities) -> Result<Metrics> {
        let address = Address::parse(url, authorities)?;
        let connection = Connection::new(&address);
        let (lines, rates) = (CollectorSeries::new("Prometheus"), Rates::default());
        let mut metrics = Metrics {
            name: name.to_owned(),
            address,
            connection,
            series: lines,
            rates,
            modules: ModuleCounters::default(),
        };
        metrics.read(None).await?;
        Ok(metrics)
    }

    pub(super) async fn sample(&mut self, seconds: f64) -> Result<()> {
        self.read(Some(seconds)).await
    }

    /// Reads the page of metrics. `seconds` is None for the reading before the load; it gives the counters their first values.
    async fn read(&mut self, seconds: Option<f64>) -> Result<()> {
        let answer = self.fetch_page().await?;
        if answer.status != 200 {
            bail!("{}: {}", self.address.url, answer.summary());
        }
        let text = std::str::from_utf8(&answer.body).context("the page is no text")?;
        let values = parse(text);
        if values.is_empty() {
            bail!("{} is no page for Prometheus: {}", self.address.url, answer.summary());
        }
        if values.iter().any(|value| value.name == "octavo_build_info") {
            self.series.set_source("octavo");
        }
        self.rates.start_reading(seconds.unwrap_or(0.0));
        known::add_known_metrics(&mut self.series, &mut self.rates, &self.name, seconds, &values);
        self.modules.add(&mut self.series, seconds, &values);
        Ok(())
    }

    async fn fetch_page(&mut self) -> Result<Answer> {
        let Address { prefix, .. } = &self.address;
        let (path, host) = (if prefix.is_empty() { "/" } else { prefix }, self.address.authority());
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/plain\r\n\r\n");
        self.connection.exchange(request.as_bytes()).await
    }

    pub(super) fn into_findings(self) -> Findings {
        let (series, told) = self.series.finish();
        Findings {
            series,
            modules: self.modules.into_module_uses(),
            notes: told.into_iter().collect(),
            ..Findings::default()
        }
    }
}
