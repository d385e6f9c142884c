//! `octavo lab list`: which experiments there are; reading them all tells every mistake in them.

use std::fmt::Write;

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::experiment::{Experiment, Load};
use crate::{folder, shelf};

pub(crate) fn command() -> Command {
    Command::new("list")
        .about("List experiments and workflows; mistakes in their files are told")
        .arg(folder())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let shelf = shelf(flags);
    let workflows = shelf.workflows()?;
    let mut text = String::from("experiments\n");
    for experiment in shelf.experiments(&workflows)? {
        one(&mut text, &experiment);
    }
    text.push_str("\nworkflows\n");
    for workflow in &workflows {
        let _ = writeln!(text, "  {:<32}{}", workflow.name, workflow.about);
    }
    Ok(text)
}

fn one(text: &mut String, experiment: &Experiment) {
    let _ = writeln!(text, "  {:<32}{}", experiment.name, experiment.about);
    for test in &experiment.tests {
        let load = match test.load {
            Load::Users(1) => "1 user".to_owned(),
            Load::Users(users) => format!("{users} users"),
            Load::Rate { per_second, .. } => format!("{per_second} transactions/s"),
        };
        let minutes = test.duration.as_secs_f64() / 60.0;
        let _ = writeln!(text, "    {:<58}{load}, {minutes:.0} min", test.name);
    }
}
