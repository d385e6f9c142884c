//! Pure but for the date: what was measured, as a page.

use super::clock;
use super::figures::{Spread, told};
use super::rounds::{Figures, Measured, Side};
use super::table::Page;

pub(crate) fn report(measured: &Measured) -> Page {
    let extent = measured.extent;
    let mut page = Page::default();
    page.text(format!(
        "Octavo {} on {}, {}. {} clients, {} rounds of {} s for each side in turn; {} items, {} patrons with {} open loans each. \
         Figures are medians over the rounds, with the least and the most.",
        env!("CARGO_PKG_VERSION"),
        clock::today(),
        measured.machine,
        extent.clients,
        extent.rounds,
        extent.time.as_secs(),
        told(extent.items.into(), 0),
        told(extent.patrons.into(), 0),
        told(extent.loans.into(), 0),
    ));
    page.table(speed(measured));
    page.text("What one operation takes: processor time of each process in ms, and write-ahead log.");
    page.table(costs(measured));
    page.text("What one operation asks of the database, alone and warm.");
    page.table(trips(measured));
    page.table(vec![
        row(["start to first answer", "memory idle", "after the load", "at most"]),
        row([
            &format!("{} ms", told(measured.start.as_secs_f64() * 1000.0, 0)),
            &megabytes(measured.idle_kb),
            &megabytes(measured.loaded_kb),
            &megabytes(measured.most_kb),
        ]),
    ]);
    let others = measured.sides.iter().flat_map(|side| &side.rounds).map(|round| round.others * 100.0);
    page.text(format!(
        "Other programs took {} % of the processors' time during the turns.",
        Spread::of(others).told(0)
    ));
    for remark in &measured.remarks {
        page.text(remark);
    }
    page
}

fn speed(measured: &Measured) -> Vec<Vec<String>> {
    let mut rows = vec![row(["", "per second", "p50 ms", "p95 ms", "p99 ms"])];
    for pair in measured.sides.chunks(2) {
        for side in pair {
            let spread = |figure: fn(&Figures) -> f64| Spread::of(side.rounds.iter().map(figure));
            rows.push(vec![
                side.name.to_owned(),
                spread(|round| round.per_second).told(0),
                spread(|round| round.percentiles.p50).told(2),
                spread(|round| round.percentiles.p95).told(2),
                spread(|round| round.percentiles.p99).told(2),
            ]);
        }
        let name = format!("{} / {}", pair[0].name, pair[1].name);
        rows.push(row([&name, &ratio(&pair[0], &pair[1]).told(3), "", "", ""]));
    }
    rows
}

/// Of neighbouring turns: what slows the machine for a while slows both.
fn ratio(ours: &Side, theirs: &Side) -> Spread {
    let pairs = ours.rounds.iter().zip(&theirs.rounds);
    Spread::of(pairs.map(|(ours, theirs)| ours.per_second / theirs.per_second))
}

fn costs(measured: &Measured) -> Vec<Vec<String>> {
    let mut rows = vec![row(["", "Octavo", "PostgreSQL", "generator", "WAL bytes"])];
    for side in &measured.sides {
        let median = |figure: fn(&Figures) -> f64, decimals: usize| {
            told(Spread::of(side.rounds.iter().map(figure)).median, decimals)
        };
        // The generator is this process; on pgbench's turns it waits for pgbench, whose time it then has.
        rows.push(vec![
            side.name.to_owned(),
            median(|round| round.server_ms, 3),
            median(|round| round.postgres_ms, 3),
            median(|round| round.client_ms, 3),
            median(|round| round.wal, 0),
        ]);
    }
    rows
}

fn trips(measured: &Measured) -> Vec<Vec<String>> {
    let mut rows = vec![row(["", "round trips", "statements", "database ms", "total ms"])];
    for trips in &measured.trips {
        let (database, total) = (told(trips.database_ms, 2), told(trips.total_ms, 2));
        rows.push(row([trips.operation, &trips.round_trips, &trips.statements, &database, &total]));
    }
    rows
}

fn megabytes(kilobytes: u64) -> String {
    format!("{:.1} MB", kilobytes as f64 / 1000.0 * 1.024)
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}
