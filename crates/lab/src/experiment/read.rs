//! Reads the file of an experiment. A key at the top of the file holds for all tests that do not set it themselves.

use std::time::Duration;

use anyhow::Result;

use crate::collect::{self, CollectorSpec};
use crate::files::{Problems, Reader, Source, as_number, suggestion};
use crate::workflow::Workflow;

use super::{Experiment, Load, Test};

const TEST_KEYS: [&str; 11] = [
    "workflow",
    "users",
    "rate",
    "duration",
    "short",
    "ramp-up",
    "think",
    "preflights",
    "loops",
    "parameters",
    "published",
];
/// The most virtual users of a test that has a rate and names no number of users.
const DEFAULT_RATE_USERS: u32 = 1000;
const DEFAULT_SHORT_DURATION: Duration = Duration::from_secs(10);

/// Reads an experiment. `workflows` are all known workflows.
pub(crate) fn read(name: &str, source: &Source, workflows: &[Workflow]) -> Result<Experiment> {
    let table = source.parse_toml()?;
    let problems = Problems::in_file(source);
    let file = Reader::new(&table, &problems);
    file.check_keys(&[&["about", "report", "collect", "test"][..], &TEST_KEYS].concat());
    let tests = file.tables("test");
    if tests.is_empty() {
        file.problem("an experiment needs at least one [[test]] with a name");
    }
    let experiment = Experiment {
        name: name.to_owned(),
        about: file.required_text("about").unwrap_or_default().to_owned(),
        report: file.text("report").map(str::to_owned),
        collect: read_collectors(file),
        tests: tests.into_iter().filter_map(|table| read_test(table, file, workflows)).collect(),
    };
    for (at, test) in experiment.tests.iter().enumerate() {
        if experiment.tests[..at].iter().any(|other| other.name == test.name) {
            file.problem(format!("there are two tests \"{}\"", test.name));
        }
    }
    problems.into_result(experiment)
}

fn read_collectors(file: Reader<'_>) -> Vec<CollectorSpec> {
    let mut wanted = Vec::new();
    for text in file.texts("collect").unwrap_or_default() {
        match collect::parse_collector(text) {
            Ok(one) => wanted.push(one),
            Err(error) => file.problem_at("collect", error.to_string()),
        }
    }
    wanted
}

fn read_test(table: Reader<'_>, file: Reader<'_>, workflows: &[Workflow]) -> Option<Test> {
    table.check_keys(&[&["name"][..], &TEST_KEYS].concat());
    let of = |name: &str| if table.has(name) { table } else { file };
    let name = table.required_text("name")?.to_owned();
    let duration = of("duration").time("duration");
    if duration.is_none() {
        table.problem(format!("the test {name} has no duration, nor has the experiment"));
    }
    let Some(workflow) = of("workflow").text("workflow") else {
        table.problem(format!("the test {name} has no workflow, nor has the experiment"));
        return None;
    };
    let Some(known) = workflows.iter().find(|known| known.name == workflow) else {
        let meant = suggestion(workflow, workflows.iter().map(|workflow| workflow.name.as_str()));
        of("workflow").problem_at("workflow", format!("there is no workflow \"{workflow}\"; {meant}"));
        return None;
    };
    Some(Test {
        load: read_load(of, &name)?,
        workflow: workflow.to_owned(),
        duration: duration?,
        short_duration: of("short").time("short").unwrap_or(DEFAULT_SHORT_DURATION).min(duration?),
        ramp_up: of("ramp-up").time("ramp-up").unwrap_or_default(),
        think_factor: of("think").number("think").unwrap_or(1.0),
        preflights: of("preflights").boolean("preflights").unwrap_or(false),
        loops: of("loops").count("loops"),
        parameters: read_parameters(table, file, known),
        published: of("published").text("published").map(str::to_owned),
        name,
    })
}

fn read_load<'a>(of: impl Fn(&str) -> Reader<'a>, name: &str) -> Option<Load> {
    let users = of("users").count("users").and_then(|users| u32::try_from(users).ok());
    if users == Some(0) {
        of("users").problem("users must be at least 1");
    }
    match (users, of("rate").number("rate")) {
        (users, Some(per_second)) if per_second > 0.0 => {
            Some(Load::Rate { per_second, users: users.unwrap_or(DEFAULT_RATE_USERS) })
        }
        (_, Some(_)) => {
            of("rate").problem("rate must be above 0: transactions a second");
            None
        }
        (Some(users), None) => Some(Load::Users(users)),
        (None, None) => {
            let told = format!("the test {name} needs users = 8 or rate = 50 (transactions a second)");
            of("users").problem(told);
            None
        }
    }
}

fn read_parameters(table: Reader<'_>, file: Reader<'_>, workflow: &Workflow) -> Vec<(String, String)> {
    let mut set: Vec<(String, String)> = Vec::new();
    for given in [file, table].into_iter().filter_map(|reader| reader.table("parameters")) {
        for (name, line) in given.keys() {
            if !workflow.parameters.iter().any(|parameter| parameter.name == name) {
                let known = workflow.parameters.iter().map(|parameter| parameter.name.as_str());
                let (workflow, meant) = (&workflow.name, suggestion(name, known));
                given
                    .problems
                    .add(line, format!("the workflow {workflow} has no parameter \"{name}\"; {meant}"));
                continue;
            }
            let value = given.value(name).map(|value| value.get_ref());
            let number = value.and_then(as_number).map(|number| number.to_string());
            let Some(value) = number.or_else(|| value?.as_str().map(str::to_owned)) else {
                given.problems.add(line, format!("{name} must be a number or a text"));
                continue;
            };
            set.retain(|(known, _)| known != name);
            set.push((name.to_owned(), value));
        }
    }
    set
}
