//! `octavo lab run`: an experiment, from its file to its report.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::collect::{self, Source, Wanted};
use crate::data;
use crate::experiment::{Experiment, Load, Test};
use crate::flags::{given_path, option, path, switch};
use crate::load::{
    Login, Plan, Progress, Recorder, Session, Traced, Values, drive, gather, on_one_thread, short_lists,
    trace,
};
use crate::result::{Baseline, FORMAT, Results, Run};
use crate::shelf::Shelf;
use crate::stop::{self, Stop};
use crate::workflow::Workflow;
use crate::{clock, files, folder, machine, mark, report, shelf};

pub(crate) fn command() -> Command {
    arguments(Command::new("run"))
        .about("Run an experiment against a server and write its report; Ctrl-C ends it with a report of what ran")
        .arg(out())
        .arg(stop::arg())
        .arg(path("baseline", "FILE.json", "What an earlier run wrote: its figures are laid beside the new ones"))
}

pub(crate) fn out() -> Arg {
    path("out", "FOLDER", "Where the report is written").default_value("lab-reports")
}

pub(crate) fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("experiment")
                .required(true)
                .value_name("EXPERIMENT")
                .help("A name of `octavo lab list`, or a file"),
        )
        .args(mark::target())
        .arg(option("test", "TEST", "Only tests whose name has this in it"))
        .arg(option("logins", "FILE", "A line username,password for each virtual user, in a ring"))
        .arg(
            option("users", "NUMBER", "Virtual users, whatever the experiment says")
                .value_parser(value_parser!(u32).range(1..=100_000)),
        )
        .arg(
            option("seconds", "NUMBER", "Length of each test, whatever the experiment says")
                .value_parser(value_parser!(u32).range(1..)),
        )
        .arg(
            option("think", "FACTOR", "Multiply pauses with this; 0 leaves them out")
                .value_parser(value_parser!(f64)),
        )
        .arg(switch("short", "The short duration of each test, without ramp-up"))
        .arg(switch("preflights", "Before each call its OPTIONS, as a browser sends it"))
        .arg(
            option(
                "collect",
                "WHAT",
                "Watch this too: metrics, metrics=URL, process=NAME, process=ID, postgres=URL; again for each",
            )
            .action(ArgAction::Append),
        )
        .arg(option(
            "reset",
            "URL",
            "Before each test put this database back to what `octavo lab keep` kept of it",
        ))
        .arg(folder())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    write(&Job::from_flags(flags)?.traced().measure()?, &given_path(flags, "out"))
}

#[derive(Clone)]
pub(crate) struct Job {
    shelf: Shelf,
    workflows: Vec<Workflow>,
    experiment: Experiment,
    tests: Vec<Test>,
    target: mark::Target,
    logins: Vec<Login>,
    /// Whether each test begins with a few loops that tell where the time of one transaction goes.
    traced: bool,
    collect: Vec<Wanted>,
    /// Address of a database that is put back before each test.
    reset: Option<String>,
    stop: Stop,
    progress: Progress,
    /// An earlier run, to lay beside this one.
    baseline: Option<Baseline>,
}

/// Loops of each transaction that are traced.
const TRACED: u64 = 5;

impl Job {
    pub(crate) fn from_flags(flags: &ArgMatches) -> Result<Job> {
        let shelf = shelf(flags);
        let workflows = shelf.workflows()?;
        let name = flags.get_one::<String>("experiment").context("which experiment?")?;
        let experiment = shelf.experiment(name, &workflows)?;
        let tests = chosen(&experiment, flags)?;
        Job::with_tests(flags, experiment, tests)
    }

    fn with_tests(flags: &ArgMatches, experiment: Experiment, tests: Vec<Test>) -> Result<Job> {
        let shelf = shelf(flags);
        let mut target = mark::Target::from_flags(flags)?;
        let (stop, login) = Stop::from_flags(flags)?;
        target.login = login.or(target.login);
        let mut collect = experiment.collect.clone();
        for text in flags.get_many::<String>("collect").unwrap_or_default() {
            collect.push(collect::read(text)?);
        }
        let baseline = match flags.try_get_one::<PathBuf>("baseline") {
            Ok(Some(path)) => Some(Baseline::from_results(&Results::read(path)?)),
            _ => None,
        };
        Ok(Job {
            workflows: shelf.workflows()?,
            logins: logins(flags, target.login.clone())?,
            reset: flags.get_one::<String>("reset").cloned(),
            progress: Progress::new(stop.is_attended()),
            traced: false,
            shelf,
            experiment,
            tests,
            target,
            collect,
            stop,
            baseline,
        })
    }

    /// The same experiment at another server.
    pub(crate) fn at(&self, url: &str) -> Result<Job> {
        Ok(Job { target: self.target.at(url)?, ..self.clone() })
    }

