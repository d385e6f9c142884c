//! `octavo lab list` lists the experiments and workflows. It reads them all, so it reports every mistake in their files.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::experiment::{Experiment, Test};
use crate::{folder_arg, shelf_from_flags};

pub(crate) fn command() -> Command {
    Command::new("list")
        .about("List experiments and workflows; mistakes in their files are told")
        .arg(folder_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let shelf = shelf_from_flags(flags);
    let workflows = shelf.workflows()?;
    let mut text = String::from("experiments; behind each test its duration, and that of --short\n");
    for experiment in shelf.experiments(&workflows)? {
        write_experiment(&mut text, &experiment);
    }
    text.push_str("\nworkflows\n");
    for workflow in &workflows {
        let _ = writeln!(text, "  {:<32}{}", workflow.name, workflow.about);
    }
    Ok(text)
}

fn write_experiment(text: &mut String, experiment: &Experiment) {
    let report =
        experiment.report.as_ref().map_or(String::new(), |report| format!(" (FOLIO's report {report})"));
    let _ = writeln!(text, "  {:<32}{}{report}", experiment.name, experiment.about);
    for test in &experiment.tests {
        let _ = writeln!(text, "    {:<58}{}, {}", test.name, test.load, test_length(test));
    }
}

/// How long a test runs, with its short duration: `45 min, 90 s`; or its number of loops: `4 times`.
fn test_length(test: &Test) -> String {
    if let Some(loops) = test.loops {
        return if loops == 1 { "once".to_owned() } else { format!("{loops} times") };
    }
    let (whole, short) = (format_duration(test.duration), format_duration(test.short_duration));
    if whole == short { whole } else { format!("{whole}, {short}") }
}

fn format_duration(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds < 120 => format!("{seconds} s"),
        seconds if seconds < 7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_told_in_the_unit_that_fits() {
        let test = |seconds: u64, short: u64, loops: Option<u64>| {
            let of = Duration::from_secs;
            test_length(&Test {
                duration: of(seconds),
                short_duration: of(short),
                loops,
                ..Test::single_user("w")
            })
        };
        assert_eq!(test(2700, 90, None), "45 min, 90 s");
        assert_eq!(test(86_400, 60, None), "24 h, 60 s");
        assert_eq!(test(10, 10, None), "10 s");
        assert_eq!((test(60, 60, Some(4)), test(60, 60, Some(1))), ("4 times".to_owned(), "once".to_owned()));
    }
}
