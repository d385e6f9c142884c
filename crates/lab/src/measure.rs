//! `octavo lab run` runs an experiment: it reads the experiment's file, measures, and writes the report.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::collect::{self, CollectorSpec, Source};
use crate::data;
use crate::experiment::{Experiment, Load, Test};
use crate::flags::{option, path, path_value, switch};
use crate::load::{
    Login, Plan, Progress, Recorder, Session, TransactionTrace, Values, load_feeders, on_one_thread,
    run_load, short_list_notes, trace_transactions,
};
use crate::result::{Baseline, FORMAT, Results, Run};
use crate::shelf::Shelf;
use crate::stop::{self, StopSignal};
use crate::workflow::Workflow;
use crate::{clock, files, folder_arg, machine, mark, report, shelf_from_flags};

pub(crate) fn command() -> Command {
    add_arguments(Command::new("run"))
        .about("Run an experiment against a server and write its report; Ctrl-C ends it with a report of what ran")
        .arg(out_arg())
        .arg(stop::attended_arg())
        .arg(path("baseline", "FILE.json", "What an earlier run wrote: its figures are laid beside the new ones"))
}

pub(crate) fn out_arg() -> Arg {
    path("out", "FOLDER", "Where the report is written").default_value("lab-reports")
}

pub(crate) fn add_arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("experiment")
                .required(true)
                .value_name("EXPERIMENT")
                .help("A name of `octavo lab list`, or a file"),
        )
        .args(mark::target_args())
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
        .arg(folder_arg())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    write_report(&Job::from_flags(flags)?.with_tracing().measure()?, &path_value(flags, "out"))
}

#[derive(Clone)]
pub(crate) struct Job {
    shelf: Shelf,
    workflows: Vec<Workflow>,
    experiment: Experiment,
    tests: Vec<Test>,
    target: mark::Target,
    logins: Vec<Login>,
    /// Whether a few traced loops precede each test, which show where the time of one transaction goes.
    is_traced: bool,
    collect: Vec<CollectorSpec>,
    /// The address of the database that is restored before each test.
    reset_database_url: Option<String>,
    stop: StopSignal,
    progress: Progress,
    /// An earlier run whose figures the report shows beside the new ones.
    baseline: Option<Baseline>,
}

/// The number of traced loops of each transaction.
const TRACED_LOOPS: u64 = 5;

impl Job {
    pub(crate) fn from_flags(flags: &ArgMatches) -> Result<Job> {
        let shelf = shelf_from_flags(flags);
        let workflows = shelf.workflows()?;
        let name = flags.get_one::<String>("experiment").context("which experiment?")?;
        let experiment = shelf.experiment(name, &workflows)?;
        let tests = select_tests(&experiment, flags)?;
        Job::from_tests(flags, experiment, tests)
    }

