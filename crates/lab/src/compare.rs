//! `octavo lab compare` tells whether one server or release is slower than another. It measures two servers in turns, or compares the files
//! of results of earlier runs.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};

use crate::flags::{number, number_value, option, path};
use crate::load::Progress;
use crate::measure::{self, Job};
use crate::result::{Results, Run, Summary};
use crate::statistics::{Comparison, Verdict, compare, set_verdicts};
use crate::table::Table;

pub(crate) fn command() -> Command {
    let files = |name: &'static str, help: &'static str| path(name, "FILE.json", help).num_args(1..);
    measure::add_arguments(Command::new("compare"))
        .about("Measure two servers in turns, or compare results that there are, and say what is slower")
        .mut_arg("experiment", |experiment| experiment.required(false))
        .arg(option("with", "URL", "The other server, whose tenant and user are the same"))
        .arg(number("rounds", "8", 1..=1000, "How often each server has its turn"))
        .arg(files("before", "Results of the one, in the order in which they ran").requires("after"))
        .arg(files("after", "Results of the other, each beside one of before").requires("before"))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let files = |name: &str| -> Result<Vec<Results>> {
        flags.get_many::<PathBuf>(name).unwrap_or_default().map(|path| Results::read(path)).collect()
    };
    let (mut before, mut after) = (files("before")?, files("after")?);
    if before.is_empty() {
        (before, after) = measure_in_turns(flags)?;
    }
    comparison_page(&before, &after)
}

/// Measures both servers once in each round. The server that goes first changes from round to round, so that warming up and wear affect
/// both equally.
fn measure_in_turns(flags: &ArgMatches) -> Result<(Vec<Results>, Vec<Results>)> {
    let Some(other) = flags.get_one::<String>("with") else {
        bail!("compare what? Name an experiment and --with URL, or results with --before and --after");
    };
    let job = Job::from_flags(flags)?;
    let with = job.with_url(other)?;
    let rounds = number_value(flags, "rounds");
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        Progress::new(false).print_line(&format!("round {} of {rounds}", round + 1));
        let job_first = round % 2 == 0;
        for is_job in [job_first, !job_first] {
            let results = if is_job { job.measure()? } else { with.measure()? };
            if results.interrupted {
                return Ok((before, after));
            }
            if is_job { before.push(results) } else { after.push(results) }
        }
    }
    Ok((before, after))
}

/// The comparison of one call or transaction of a test, over the rounds.
struct ComparisonLine {
    test: String,
    name: String,
    comparison: Comparison,
}

fn comparison_page(before: &[Results], after: &[Results]) -> Result<String> {
    let first = before.first().context("nothing to compare")?;
    let other = after.first().context("nothing to compare with")?;
    let mut lines = comparison_lines(before, after);
    set_verdicts(&mut lines.iter_mut().map(|line| &mut line.comparison).collect::<Vec<_>>());
    let mut text = format!("# {}: {} against {}\n\n", first.about, other.server, first.server);
    let spoilt: Vec<&Run> = before
        .iter()
        .chain(after)
        .flat_map(|results| &results.runs)
        .filter(|run| !run.generator.spoilt.is_empty() || run.count_errors() > 0)
        .collect();
    for told in verdict_sentences(&lines) {
        let _ = writeln!(text, "- {told}");
    }
    if !spoilt.is_empty() {
        let _ = writeln!(
            text,
            "- {} rounds had errors or were spoilt by the generator: look at their reports.",
            spoilt.len()
        );
    }
    let bounds = |(least, most): (f64, f64)| match least.is_nan() {
        true => String::new(),
        false => format!("{least:.3} to {most:.3}"),
    };
    let table = Table::from_items(
        "",
        &lines,
        &[
            ("test", &|line| line.test.clone()),
            ("", &|line| line.name.clone()),
            ("before, ms", &|line| format!("{:.2}", line.comparison.before)),
            ("after, ms", &|line| format!("{:.2}", line.comparison.after)),
            ("after by before", &|line| format!("{:.3}", line.comparison.ratio)),
            ("95 % bounds", &|line| bounds(line.comparison.bounds)),
            ("effect", &|line| format!("{:.1}", line.comparison.effect)),
            ("pairs", &|line| line.comparison.pairs.to_string()),
            ("verdict", &|line| line.comparison.verdict.label().to_owned()),
        ],
    );
    text.push('\n');
    text.push_str(&table.to_markdown());
    Ok(text)
}