    pub(crate) fn with(&self, tests: Vec<Test>) -> Job {
        Job { tests, ..self.clone() }
    }

    fn traced(self) -> Job {
        Job { traced: true, ..self }
    }

    pub(crate) fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// Its tests, each with what it does.
    fn flows(&self) -> impl Iterator<Item = (&Test, &Workflow)> {
        let of = |test: &Test| self.workflows.iter().find(|one| one.name == test.workflow);
        self.tests.iter().filter_map(move |test| Some((test, of(test)?)))
    }

    /// Nothing that changes records runs against a tenant that is not marked, and nothing at all that nobody sits at.
    async fn may_run(&self, session: &mut Session) -> Result<()> {
        if self.stop.is_attended() {
            mark::demand(session, &self.target.tenant, "a run that another program begins needs it").await?;
        }
        if let Some((_, writing)) = self.flows().find(|(_, workflow)| workflow.writes) {
            let why = format!("the workflow {} changes records", writing.name);
            mark::demand(session, &self.target.tenant, &why).await?;
        }
        Ok(())
    }

    /// The plan of a test, with rows of its feeders that are read from the server now.
    async fn plan(&self, test: &Test, workflow: &Workflow, session: &mut Session) -> Result<Plan> {
        let values = Values::new(workflow, &test.parameters);
        let feeders = gather(workflow, &values, session, &self.shelf, self.progress).await?;
        Ok(Plan {
            workflow: workflow.clone(),
            values,
            feeders,
            address: Rc::clone(&self.target.address),
            tenant: self.target.tenant.clone(),
            logins: self.logins.clone(),
            test: test.clone(),
        })
    }

    /// The address of the database behind the server, if it is known.
    fn database(&self) -> Option<&str> {
        let watched = self.collect.iter().find_map(|wanted| match &wanted.source {
            Source::Postgres(url) => Some(url.as_str()),
            _ => None,
        });
        self.reset.as_deref().or(watched)
    }

    pub(crate) fn measure(&self) -> Result<Results> {
        on_one_thread(measure_all(self))
    }
}

/// A few loops of a workflow by one user, and where their time went.
pub(crate) fn traced(flags: &ArgMatches, workflow: &str, loops: u64) -> Result<Vec<Traced>> {
    let test = Test::alone(workflow);
    let experiment = Experiment::nameless(workflow);
    let job = Job::with_tests(flags, experiment, vec![test])?;
    on_one_thread(async {
        let mut session = job.target.session();
        session.log_in().await?;
        let (test, flow) = job.flows().next().with_context(|| format!("there is no workflow {workflow}"))?;
        job.may_run(&mut session).await?;
        trace(&Rc::new(job.plan(test, flow, &mut session).await?), loops).await
    })
}

/// Writes the report in every form, and tells its summary and where it is.
pub(crate) fn write(results: &Results, out: &Path) -> Result<String> {
    let stem = format!("{}-{}", results.experiment, results.started.replace([':', '-'], ""));
    let json = serde_json::to_string(results)?;
    let mut told = String::new();
    let pages = report::pages(results)?.into_iter().chain([("json", json)]);
    for (ending, text) in pages {
        let path = out.join(format!("{stem}.{ending}"));
        files::write(&path, &text)?;
        told.push_str(&format!("{}\n", path.display()));
    }
    Ok(format!("{}\n{told}", report::in_short(results)?))
}

/// The tests that are to run, with what the command line says otherwise.
fn chosen(experiment: &Experiment, flags: &ArgMatches) -> Result<Vec<Test>> {
    let wanted = flags.get_one::<String>("test").map_or("", String::as_str);
    let mut tests: Vec<Test> =
        experiment.tests.iter().filter(|test| test.name.contains(wanted)).cloned().collect();
    if tests.is_empty() {
        let names: Vec<&str> = experiment.tests.iter().map(|test| test.name.as_str()).collect();
        bail!("{} has no test with \"{wanted}\" in its name; it has {}", experiment.name, names.join(", "));
    }
    for test in &mut tests {
        if flags.get_flag("short") {
            (test.duration, test.ramp_up) = (test.short, Duration::ZERO);
        }
        if let Some(seconds) = flags.get_one::<u32>("seconds") {
            test.duration = Duration::from_secs((*seconds).into());
            test.ramp_up = test.ramp_up.min(test.duration / 2);
        }
        if let Some(users) = flags.get_one::<u32>("users") {
            test.load = match test.load {
                Load::Users(_) => Load::Users(*users),
                Load::Rate { per_second, .. } => Load::Rate { per_second, users: *users },
            };
        }
        if let Some(think) = flags.get_one::<f64>("think") {
            test.think = *think;
        }
        test.preflights |= flags.get_flag("preflights");
    }
    Ok(tests)
}

