//! `GET /metrics`: what this process does, as Prometheus reads it.
//!
//! The page contains nothing of a library: its labels are modules, timers and kinds of tasks, and the figures of all tenants are added up.
//! A request costs a few additions to counters in memory; figures from the database are read when the page is asked for. Facts: the text
//! format of Prometheus, version 0.0.4, and its usual names for what any process has.

mod busy;
mod counts;
mod page;
mod process;
mod readers;
mod replicas;
mod waiting;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use futures_util::future::join_all;
use hyper::header::HeaderValue;
use hyper::{Request, Response, StatusCode};
use octavo_engine::Platform;
use octavo_pg::{BackupReport, Pool};

pub(crate) use busy::{Timed, Work, now};
pub(crate) use counts::{Answered, Counts, CountsByModule};
pub use readers::Readers;
pub(crate) use waiting::WaitingTasks;

use page::Page;
use waiting::WaitingCounts;

use crate::clients::Client;
use crate::outgoing::ResponseBody;
use crate::traces::Traces;

const PATH: &str = "/metrics";
const REFUSED: &str = "/metrics is for callers on this machine; the setting metrics-for lets in others\n";

pub(crate) fn is_metrics_request<B>(request: &Request<B>, readers: Readers) -> bool {
    request.method() == hyper::Method::GET && request.uri().path() == PATH && readers != Readers::Nobody
}

/// A database of this process for health checks and metrics, with its name if there are several.
pub(crate) struct MonitoredDatabase {
    pub(crate) name: Option<String>,
    /// `None` if it could not be reached since the process was started.
    pub(crate) reached: Option<(Platform, Arc<WaitingTasks>)>,
}

impl MonitoredDatabase {
    async fn waiting_counts(&self) -> Option<Arc<WaitingCounts>> {
        let (platform, waiting) = self.reached.as_ref()?;
        waiting.load_counts(platform).await
    }

    /// Whether notices and timers are late; not, as far as is known, if it does not answer.
    pub(crate) async fn are_late(&self) -> (bool, bool) {
        match &self.reached {
            Some((platform, waiting)) => waiting.are_late(platform).await,
            None => (false, false),
        }
    }
}

pub(crate) async fn answer(
    client: &Client,
    readers: Readers,
    databases: Vec<MonitoredDatabase>,
    (modules, traces): (&CountsByModule, &Traces),
) -> Response<ResponseBody> {
    let mut reply = Response::default();
    let mut content_type = "text/plain";
    let text = if readers.admit(client) {
        content_type = "text/plain; version=0.0.4; charset=utf-8";
        let mut page = Page::default();
        write_build_info(&mut page);
        counts::write_page(&mut page, modules);
        write_databases(&mut page, databases).await;
        write_traces(&mut page, traces);
        process::write_page(&mut page);
        page.into_text()
    } else {
        *reply.status_mut() = StatusCode::FORBIDDEN;
        REFUSED.to_owned()
    };
    *reply.body_mut() = ResponseBody::from_bytes(text);
    reply.headers_mut().insert("content-type", HeaderValue::from_static(content_type));
    reply
}

async fn write_databases(page: &mut Page, databases: Vec<MonitoredDatabase>) {
    let found = join_all(databases.iter().map(MonitoredDatabase::waiting_counts)).await;
    for (MonitoredDatabase { name, reached: there }, found) in databases.into_iter().zip(found) {
        page.set_common_label(name.map(|name| ("database", name)));
        if let Some((platform, _)) = &there {
            write_pool(page, platform.database.pool());
            write_database(page, platform);
            replicas::write_page(page, platform);
        }
        waiting::write_page(page, found.as_deref());
    }
    page.set_common_label(None);
}

fn write_build_info(page: &mut Page) {
    page.family("octavo_build_info", "gauge", "Always 1; the label is the version");
    page.value(&[("version", env!("CARGO_PKG_VERSION"))], 1);
}

fn write_traces(page: &mut Page, traces: &Traces) {
    page.family("octavo_trace_spans_sent_total", "counter", "Spans that the collector of traces took");
    page.value(&[], traces.sent.load(Relaxed));
    page.family(
        "octavo_trace_spans_dropped_total",
        "counter",
        "Spans for which there was no room in the queue, or that no collector took",
    );
    page.value(&[], traces.dropped.load(Relaxed));
}

fn write_pool(page: &mut Page, pool: Pool) {
    page.family("octavo_database_connections", "gauge", "Connections of the pool, lent to a request or idle");
    page.value(&[("state", "lent")], pool.lent);
    page.value(&[("state", "idle")], pool.idle);
    page.family("octavo_database_connections_max", "gauge", "Connections that may be lent at once");
    page.value(&[], pool.max_connections);
    page.family(
        "octavo_database_connections_withheld",
        "gauge",
        "Connections that may be lent but are not, because PostgreSQL has no room for them",
    );
    page.value(&[], pool.withheld);
    page.family("octavo_database_connections_opened_total", "counter", "Connections that were ever opened");
    page.value(&[], pool.opened);
    page.family("octavo_database_waits_total", "counter", "Requests that had to wait for a connection");
    page.value(&[], pool.waits);
    page.family("octavo_database_wait_seconds_total", "counter", "Time that they waited for one");
    page.value(&[], pool.wait_time.as_secs_f64());
}

fn write_database(page: &mut Page, platform: &Platform) {
    page.family(
        "octavo_database_refusals_total",
        "counter",
        "What was refused, by kind of work and why: busy, no connection became free in time; time, it took longer than it may; \
         silent, PostgreSQL did not answer",
    );
    for (work, why, count) in platform.database.refusals() {
        page.value(&[("work", work), ("why", why)], count);
    }
    page.family(
        "octavo_database_moves_total",
        "counter",
        "How often all connections were thrown away because another server accepts changes, or the one that did no longer does",
    );
    page.value(&[], platform.database.count_server_changes());
    page.family(
        "octavo_listening",
        "gauge",
        "Whether changes by other processes are heard of, 1 or 0; while not, nothing is remembered between requests",
    );
    page.value(&[], u8::from(platform.lease.is_valid()));
    if let Some(free) = platform.database.disk().free_bytes() {
        page.family("octavo_disk_free_bytes", "gauge", "Space left on the disk of the private database");
        page.value(&[], free);
    }
    if let Some(report) = platform.database.backups().last_report() {
        write_backups(page, report);
    }
}

fn write_backups(page: &mut Page, report: BackupReport) {
    let instants = [
        ("octavo_backup_ended_timestamp_seconds", "When the last whole backup ended", report.ended),
        (
            "octavo_backup_archived_timestamp_seconds",
            "Up to when all changes are in the archive",
            report.archived_until,
        ),
    ];
    for (name, help, at) in instants {
        if let Some(at) = at {
            page.family(name, "gauge", help);
            page.value(&[], at);
        }
    }
    page.family(
        "octavo_backup_archive_lag_bytes",
        "gauge",
        "Log of changes that the archive does not have yet",
    );
    page.value(&[], report.lag_bytes);
    page.family(
        "octavo_backup_late",
        "gauge",
        "Whether a backup is long due, or the archive far behind, 1 or 0",
    );
    page.value(&[], u8::from(report.is_late));
}
