//! `octavo lab join` joins runs of one test that were made one after the other against the same server process, so that a day can be
//! measured in stretches. All series and time lines get one axis of time, with the pauses between the runs, and growth is judged over the
//! whole time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use jiff::Timestamp;

use crate::measure::write_report;
use crate::result::{Moment, Results, Run, Summary};
use crate::series::Series;

/// The most steps of a joined time line.
const MOST_STEPS: f64 = 600.0;

pub(crate) fn command() -> Command {
    let files = Arg::new("files")
        .required(true)
        .num_args(2..)
        .action(ArgAction::Append)
        .value_name("FILE.json")
        .value_parser(value_parser!(PathBuf))
        .help("What `octavo lab run` wrote of each stretch, in any order");
    Command::new("join")
        .about("Write one report of several runs of the same tests against the same server process, such as the stretches of a day")
        .arg(files)
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let files: Vec<&PathBuf> = flags.get_many("files").unwrap_or_default().collect();
    let folder = files.first().and_then(|file| file.parent()).unwrap_or(Path::new("."));
    let results = files.iter().map(|file| Results::read(file)).collect::<Result<_>>()?;
    write_report(&join_results(results)?, folder)
}

/// A stretch (one run of a test), with the seconds from the start of the first stretch to its own start.
type Stretch = (f64, Run);

fn join_results(mut all: Vec<Results>) -> Result<Results> {
    all.sort_by(|one, other| one.started.cmp(&other.started));
    let mut all = all.into_iter();
    let mut whole = all.next().context("there is nothing to join")?;
    let begun = parse_timestamp(&whole.started)?;
    let mut tests: Vec<Vec<Stretch>> = whole.runs.drain(..).map(|run| vec![(0.0, run)]).collect();
    let stretches = 1 + all.len();
    for next in all {
        ensure_same("experiment", &whole.experiment, &next.experiment)?;
        ensure_same("server", &whole.server, &next.server)?;
        ensure_same("tenant", &whole.tenant, &next.tenant)?;
        ensure_same("version", &whole.version, &next.version)?;
        ensure_same(
            "start of the server",
            &start_text(whole.server_started),
            &start_text(next.server_started),
        )?;
        let offset = begun.duration_until(parse_timestamp(&next.started)?).as_secs_f64();
        for run in next.runs {
            let test =
                tests.iter_mut().find(|test| test[0].1.test == run.test && test[0].1.users == run.users);
            let test = test.with_context(|| {
                format!("the first stretch has no test {:?} with as many users", run.test)
            })?;
            test.push((offset, run));
        }
        whole.interrupted |= next.interrupted;
    }
    whole.about = format!("{} (in {stretches} stretches)", whole.about);
    whole.runs = tests.into_iter().map(join_stretches).collect::<Result<_>>()?;
    Ok(whole)
}

fn parse_timestamp(text: &str) -> Result<Timestamp> {
    text.parse().with_context(|| format!("{text} is no time"))
}

fn start_text(started: Option<f64>) -> String {
    started.map_or("unknown".to_owned(), |started| format!("{started:.0}"))
}

fn ensure_same(what: &str, one: &str, other: &str) -> Result<()> {
    if one != other {
        bail!("the stretches are not of the same {what}: {one} and {other}");
    }
    Ok(())
}

/// The stretches of one test as one run.
fn join_stretches(stretches: Vec<Stretch>) -> Result<Run> {
    for pair in stretches.windows(2) {
        if pair[0].0 + pair[0].1.seconds > pair[1].0 + 1.0 {
            bail!("two stretches of {:?} were under way at the same time", pair[0].1.test);
        }
    }
    let seconds = stretches.last().map_or(0.0, |(offset, run)| offset + run.seconds);
    let widest = stretches.iter().fold(0.0, |widest: f64, (_, run)| widest.max(run.step));
    let step = widest.max(seconds / MOST_STEPS);
    let under_load: f64 = stretches.iter().map(|(_, run)| run.seconds).sum();
    let of = |each: fn(&Run) -> &[Summary]| {
        let mut names: Vec<&str> = Vec::new();
        for one in stretches.iter().flat_map(|(_, run)| each(run)) {
            if !names.contains(&one.name.as_str()) {
                names.push(&one.name);
            }
        }
        let summary = |name: &&str| {
            let parts = stretches.iter().filter_map(|(offset, run)| {
                Some((*offset, run.step, each(run).iter().find(|one| one.name == *name)?))
            });
            join_summaries(name, &parts.collect::<Vec<_>>(), step, under_load)
        };
        names.iter().map(summary).collect::<Vec<Summary>>()
    };
    let (transactions, calls) = (of(|run| &run.transactions), of(|run| &run.calls));
    let series = join_series(&stretches);
    let count = stretches.len();
    let mut parts = stretches.into_iter().map(|(_, run)| run);
    let mut whole = parts.next().context("a test without a stretch")?;
    for run in parts {
        whole.planned_seconds += run.planned_seconds;
        whole.generator.spoilt.extend(run.generator.spoilt);
        whole.generator.cpu = whole.generator.cpu.max(run.generator.cpu);
        whole.generator.lateness_p99_ms = whole.generator.lateness_p99_ms.max(run.generator.lateness_p99_ms);
        whole.generator.memory_mb = whole.generator.memory_mb.max(run.generator.memory_mb);
        whole.notes.extend(run.notes);
        whole.server_requests =
            whole.server_requests.zip(run.server_requests).map(|(one, other)| one + other);
    }
    whole.notes.dedup();
    whole.notes.push(format!(
        "{count} stretches, {:.1} hours of load in {:.1} hours. Percentiles of all are means of the stretches' own, weighted by their calls; what \
         collectors told of statements and tables is of the first stretch.",
        under_load / 3600.0,
        seconds / 3600.0
    ));
    Ok(Run { seconds, step, transactions, calls, series, ..whole })
}