async fn measure_all(job: &Job) -> Result<Results> {
    let Job { experiment, tests, target, .. } = job;
    let mut session = target.session();
    session.log_in().await?;
    job.may_run(&mut session).await?;
    let mut results = Results {
        format: FORMAT,
        experiment: experiment.name.clone(),
        about: experiment.about.clone(),
        report: experiment.report.clone(),
        started: clock::today().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        server: target.address.url.clone(),
        tenant: target.tenant.clone(),
        version: session.version().await,
        machine: machine::described(),
        interrupted: false,
        stepped: false,
        cores: machine::cores(),
        server_started: session.server_started().await,
        baseline: job.baseline.clone(),
        runs: Vec::new(),
    };
    for (at, (test, workflow)) in job.flows().enumerate() {
        results.interrupted |= job.stop.asked();
        if results.interrupted {
            break;
        }
        match tests.len() {
            1 => job.progress.line(&test.name),
            several => job.progress.line(&format!("{} of {several}: {}", at + 1, test.name)),
        }
        match measure_test(job, test, workflow, &mut session).await {
            Ok((run, interrupted)) => {
                results.runs.push(run);
                results.interrupted = interrupted;
            }
            // What has run is not thrown away because the next test lacks its data.
            Err(error) if tests.len() > 1 => {
                job.progress.line(&format!("{} could not run: {error:#}", test.name));
                let mut run = Run { test: test.name.clone(), users: test.load.users(), ..Run::default() };
                run.notes.push(format!("it could not run: {error:#}"));
                results.runs.push(run);
            }
            Err(error) => return Err(error),
        }
    }
    if results.runs.is_empty() {
        bail!("it was ended before anything ran");
    }
    Ok(results)
}

fn logins(flags: &ArgMatches, one: Option<Login>) -> Result<Vec<Login>> {
    let Some(path) = flags.get_one::<String>("logins") else { return Ok(one.into_iter().collect()) };
    let text = files::text_of(Path::new(path))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let login = |(line, number): (&str, usize)| {
        let (username, password) = line
            .split_once(',')
            .with_context(|| format!("{path}:{number}: username,password is expected"))?;
        Ok(Login { username: username.trim().to_owned(), password: password.trim().to_owned() })
    };
    lines.map(login).collect()
}

/// Measures one test; returns the run, and whether somebody interrupted it.
async fn measure_test(
    job: &Job,
    test: &Test,
    workflow: &Workflow,
    session: &mut Session,
) -> Result<(Run, bool)> {
    let mut notes = Vec::new();
    if let Some(url) = &job.reset {
        let seconds = data::put_back(&job.target, url).await.context("the database was not put back")?;
        notes.push(format!("the database was put back before it, in {seconds:.1} s"));
    }
    let (fingerprint, untold) = data::take(session, &job.target.tenant, job.database()).await;
    notes.extend(untold);
    let plan = tokio::select! {
        plan = job.plan(test, workflow, session) => Rc::new(plan?),
        () = job.stop.wait() => {
            notes.push("interrupted: nothing had run yet".to_owned());
            let run = Run { test: test.name.clone(), users: test.load.users(), notes, ..Run::default() };
            return Ok((run, true));
        }
    };
    let mut run = Run {
        test: test.name.clone(),
        workflow: workflow.name.clone(),
        users: test.load.users(),
        rate: test.load.rate(),
        // Loops that are counted end when they are done.
        planned_seconds: if test.loops.is_some() { 0.0 } else { test.duration.as_secs_f64() },
        think: test.think,
        preflights: test.preflights,
        published: test.published.clone(),
        data: fingerprint,
        notes,
        feeders: plan.feeders.iter().map(|rows| format!("{} rows of {}", rows.len(), rows.name)).collect(),
        ..Run::default()
    };
    run.notes.extend(short_lists(&plan));
    // A test of counted loops does exactly those, and none to look at before.
    if job.traced && test.loops.is_none() {
        run.traced = trace(&plan, TRACED).await?;
    }
    let interrupted = std::cell::Cell::new(false);
    let stop = async {
        job.stop.wait().await;
        interrupted.set(true);
    };
    let watching = collect::begin(&job.collect, &job.target.address, test.duration).await?;
    let answered = session.answered().await;
    let told = |recorder: &Recorder, elapsed| job.progress.step(recorder, elapsed, test.duration);
    let outcome = drive(plan, stop, told).await;
    job.progress.end();
    let (series, collected) = watching.end().await;
    run.take(outcome?);
    run.server_requests =
        session.answered().await.zip(answered).map(|(after, before)| (after - before).max(0.0) as u64);
    run.series.extend(series);
    run.collected = collected;
    Ok((run, interrupted.get()))
}
