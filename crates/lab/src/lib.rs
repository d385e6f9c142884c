//! The performance laboratory: it drives any server that speaks FOLIO's interface, as a file says, and tells what came of it
//! beside what was published.
//!
//! Knows nothing of Octavo's own modules or records: what it asks a server for stands in files under `lab/`. Facts: FOLIO's
//! five performance reports, as `lab/published` has them.
//!
//! What is public here beside the command are the instruments: the HTTP client, the reader of `/proc`, the runner of pgbench,
//! times and tables. `octavo bench` measures with them.

mod again;
mod chance;
pub mod clock;
mod collect;
mod compare;
mod data;
mod experiment;
#[cfg(test)]
mod fake;
mod files;
mod gate;
mod history;
pub mod http;
mod import;
mod knee;
mod list;
pub mod load;
pub mod machine;
mod mark;
mod measure;
pub mod pgbench;
pub mod process;
mod progress;
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
use clap::{Arg, ArgMatches, Command, value_parser};

/// `octavo lab`
pub fn command() -> Command {
    Command::new("lab")
        .about("Measure a server that speaks FOLIO's interface, as FOLIO's performance reports do")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(measure::command())
        .subcommand(compare::command())
        .subcommand(knee::command())
        .subcommand(import::command())
        .subcommand(gate::command())
        .subcommand(again::command())
        .subcommand(history::command())
        .subcommand(list::command())
        .subcommand(mark::command())
        .subcommand(data::keep_command())
        .subcommand(data::reset_command())
}

/// What is printed when it is done.
pub fn run(flags: &ArgMatches) -> Result<String> {
    match flags.subcommand() {
        Some(("run", flags)) => measure::run(flags),
        Some(("compare", flags)) => compare::run(flags),
        Some(("knee", flags)) => knee::run(flags),
        Some(("import", flags)) => import::run(flags),
        Some(("gate", flags)) => gate::run(flags),
        Some(("report", flags)) => again::run(flags),
        Some(("mark", flags)) => mark::run(flags),
        Some(("keep", flags)) => data::keep(flags),
        Some(("reset", flags)) => data::reset(flags),
        Some(("history", flags)) => history::run(flags),
        Some(("list", flags)) => list::run(flags),
        _ => Ok(String::new()),
    }
}

/// What can be run: an experiment that travels inside the program.
pub struct Offer {
    pub name: String,
    pub about: String,
    /// How many tests it has.
    pub tests: usize,
    /// Of all its tests together, with `--short`.
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

/// Of every command that reads experiments.
fn folder() -> Arg {
    Arg::new("folder")
        .long("folder")
        .value_name("FOLDER")
        .value_parser(value_parser!(std::path::PathBuf))
        .help("A folder with experiments/ and workflows/ of your own, which come before those inside the program")
}

fn shelf(flags: &ArgMatches) -> shelf::Shelf {
    shelf::Shelf::new(flags.get_one("folder").cloned())
}
