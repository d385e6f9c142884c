//! The counters of each module, which every request adds to, without a lock and without allocating. They only grow: the difference
//! of two readings is what happened in between.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use octavo_pg::Usage;

use super::page::Page;

/// Counters by the name of the module; requests that no module answers are under `none`.
pub(crate) type CountsByModule = BTreeMap<&'static str, Arc<Counts>>;

/// The upper bounds of the histogram of times, in microseconds.
const BOUNDS: [u64; 14] = [
    500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
    5_000_000, 10_000_000,
];

#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// How many answers there were, by the first digit of the status.
    statuses: [AtomicU64; 6],
    /// How many answers took up to each of the bounds; the last counts those that took longer than all.
    times: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
    busy_nanos: AtomicU64,
    round_trips: AtomicU64,
    statements: AtomicU64,
    rows: AtomicU64,
    database_micros: AtomicU64,
    unindexed: AtomicU64,
    retries: AtomicU64,
    repeats: AtomicU64,
    too_costly: AtomicU64,
}

/// A request that was answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered<'a> {
    pub(crate) status: u16,
    pub(crate) time: Duration,
    /// How long threads worked on it.
    pub(crate) busy: Duration,
    pub(crate) usage: &'a Usage,
}

impl Counts {
    pub(crate) fn add(&self, answered: Answered<'_>) {
        let Answered { status, time, busy, usage } = answered;
        let micros = time.as_micros() as u64;
        let add = |count: &AtomicU64, more: u64| {
            if more > 0 {
                count.fetch_add(more, Relaxed);
            }
        };
        add(&self.statuses[usize::from(status / 100).min(self.statuses.len() - 1)], 1);
        add(&self.times[BOUNDS.partition_point(|bound| *bound < micros)], 1);
        add(&self.micros, micros);
        add(&self.busy_nanos, busy.as_nanos() as u64);
        for (count, used) in [
            (&self.round_trips, &usage.round_trips),
            (&self.statements, &usage.statements),
            (&self.rows, &usage.rows),
            (&self.database_micros, &usage.database_micros),
            (&self.unindexed, &usage.unindexed),
            (&self.retries, &usage.retries),
            (&self.repeats, &usage.repeats),
            (&self.too_costly, &usage.too_costly),
        ] {
            add(count, used.load(Relaxed));
        }
    }

    fn requests(&self) -> u64 {
        self.statuses.iter().map(|count| count.load(Relaxed)).sum()
    }
}

/// Modules that nobody has asked anything yet are left out.
pub(super) fn write_page(page: &mut Page, modules: &CountsByModule) {
    let asked: Vec<(&str, &Counts)> = modules
        .iter()
        .map(|(module, counts)| (*module, counts.as_ref()))
        .filter(|(_, counts)| counts.requests() > 0)
        .collect();
    page.family(
        "octavo_requests_total",
        "counter",
        "Requests that were answered, by the module that answered and the kind of status; module none: no route was found",
    );
    for (module, counts) in &asked {
        for (digit, count) in counts.statuses.iter().enumerate() {
            let count = count.load(Relaxed);
            if count > 0 {
                page.value(&[("module", module), ("status", &format!("{digit}xx"))], count);
            }
        }
    }
    page.family(
        "octavo_request_duration_seconds",
        "histogram",
        "From the head of a request to its ready answer",
    );
    for (module, counts) in &asked {
        write_times(page, module, counts);
    }
    for (name, help, of) in FAMILIES {
        page.family(name, "counter", help);
        for (module, counts) in &asked {
            page.value(&[("module", module)], of(counts));
        }
    }
}

fn write_times(page: &mut Page, module: &str, counts: &Counts) {
    let mut so_far = 0;
    for (at, count) in counts.times.iter().enumerate() {
        so_far += count.load(Relaxed);
        let bound = BOUNDS.get(at).map_or("+Inf".to_owned(), |bound| (*bound as f64 / 1e6).to_string());
        page.value_with_suffix("_bucket", &[("module", module), ("le", &bound)], so_far);
    }
    page.value_with_suffix("_sum", &[("module", module)], counts.micros.load(Relaxed) as f64 / 1e6);
    page.value_with_suffix("_count", &[("module", module)], so_far);
}

type Family = (&'static str, &'static str, fn(&Counts) -> f64);

const FAMILIES: [Family; 9] = [
    (
        "octavo_request_busy_seconds_total",
        "Time that threads worked on requests, by the wall clock: processor time, and more where threads wait for a processor; \
         without the reading and writing of HTTP",
        |counts| counts.busy_nanos.load(Relaxed) as f64 / 1e9,
    ),
    ("octavo_round_trips_total", "Questions to the database, each one round trip", |counts| {
        counts.round_trips.load(Relaxed) as f64
    }),
    ("octavo_statements_total", "SQL statements in them", |counts| counts.statements.load(Relaxed) as f64),
    ("octavo_rows_total", "Rows that came back", |counts| counts.rows.load(Relaxed) as f64),
    ("octavo_database_seconds_total", "Time that requests waited for answers of the database", |counts| {
        counts.database_micros.load(Relaxed) as f64 / 1e6
    }),
    (
        "octavo_unindexed_fields_total",
        "Fields that were searched without an index, whole tables being read",
        |counts| counts.unindexed.load(Relaxed) as f64,
    ),
    (
        "octavo_retries_total",
        "Decisions that were made anew after a conflict with another transaction",
        |counts| counts.retries.load(Relaxed) as f64,
    ),
    (
        "octavo_repeats_total",
        "Questions and requests that were begun anew because their connection to the database was lost",
        |counts| counts.repeats.load(Relaxed) as f64,
    ),
    (
        "octavo_queries_too_costly_total",
        "Searches that were refused because they would read too much",
        |counts| counts.too_costly.load(Relaxed) as f64,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_histogram_counts_up_and_ends_with_everything() {
        let counts = Counts::default();
        for (millis, status) in [(0, 200), (1, 201), (3, 422), (60_000, 500)] {
            let time = Duration::from_millis(millis);
            counts.add(Answered { status, time, busy: time / 2, usage: &Usage::default() });
        }
        let mut text = Page::default();
        write_page(&mut text, &[("mod-users", Arc::new(counts)), ("mod-notes", Arc::default())].into());
        let text = text.into_text();
        for line in [
            "octavo_requests_total{module=\"mod-users\",status=\"2xx\"} 2",
            "octavo_requests_total{module=\"mod-users\",status=\"4xx\"} 1",
            "octavo_request_duration_seconds_bucket{module=\"mod-users\",le=\"0.0005\"} 1",
            "octavo_request_duration_seconds_bucket{module=\"mod-users\",le=\"0.001\"} 2",
            "octavo_request_duration_seconds_bucket{module=\"mod-users\",le=\"0.005\"} 3",
            "octavo_request_duration_seconds_bucket{module=\"mod-users\",le=\"10\"} 3",
            "octavo_request_duration_seconds_bucket{module=\"mod-users\",le=\"+Inf\"} 4",
            "octavo_request_duration_seconds_sum{module=\"mod-users\"} 60.004",
            "octavo_request_duration_seconds_count{module=\"mod-users\"} 4",
            "octavo_request_busy_seconds_total{module=\"mod-users\"} 30.002",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(!text.contains("mod-notes"));
    }
}
