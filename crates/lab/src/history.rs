//! `octavo lab history`: figures of many releases, as a file keeps them, drawn one beside the other.

use anyhow::{Context, Result};
use clap::{ArgMatches, Command};

use crate::files;
use crate::flags::{file, given_path};
use crate::measure::out;
use crate::report;

pub(crate) fn command() -> Command {
    Command::new("history")
        .about("Draw a file of figures that were measured over time, a row for each time")
        .arg(file(
            "FILE.csv",
            "Names in the first line, the time in the first column; beside NAME there may be NAME least and NAME most",
        ))
        .arg(out())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let file = given_path(flags, "file");
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("history");
    let page = report::history(name, &files::text_of(&file)?).with_context(|| file.display().to_string())?;
    let path = given_path(flags, "out").join(format!("{name}.html"));
    files::write(&path, &page)?;
    Ok(format!("{}\n", path.display()))
}
