//! `octavo lab compare`: is one server, or one release, slower than another? Either two servers are measured in turns, or
//! results of runs that there are already are laid beside each other.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::measure::{self, Job};
use crate::progress::Progress;
use crate::result::{Results, Run, Summary};
use crate::statistics::{Comparison, Verdict, compare, settle};
use crate::table::Table;

pub(crate) fn command() -> Command {
    let files = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("FILE.json")
            .num_args(1..)
            .value_parser(value_parser!(PathBuf))
            .help(help)
    };
    measure::arguments(Command::new("compare"))
        .about("Measure two servers in turns, or compare results that there are, and say what is slower")
        .mut_arg("experiment", |experiment| experiment.required(false))
        .arg(
            Arg::new("with")
                .long("with")
                .value_name("URL")
                .help("The other server, whose tenant and user are the same"),
        )
        .arg(
            Arg::new("rounds")
                .long("rounds")
                .value_name("NUMBER")
                .default_value("8")
                .value_parser(value_parser!(u32).range(1..=1000))
                .help("How often each server has its turn"),
        )
        .arg(files("before", "Results of the one, in the order in which they ran").requires("after"))
        .arg(files("after", "Results of the other, each beside one of before").requires("before"))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let files = |name: &str| -> Result<Vec<Results>> {
        flags.get_many::<PathBuf>(name).unwrap_or_default().map(|path| Results::read(path)).collect()
    };
    let (mut before, mut after) = (files("before")?, files("after")?);
    if before.is_empty() {
        (before, after) = in_turns(flags)?;
    }
    page(&before, &after)
}

/// One first, then the other first: what warms up or wears out, does so for both.
fn in_turns(flags: &ArgMatches) -> Result<(Vec<Results>, Vec<Results>)> {
    let Some(other) = flags.get_one::<String>("with") else {
        bail!("compare what? Name an experiment and --with URL, or results with --before and --after");
    };
    let job = Job::from_flags(flags)?;
    let with = job.at(other)?;
    let rounds = flags.get_one::<u32>("rounds").copied().unwrap_or(1);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        Progress::new(false).line(&format!("round {} of {rounds}", round + 1));
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

/// One call or transaction of one test, over the rounds.
struct Line {
    test: String,
    name: String,
    comparison: Comparison,
}

const HEAD: [&str; 9] =
    ["test", "", "before, ms", "after, ms", "after by before", "95 % bounds", "effect", "pairs", "verdict"];

fn page(before: &[Results], after: &[Results]) -> Result<String> {
    let first = before.first().context("nothing to compare")?;
    let other = after.first().context("nothing to compare with")?;
    let mut lines = lines(before, after);
    settle(&mut lines.iter_mut().map(|line| &mut line.comparison).collect::<Vec<_>>());
    let mut text = format!("# {}: {} against {}\n\n", first.about, other.server, first.server);
    let spoilt: Vec<&Run> = before
        .iter()
        .chain(after)
        .flat_map(|results| &results.runs)
        .filter(|run| !run.generator.spoilt.is_empty() || run.errors() > 0)
        .collect();
    for told in words(&lines) {
        let _ = writeln!(text, "- {told}");
    }
    if !spoilt.is_empty() {
        let _ = writeln!(
            text,
            "- {} rounds had errors or were spoilt by the generator: look at their reports.",
            spoilt.len()
        );
    }
    let row = |Line { test, name, comparison }: &Line| {
        let Comparison { before, after, ratio, bounds, effect, pairs, verdict, .. } = comparison;
        let bounds =
            if bounds.0.is_nan() { String::new() } else { format!("{:.3} to {:.3}", bounds.0, bounds.1) };
        vec![
            test.clone(),
            name.clone(),
            format!("{before:.2}"),
            format!("{after:.2}"),
            format!("{ratio:.3}"),
            bounds,
            format!("{effect:.1}"),
            pairs.to_string(),
            verdict.word().to_owned(),
        ]
    };
    text.push('\n');
    text.push_str(&Table::new(&HEAD, lines.iter().map(row).collect()).markdown());
    Ok(text)
}

fn words(lines: &[Line]) -> Vec<String> {
    let of = |verdict: Verdict| -> Vec<String> {
        let mut lines: Vec<&Line> = lines.iter().filter(|line| line.comparison.verdict == verdict).collect();
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

fn lines(before: &[Results], after: &[Results]) -> Vec<Line> {
    let tests = before.first().map(|results| results.runs.as_slice()).unwrap_or_default();
    let mut lines = Vec::new();
    for test in tests {
        for one in test.transactions.iter().chain(&test.calls) {
            let average = |results: &Results| average(results, &test.test, &one.name);
            let pairs = before.iter().zip(after);
            let (before, after): (Vec<f64>, Vec<f64>) =
                pairs.filter_map(|(before, after)| Some((average(before)?, average(after)?))).unzip();
            let comparison = compare(&before, &after);
            lines.push(Line { test: test.test.clone(), name: one.name.clone(), comparison });
        }
    }
    lines
}

/// None for what was not answered in that round.
fn average(results: &Results, test: &str, name: &str) -> Option<f64> {
    let run = results.runs.iter().find(|run| run.test == test)?;
    let found = run.transactions.iter().chain(&run.calls).find(|one| one.name == name);
    found.filter(|one: &&Summary| one.count > 0).map(|one| one.average)
}

impl Verdict {
    fn word(self) -> &'static str {
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
        let text = page(&of(10.0), &of(110.0)).unwrap();
        assert!(text.contains("- Slower: GET /slow (t): +1000.0 %."), "{text}");
        assert!(text.contains("- No difference shown: 1 calls"), "{text}");
        let two = |times: [(&str, f64); 2]| -> Vec<Results> {
            noise.iter().map(|noise| results(&times.map(|(name, time)| (name, time * noise)))).collect()
        };
        let text = page(&two([("T", 12.0), ("GET /a", 2.0)]), &two([("T", 22.0), ("GET /a", 12.0)])).unwrap();
        assert!(text.contains("- Slower: GET /a (t): +500.0 %; T (t): +83.3 %."), "{text}");
        let text = page(&of(10.0)[..2], &of(110.0)[..2]).unwrap();
        assert!(text.contains("Too few runs to say anything: 2"), "{text}");
    }
}
