//! Compares the loops per minute with the published ones. Two servers are under the same load only if these numbers are equal.

use crate::published::{Published, PublishedRun, find_run};
use crate::result::{Results, Run};
use crate::table::{Table, group_thousands};

use super::beside::runs_with_published;

/// The largest difference of loops per minute, in per cent, at which two runs count as the same load.
const MOST_LOAD_DIFFERENCE: f64 = 10.0;

struct LoopRates {
    here: f64,
    published: f64,
    counted_in: String,
}

pub(super) fn table(results: &Results, published: &[Published]) -> Option<Table> {
    let table = Table::from_items(
        "Loops a minute",
        all_loop_rates(results, published),
        &[
            ("test", &|(run, _)| run.test.clone()),
            ("here", &|(_, loops)| format!("{:.1}", loops.here)),
            ("published", &|(_, loops)| format!("{:.1}", loops.published)),
            ("here of it", &|(_, loops)| format!("{:.0} %", 100.0 * loops.here / loops.published)),
            ("counted in the report", &|(_, loops)| loops.counted_in.clone()),
        ],
    );
    (!table.rows.is_empty()).then_some(table)
}

/// Sentences about tests whose load differed from that of the report. If users make no pauses, they make as many loops as the server
/// allows; such tests are left out.
pub(super) fn sentences(results: &Results, published: &[Published]) -> Vec<String> {
    let other = all_loop_rates(results, published).into_iter().filter(|(run, loops)| {
        let differs = (100.0 * loops.here / loops.published - 100.0).abs() > MOST_LOAD_DIFFERENCE;
        differs && f64::from(run.users) * 60.0 / loops.here.max(1e-6) > 2.0 * mean_loop_seconds(run)
    });
    let told = other.map(|(run, loops)| {
        format!(
            "{}: {:.1} loops a minute were made, {:.1} in the report: it was not the same load.",
            run.test, loops.here, loops.published
        )
    });
    told.collect()
}

/// The average time of one loop without pauses.
fn mean_loop_seconds(run: &Run) -> f64 {
    let done: u64 = run.transactions.iter().map(|one| one.count).sum();
    let millis: f64 = run.transactions.iter().map(|one| one.average * one.count as f64).sum();
    millis / 1000.0 / done.max(1) as f64
}

fn all_loop_rates<'a>(results: &'a Results, published: &'a [Published]) -> Vec<(&'a Run, LoopRates)> {
    let report = results.report.as_deref().unwrap_or_default();
    let all = runs_with_published(results, published);
    all.filter_map(|(run, theirs)| {
        // A report may have counted the same load in another run.
        let counted =
            theirs.loops_of.as_deref().and_then(|name| find_run(published, report, name)).unwrap_or(theirs);
        Some((run, loop_rates(run, counted)?))
    })
    .collect()
}

fn loop_rates(run: &Run, theirs: &PublishedRun) -> Option<LoopRates> {
    let minutes = f64::from(theirs.minutes?);
    let samples = |name: &str| theirs.times.iter().find(|times| times.name == name)?.samples;
    // If no transaction was counted in the report, a call is, where the workflow has one alone.
    let transactions: Vec<(u64, u64)> =
        run.transactions.iter().filter_map(|one| Some((one.count_requests(), samples(&one.name)?))).collect();
    let counted = match (transactions.as_slice(), run.calls.as_slice()) {
        ([], calls) => {
            match calls
                .iter()
                .filter_map(|one| Some((one.count_requests(), samples(&one.name)?)))
                .collect::<Vec<_>>()
            {
                one if one.len() == 1 => one,
                _ => return None,
            }
        }
        _ => transactions,
    };
    let (ours, published) = counted.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (run.seconds > 0.0).then(|| LoopRates {
        here: ours as f64 * 60.0 / run.seconds,
        published: published as f64 / minutes,
        counted_in: format!("{} in {minutes} min, {}", group_thousands(published), theirs.name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Summary;

    #[test]
    fn loops_a_minute_stand_beside_the_published_counts() {
        let one = |name: &str, count: u64| Summary {
            name: name.to_owned(),
            count,
            average: 20.0,
            ..Summary::default()
        };
        let run = |count: u64| Run {
            test: "8 users".to_owned(),
            users: 8,
            published: Some("Quesnelia, 8 users".to_owned()),
            seconds: 60.0,
            transactions: vec![one("Check-In Controller", count), one("Check-Out Controller", count)],
            ..Run::default()
        };
        let results = |count: u64| Results {
            report: Some("004".to_owned()),
            runs: vec![run(count)],
            ..Results::default()
        };
        let published = crate::published::load_published().unwrap();
        let rows = table(&results(36), &published).unwrap().rows;
        // 1,785 and 1,437 in 45 minutes.
        assert_eq!(rows[0][..4], ["8 users", "72.0", "71.6", "101 %"].map(str::to_owned));
        assert!(rows[0][4].starts_with("3,222 in 45 min"), "{rows:?}");
        assert_eq!(sentences(&results(36), &published), [""; 0]);
        let told = sentences(&results(12), &published);
        assert_eq!(
            told,
            ["8 users: 24.0 loops a minute were made, 71.6 in the report: it was not the same load."]
        );
        let mut busy = results(12);
        busy.runs[0].transactions.iter_mut().for_each(|one| one.average = 20_000.0);
        assert_eq!(sentences(&busy, &published), [""; 0], "nobody paused");
    }
}
