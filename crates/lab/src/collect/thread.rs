//! The thread on which the collectors run. Each collector reads once before the load, then at regular intervals, then once after the load.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, LocalSet};
use tokio::time::timeout;

use crate::clock;
use crate::http::Address;
use crate::series::Series;

use super::found::{Collected, Findings};
use super::postgres::Postgres;
use super::process::Process;
use super::prometheus::Metrics;
use super::wanted::{CollectorSpec, Source};

/// The longest time that a reading may take. The first and the last reading read more, so they have a longer limit (next constant).
const READING_TIMEOUT: Duration = Duration::from_secs(10);
const FIRST_LAST_READING_TIMEOUT: Duration = Duration::from_secs(60);

/// The thread of the running collectors, and the channel that stops it.
pub(crate) struct RunningCollectors {
    stop: watch::Sender<bool>,
    thread: std::thread::JoinHandle<(Vec<Series>, Collected)>,
}

/// Starts the collectors. Returns when every collector has made its first reading, so that the load may start. `server` is the server under
/// test.
pub(crate) async fn start_collectors(
    wanted: &[CollectorSpec],
    server: &Address,
    duration: Duration,
) -> Result<RunningCollectors> {
    let (stop, stopped) = watch::channel(false);
    let (ready, begun) = oneshot::channel();
    let (wanted, server) = (wanted.to_vec(), server.clone());
    let every = (duration / 120).clamp(Duration::from_secs(1), Duration::from_secs(10));
    let name = std::thread::Builder::new().name("collectors".to_owned());
    let thread = name.spawn(move || run_collectors(wanted, &server, every, ready, &stopped))?;
    begun.await.context("the collectors ended")?;
    Ok(RunningCollectors { stop, thread })
}

impl RunningCollectors {
    pub(crate) async fn end(self) -> (Vec<Series>, Collected) {
        self.stop.send_replace(true);
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await;
        joined.ok().and_then(std::result::Result::ok).unwrap_or_else(|| {
            let failed = vec!["the collectors ended before their time".to_owned()];
            (Vec::new(), Collected { failed, ..Collected::default() })
        })
    }
}

fn run_collectors(
    wanted: Vec<CollectorSpec>,
    server: &Address,
    every: Duration,
    ready: oneshot::Sender<()>,
    stop: &watch::Receiver<bool>,
) -> (Vec<Series>, Collected) {
    let (mut series, mut collected) = (Vec::new(), Collected::default());
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            collected.failed.push(format!("nothing could be collected: {error}"));
            return (series, collected);
        }
    };
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let beginning: Vec<(String, JoinHandle<Result<Collector>>)> = wanted
            .into_iter()
            .map(|wanted| {
                let (name, server) = (collector_label(&wanted), server.clone());
                (name, local.spawn_local(async move { Collector::begin(&wanted, &server).await }))
            })
            .collect();
        let mut begun = Vec::new();
        for (name, beginning) in beginning {
            match beginning.await.map_err(Into::into).and_then(|begun| begun) {
                Ok(collector) => begun.push((name, collector)),
                Err(error) => collected.failed.push(format!("{name} could not be collected: {error:#}")),
            }
        }
        let zero = clock::now();
        let _ = ready.send(());
        let under_way: Vec<_> = begun
            .into_iter()
            .map(|(name, collector)| {
                let stop = stop.clone();
                (name.clone(), local.spawn_local(sample_until_stopped(name, collector, zero, every, stop)))
            })
            .collect();
        for (name, collector) in under_way {
            match collector.await {
                Ok((found, failed)) => {
                    series.extend(found.series);
                    collected.modules.extend(found.modules);
                    collected.databases.extend(found.database);
                    collected.failed.extend(found.notes.into_iter().map(|note| format!("{name}: {note}")));
                    collected.failed.extend(failed);
                }
                Err(error) => collected.failed.push(format!("{name} ended before its time: {error}")),
            }
        }
    });
    (series, collected)
}

fn collector_label(wanted: &CollectorSpec) -> String {
    let kind = match &wanted.source {
        Source::Metrics(_) => "metrics",
        Source::Process(_) => "process",
        Source::Postgres(_) => "postgres",
    };
    format!("{kind} of {}", wanted.name)
}

/// Reads at each interval until the run stops, then once more. A reading that fails is counted, and the next reading is tried.
async fn sample_until_stopped(
    name: String,
    mut collector: Collector,
    zero: Instant,
    every: Duration,
    mut stop: watch::Receiver<bool>,
) -> (Findings, Vec<String>) {
    let (mut readings, mut failures, mut first) = (0u32, 0u32, None);
    while tokio::time::timeout(every, stop.wait_for(|stop| *stop)).await.is_err() {
        readings += 1;
        if let Err(error) =
            with_timeout(READING_TIMEOUT, collector.sample(zero.elapsed().as_secs_f64())).await
        {
            failures += 1;
            first.get_or_insert_with(|| format!("{error:#}"));
        }
    }
    let mut failed: Vec<String> = first
        .map(|why| format!("{name}: {failures} of {readings} readings failed, the first with: {why}"))
        .into_iter()
        .collect();
    if let Err(error) =
        with_timeout(FIRST_LAST_READING_TIMEOUT, collector.end(zero.elapsed().as_secs_f64())).await
    {
        failed.push(format!("{name}: the last reading failed: {error:#}"));
    }
    (collector.into_findings(), failed)
}

async fn with_timeout<T>(longest: Duration, reading: impl Future<Output = Result<T>>) -> Result<T> {
    let read = timeout(longest, reading).await;
    read.unwrap_or_else(|_| bail!("no answer within {} s", longest.as_secs()))
}

enum Collector {
    Process(Process),
    Metrics(Box<Metrics>),
    Postgres(Box<Postgres>),
}

impl Collector {
    async fn begin(wanted: &CollectorSpec, server: &Address) -> Result<Collector> {
        let begin = async {
            match &wanted.source {
                Source::Process(which) => Ok(Collector::Process(Process::begin(&wanted.name, which)?)),
                Source::Metrics(url) => {
                    let usual = format!("{}/metrics", server.url);
                    let url = url.as_deref().unwrap_or(&usual);
                    Ok(Collector::Metrics(Box::new(
                        Metrics::begin(&wanted.name, url, &server.authorities).await?,
                    )))
                }
                Source::Postgres(url) => {
                    Ok(Collector::Postgres(Box::new(Postgres::begin(&wanted.name, url).await?)))
                }
            }
        };
        with_timeout(FIRST_LAST_READING_TIMEOUT, begin).await
    }

    async fn sample(&mut self, seconds: f64) -> Result<()> {
        match self {
            Collector::Process(process) => process.sample(seconds),
            Collector::Metrics(metrics) => metrics.sample(seconds).await,
            Collector::Postgres(postgres) => postgres.sample(seconds).await,
        }
    }

    async fn end(&mut self, seconds: f64) -> Result<()> {
        match self {
            Collector::Process(process) => process.sample(seconds),
            Collector::Metrics(metrics) => metrics.sample(seconds).await,
            Collector::Postgres(postgres) => postgres.end(seconds).await,
        }
    }

    fn into_findings(self) -> Findings {
        match self {
            Collector::Process(process) => process.into_findings(),
            Collector::Metrics(metrics) => metrics.into_findings(),
            Collector::Postgres(postgres) => postgres.into_findings(),
        }
    }
}
