//! Shows a run beside an earlier one (`--baseline`). One run of each proves nothing; `octavo lab compare` tells what is really slower.

use crate::result::{BaselineRun, Results, Run, Summary};
use crate::table::Table;

use super::beside::{COMPARISON_HEAD, comparison_row};
use super::table::{format_duration, format_millis, is_preflight};

pub(super) fn table(results: &Results, run: &Run) -> Option<Table> {
    let baseline = results.baseline.as_ref()?;
    let before = earlier_run(results, run)?;
    let rows = paired_times(before, run).flat_map(|(before, now)| {
        let pairs = [("average", before.average, now.average), ("95th", before.p95, now.p95)];
        pairs.map(|(what, before, after)| comparison_row(&now.name, what, before, after))
    });
    let title = format!("Beside the run of {}, {}", baseline.started, baseline.version);
    let mut head = [&["", ""][..], &COMPARISON_HEAD].concat();
    head[2] = "before, ms";
    Some(Table { title, head, rows: rows.collect() })
}

pub(super) fn sentences(results: &Results) -> Vec<String> {
    let Some(baseline) = &results.baseline else { return Vec::new() };
    let mut told = Vec::new();
    for run in &results.runs {
        let (test, started) = (&run.test, &baseline.started);
        let Some(before) = earlier_run(results, run) else {
            told.push(format!("{test}: the run of {started} has no test of that name to lay beside it."));
            continue;
        };
        let pairs: Vec<String> = paired_times(before, run)
            .filter(|(_, now)| run.transactions.iter().any(|one| one.name == now.name))
            .map(|(before, now)| {
                let percent = 100.0 * (now.average / before.average - 1.0);
                let (here, before) = (format_millis(now.average), format_millis(before.average));
                format!("{} {here} ms, {before} before ({percent:+.1} %)", now.name)
            })
            .collect();
        if !pairs.is_empty() && run.is_trusted() && before.is_trusted {
            told.push(format!("{test}, beside the run of {started}: {}.", pairs.join("; ")));
        }
        if before.users != run.users || (before.seconds / run.seconds.max(0.001) - 1.0).abs() > 0.1 {
            let [earlier, here] = [before.seconds, run.seconds].map(format_duration);
            let (users, now) = (before.users, run.users);
            told.push(format!(
                "{test}: the run before had {users} users and lasted {earlier}, this one {now} and {here}."
            ));
        }
    }
    if baseline.machine != results.machine {
        told.push(format!("The run before was on another machine: {}.", baseline.machine));
    }
    told
}

fn earlier_run<'a>(results: &'a Results, run: &Run) -> Option<&'a BaselineRun> {
    results.baseline.as_ref()?.runs.iter().find(|one| one.test == run.test)
}

fn paired_times<'a>(
    before: &'a BaselineRun,
    run: &'a Run,
) -> impl Iterator<Item = (&'a Summary, &'a Summary)> {
    let all = run.transactions.iter().chain(&run.calls).filter(|now| now.count > 0 && !is_preflight(now));
    all.filter_map(|now| {
        let before = before.times.iter().find(|one| one.name == now.name && one.count > 0)?;
        Some((before, now))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Baseline;

    fn results(average: f64) -> Results {
        let one = Summary { name: "T".to_owned(), count: 5, average, p95: average, ..Summary::default() };
        let run =
            Run { test: "a".to_owned(), users: 2, seconds: 10.0, transactions: vec![one], ..Run::default() };
        Results {
            started: "then".to_owned(),
            version: "V1".to_owned(),
            runs: vec![run],
            ..Results::default()
        }
    }

    #[test]
    fn an_earlier_run_stands_beside_the_new_one() {
        let before = Baseline::from_results(&results(10.0));
        let mut now = Results { baseline: Some(before), ..results(12.0) };
        let rows = table(&now, &now.runs[0]).unwrap().rows;
        assert_eq!(rows[0], ["T", "average", "10.0", "12.0", "+2.00", "+20.0 %"].map(str::to_owned));
        assert_eq!(sentences(&now), ["a, beside the run of then: T 12.0 ms, 10.0 before (+20.0 %)."]);
        now.runs[0].users = 8;
        assert!(
            sentences(&now)[1].contains("had 2 users and lasted 10 s, this one 8 and 10 s"),
            "{:?}",
            sentences(&now)
        );
        now.runs[0].generator.spoilt.push("late".to_owned());
        assert!(!sentences(&now).join(" ").contains("before ("), "{:?}", sentences(&now));
    }
}
