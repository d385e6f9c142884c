//! `octavo lab knee` repeats a test with more and more users until the throughput stops growing.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, Command};

use crate::experiment::{Load, Test};
use crate::flags::{number, number_value, path_value};
use crate::measure::{Job, add_arguments, out_arg, write_report};
use crate::result::Results;

pub(crate) fn command() -> Command {
    add_arguments(Command::new("knee"))
        .about("Double the users of a test until throughput stops growing, times break away or calls fail, and say where")
        .mut_arg("users", |users| users.help("Virtual users of the first step [default: 1]"))
        .mut_arg("short", |short| short.hide(true))
        .mut_arg("seconds", |seconds| seconds.help("Length of each step").default_value("20"))
        .arg(number("most", "512", 2..=100_000, "Users of the last step, if there is no knee before"))
        .arg(out_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let job = Job::from_flags(flags)?;
    let first = flags.get_one::<u32>("users").copied().unwrap_or(1);
    write_report(&measure_steps(&job, first, number_value(flags, "most"))?, &path_value(flags, "out"))
}

fn measure_steps(job: &Job, first: u32, most: u32) -> Result<Results> {
    let test = single_test(job)?;
    let mut whole: Option<Results> = None;
    let mut users = first;
    loop {
        let step = Test {
            name: Load::Users(users).to_string(),
            load: Load::Users(users),
            ramp_up: Duration::ZERO,
            published: None,
            ..test.clone()
        };
        let mut results = job.for_tests(vec![step]).measure()?;
        match &mut whole {
            None => {
                results.about = format!("{}: the knee of \"{}\"", results.about, test.name);
                results.experiment = format!("{}-knee", results.experiment);
                results.stepped = true;
                whole = Some(results);
            }
            Some(whole) => {
                whole.interrupted |= results.interrupted;
                whole.runs.append(&mut results.runs);
            }
        }
        let so_far = whole.as_ref().context("just measured")?;
        if so_far.interrupted || so_far.knee().is_some() || users >= most {
            break;
        }
        users = users.saturating_mul(2).min(most);
    }
    whole.context("nothing was measured")
}

fn single_test(job: &Job) -> Result<&Test> {
    match job.tests() {
        [test] if matches!(test.load, Load::Users(_)) => Ok(test),
        [_] => bail!("this test has a rate; the knee is looked for in users"),
        tests => {
            let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
            bail!("the knee of which test? Say --test with one of: {}", names.join(", "))
        }
    }
}
