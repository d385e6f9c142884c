//! How many loops were made in a minute, beside what the published counts come to: two servers are only under the same load
//! where that is the same.

use crate::published::{Published, PublishedRun, find};
use crate::result::{Results, Run};
use crate::table::{Table, grouped};

use super::beside::compared;

/// Numbers of loops that differ by more than this, in per cent, are not the same load.
const SAME_LOAD: f64 = 10.0;

struct Loops {
    here: f64,
    published: f64,
    of: String,
}

pub(super) fn table(results: &Results, published: &[Published]) -> Option<Table> {
    let table = Table::of(
        "Loops a minute",
        of_all(results, published),
        &[
            ("test", &|(run, _)| run.test.clone()),
            ("here", &|(_, loops)| format!("{:.1}", loops.here)),
            ("published", &|(_, loops)| format!("{:.1}", loops.published)),
            ("here of it", &|(_, loops)| format!("{:.0} %", 100.0 * loops.here / loops.published)),
            ("counted in the report", &|(_, loops)| loops.of.clone()),
        ],
    );
    (!table.rows.is_empty()).then_some(table)
}

/// Sentences about tests in which the load was another than in the report. Users who never pause make as many loops as the server allows, so
/// their number is not a load.
pub(super) fn words(results: &Results, published: &[Published]) -> Vec<String> {
    let other = of_all(results, published).into_iter().filter(|(run, loops)| {
        let differs = (100.0 * loops.here / loops.published - 100.0).abs() > SAME_LOAD;
        differs && f64::from(run.users) * 60.0 / loops.here.max(1e-6) > 2.0 * busy_seconds(run)
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
fn busy_seconds(run: &Run) -> f64 {
    let done: u64 = run.transactions.iter().map(|one| one.count).sum();
    let millis: f64 = run.transactions.iter().map(|one| one.average * one.count as f64).sum();
    millis / 1000.0 / done.max(1) as f64
}

fn of_all<'a>(results: &'a Results, published: &'a [Published]) -> Vec<(&'a Run, Loops)> {
    let report = results.report.as_deref().unwrap_or_default();
    let all = compared(results, published);
    all.filter_map(|(run, theirs)| {
        // A report may have counted the same load in another run.
        let counted =
            theirs.loops_of.as_deref().and_then(|name| find(published, report, name)).unwrap_or(theirs);
        Some((run, loops_of(run, counted)?))
    })
    .collect()
}

fn loops_of(run: &Run, theirs: &PublishedRun) -> Option<Loops> {
    let minutes = f64::from(theirs.minutes?);
    let samples = |name: &str| theirs.times.iter().find(|times| times.name == name)?.samples;
    // If no transaction was counted in the report, a call is, where the workflow has one alone.
    let transactions: Vec<(u64, u64)> =
        run.transactions.iter().filter_map(|one| Some((one.asked(), samples(&one.name)?))).collect();
    let counted = match (transactions.as_slice(), run.calls.as_slice()) {
        ([], calls) => {
            match calls.iter().filter_map(|one| Some((one.asked(), samples(&one.name)?))).collect::<Vec<_>>()
            {
                one if one.len() == 1 => one,
                _ => return None,
            }
        }
        _ => transactions,
    };
    let (ours, published) = counted.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (run.seconds > 0.0).then(|| Loops {
        here: ours as f64 * 60.0 / run.seconds,
        published: published as f64 / minutes,
        of: format!("{} in {minutes} min, {}", grouped(published), theirs.name),
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
        let published = crate::published::all().unwrap();
        let rows = table(&results(36), &published).unwrap().rows;
        // 1,785 and 1,437 in 45 minutes.
        assert_eq!(rows[0][..4], ["8 users", "72.0", "71.6", "101 %"].map(str::to_owned));
        assert!(rows[0][4].starts_with("3,222 in 45 min"), "{rows:?}");
        assert_eq!(words(&results(36), &published), [""; 0]);
        let told = words(&results(12), &published);
        assert_eq!(
            told,
            ["8 users: 24.0 loops a minute were made, 71.6 in the report: it was not the same load."]
        );
        let mut busy = results(12);
        busy.runs[0].transactions.iter_mut().for_each(|one| one.average = 20_000.0);
        assert_eq!(words(&busy, &published), [""; 0], "nobody paused");
    }
}
