//! How many tasks wait in the database for a relay or a timer. The database is asked when `/metrics` is read, at most every ten
//! seconds; if it does not answer, these figures are left out and the database is reported as down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_engine::outbox::{Backlog, backlog};
use octavo_engine::{Platform, TimerRuns};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::now;
use super::page::Page;

const CACHE_TIME: Duration = Duration::from_secs(10);
/// Half of what Prometheus usually waits for a page.
const MAX_WAIT: Duration = Duration::from_secs(5);

pub(crate) struct WaitingTasks {
    /// How many seconds a task may be overdue before it counts as late.
    late_after: i64,
    last: Mutex<Option<(Instant, Option<Arc<WaitingCounts>>)>>,
}

pub(super) struct WaitingCounts {
    backlog: Vec<Backlog>,
    timers: Vec<TimerRuns>,
}

impl WaitingTasks {
    pub(crate) fn new(late: Duration) -> WaitingTasks {
        WaitingTasks { late_after: late.as_secs().cast_signed(), last: Mutex::default() }
    }

    /// Whether notices, and jobs by the clock, have been due for long.
    pub(crate) async fn are_late(&self, platform: &Platform) -> (bool, bool) {
        let Some(found) = self.load_counts(platform).await else { return (false, false) };
        let notices = found.backlog.iter().any(|one| one.overdue > self.late_after);
        (notices, found.timers.iter().any(|timer| timer.late > self.late_after))
    }

    /// `None` if the database does not answer.
    pub(super) async fn load_counts(&self, platform: &Platform) -> Option<Arc<WaitingCounts>> {
        let mut last = self.last.lock().await;
        if let Some((at, found)) = &*last
            && at.elapsed() < CACHE_TIME
        {
            return found.clone();
        }
        let asked = async {
            let kinds: Vec<&str> = platform.tasks().map(|task| task.kind).collect();
            let backlog = backlog(&platform.database, &kinds).await?;
            let timers = platform.timers.runs().await?;
            octavo_kernel::Outcome::Ok(Arc::new(WaitingCounts { backlog, timers }))
        };
        let found = match timeout(MAX_WAIT, asked).await {
            Ok(Ok(found)) => Some(found),
            Ok(Err(fault)) => {
                tracing::warn!(%fault, "what waits in the database cannot be counted");
                None
            }
            Err(_) => None,
        };
        *last = Some((now(), found.clone()));
        found
    }
}

/// `None` is a database that does not answer.
pub(super) fn write_page(page: &mut Page, found: Option<&WaitingCounts>) {
    page.family(
        "octavo_database_up",
        "gauge",
        "Whether the database answered when it was last asked, 1 or 0",
    );
    page.value(&[], u8::from(found.is_some()));
    if let Some(found) = found {
        found.write_page(page);
    }
}

impl WaitingCounts {
    fn write_page(&self, page: &mut Page) {
        page.family("octavo_outbox_waiting", "gauge", "What is to be done after changes, by kind");
        for one in &self.backlog {
            page.value(&[("kind", &one.kind)], one.waiting);
        }
        page.family("octavo_outbox_failing", "gauge", "What of it went wrong when it was last tried");
        for one in &self.backlog {
            page.value(&[("kind", &one.kind)], one.failing);
        }
        page.family("octavo_outbox_overdue_seconds", "gauge", "How long the oldest of it is due");
        for one in &self.backlog {
            page.value(&[("kind", &one.kind)], one.overdue);
        }
        page.family(
            "octavo_timer_last_run_timestamp_seconds",
            "gauge",
            "When a timer last ran for any tenant, since 1970",
        );
        for timer in &self.timers {
            if let Some(last) = timer.last {
                page.value(&[("timer", &timer.id)], last.as_second());
            }
        }
        page.family("octavo_timer_late_seconds", "gauge", "How long a timer is due that nobody runs");
        for timer in &self.timers {
            page.value(&[("timer", &timer.id)], timer.late);
        }
        page.family("octavo_timer_failed", "gauge", "Tenants for which a timer's last run went wrong");
        for timer in &self.timers {
            page.value(&[("timer", &timer.id)], timer.failed);
        }
    }
}
