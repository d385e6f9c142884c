//! The report's summary: sentences that follow from the figures and name them.

use crate::load::LOG_IN_LABEL;
use crate::published::Published;
use crate::result::{Results, Run};
use crate::table::group_thousands;

use super::knee;
use super::loops;
use super::table::{format_duration, format_millis};
use super::trends;
use super::watched;
use super::{baseline, beside};

/// Calls that take longer, in milliseconds, are called slow, as in FOLIO's reports.
const SLOW_MS: f64 = 100.0;

pub(crate) fn summary(results: &Results, published: &[Published]) -> Vec<String> {
    let warnings = results.runs.iter().flat_map(warnings);
    let knee = if results.stepped { knee::sentences(results) } else { Vec::new() };
    let beside = beside::sentences(results, published);
    let loops = loops::sentences(results, published);
    let baseline = baseline::sentences(results);
    let told = results.runs.iter().map(|run| {
        let mut told = run_sentences(run);
        told.extend(trends::sentences(run, &trends::judge_series(run)));
        told.extend(watched::sentences(run));
        told
    });
    warnings.chain(knee).chain(beside).chain(loops).chain(baseline).chain(told.flatten()).collect()
}

/// The warnings at the beginning of the summary: whether the figures can be trusted.
pub(super) fn warnings(run: &Run) -> Vec<String> {
    let spoilt = run.generator.spoilt.iter();
    let mut told: Vec<String> =
        spoilt.map(|why| format!("{}: do not trust these figures: {why}.", run.test)).collect();
    if !told.is_empty() {
        told.push(format!("{}: for that reason nothing is judged by them here.", run.test));
    }
    told.extend(foreign_requests_warning(run));
    told
}

/// The share of foreign requests, in per cent of the laboratory's own, above which the report warns. One request a second of a monitoring
/// program is allowed in addition.
const FOREIGN_REQUESTS_PERCENT: f64 = 2.0;

/// A warning if other clients sent many requests to the server during the run.
fn foreign_requests_warning(run: &Run) -> Option<String> {
    let (all, ours) = (run.server_requests?, run.count_requests());
    let expected = ours as f64 * FOREIGN_REQUESTS_PERCENT / 100.0 + run.seconds + 20.0;
    let (test, answered, of_ours) = (&run.test, group_thousands(all), group_thousands(ours));
    (all.saturating_sub(ours) as f64 > expected).then(|| {
        format!(
            "{test}: others gave the server work meanwhile: it answered {answered} requests, of which {of_ours} were the laboratory's."
        )
    })
}

fn run_sentences(run: &Run) -> Vec<String> {
    let mut told = Vec::new();
    let done = run.transactions.iter().filter(|one| one.count > 0).map(|one| {
        // With fewer than 20 samples the 95th percentile is the longest time.
        let few = if one.count < 20 { format!(", of {} samples only", one.count) } else { String::new() };
        format!(
            "{} {} ms (95th percentile {} ms{few})",
            one.name,
            format_millis(one.average),
            format_millis(one.p95)
        )
    });
    match done.collect::<Vec<String>>().join("; ").as_str() {
        "" => told.push(": no transaction came to its end.".to_owned()),
        averages => told.push(format!(", on average: {averages}.")),
    }
    // A log-in happens once for each user, and is slow on purpose: that protects passwords.
    let slow = run.calls.iter().filter(|one| one.average >= SLOW_MS && one.name != LOG_IN_LABEL);
    let slow: Vec<String> =
        slow.map(|one| format!("{} ({} ms)", one.name, format_millis(one.average))).collect();
    if !slow.is_empty() {
        told.push(format!(": calls that take 100 ms or more: {}.", slow.join(", ")));
    }
    let (errors, asked) = (run.count_errors(), run.count_requests());
    if errors > 0 {
        let share = 100.0 * errors as f64 / asked as f64;
        told.push(format!(
            ": {} of {} requests failed ({share:.2} %).",
            group_thousands(errors),
            group_thousands(asked)
        ));
    }
    if (run.think - 1.0).abs() > 1e-9 && asked > 0 {
        told.push(format!(": pauses were {} times as long as in the workflow.", run.think));
    }
    if run.seconds < run.planned_seconds * 0.95 {
        let (ran, planned) = (format_duration(run.seconds), format_duration(run.planned_seconds));
        told.push(format!(": it ran {ran} of the {planned} that were planned."));
    }
    told.extend(run.notes.iter().map(|note| format!(": {note}.")));
    told.into_iter().map(|sentence| run.test.clone() + &sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Summary;

    fn run(average: f64) -> Run {
        let one =
            Summary { name: "GET /x".to_owned(), count: 10, average, p95: average, ..Summary::default() };
        Run {
            test: "a".to_owned(),
            seconds: 10.0,
            planned_seconds: 10.0,
            think: 1.0,
            calls: vec![one.clone()],
            transactions: vec![Summary { name: "T".to_owned(), ..one }],
            ..Run::default()
        }
    }

    #[test]
    fn a_slow_call_is_named() {
        assert_eq!(
            run_sentences(&run(20.0)),
            ["a, on average: T 20.0 ms (95th percentile 20.0 ms, of 10 samples only)."]
        );
        assert!(run_sentences(&run(120.0))[1].contains("100 ms or more: GET /x (120 ms)"));
    }

    #[test]
    fn logging_in_is_no_slow_call() {
        let mut run = run(120.0);
        run.calls[0].name = LOG_IN_LABEL.to_owned();
        assert_eq!(run_sentences(&run).len(), 1);
    }

    #[test]
    fn errors_a_spoilt_run_and_an_early_end_are_told() {
        let mut run = run(20.0);
        run.calls[0].errors.insert("500".to_owned(), 10);
        run.generator.spoilt.push("late".to_owned());
        run.seconds = 5.0;
        let told = [warnings(&run), run_sentences(&run)].concat().join("\n");
        for part in
            ["10 of 20 requests failed (50.00 %)", "do not trust these figures: late", "5 s of the 10 s"]
        {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn a_warning_comes_first_and_nothing_is_judged() {
        let mut run = run(20.0);
        run.published = Some("Test 1".to_owned());
        run.transactions[0].name = "POST /inventory-hierarchy/items-and-holdings".to_owned();
        let published = crate::published::load_published().unwrap();
        let told = |run: &Run| {
            let runs = vec![run.clone()];
            summary(&Results { report: Some("002".to_owned()), runs, ..Results::default() }, &published)
        };
        assert!(told(&run)[0].starts_with("Beside report 002"), "{:?}", told(&run));
        run.generator.spoilt.push("it was late".to_owned());
        let spoilt = told(&run);
        assert_eq!(spoilt[0], "a: do not trust these figures: it was late.");
        assert!(!spoilt.join(" ").contains("Beside report 002"), "{spoilt:?}");
    }

    #[test]
    fn work_of_others_is_told_with_both_counts() {
        let mut run = run(20.0);
        run.server_requests = Some(30);
        assert_eq!(warnings(&run), [""; 0], "who watches asks, too");
        run.server_requests = Some(5010);
        assert_eq!(
            warnings(&run),
            [
                "a: others gave the server work meanwhile: it answered 5,010 requests, of which 10 were the laboratory's."
            ]
        );
    }
}
