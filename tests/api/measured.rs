//! How long calls take, for the tests that measure. They are ignored; each prints a table.

use std::time::{Duration, Instant};

use octavo_testkit::Reply;

/// What one kind of call took, each time.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) async fn of(&mut self, call: impl Future<Output = Reply>) -> Reply {
        let begun = Instant::now();
        let reply = call.await;
        self.0.push(begun.elapsed());
        reply
    }

    /// In milliseconds, of a hundred the so-manieth.
    pub(crate) fn percentile(&self, share: usize) -> f64 {
        let mut times = self.0.clone();
        times.sort_unstable();
        let at = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }

    pub(crate) fn row(&self, what: &str) -> String {
        format!("| {what} | {:.1} | {:.1} |", self.percentile(50), self.percentile(95))
    }
}

/// A table of rows.
pub(crate) fn print(title: &str, rows: &[String]) {
    println!("\n{title}; ms\n\n| call | p50 | p95 |\n|---|---|---|\n{}", rows.join("\n"));
}
