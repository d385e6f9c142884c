//! `octavo lab import` translates a JMeter plan to a workflow and an experiment, as far as these can express it. Parts that could not be
//! translated are listed with their lines.
//!
//! Sources: the file format of JMeter 5, and the elements that FOLIO's own plans use.

mod call;
mod condition;
mod csv;
mod data;
mod functions;
#[cfg(test)]
mod fuzz;
mod groups;
mod names;
mod pause;
mod plan;
mod script;
mod scripted;
mod steps;
mod taken;
#[cfg(test)]
mod tests;
mod text;
mod write;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};

use crate::files::{self, Source};
use crate::{experiment, flags, workflow};

use names::Names;

pub(crate) fn command() -> Command {
    let folder = flags::path(
        "folder",
        "FOLDER",
        "Where workflows/ and experiments/ are written, for --folder of the other commands",
    );
    Command::new("import")
        .about("Write a workflow and an experiment from a plan of JMeter, and say what could not be read")
        .arg(flags::file("FILE.jmx", "The plan"))
        .arg(folder.default_value("lab-files"))
}

/// The result of an import: the files by their path in the folder, and notes on the parts of the plan that are not in them.
pub(crate) struct Imported {
    pub(crate) files: Vec<(String, String)>,
    /// Differences from the plan that leave its calls as they are.
    pub(crate) notes: Vec<(usize, String)>,
    /// Parts of the plan that are missing, so that the calls are not the plan's.
    pub(crate) missing: Vec<(usize, String)>,
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let [file, folder] = ["file", "folder"].map(|name| flags::path_value(flags, name));
    let text = files::read_text(&file)?;
    let beside = file.parent().unwrap_or(Path::new(".")).to_owned();
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("plan");
    let imported = import(name, &text, move |data| read_data_file(&beside, data))?;
    let mut told = String::new();
    for (inside, text) in &imported.files {
        let path = folder.join(inside);
        files::write(&path, text)?;
        told.push_str(&format!("{}\n", path.display()));
    }
    if !imported.notes.is_empty() {
        told.push_str(&format!("\nOther than in {}, with the same calls:\n", file.display()));
        told.push_str(&format_notes(&imported.notes));
    }
    if !imported.missing.is_empty() {
        let missing = format_notes(&imported.missing);
        bail!("{told}\nit was written, but does not do what {} does; missing:\n{missing}", file.display());
    }
    Ok(told)
}

/// Imports a plan. `rows` returns the text of a data file by its name. A plan without any call is an error.
pub(crate) fn import(
    name: &str,
    text: &str,
    rows: impl Fn(&str) -> Option<String> + 'static,
) -> Result<Imported> {
    let options = roxmltree::ParsingOptions { allow_dtd: false, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options).context("this is no XML")?;
    let plan = plan::read_plan(&document)?;
    let mut names = Names::new(Box::new(rows));
    let read = groups::read_groups(&plan, &mut names);
    if read.transactions.is_empty() {
        names.notes.extend(std::mem::take(&mut names.missing));
        bail!("the plan has no call that a workflow can make\n{}", format_notes(&names.notes));
    }
    let about = format!("{name}, imported from a plan of JMeter");
    let mut files =
        vec![(format!("workflows/{name}.toml"), write::workflow_toml(&about, &names, &read.transactions))];
    files.push((format!("experiments/{name}.toml"), read.experiment_toml(name, &about)));
    for csv in names.csv.iter().filter(|csv| !csv.used_columns.is_empty()) {
        let rows = (names.read_file)(&csv.file);
        match rows.as_deref().map(|rows| csv.to_csv_with_header(rows)) {
            Some(Some(rows)) => {
                let file = (format!("workflows/{}", csv.file), rows);
                if files.iter().any(|known| known.0 == file.0 && *known != file) {
                    let told = format!("{}: another data set gives its columns other names", csv.file);
                    names.missing.push((csv.line, told));
                }
                files.push(file);
            }
            Some(None) => names.missing.push((csv.line, format!("{}: values with commas in them", csv.file))),
            None => {
                let columns = csv.columns.join(",");
                let told = format!(
                    "{}: put this file into workflows/, with commas, and {columns} as its first line",
                    csv.file
                );
                names.missing.push((csv.line, told));
            }
        }
    }
    names.missing.extend(validate_written_files(name, &files[0], &files[1]));
    Ok(Imported { files, notes: names.notes, missing: names.missing })
}

/// Validates the written files with the laboratory's own readers, and returns their messages.
fn validate_written_files(
    name: &str,
    workflow: &(String, String),
    experiment: &(String, String),
) -> Vec<(usize, String)> {
    let source = |(path, text): &(String, String)| Source::new(path.clone(), text.clone());
    let read = workflow::read(name, &source(workflow))
        .and_then(|workflow| experiment::read(name, &source(experiment), &[workflow]));
    let problems = read.err().map(|error| error.to_string()).unwrap_or_default();
    problems.lines().map(|line| (0, format!("to be mended: {line}"))).collect()
}

/// The text of a data file, which is beside the plan or in a subfolder.
fn read_data_file(beside: &Path, file: &str) -> Option<String> {
    let places = ["", "jmeter-supported-data", "data"];
    places.iter().find_map(|place| std::fs::read_to_string(beside.join(place).join(file)).ok())
}

/// Lists notes by line; a note about several lines is listed once.
fn format_notes(notes: &[(usize, String)]) -> String {
    let mut by_text: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (line, text) in notes {
        let lines = by_text.entry(text).or_default();
        if !lines.contains(line) {
            lines.push(*line);
        }
    }
    let mut told: Vec<(usize, String)> = Vec::new();
    for (text, mut lines) in by_text {
        lines.sort_unstable();
        let first = lines[0];
        let numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
        let line = match numbers.as_slice() {
            [_] if first == 0 => format!("  {text}\n"),
            [one] => format!("  line {one}: {text}\n"),
            many => format!("  lines {}: {text}\n", many.join(", ")),
        };
        told.push((first, line));
    }
    told.sort();
    told.into_iter().map(|(_, text)| text).collect()
}
