//! `octavo lab gate`: a few loops of one user, and budgets that they must keep: how often a call asks the database, how long it takes
//! beside another one. For a build that is to fail when something got worse.

mod budget;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::load::{Link, Traced};
use crate::measure::{arguments, traced};
use crate::shelf;

use budget::{Budget, Limit};

pub(crate) fn command() -> Command {
    arguments(Command::new("gate"))
        .about("Run each workflow that has a budget a few times, and fail when a budget is exceeded")
        .mut_arg("experiment", |experiment| experiment.required(false).hide(true))
        .mut_args(|argument| {
            let other = ["test", "users", "seconds", "think", "short", "preflights"]
                .contains(&argument.get_id().as_str());
            if other { argument.hide(true) } else { argument }
        })
        .arg(
            Arg::new("budgets")
                .long("budgets")
                .value_name("NAME")
                .default_value("entries")
                .help("Octavo's budgets of that name, entries or desk, or those of a FILE.toml"),
        )
        .arg(
            Arg::new("loops")
                .long("loops")
                .value_name("NUMBER")
                .default_value("20")
                .value_parser(value_parser!(u64).range(1..=10_000))
                .help("How often each transaction is done"),
        )
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let shelf = shelf(flags);
    let budgets = flags.get_one::<String>("budgets").context("which budgets?")?;
    let workflows = shelf.workflows()?;
    let budgets = budget::read(&shelf.budgets(budgets)?, &workflows)?;
    let loops = *flags.get_one::<u64>("loops").context("how often?")?;
    let mut names: Vec<&str> = budgets.iter().map(|budget| budget.workflow.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut measured = Vec::new();
    for name in names {
        eprintln!("lab: {name}, {loops} loops");
        measured.push((name.to_owned(), traced(flags, name, loops)?));
    }
    judge(&budgets, &measured)
}

/// A line for each budget; an error when one is exceeded.
fn judge(budgets: &[Budget], measured: &[(String, Vec<Traced>)]) -> Result<String> {
    let (mut told, mut exceeded) = (String::new(), Vec::new());
    for budget in budgets {
        for line in of_budget(budget, measured) {
            match line {
                Ok(kept) => told.push_str(&format!("kept: {kept}\n")),
                Err(why) => exceeded.push(format!("  {why}")),
            }
        }
    }
    if exceeded.is_empty() {
        return Ok(told);
    }
    let count = exceeded.len();
    bail!(
        "{count} {} exceeded:\n{}",
        if count == 1 { "budget is" } else { "budgets are" },
        exceeded.join("\n")
    )
}

fn of_budget(budget: &Budget, measured: &[(String, Vec<Traced>)]) -> Vec<Result<String, String>> {
    let all = || {
        measured.iter().filter(|(workflow, _)| *workflow == budget.workflow).flat_map(|(_, traced)| traced)
    };
    let head = format!("{}: {}", budget.name, budget.call);
    let find = |call: &str| all().flat_map(|traced| &traced.calls).find(|link| link.name == call);
    let Some(link) = find(&budget.call) else {
        return vec![Err(format!("{head} was never answered in the workflow {}", budget.workflow))];
    };
    let limits = budget.limits.iter().map(|limit| {
        let (value, most, what) = match limit {
            Limit::Told { of, what, most } => {
                let Some(told) = &link.told else {
                    return Err(format!("{head}: the server does not tell its {what} (x-octavo-trace)"));
                };
                (of(told) / link.times, *most, (*what).to_owned())
            }
            Limit::Ratio { to, most } => {
                let Some(other) = measured
                    .iter()
                    .flat_map(|(_, traced)| traced)
                    .flat_map(|traced| &traced.calls)
                    .find(|link| link.name == *to)
                else {
                    return Err(format!("{head}: {to}, which it is measured by, was never answered"));
                };
                (each(link) / each(other), *most, format!("times as long as {to}"))
            }
            Limit::Failed { most } => {
                let (loops, failed) =
                    all().fold((0, 0), |(loops, failed), one| (loops + one.loops, failed + one.failed));
                (
                    failed as f64 / loops.max(1) as f64,
                    *most,
                    "of its transactions failed, as a share".to_owned(),
                )
            }
        };
        let line = format!("{head}: {} {what}; {} allowed", digits(value), digits(most));
        if value <= most + 1e-9 { Ok(line) } else { Err(line) }
    });
    limits.collect()
}

fn each(link: &Link) -> f64 {
    link.millis / link.times.max(1e-9)
}

fn digits(value: f64) -> String {
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.2}") }
}
