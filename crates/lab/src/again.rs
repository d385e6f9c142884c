//! `octavo lab report`: the report of a run written anew from its JSON, as by a newer program.

use std::path::Path;

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::flags::{file, path_value};
use crate::measure::write_report;
use crate::result::Results;

pub(crate) fn command() -> Command {
    Command::new("report")
        .about("Write the report of a run anew from its JSON file, beside it")
        .arg(file("FILE.json", "What `octavo lab run` wrote; the pages beside it are written over"))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let path = path_value(flags, "file");
    write_report(&Results::read(&path)?, path.parent().unwrap_or(Path::new(".")))
}
