//! `octavo lab history`: figures of many releases, as a file keeps them, drawn one beside the other.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::measure::out;
use crate::report;

pub(crate) fn command() -> Command {
    Command::new("history")
        .about("Draw a file of figures that were measured over time, a row for each time")
        .arg(
            Arg::new("file")
                .required(true)
                .value_name("FILE.csv")
                .value_parser(value_parser!(PathBuf))
                .help("Names in the first line, the time in the first column; beside NAME there may be NAME least and NAME most"),
        )
        .arg(out())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let file = flags.get_one::<PathBuf>("file").context("which file?")?;
    let text = std::fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("history");
    let page = report::history(name, &text).with_context(|| file.display().to_string())?;
    let folder = flags.get_one::<PathBuf>("out").cloned().unwrap_or_else(|| "lab-reports".into());
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let path = folder.join(format!("{name}.html"));
    std::fs::write(&path, page).with_context(|| format!("can't write {}", path.display()))?;
    Ok(format!("{}\n", path.display()))
}