fn join_summaries(name: &str, parts: &[(f64, f64, &Summary)], step: f64, under_load: f64) -> Summary {
    let count: u64 = parts.iter().map(|(_, _, one)| one.count).sum();
    let mean = |of: fn(&Summary) -> f64| {
        parts.iter().map(|(_, _, one)| of(one) * one.count as f64).sum::<f64>() / count.max(1) as f64
    };
    let answered = || parts.iter().map(|(_, _, one)| one).filter(|one| one.count > 0);
    let mut whole = Summary {
        name: name.to_owned(),
        count,
        per_second: count as f64 / under_load.max(0.001),
        average: mean(|one| one.average),
        min: answered().map(|one| one.min).reduce(f64::min).unwrap_or(0.0),
        p50: mean(|one| one.p50),
        p75: mean(|one| one.p75),
        p95: mean(|one| one.p95),
        p99: mean(|one| one.p99),
        max: answered().map(|one| one.max).reduce(f64::max).unwrap_or(0.0),
        intended_p95: mean(|one| one.intended_p95),
        intended_p99: mean(|one| one.intended_p99),
        bytes: parts.iter().map(|(_, _, one)| one.bytes).sum(),
        ..Summary::default()
    };
    let mut spread: Vec<(f64, u64)> = Vec::new();
    for (offset, own, part) in parts {
        for (status, count) in &part.refused {
            *whole.refused.entry(*status).or_default() += count;
        }
        for (error, count) in &part.errors {
            *whole.errors.entry(error.clone()).or_default() += count;
        }
        for (bound, count) in &part.spread {
            match spread.iter_mut().find(|(known, _)| known == bound) {
                Some((_, known)) => *known += count,
                None => spread.push((*bound, *count)),
            }
        }
        for (at, moment) in part.line.iter().enumerate() {
            let at = ((offset + (at as f64 + 0.5) * own) / step) as usize;
            if whole.line.len() <= at {
                whole.line.resize(at + 1, Moment::default());
            }
            add_moment(&mut whole.line[at], moment);
        }
    }
    spread.sort_by(|one, other| one.0.total_cmp(&other.0));
    whole.spread = spread;
    whole
}

fn add_moment(to: &mut Moment, more: &Moment) {
    let (before, all) = (to.count as f64, (to.count + more.count).max(1) as f64);
    let mean = |one: Option<f64>, other: Option<f64>| match (one, other) {
        (Some(one), Some(other)) => Some((one * before + other * more.count as f64) / all),
        (one, other) => one.or(other),
    };
    *to = Moment {
        count: to.count + more.count,
        errors: to.errors + more.errors,
        average: mean(to.average, more.average),
        p95: mean(to.p95, more.p95),
    };
}

fn join_series(stretches: &[Stretch]) -> Vec<Series> {
    let mut known: BTreeMap<[&str; 4], usize> = BTreeMap::new();
    let mut whole: Vec<Series> = Vec::new();
    for (offset, run) in stretches {
        for one in &run.series {
            let at =
                *known.entry([&one.source, &one.subject, &one.measure, &one.unit]).or_insert_with(|| {
                    whole.push(Series { points: Vec::new(), ..one.clone() });
                    whole.len() - 1
                });
            whole[at].points.extend(one.points.iter().map(|(seconds, value)| (offset + seconds, *value)));
        }
    }
    whole
}

#[cfg(test)]
mod tests;
