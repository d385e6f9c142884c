//! The report: each measured figure with its goal.

use octavo_lab::statistics::{Latencies, Percentiles};
use octavo_lab::table::{Page, format_number};

use super::notices::Notices;
use super::queues::Times;
use super::waiting::Size;
use crate::bench::desk::RAN_OUT;

pub(super) struct Measured {
    pub(super) machine: String,
    pub(super) size: Size,
    pub(super) item: Times,
    pub(super) title: Times,
    pub(super) slips: Latencies,
    pub(super) before: Latencies,
    pub(super) notices: Notices,
}

/// The goal of a figure in milliseconds, for queues and notices of the default size.
#[derive(Debug, Clone, Copy)]
enum Goal {
    P50(f64),
    P95(f64),
    /// The median in milliseconds, with the number of round trips to the database.
    P50WithRoundTrips(f64, &'static str),
    None,
}

const PLACING: Goal = Goal::P50(5.0);
const FILLING: Goal = Goal::P50WithRoundTrips(5.0, "2");
const ORDERING: Goal = Goal::P95(100.0);
const SLIPS: Goal = Goal::P95(300.0);
/// How many times as long 95 in 100 check-outs may take while notices are written.
const DESK_RATIO: f64 = 2.0;
const NOTICES_A_SECOND: f64 = 500.0;

impl Goal {
    /// The goal and whether it was held.
    fn cells(self, figures: Percentiles, trips: &str) -> [String; 2] {
        let (told, is_held) = match self {
            Goal::P50(most) => (format!("p50 {} ms", format_number(most, 0)), figures.p50 <= most),
            Goal::P95(most) => (format!("p95 {} ms", format_number(most, 0)), figures.p95 <= most),
            Goal::P50WithRoundTrips(most, wanted) => (
                format!("p50 {} ms, {wanted} round trips", format_number(most, 0)),
                figures.p50 <= most && trips == wanted,
            ),
            Goal::None => return [const { String::new() }; 2],
        };
        [told, held_or_missed(is_held)]
    }
}

fn held_or_missed(is_held: bool) -> String {
    if is_held { "held" } else { "missed" }.to_owned()
}

pub(super) fn report(measured: Measured) -> Page {
    let Measured { machine, size, item, title, slips, before, notices } = measured;
    let mut page = Page::default();
    page.add_text(format!(
        "{machine}. {} wait for an item, as many for a title; {} items to be fetched; {} patron notices are due.",
        format_number(size.queue.into(), 0),
        format_number(size.slips.into(), 0),
        format_number(size.notices.into(), 0),
    ));
    let (alone, busy) =
        (before.clone().percentiles().p95, notices.check_outs_meanwhile.clone().percentiles().p95);
    let mut rows = Vec::new();
    for (name, times) in [("an item", item), ("a title", title)] {
        let [placing, filling, lending] = &times.round_trips;
        rows.push(row(&format!("placing a request for {name}"), times.placing, placing, PLACING));
        rows.push(row(&format!("check-in that fills the first for {name}"), times.filling, filling, FILLING));
        rows.push(row(
            &format!("check-out to the first for {name}, the others move up"),
            times.lending,
            lending,
            Goal::None,
        ));
        rows.push(row(&format!("all for {name} in another order, then shown"), times.ordering, "", ORDERING));
    }
    rows.push(row("pick slips", slips, "", SLIPS));
    rows.push(row("desk, before notices", before, "", Goal::None));
    rows.push(row("desk, while notices are sent", notices.check_outs_meanwhile, "", Goal::None));
    page.add_table(&["", "calls", "p50 ms", "p95 ms", "p99 ms", "round trips", "goal", ""], rows);
    let ratio = busy / alone.max(0.001);
    let a_second = f64::from(size.notices) / notices.elapsed.as_secs_f64().max(0.001);
    let notices_a_second = [
        "patron notices written and handed over, a second".to_owned(),
        format_number(a_second, 0),
        format_number(NOTICES_A_SECOND, 0),
        held_or_missed(a_second >= NOTICES_A_SECOND),
    ];
    let desk = [
        "desk's p95 meanwhile, against before".to_owned(),
        format!("{} times", format_number(ratio, 2)),
        format!("{} times", format_number(DESK_RATIO, 0)),
        held_or_missed(ratio <= DESK_RATIO),
    ];
    page.add_table(&["", "figure", "goal", ""], vec![notices_a_second.to_vec(), desk.to_vec()]);
    page.add_text(format!(
        "The mail server had the first notice after {} s, the last after {} s.",
        format_number(notices.first.as_secs_f64(), 1),
        format_number(notices.elapsed.as_secs_f64(), 1),
    ));
    if notices.ran_out {
        page.add_text(RAN_OUT);
    }
    page
}

fn row(what: &str, latencies: Latencies, trips: &str, goal: Goal) -> Vec<String> {
    let figures = latencies.clone().percentiles();
    let mut row = vec![what.to_owned()];
    row.extend(latencies.to_cells());
    row.push(trips.to_owned());
    row.extend(goal.cells(figures, trips));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_held_or_missed() {
        let figures = Percentiles { p50: 4.0, p95: 120.0, p99: 200.0 };
        for (goal, trips, expected) in [
            (Goal::P50(5.0), "", ["p50 5 ms", "held"]),
            (Goal::P95(100.0), "", ["p95 100 ms", "missed"]),
            (Goal::P50WithRoundTrips(5.0, "2"), "2", ["p50 5 ms, 2 round trips", "held"]),
            (Goal::P50WithRoundTrips(5.0, "2"), "4", ["p50 5 ms, 2 round trips", "missed"]),
            (Goal::None, "", ["", ""]),
        ] {
            assert_eq!(goal.cells(figures, trips), expected, "{goal:?}");
        }
    }
}
