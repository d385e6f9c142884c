//! The performance laboratory. It puts load on any server with FOLIO's interface, as an experiment's file describes it, and reports the
//! results beside FOLIO's published figures.
//!
//! The laboratory knows nothing of Octavo's modules or records: files under `lab/` contain the requests that it sends. Source: FOLIO's five
//! performance reports, whose figures are in `lab/published`.
//!
//! Besides the command, this crate offers its instruments to `octavo bench`: the HTTP client, the reader of `/proc`, the runner of pgbench,
//! percentiles and tables.

mod again;
mod brackets;
pub mod chance;
pub mod clock;
mod collect;
mod compare;
mod data;
mod experiment;
#[cfg(test)]
mod fake;
mod files;
pub mod flags;
mod gate;
mod history;
pub mod http;
mod import;
mod join;
mod knee;
mod list;
pub mod load;
pub mod machine;
mod mark;
mod measure;
pub mod pgbench;
pub mod process;
mod published;
mod report;
mod result;
mod series;
mod shelf;
pub mod statistics;
mod stop;
pub mod table;
#[cfg(test)]
mod whole;
mod workflow;

use anyhow::Result;
use clap::{Arg, ArgMatches, Command};

pub use files::nearest;
pub use load::on_one_thread;
pub use workflow::encode_value;

/// The subcommands of `octavo lab`, each with the function that runs it and returns what is printed.
fn commands() -> [(Command, fn(&ArgMatches) -> Result<String>); 12] {
    [
        (measure::command(), measure::run),
        (compare::command(), compare::run),
        (knee::command(), knee::run),
        (import::command(), import::run),
        (gate::command(), gate::run),
        (again::command(), again::run),
        (join::command(), join::run),
        (history::command(), history::run),
        (list::command(), list::run),
        (mark::command(), mark::run),
        (data::keep_command(), data::run_keep),
        (data::reset_command(), data::run_reset),
    ]
}

/// `octavo lab`
pub fn command() -> Command {
    Command::new("lab")
        .about("Measure a server that speaks FOLIO's interface, as FOLIO's performance reports do")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands().map(|(command, _)| command))
}

/// Runs the subcommand that the command line names; returns what is printed when it is done.
pub fn run(flags: &ArgMatches) -> Result<String> {
    let Some((name, flags)) = flags.subcommand() else { return Ok(String::new()) };
    let run = commands().into_iter().find(|(command, _)| command.get_name() == name);
    run.map_or(Ok(String::new()), |(_, run)| run(flags))
}

/// An experiment that is contained in the program and can be run.
pub struct OfferedExperiment {
    pub name: String,
    pub about: String,
    pub tests: usize,
    /// The duration of all its tests together, with `--short`.
    pub short_seconds: u64,
}

pub fn offered_experiments() -> Result<Vec<OfferedExperiment>> {
    let shelf = shelf::Shelf::new(None);
    let experiments = shelf.experiments(&shelf.workflows()?)?;
    let offer = |experiment: experiment::Experiment| OfferedExperiment {
        tests: experiment.tests.len(),
        short_seconds: experiment.tests.iter().map(|test| test.short_duration.as_secs()).sum(),
        name: experiment.name,
        about: experiment.about,
    };
    Ok(experiments.into_iter().map(offer).collect())
}

/// The argument of every command that reads experiments.
fn folder_arg() -> Arg {
    flags::path(
        "folder",
        "FOLDER",
        "A folder with experiments/ and workflows/ of your own, which come before those inside the program",
    )
}

fn shelf_from_flags(flags: &ArgMatches) -> shelf::Shelf {
    shelf::Shelf::new(flags.get_one("folder").cloned())
}
