//! The thread of the collectors: each begins with a reading before the load, goes on at even steps, and ends with one after it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, LocalSet};
use tokio::time::timeout;

use crate::clock;
use crate::http::Address;
use crate::series::Series;

use super::found::{Collected, Found};
use super::postgres::Postgres;
use super::process::Process;
use super::prometheus::Metrics;
use super::wanted::{Source, Wanted};

/// The longest time of one reading; the first and the last, which read more, have a longer one.
const LONGEST: Duration = Duration::from_secs(10);
const LONGEST_END: Duration = Duration::from_secs(60);

/// Collectors at work.
pub(crate) struct Watching {
    stop: watch::Sender<bool>,
    thread: std::thread::JoinHandle<(Vec<Series>, Collected)>,
}

/// Begins, and returns when every collector has its first reading: the load may start. `server` is the one under test.
pub(crate) async fn begin(wanted: &[Wanted], server: &Address, duration: Duration) -> Result<Watching> {
    let (stop, stopped) = watch::channel(false);
    let (ready, begun) = oneshot::channel();
    let (wanted, server) = (wanted.to_vec(), server.clone());
    let every = (duration / 120).clamp(Duration::from_secs(1), Duration::from_secs(10));
    let name = std::thread::Builder::new().name("collectors".to_owned());
    let thread = name.spawn(move || collect(wanted, &server, every, ready, &stopped))?;
    begun.await.context("the collectors ended")?;
    Ok(Watching { stop, thread })
}

impl Watching {
    pub(crate) async fn end(self) -> (Vec<Series>, Collected) {
        self.stop.send_replace(true);
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await;
        joined.ok().and_then(std::result::Result::ok).unwrap_or_else(|| {
            let failed = vec!["the collectors ended before their time".to_owned()];
            (Vec::new(), Collected { failed, ..Collected::default() })
        })
    }
}

fn collect(
    wanted: Vec<Wanted>,
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
                let (name, server) = (described(&wanted), server.clone());
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
                (name.clone(), local.spawn_local(go_on(name, collector, zero, every, stop)))
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

fn described(wanted: &Wanted) -> String {
    let kind = match &wanted.source {
        Source::Metrics(_) => "metrics",
        Source::Process(_) => "process",
        Source::Postgres(_) => "postgres",
    };
    format!("{kind} of {}", wanted.name)
}

/// Reads until it is told to stop, then once more. A reading that fails is counted, and the next one tried.
async fn go_on(
    name: String,
    mut collector: Collector,
    zero: Instant,
    every: Duration,
    mut stop: watch::Receiver<bool>,
) -> (Found, Vec<String>) {
    let (mut readings, mut failures, mut first) = (0u32, 0u32, None);
    while tokio::time::timeout(every, stop.wait_for(|stop| *stop)).await.is_err() {
        readings += 1;
        if let Err(error) = within(LONGEST, collector.sample(zero.elapsed().as_secs_f64())).await {
            failures += 1;
            first.get_or_insert_with(|| format!("{error:#}"));
        }
    }
    let mut failed: Vec<String> = first
        .map(|why| format!("{name}: {failures} of {readings} readings failed, the first with: {why}"))
        .into_iter()
        .collect();
    if let Err(error) = within(LONGEST_END, collector.end(zero.elapsed().as_secs_f64())).await {
        failed.push(format!("{name}: the last reading failed: {error:#}"));
    }
    (collector.found(), failed)
}

async fn within<T>(longest: Duration, reading: impl Future<Output = Result<T>>) -> Result<T> {
    let read = timeout(longest, reading).await;
    read.unwrap_or_else(|_| bail!("no answer within {} s", longest.as_secs()))
}

enum Collector {
    Process(Process),
    Metrics(Box<Metrics>),
    Postgres(Box<Postgres>),
}

impl Collector {
    async fn begin(wanted: &Wanted, server: &Address) -> Result<Collector> {
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
        within(LONGEST_END, begin).await
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

    fn found(self) -> Found {
        match self {
            Collector::Process(process) => process.found(),
            Collector::Metrics(metrics) => metrics.found(),
            Collector::Postgres(postgres) => postgres.found(),
        }
    }
}
