//! `octavo lab gate` runs a few loops of one user and compares their costs with budgets: how often a call asks the database, how long it
//! takes relative to another call or to a transaction of pgbench. A build can run it and fail when a budget is exceeded.

mod budget;
#[cfg(test)]
mod tests;

use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};

use crate::flags::{number, number_value, option};
use crate::load::{CallTrace, Progress, TransactionTrace, on_one_thread};
use crate::measure::{add_arguments, trace_workflow};
use crate::pgbench::{Pgbench, Turn};
use crate::shelf_from_flags;

use budget::{Budget, Limit, Yardstick};

/// How long pgbench runs with one client to measure a transaction.
const PGBENCH_TURN: Duration = Duration::from_secs(3);

pub(crate) fn command() -> Command {
    add_arguments(Command::new("gate"))
        .about("Run each workflow that has a budget a few times, and fail when a budget is exceeded")
        .mut_arg("experiment", |experiment| experiment.required(false).hide(true))
        .mut_args(|argument| {
            let other = ["test", "users", "seconds", "think", "short", "preflights"]
                .contains(&argument.get_id().as_str());
            if other { argument.hide(true) } else { argument }
        })
        .arg(
            option(
                "budgets",
                "NAME",
                "Octavo's budgets of that name, entries, desk, memory or pgbench, or those of a FILE.toml",
            )
            .default_value("entries"),
        )
        .arg(number("loops", "20", 1..=10_000, "How often each transaction is done"))
        .arg(option(
            "pgbench",
            "URL",
            "A database that `pgbench -i` has filled, for budgets that are ratios to it",
        ))
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let shelf = shelf_from_flags(flags);
    let budgets = flags.get_one::<String>("budgets").context("which budgets?")?;
    let workflows = shelf.workflows()?;
    let budgets = budget::read(&shelf.budgets(budgets)?, &workflows)?;
    let loops = number_value(flags, "loops").into();
    let mut names: Vec<&str> = budgets.iter().map(|budget| budget.workflow.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let (mut measured, progress) = (GateMeasurements::default(), Progress::new(false));
    for name in names {
        progress.print_line(&format!("{name}, {loops} loops"));
        measured.workflows.push((name.to_owned(), trace_workflow(flags, name, loops)?));
    }
    for script in pgbench_scripts(&budgets) {
        let url = flags.get_one::<String>("pgbench").with_context(|| {
            format!("a budget is a ratio to pgbench {script}: which database has its tables? (--pgbench URL)")
        })?;
        progress.print_line(&format!("pgbench {script}"));
        let turn = Turn { script, clients: 1, time: PGBENCH_TURN, log: None };
        let done = on_one_thread(Pgbench::new(None, url).run_turn(&turn))?;
        measured.scripts.push((script, done.average_ms));
    }
    judge(&budgets, &measured)
}

/// What a gate measured: each workflow and each script of pgbench runs alone, one after the other.
#[derive(Debug, Default)]
struct GateMeasurements {
    /// Workflows by name, with what their calls took.
    workflows: Vec<(String, Vec<TransactionTrace>)>,
    /// Scripts of pgbench, each with the time of one transaction in milliseconds.
    scripts: Vec<(&'static str, f64)>,
}

impl GateMeasurements {
    fn millis(&self, of: &Yardstick) -> Option<f64> {
        match of {
            Yardstick::Call(call) => {
                let traced = self.workflows.iter().flat_map(|(_, traced)| traced);
                traced.flat_map(|one| &one.calls).find(|link| link.name == *call).map(millis_per_call)
            }
            Yardstick::Pgbench(script) => {
                self.scripts.iter().find(|(known, _)| known == script).map(|(_, millis)| *millis)
            }
        }
    }
}

/// The scripts of pgbench that budgets are ratios to, each once.
fn pgbench_scripts(budgets: &[Budget]) -> Vec<&'static str> {
    let limits = budgets.iter().flat_map(|budget| &budget.limits);
    let mut scripts: Vec<&str> = limits
        .filter_map(|limit| match limit {
            Limit::Ratio { to: Yardstick::Pgbench(script), .. } => Some(*script),
            _ => None,
        })
        .collect();
    scripts.sort_unstable();
    scripts.dedup();
    scripts
}

/// A line for each budget; an error when one is exceeded.
fn judge(budgets: &[Budget], measured: &GateMeasurements) -> Result<String> {
    let (mut told, mut exceeded) = (String::new(), Vec::new());
    for budget in budgets {
        for line in check_budget(budget, measured) {
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

fn check_budget(budget: &Budget, measured: &GateMeasurements) -> Vec<Result<String, String>> {
    let all = || {
        let own = measured.workflows.iter().filter(|(workflow, _)| *workflow == budget.workflow);
        own.flat_map(|(_, traced)| traced)
    };
    let head = format!("{}: {}", budget.name, budget.call);
    let find = |call: &str| all().flat_map(|traced| &traced.calls).find(|link| link.name == call);
    let Some(link) = find(&budget.call) else {
        return vec![Err(format!("{head} was never answered in the workflow {}", budget.workflow))];
    };
    let limits = budget.limits.iter().map(|limit| {
        let (value, most, what) = match limit {
            Limit::Reported { of, what, most } => {
                let Some(told) = link.told.as_ref().and_then(of) else {
                    return Err(format!("{head}: the server does not tell its {what} (x-octavo-trace)"));
                };
                (told / link.times, *most, (*what).to_owned())
            }
            Limit::Ratio { to, most } => {
                let Some(other) = measured.millis(to) else {
                    return Err(format!("{head}: {to}, which it is measured by, was never answered"));
                };
                (millis_per_call(link) / other, *most, format!("times as long as {to}"))
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
        let line = format!("{head}: {} {what}; {} allowed", format_figure(value), format_figure(most));
        if value <= most + 1e-9 { Ok(line) } else { Err(line) }
    });
    limits.collect()
}

fn millis_per_call(link: &CallTrace) -> f64 {
    link.millis / link.times.max(1e-9)
}

fn format_figure(value: f64) -> String {
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.2}") }
}
