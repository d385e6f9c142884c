//! An experiment: one or several tests of a workflow, each with its load and duration, and the published figures that its own are compared
//! with. Each of FOLIO's published reports has a file of experiments; testers add their own.

mod read;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

pub(crate) use read::read;

use crate::collect::CollectorSpec;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Experiment {
    pub(crate) name: String,
    pub(crate) about: String,
    /// The number of the published report that it repeats.
    pub(crate) report: Option<String>,
    /// The collectors that run beside the load.
    pub(crate) collect: Vec<CollectorSpec>,
    pub(crate) tests: Vec<Test>,
}

/// One test of an experiment: a line of a report's table of test runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) workflow: String,
    pub(crate) load: Load,
    pub(crate) duration: Duration,
    /// The duration with `--short`.
    pub(crate) short_duration: Duration,
    /// Virtual users begin one after the other within this time.
    pub(crate) ramp_up: Duration,
    /// Think times are multiplied with this; 0 leaves them out.
    pub(crate) think_factor: f64,
    pub(crate) preflights: bool,
    /// Loops of each user at most.
    pub(crate) loops: Option<u64>,
    pub(crate) parameters: Vec<(String, String)>,
    /// Name of a run among the published figures.
    pub(crate) published: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Load {
    /// Virtual users, each beginning its next loop when the last one has ended.
    Users(u32),
    /// Transactions begin at this rate a second, whatever the server does; so many at a time at most.
    Rate { per_second: f64, users: u32 },
}

impl Experiment {
    /// An experiment of a workflow alone, without tests.
    pub(crate) fn without_tests(workflow: &str) -> Experiment {
        Experiment { name: workflow.to_owned(), ..Experiment::default() }
    }
}

impl Test {
    /// A test of one user, who makes no pauses.
    pub(crate) fn single_user(workflow: &str) -> Test {
        Test {
            name: workflow.to_owned(),
            workflow: workflow.to_owned(),
            load: Load::Users(1),
            duration: Duration::from_secs(60),
            short_duration: Duration::from_secs(60),
            ramp_up: Duration::ZERO,
            think_factor: 0.0,
            preflights: false,
            loops: None,
            parameters: Vec::new(),
            published: None,
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Load::Users(1) => f.write_str("1 user"),
            Load::Users(users) => write!(f, "{users} users"),
            Load::Rate { per_second, .. } => write!(f, "{per_second} transactions/s"),
        }
    }
}

impl Load {
    pub(crate) fn rate(self) -> Option<f64> {
        match self {
            Load::Users(_) => None,
            Load::Rate { per_second, .. } => Some(per_second),
        }
    }

    pub(crate) fn users(self) -> u32 {
        match self {
            Load::Users(users) | Load::Rate { users, .. } => users,
        }
    }
}
