//! The results of a run, as they are stored in a JSON file and read again for reports and comparisons.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::collect::Collected;
use crate::data::Fingerprint;
use crate::files::read_text;
use crate::load::{Generator, MeasuredTimes, Outcome, TransactionTrace};
use crate::series::Series;
use crate::statistics::{Knee, LoadStep, find_knee};

pub(crate) const FORMAT: u32 = 1;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) format: u32,
    pub(crate) experiment: String,
    pub(crate) about: String,
    pub(crate) report: Option<String>,
    pub(crate) started: String,
    pub(crate) server: String,
    pub(crate) tenant: String,
    pub(crate) version: String,
    pub(crate) machine: String,
    /// Whether somebody ended it before its time.
    #[serde(default)]
    pub(crate) interrupted: bool,
    /// Whether its runs differ in their users alone, to find the knee.
    #[serde(default)]
    pub(crate) stepped: bool,
    /// Processors of the machine that it ran on; 0 where an older program did not tell.
    #[serde(default)]
    pub(crate) cores: usize,
    /// When the measured server process was started, in seconds since 1970, where it tells that.
    #[serde(default)]
    pub(crate) server_started: Option<f64>,
    #[serde(default)]
    pub(crate) baseline: Option<Baseline>,
    pub(crate) runs: Vec<Run>,
}

/// The figures of an earlier run, for comparison with this run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Baseline {
    pub(crate) started: String,
    pub(crate) version: String,
    pub(crate) machine: String,
    pub(crate) runs: Vec<BaselineRun>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct BaselineRun {
    pub(crate) test: String,
    pub(crate) users: u32,
    pub(crate) seconds: f64,
    pub(crate) is_trusted: bool,
    /// Transactions and calls, without their time lines.
    pub(crate) times: Vec<Summary>,
}

impl Baseline {
    pub(crate) fn from_results(results: &Results) -> Baseline {
        let bare = |one: &Summary| Summary { line: Vec::new(), spread: Vec::new(), ..one.clone() };
        let run = |run: &Run| BaselineRun {
            test: run.test.clone(),
            users: run.users,
            seconds: run.seconds,
            is_trusted: run.is_trusted(),
            times: run.transactions.iter().chain(&run.calls).map(bare).collect(),
        };
        Baseline {
            started: results.started.clone(),
            version: results.version.clone(),
            machine: results.machine.clone(),
            runs: results.runs.iter().map(run).collect(),
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) test: String,
    pub(crate) workflow: String,
    pub(crate) users: u32,
    /// Transactions a second of the open model.
    pub(crate) rate: Option<f64>,
    pub(crate) planned_seconds: f64,
    pub(crate) seconds: f64,
    pub(crate) think: f64,
    pub(crate) preflights: bool,
    /// Name of the published figures beside it.
    pub(crate) published: Option<String>,
    pub(crate) transactions: Vec<Summary>,
    pub(crate) calls: Vec<Summary>,
    /// Seconds between the points of the lines.
    pub(crate) step: f64,
    pub(crate) feeders: Vec<String>,
    #[serde(default)]
    pub(crate) data: Fingerprint,
    pub(crate) generator: Generator,
    /// The number of requests from all clients that the server answered during the run, if the server reports it.
    #[serde(default)]
    pub(crate) server_requests: Option<u64>,
    /// Traced loops, which show where the time of one transaction goes.
    #[serde(default)]
    pub(crate) traced: Vec<TransactionTrace>,
    /// The series that collectors read beside the load; results of older programs have none.
    #[serde(default)]
    pub(crate) series: Vec<Series>,
    #[serde(default)]
    pub(crate) collected: Collected,
    pub(crate) notes: Vec<String>,
}

/// The figures of one call or transaction. Times are in milliseconds, of answers with an expected status.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) name: String,
    pub(crate) count: u64,
    pub(crate) per_second: f64,
    pub(crate) average: f64,
    pub(crate) min: f64,
    pub(crate) p50: f64,
    pub(crate) p75: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    /// Percentiles of the time since the call was to begin.
    pub(crate) intended_p95: f64,
    pub(crate) intended_p99: f64,
    pub(crate) bytes: u64,
    pub(crate) refused: BTreeMap<u16, u64>,
    pub(crate) errors: BTreeMap<String, u64>,
    pub(crate) line: Vec<Moment>,
    /// The distribution of the times: pairs of an upper bound in milliseconds and the number of calls between the bound before and this
    /// bound.
    #[serde(default)]
    pub(crate) spread: Vec<(f64, u64)>,
}

/// A step of the time line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Moment {
    pub(crate) count: u64,
    pub(crate) errors: u64,
    pub(crate) average: Option<f64>,
    pub(crate) p95: Option<f64>,
}

