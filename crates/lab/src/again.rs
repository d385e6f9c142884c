//! `octavo lab report`: the report of a run written anew from its JSON, as by a newer program.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::measure::write;
use crate::result::Results;

pub(crate) fn command() -> Command {
    Command::new("report").about("Write the report of a run anew from its JSON file, beside it").arg(
        Arg::new("file")
            .required(true)
            .value_name("FILE.json")
            .value_parser(value_parser!(PathBuf))
            .help("What `octavo lab run` wrote; the pages beside it are written over"),
    )
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let path = flags.get_one::<PathBuf>("file").context("which file?")?;
    write(&Results::read(path)?, path.parent().unwrap_or(Path::new(".")))
}
