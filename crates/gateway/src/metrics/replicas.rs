//! How replicas of the database do. Without any, the families have no values.

use std::time::Duration;

use octavo_engine::Platform;

use super::page::Page;

pub(super) fn write_page(page: &mut Page, platform: &Platform) {
    let replicas = platform.database.replicas();
    page.family("octavo_replica_usable", "gauge", "Whether a replica is asked, 1 or 0");
    for one in &replicas {
        page.value(&[("replica", &one.name)], u8::from(one.left_out.is_none()));
    }
    page.family(
        "octavo_replica_lag_seconds",
        "gauge",
        "How old the newest change may be that a replica lacks; left out where that is not known",
    );
    for one in &replicas {
        if let Some(lag) = one.lag.map(|lag: Duration| lag.as_secs_f64()) {
            page.value(&[("replica", &one.name)], lag);
        }
    }
    page.family("octavo_replica_lag_bytes", "gauge", "How much of the log of changes a replica lacks");
    for one in &replicas {
        page.value(&[("replica", &one.name)], one.lag_bytes);
    }
    page.family("octavo_replica_connections", "gauge", "Connections to a replica, lent to a request or idle");
    for one in &replicas {
        page.value(&[("replica", &one.name), ("state", "lent")], one.lent);
        page.value(&[("replica", &one.name), ("state", "idle")], one.idle);
    }
    page.family(
        "octavo_replica_reads_total",
        "counter",
        "How often a connection to a replica was lent for reads that may be late",
    );
    for one in &replicas {
        page.value(&[("replica", &one.name)], one.reads);
    }
    page.family(
        "octavo_replica_failures_total",
        "counter",
        "Reads that a replica did not answer and the database was asked for, by reason: conflict, it cancelled the read; gone, it \
         was not reached or did not answer; behind, it had no such table yet; changing, the read would change something",
    );
    for one in &replicas {
        for (why, count) in &one.failures {
            page.value(&[("replica", &one.name), ("why", why)], count);
        }
    }
    page.family(
        "octavo_late_reads_of_primary_total",
        "counter",
        "Requests that may be late and were answered by the database, by reason: behind, no replica had yet what their callers \
         have to see; unusable, no replica could be asked",
    );
    for (why, count) in platform.database.late_reads_of_primary().into_iter().flatten() {
        page.value(&[("why", why)], count);
    }
}