fn verdict_sentences(lines: &[ComparisonLine]) -> Vec<String> {
    let of = |verdict: Verdict| -> Vec<String> {
        let mut lines: Vec<&ComparisonLine> =
            lines.iter().filter(|line| line.comparison.verdict == verdict).collect();
        // The largest difference first: where something was changed, the rest may only follow from it.
        lines.sort_by(|one, other| {
            other.comparison.ratio.ln().abs().total_cmp(&one.comparison.ratio.ln().abs())
        });
        lines
            .into_iter()
            .map(|line| {
                let percent = (line.comparison.ratio - 1.0) * 100.0;
                format!("{} ({}): {percent:+.1} %", line.name, line.test)
            })
            .collect()
    };
    let mut told = Vec::new();
    for (verdict, word) in [(Verdict::Slower, "Slower"), (Verdict::Faster, "Faster")] {
        let found = of(verdict);
        if !found.is_empty() {
            told.push(format!("{word}: {}.", found.join("; ")));
        }
    }
    let (same, few) = (of(Verdict::NoDifference).len(), of(Verdict::TooFew).len());
    if same > 0 {
        told.push(format!("No difference shown: {same} calls and transactions."));
    }
    if few > 0 {
        told.push(format!("Too few runs to say anything: {few} calls and transactions."));
    }
    told
}

fn comparison_lines(before: &[Results], after: &[Results]) -> Vec<ComparisonLine> {
    let tests = before.first().map(|results| results.runs.as_slice()).unwrap_or_default();
    let mut lines = Vec::new();
    for test in tests {
        for one in test.transactions.iter().chain(&test.calls) {
            let average = |results: &Results| average_time(results, &test.test, &one.name);
            let pairs = before.iter().zip(after);
            let (before, after): (Vec<f64>, Vec<f64>) =
                pairs.filter_map(|(before, after)| Some((average(before)?, average(after)?))).unzip();
            let comparison = compare(&before, &after);
            lines.push(ComparisonLine { test: test.test.clone(), name: one.name.clone(), comparison });
        }
    }
    lines
}

/// The average time of a call or transaction; none if it was not answered in that round.
fn average_time(results: &Results, test: &str, name: &str) -> Option<f64> {
    let run = results.runs.iter().find(|run| run.test == test)?;
    let found = run.transactions.iter().chain(&run.calls).find(|one| one.name == name);
    found.filter(|one: &&Summary| one.count > 0).map(|one| one.average)
}

impl Verdict {
    fn label(self) -> &'static str {
        match self {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::NoDifference => "no difference shown",
            Verdict::TooFew => "too few runs",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(times: &[(&str, f64)]) -> Results {
        let calls = times.iter().map(|(name, average)| Summary {
            name: (*name).to_owned(),
            count: 10,
            average: *average,
            ..Summary::default()
        });
        let run = Run { test: "t".to_owned(), calls: calls.collect(), ..Run::default() };
        let json = serde_json::json!({"format": 1, "experiment": "e", "about": "E", "report": null, "started": "", "server": "s",
            "tenant": "", "version": "", "machine": "", "runs": [run]});
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn what_became_slower_is_named_first() {
        let noise = [1.0, 1.01, 0.99, 1.005, 0.995, 1.0];
        let of = |slow: f64| -> Vec<Results> {
            noise.iter().map(|noise| results(&[("GET /slow", slow * noise), ("GET /same", 5.0)])).collect()
        };
        let text = comparison_page(&of(10.0), &of(110.0)).unwrap();
        assert!(text.contains("- Slower: GET /slow (t): +1000.0 %."), "{text}");
        assert!(text.contains("- No difference shown: 1 calls"), "{text}");
        let two = |times: [(&str, f64); 2]| -> Vec<Results> {
            noise.iter().map(|noise| results(&times.map(|(name, time)| (name, time * noise)))).collect()
        };
        let text =
            comparison_page(&two([("T", 12.0), ("GET /a", 2.0)]), &two([("T", 22.0), ("GET /a", 12.0)]))
                .unwrap();
        assert!(text.contains("- Slower: GET /a (t): +500.0 %; T (t): +83.3 %."), "{text}");
        let text = comparison_page(&of(10.0)[..2], &of(110.0)[..2]).unwrap();
        assert!(text.contains("Too few runs to say anything: 2"), "{text}");
    }
}