    fn from_tests(flags: &ArgMatches, experiment: Experiment, tests: Vec<Test>) -> Result<Job> {
        let shelf = shelf_from_flags(flags);
        let mut target = mark::Target::from_flags(flags)?;
        let (stop, login) = StopSignal::from_flags(flags)?;
        target.login = login.or(target.login);
        let mut collect = experiment.collect.clone();
        for text in flags.get_many::<String>("collect").unwrap_or_default() {
            collect.push(collect::parse_collector(text)?);
        }
        let baseline = match flags.try_get_one::<PathBuf>("baseline") {
            Ok(Some(path)) => Some(Baseline::from_results(&Results::read(path)?)),
            _ => None,
        };
        Ok(Job {
            workflows: shelf.workflows()?,
            logins: read_logins(flags, target.login.clone())?,
            reset_database_url: flags.get_one::<String>("reset").cloned(),
            progress: Progress::new(stop.is_attended()),
            is_traced: false,
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
    pub(crate) fn with_url(&self, url: &str) -> Result<Job> {
        Ok(Job { target: self.target.with_url(url)?, ..self.clone() })
    }

    pub(crate) fn for_tests(&self, tests: Vec<Test>) -> Job {
        Job { tests, ..self.clone() }
    }

    fn with_tracing(self) -> Job {
        Job { is_traced: true, ..self }
    }

    pub(crate) fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// The tests, each with its workflow.
    fn tests_with_workflows(&self) -> impl Iterator<Item = (&Test, &Workflow)> {
        let of = |test: &Test| self.workflows.iter().find(|one| one.name == test.workflow);
        self.tests.iter().filter_map(move |test| Some((test, of(test)?)))
    }

    /// Fails if the run is not allowed: a workflow that changes records, or a run without a person at the terminal (`--attended`), needs a
    /// tenant that is marked as a test tenant.
    async fn ensure_may_run(&self, session: &mut Session) -> Result<()> {
        if self.stop.is_attended() {
            mark::ensure_marked(session, &self.target.tenant, "a run that another program begins needs it")
                .await?;
        }
        if let Some((_, writing)) = self.tests_with_workflows().find(|(_, workflow)| workflow.writes) {
            let why = format!("the workflow {} changes records", writing.name);
            mark::ensure_marked(session, &self.target.tenant, &why).await?;
        }
        Ok(())
    }

    /// The plan of a test, with rows of its feeders that are read from the server now.
    async fn load_plan(&self, test: &Test, workflow: &Workflow, session: &mut Session) -> Result<Plan> {
        let values = Values::new(workflow, &test.parameters);
        let feeders = load_feeders(workflow, &values, session, &self.shelf, self.progress).await?;
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
    fn database_url(&self) -> Option<&str> {
        let watched = self.collect.iter().find_map(|wanted| match &wanted.source {
            Source::Postgres(url) => Some(url.as_str()),
            _ => None,
        });
        self.reset_database_url.as_deref().or(watched)
    }

    pub(crate) fn measure(&self) -> Result<Results> {
        on_one_thread(measure_all(self))
    }
}

/// Traces a few loops of a workflow by one user.
pub(crate) fn trace_workflow(
    flags: &ArgMatches,
    workflow: &str,
    loops: u64,
) -> Result<Vec<TransactionTrace>> {
    let test = Test::single_user(workflow);
    let experiment = Experiment::without_tests(workflow);
    let job = Job::from_tests(flags, experiment, vec![test])?;
    on_one_thread(async {
        let mut session = job.target.session();
        session.log_in().await?;
        let (test, flow) =
            job.tests_with_workflows().next().with_context(|| format!("there is no workflow {workflow}"))?;
        job.ensure_may_run(&mut session).await?;
        trace_transactions(&Rc::new(job.load_plan(test, flow, &mut session).await?), loops).await
    })
}

/// Writes the report in all its formats. Returns its summary and the paths of the files.
pub(crate) fn write_report(results: &Results, out: &Path) -> Result<String> {
    let stem = format!("{}-{}", results.experiment, results.started.replace([':', '-'], ""));
    let json = serde_json::to_string(results)?;
    let mut told = String::new();
    let pages = report::pages(results)?.into_iter().chain([("json", json)]);
    for (ending, text) in pages {
        let path = out.join(format!("{stem}.{ending}"));
        files::write(&path, &text)?;
        told.push_str(&format!("{}\n", path.display()));
    }
    Ok(format!("{}\n{told}", report::summary_text(results)?))
}

/// The tests that the command line selects, with the values that it overrides.
fn select_tests(experiment: &Experiment, flags: &ArgMatches) -> Result<Vec<Test>> {
    let wanted = flags.get_one::<String>("test").map_or("", String::as_str);
    let mut tests: Vec<Test> =
        experiment.tests.iter().filter(|test| test.name.contains(wanted)).cloned().collect();
    if tests.is_empty() {
        let names: Vec<&str> = experiment.tests.iter().map(|test| test.name.as_str()).collect();
        bail!("{} has no test with \"{wanted}\" in its name; it has {}", experiment.name, names.join(", "));
    }
    for test in &mut tests {
        if flags.get_flag("short") {
            (test.duration, test.ramp_up) = (test.short_duration, Duration::ZERO);
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
            test.think_factor = *think;
        }
        test.preflights |= flags.get_flag("preflights");
    }
    Ok(tests)
}

async fn measure_all(job: &Job) -> Result<Results> {
    let Job { experiment, tests, target, .. } = job;
    let mut session = target.session();
    session.log_in().await?;
    job.ensure_may_run(&mut session).await?;
    let mut results = Results {
        format: FORMAT,
        experiment: experiment.name.clone(),
        about: experiment.about.clone(),
        report: experiment.report.clone(),
        started: clock::timestamp_now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        server: target.address.url.clone(),
        tenant: target.tenant.clone(),
        version: session.version().await,
        machine: machine::describe(),
        interrupted: false,
        stepped: false,
        cores: machine::cores(),
        server_started: session.server_started().await,
        baseline: job.baseline.clone(),
        runs: Vec::new(),
    };
    for (at, (test, workflow)) in job.tests_with_workflows().enumerate() {
        results.interrupted |= job.stop.is_requested();
        if results.interrupted {
            break;
        }
        match tests.len() {
            1 => job.progress.print_line(&test.name),
            several => job.progress.print_line(&format!("{} of {several}: {}", at + 1, test.name)),
        }
        match measure_test(job, test, workflow, &mut session).await {
            Ok((run, interrupted)) => {
                results.runs.push(run);
                results.interrupted = interrupted;
            }
            // What has run is not thrown away because the next test lacks its data.
            Err(error) if tests.len() > 1 => {
                job.progress.print_line(&format!("{} could not run: {error:#}", test.name));
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

fn read_logins(flags: &ArgMatches, one: Option<Login>) -> Result<Vec<Login>> {
    let Some(path) = flags.get_one::<String>("logins") else { return Ok(one.into_iter().collect()) };
    let text = files::read_text(Path::new(path))?;
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
    if let Some(url) = &job.reset_database_url {
        let seconds =
            data::restore_database(&job.target, url).await.context("the database was not put back")?;
        notes.push(format!("the database was put back before it, in {seconds:.1} s"));
    }
    let (fingerprint, untold) = data::take_fingerprint(session, &job.target.tenant, job.database_url()).await;
    notes.extend(untold);
    let plan = tokio::select! {
        plan = job.load_plan(test, workflow, session) => Rc::new(plan?),
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
        think: test.think_factor,
        preflights: test.preflights,
        published: test.published.clone(),
        data: fingerprint,
        notes,
        feeders: plan.feeders.iter().map(|rows| format!("{} rows of {}", rows.len(), rows.name)).collect(),
        ..Run::default()
    };
    run.notes.extend(short_list_notes(&plan));
    // A test of counted loops does exactly those, and none to look at before.
    if job.is_traced && test.loops.is_none() {
        run.traced = trace_transactions(&plan, TRACED_LOOPS).await?;
    }
    let interrupted = std::cell::Cell::new(false);
    let stop = async {
        job.stop.wait().await;
        interrupted.set(true);
    };
    let watching = collect::start_collectors(&job.collect, &job.target.address, test.duration).await?;
    let answered = session.count_answered_requests().await;
    let told = |recorder: &Recorder, elapsed| job.progress.print_step(recorder, elapsed, test.duration);
    let outcome = run_load(plan, stop, told).await;
    job.progress.end_line();
    let (series, collected) = watching.end().await;
    run.set_outcome(outcome?);
    run.server_requests = session
        .count_answered_requests()
        .await
        .zip(answered)
        .map(|(after, before)| (after - before).max(0.0) as u64);
    run.series.extend(series);
    run.collected = collected;
    Ok((run, interrupted.get()))
}
