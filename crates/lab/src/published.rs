//! The figures that FOLIO's reports published, for comparison. The files in `lab/published` contain all of them, as the reports show them.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::shelf::Shelf;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    pub(crate) report: String,
    pub(crate) title: String,
    #[expect(dead_code, reason = "for who reads the file")]
    about: String,
    pub(crate) run: Vec<PublishedRun>,
    /// Figures that are no times.
    #[serde(default)]
    pub(crate) fact: Vec<PublishedFact>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PublishedRun {
    pub(crate) name: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "for who reads the file"))]
    users: u32,
    pub(crate) minutes: Option<u32>,
    #[cfg_attr(not(test), expect(dead_code, reason = "for who reads the file"))]
    note: Option<String>,
    /// The name of the run whose counted loops are used, if the report did not count those of this run.
    pub(crate) loops_of: Option<String>,
    pub(crate) times: Vec<PublishedTimes>,
}

/// The published times of one call or transaction, in milliseconds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PublishedTimes {
    pub(crate) name: String,
    pub(crate) samples: Option<u64>,
    pub(crate) average: Option<f64>,
    pub(crate) min: Option<f64>,
    pub(crate) p50: Option<f64>,
    pub(crate) p75: Option<f64>,
    pub(crate) p95: Option<f64>,
    pub(crate) p99: Option<f64>,
    pub(crate) max: Option<f64>,
    #[cfg_attr(not(test), expect(dead_code, reason = "for who reads the file"))]
    per_second: Option<f64>,
    #[cfg_attr(not(test), expect(dead_code, reason = "for who reads the file"))]
    errors: Option<u64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedFact {
    pub(crate) about: String,
    pub(crate) unit: String,
    pub(crate) values: BTreeMap<String, f64>,
}

pub(crate) fn load_published() -> Result<Vec<Published>> {
    let files = Shelf::new(None).published()?;
    let read = files.iter().map(|file| toml::from_str(&file.text).with_context(|| file.name.clone()));
    read.collect()
}

pub(crate) fn find_run<'a>(all: &'a [Published], report: &str, run: &str) -> Option<&'a PublishedRun> {
    all.iter().find(|one| one.report == report)?.run.iter().find(|one| one.name == run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow::{Action, Step};

    #[test]
    fn percentiles_are_in_order_and_everything_has_a_time() {
        let all = load_published().unwrap();
        assert_eq!(all.len(), 5);
        for run in all.iter().flat_map(|one| &one.run) {
            assert!(run.users > 0 && !run.times.is_empty() && run.minutes != Some(0), "{run:?}");
            assert!(run.note.as_deref() != Some(""), "{run:?}");
            for times in &run.times {
                let order = [times.min, times.p50, times.p75, times.p95, times.p99, times.max];
                let order: Vec<f64> = order.into_iter().flatten().collect();
                assert!(order.is_sorted(), "{}: {times:?}", run.name);
                let values = order.iter().chain(&times.average);
                assert!(values.clone().count() > 0 && values.clone().all(|value| *value > 0.0), "{times:?}");
                // Milliseconds: what is below one was left in seconds.
                assert!(values.clone().all(|value| *value >= 10.0), "{}: {times:?}", run.name);
                assert!(times.samples != Some(0) && times.errors.unwrap_or(0) == 0, "{times:?}");
            }
        }
    }

    #[test]
    fn requests_a_second_are_the_samples_over_the_duration() {
        for run in load_published().unwrap().iter().flat_map(|one| &one.run) {
            for times in &run.times {
                let (Some(samples), Some(rate), Some(minutes)) =
                    (times.samples, times.per_second, run.minutes)
                else {
                    continue;
                };
                let expected = samples as f64 / f64::from(minutes * 60);
                assert!((rate / expected - 1.0).abs() < 0.01, "{}: {rate}, {expected}", run.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_facts_have_a_unit() {
        for report in load_published().unwrap() {
            let mut names: Vec<&str> = report.run.iter().map(|run| run.name.as_str()).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{}", report.title);
            for fact in &report.fact {
                assert!(
                    !fact.about.is_empty() && !fact.unit.is_empty() && !fact.values.is_empty(),
                    "{fact:?}"
                );
            }
        }
    }

    /// The pauses of a workflow's steps in seconds, if every value is found.
    fn pauses(steps: &[Step]) -> f64 {
        let of = |step: &Step| match &step.action {
            Action::Think(from, to) => f64::midpoint(*from, *to),
            Action::Steps(steps) => pauses(steps),
            _ => 0.0,
        };
        steps.iter().map(of).sum()
    }

    #[test]
    fn the_desk_pauses_as_long_as_those_whom_report_004_counted() {
        let all = load_published().unwrap();
        let workflows = Shelf::new(None).workflows().unwrap();
        let desk = workflows.iter().find(|one| one.name == "check-in-check-out").unwrap();
        let whole: f64 = desk.transactions.iter().map(|one| one.share).sum();
        let ours: f64 = desk.transactions.iter().map(|one| one.share / whole * pauses(&one.steps)).sum();
        for users in [8, 20, 30, 75] {
            let name = format!("Quesnelia without dcb-system-user, {users} users");
            let run = find_run(&all, "004", &name).unwrap();
            let of = |name: &str| run.times.iter().find(|times| times.name == name).unwrap();
            let (taken, lent) = (of("Check-In Controller"), of("Check-Out Controller"));
            let (back, out) = (taken.samples.unwrap() as f64, lent.samples.unwrap() as f64);
            assert!((back / (back + out) - 0.43).abs() < 0.02, "{name}: {back} of {}", back + out);
            // Each user begins ten seconds after the one before, and ends with the run.
            let users = f64::from(users);
            let seconds = users * f64::from(run.minutes.unwrap() * 60) - 10.0 * users * (users - 1.0) / 2.0;
            let busy = (back * taken.average.unwrap() + out * lent.average.unwrap()) / 1000.0;
            let theirs = (seconds - busy) / (back + out);
            assert!((theirs - ours).abs() < 0.2, "{name}: {theirs:.2} s of pauses a loop, ours {ours:.2} s");
        }
    }

    #[test]
    fn experiments_name_published_runs_that_there_are() {
        let (shelf, all) = (Shelf::new(None), load_published().unwrap());
        let workflows = shelf.workflows().unwrap();
        for experiment in shelf.experiments(&workflows).unwrap() {
            for test in experiment.tests {
                let Some(name) = test.published else { continue };
                let report = experiment.report.as_deref().unwrap_or_default();
                let run = find_run(&all, report, &name).unwrap_or_else(|| panic!("{report}: {name}"));
                if let Some(counted) = &run.loops_of {
                    let counted = find_run(&all, report, counted).unwrap_or_else(|| panic!("{counted}"));
                    assert_eq!((counted.users, counted.minutes), (run.users, run.minutes), "{name}");
                }
                assert_eq!(run.users, test.load.users(), "{name}");
                let flow = workflows.iter().find(|one| one.name == test.workflow).unwrap();
                let known: Vec<&String> =
                    flow.transactions.iter().map(|one| &one.name).chain(&flow.labels).collect();
                for times in &run.times {
                    assert!(known.contains(&&times.name), "{}: {} of {known:?}", name, times.name);
                }
            }
        }
    }
}
