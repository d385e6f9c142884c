//! The performance laboratory: it drives any server that speaks FOLIO's interface, as a file says, and tells what came of it
//! beside what was published.
//!
//! Knows nothing of Octavo's own modules or records: what it asks a server for stands in files under `lab/`. Facts: FOLIO's
//! five performance reports, as `lab/published` has them.
//!
//! What is public here beside the command are the instruments: the HTTP client, the reader of `/proc`, the runner of pgbench,
//! times and tables. `octavo bench` measures with them.

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
        (data::keep_command(), data::keep),
        (data::reset_command(), data::reset),
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

/// An experiment that travels inside the program and can be run.
pub struct Offer {
    pub name: String,
    pub about: String,
    pub tests: usize,
    /// The duration of all its tests together, with `--short`.
    pub short_seconds: u64,
}

pub fn offers() -> Result<Vec<Offer>> {
    let shelf = shelf::Shelf::new(None);
    let experiments = shelf.experiments(&shelf.workflows()?)?;
    let offer = |experiment: experiment::Experiment| Offer {
        tests: experiment.tests.len(),
        short_seconds: experiment.tests.iter().map(|test| test.short.as_secs()).sum(),
        name: experiment.name,
        about: experiment.about,
    };
    Ok(experiments.into_iter().map(offer).collect())
}

/// The argument of every command that reads experiments.
fn folder() -> Arg {
    flags::path(
        "folder",
        "FOLDER",
        "A folder with experiments/ and workflows/ of your own, which come before those inside the program",
    )
}

fn shelf(flags: &ArgMatches) -> shelf::Shelf {
    shelf::Shelf::new(flags.get_one("folder").cloned())
}
