//! How long calls take, for the tests that measure. They are ignored; each prints a table.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "time that passes is measured here, and told"
)]

use std::time::Instant;

use octavo_testkit::{Client, Reply};
use serde_json::{Value, json};

/// The times of one kind of call, and the part of each that the database took, in milliseconds.
#[derive(Default)]
pub(crate) struct CallTimes {
    total_ms: Vec<f64>,
    database_ms: Vec<f64>,
}

impl CallTimes {
    pub(crate) async fn measure(&mut self, call: impl Future<Output = Reply>) -> Reply {
        let begun = Instant::now();
        let reply = call.await;
        self.total_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        let trace = reply.header("x-octavo-trace").unwrap_or_default();
        let told = trace.split(", ").find_map(|part| part.strip_prefix("database-us=")?.parse::<f64>().ok());
        self.database_ms.extend(told.map(|micros| micros / 1e3));
        reply
    }

    /// The time in milliseconds within which so many of a hundred calls were answered.
    pub(crate) fn percentile(&self, share: usize) -> f64 {
        percentile(&self.total_ms, share)
    }

    pub(crate) fn row(&self, what: &str) -> String {
        let [p50, p95] = [50, 95].map(|share| self.percentile(share));
        format!("| {what} | {p50:.1} | {p95:.1} | {:.1} |", percentile(&self.database_ms, 50))
    }
}

fn percentile(times: &[f64], share: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable_by(f64::total_cmp);
    let at = (times.len() * share / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

/// A table of rows.
pub(crate) fn print_table(title: &str, rows: &[String]) {
    println!(
        "\n{title}; ms\n\n| call | p50 | p95 | p50 in the database |\n|---|---|---|---|\n{}",
        rows.join("\n")
    );
}

/// Copies of a stored item, many at once, with all that is computed of them.
pub(crate) async fn store_items(client: &Client, items: &[Value]) {
    for some in items.chunks(1_000) {
        let some: Vec<Value> = some.iter().cloned().map(without_server_members).collect();
        client.post("/item-storage/batch/synchronous", &json!({"items": some})).await.expect(201);
    }
}

fn without_server_members(mut item: Value) -> Value {
    if let Some(item) = item.as_object_mut() {
        item.remove("_version");
        item.remove("metadata");
    }
    item
}