impl Run {
    pub(crate) fn set_outcome(&mut self, outcome: Outcome) {
        let seconds = outcome.elapsed.as_secs_f64();
        let all = |measured: &[MeasuredTimes]| -> Vec<Summary> {
            let summaries = measured.iter().map(|one| Summary::from_measured(one, seconds));
            summaries.filter(|one| one.count_requests() > 0).collect()
        };
        self.transactions = all(&outcome.recorder.transactions);
        self.calls = all(&outcome.recorder.calls);
        self.step = outcome.recorder.step.as_secs_f64();
        self.seconds = seconds;
        self.generator = outcome.generator;
        self.series.extend(outcome.series);
        self.notes.extend(outcome.notes);
    }

    pub(crate) fn count_errors(&self) -> u64 {
        self.calls.iter().map(Summary::count_errors).sum()
    }

    pub(crate) fn count_requests(&self) -> u64 {
        self.calls.iter().map(Summary::count_requests).sum()
    }

    pub(crate) fn to_load_step(&self) -> LoadStep {
        let count: u64 = self.transactions.iter().map(|one| one.count).sum();
        let spent: f64 = self.transactions.iter().map(|one| one.average * one.count as f64).sum();
        LoadStep {
            users: self.users.into(),
            per_second: self.transactions.iter().map(|one| one.per_second).sum(),
            time: spent / count.max(1) as f64,
            errors: self.count_errors() as f64 / self.count_requests().max(1) as f64,
        }
    }

    /// Whether its figures may be judged: the generator of load kept up.
    pub(crate) fn is_trusted(&self) -> bool {
        self.generator.spoilt.is_empty()
    }
}

/// The number of classes of a distribution for each doubling of the time.
const STEPS_TO_A_DOUBLING: f64 = 3.0;

/// The distribution of the measured times by their logarithm, without empty classes at both ends.
fn time_spread(measured: &MeasuredTimes) -> Vec<(f64, u64)> {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    for value in measured.real.iter_recorded() {
        let millis = value.value_iterated_to() as f64 / 1000.0;
        let step = (millis.max(0.001).log2() * STEPS_TO_A_DOUBLING).ceil() as i32;
        *counts.entry(step).or_default() += value.count_since_last_iteration();
    }
    let (Some(first), Some(last)) = (counts.keys().next(), counts.keys().last()) else { return Vec::new() };
    let bound = |step: i32| (f64::from(step) / STEPS_TO_A_DOUBLING).exp2();
    (*first..=*last).map(|step| (bound(step), counts.get(&step).copied().unwrap_or(0))).collect()
}

impl Summary {
    fn from_measured(measured: &MeasuredTimes, seconds: f64) -> Summary {
        let (real, intended) = (&measured.real, &measured.intended);
        let at = |share: f64| real.value_at_quantile(share) as f64 / 1000.0;
        let count = real.len();
        let moments = measured.time_line.iter().map(|point| Moment {
            count: point.count,
            errors: point.errors,
            average: (point.count > 0).then(|| point.sum_micros as f64 / point.count as f64 / 1000.0),
            p95: point.percentile(0.95),
        });
        Summary {
            name: measured.name.clone(),
            count,
            per_second: count as f64 / seconds.max(0.001),
            average: if count == 0 { 0.0 } else { measured.sum_micros as f64 / count as f64 / 1000.0 },
            min: real.min() as f64 / 1000.0,
            p50: at(0.5),
            p75: at(0.75),
            p95: at(0.95),
            p99: at(0.99),
            max: real.max() as f64 / 1000.0,
            intended_p95: intended.value_at_quantile(0.95) as f64 / 1000.0,
            intended_p99: intended.value_at_quantile(0.99) as f64 / 1000.0,
            bytes: measured.bytes,
            refused: measured.refused.clone(),
            errors: measured.errors.clone(),
            line: moments.collect(),
            spread: time_spread(measured),
        }
    }

    pub(crate) fn count_refusals(&self) -> u64 {
        self.refused.values().sum()
    }

    pub(crate) fn count_errors(&self) -> u64 {
        self.errors.values().sum()
    }

    pub(crate) fn count_requests(&self) -> u64 {
        self.count + self.count_refusals() + self.count_errors()
    }
}

impl Results {
    pub(crate) fn read(path: &Path) -> Result<Results> {
        let results: Results = serde_json::from_str(&read_text(path)?)
            .with_context(|| format!("{} holds no results of octavo lab run", path.display()))?;
        if results.format != FORMAT {
            bail!("{} is of format {}; this program reads {FORMAT}", path.display(), results.format);
        }
        Ok(results)
    }

    pub(crate) fn load_steps(&self) -> Vec<LoadStep> {
        self.runs.iter().filter(|run| run.count_requests() > 0).map(Run::to_load_step).collect()
    }

    /// The knee of a run whose tests differ only in their number of users.
    pub(crate) fn knee(&self) -> Option<Knee> {
        find_knee(&self.load_steps())
    }
}
