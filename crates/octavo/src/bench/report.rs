//! What was measured, as a page.

use octavo_lab::statistics::Spread;
use octavo_lab::table::{Page, Table, format_number};

use super::rounds::{Figures, Measured, Side};
use super::trips::OPERATIONS;

pub(crate) fn report(measured: &Measured) -> Page {
    let extent = measured.extent;
    let mut page = Page::default();
    page.add_text(format!(
        "{}. {} clients, {} rounds of {} s for each side in turn; {} items, {} patrons with {} open loans each. \
         Figures are medians over the rounds, with the least and the most.",
        measured.machine,
        extent.clients,
        extent.rounds,
        extent.measured_time.as_secs(),
        format_number(extent.items.into(), 0),
        format_number(extent.patrons.into(), 0),
        format_number(extent.loans_per_patron.into(), 0),
    ));
    page.add_table(&["", "per second", "p50 ms", "p95 ms", "p99 ms"], speed_rows(measured));
    page.add_text("What one operation takes: processor time of each process in ms, and write-ahead log.");
    page.add(cost_table(measured));
    page.add_text("What one operation asks of the database, alone and warm.");
    page.add(Table::from_items(
        "",
        OPERATIONS.iter().zip(&measured.round_trips),
        &[
            ("", &|(operation, _)| (**operation).to_owned()),
            ("round trips", &|(_, told)| format_number(told.round_trips, 0)),
            ("statements", &|(_, told)| format_number(told.statements, 0)),
            ("database ms", &|(_, told)| format_number(told.database_millis, 2)),
            ("total ms", &|(_, told)| format_number(told.server_millis, 2)),
        ],
    ));
    let memory = [measured.idle_kb, measured.loaded_kb, measured.most_kb].map(megabytes);
    let start = format!("{} ms", format_number(measured.start_time.as_secs_f64() * 1000.0, 0));
    page.add_table(
        &["start to first answer", "memory idle", "after the load", "at most"],
        vec![[vec![start], memory.to_vec()].concat()],
    );
    let others = measured.sides.iter().flat_map(|side| &side.rounds).map(|round| round.others_share * 100.0);
    page.add_text(format!(
        "Other programs took {} % of the processors' time during the turns.",
        Spread::from_rounds(others).with_range(0)
    ));
    for remark in &measured.remarks {
        page.add_text(remark);
    }
    page
}

fn speed_rows(measured: &Measured) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for pair in measured.sides.chunks(2) {
        for side in pair {
            let spread = |figure: fn(&Figures) -> f64| Spread::from_rounds(side.rounds.iter().map(figure));
            rows.push(vec![
                side.name.to_owned(),
                spread(|round| round.per_second).with_range(0),
                spread(|round| round.percentiles.p50).with_range(2),
                spread(|round| round.percentiles.p95).with_range(2),
                spread(|round| round.percentiles.p99).with_range(2),
            ]);
        }
        let name = format!("{} / {}", pair[0].name, pair[1].name);
        let ratio = ratio(&pair[0], &pair[1]).with_range(3);
        rows.push([vec![name, ratio], vec![String::new(); 3]].concat());
    }
    rows
}

/// The ratio between neighbouring turns: something that slows the machine for a while slows both.
fn ratio(ours: &Side, theirs: &Side) -> Spread {
    let pairs = ours.rounds.iter().zip(&theirs.rounds);
    Spread::from_rounds(pairs.map(|(ours, theirs)| ours.per_second / theirs.per_second))
}

fn cost_table(measured: &Measured) -> Table {
    let median =
        |side: &Side, figure: fn(&Figures) -> f64| Spread::from_rounds(side.rounds.iter().map(figure)).median;
    // The client is this process. In pgbench's turns it waits for pgbench, and pgbench's processor time counts as its own.
    Table::from_items(
        "",
        &measured.sides,
        &[
            ("", &|side| side.name.to_owned()),
            ("Octavo", &|side| format_number(median(side, |round| round.server_ms), 3)),
            ("PostgreSQL", &|side| format_number(median(side, |round| round.postgres_ms), 3)),
            ("generator", &|side| format_number(median(side, |round| round.client_ms), 3)),
            ("WAL bytes", &|side| format_number(median(side, |round| round.wal_bytes), 0)),
        ],
    )
}

fn megabytes(kilobytes: u64) -> String {
    format!("{:.1} MB", kilobytes as f64 / 1000.0 * 1.024)
}
