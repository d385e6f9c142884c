//! `octavo lab list`: which experiments there are; reading them all tells every mistake in them.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;
use clap::{ArgMatches, Command};

use crate::experiment::{Experiment, Test};
use crate::{folder, shelf};

pub(crate) fn command() -> Command {
    Command::new("list")
        .about("List experiments and workflows; mistakes in their files are told")
        .arg(folder())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let shelf = shelf(flags);
    let workflows = shelf.workflows()?;
    let mut text = String::from("experiments; behind each test its duration, and that of --short\n");
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
    let report =
        experiment.report.as_ref().map_or(String::new(), |report| format!(" (FOLIO's report {report})"));
    let _ = writeln!(text, "  {:<32}{}{report}", experiment.name, experiment.about);
    for test in &experiment.tests {
        let _ = writeln!(text, "    {:<58}{}, {}", test.name, test.load, long(test));
    }
}

/// `45 min, 90 s`; `4 times`
fn long(test: &Test) -> String {
    if let Some(loops) = test.loops {
        return if loops == 1 { "once".to_owned() } else { format!("{loops} times") };
    }
    let (whole, short) = (in_words(test.duration), in_words(test.short));
    if whole == short { whole } else { format!("{whole}, {short}") }
}

fn in_words(duration: Duration) -> String {
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
            long(&Test { duration: of(seconds), short: of(short), loops, ..Test::alone("w") })
        };
        assert_eq!(test(2700, 90, None), "45 min, 90 s");
        assert_eq!(test(86_400, 60, None), "24 h, 60 s");
        assert_eq!(test(10, 10, None), "10 s");
        assert_eq!((test(60, 60, Some(4)), test(60, 60, Some(1))), ("4 times".to_owned(), "once".to_owned()));
    }
}
