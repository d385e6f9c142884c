//! `octavo lab history` draws figures of many runs from a CSV file: a chart for each column.

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};

use crate::files;
use crate::flags::{file, path_value};
use crate::measure::out_arg;
use crate::report;

pub(crate) fn command() -> Command {
    Command::new("history")
        .about("Draw a file of figures that were measured over time, a row for each time")
        .arg(file(
            "FILE.csv",
            "Names in the first line, the time in the first column; beside NAME there may be NAME least and NAME most",
        ))
        .arg(out_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let file = path_value(flags, "file");
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("history");
    let page =
        report::history(name, &files::read_text(&file)?).with_context(|| file.display().to_string())?;
    let path = path_value(flags, "out").join(format!("{name}.html"));
    files::write(&path, &page)?;
    Ok(format!("{}\n", path.display()))
}
