//! Runs that the desk starts. Only these can be started: experiments that are part of the program, with limited numbers of users and
//! seconds, against servers that the operator has configured.

use std::ops::RangeInclusive;

use octavo_engine::{Laboratory, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{child, laboratory};

const SECONDS: RangeInclusive<u32> = 5..=600;
const USERS: RangeInclusive<u32> = 1..=100;
const MAX_TENANT_BYTES: usize = 63;
/// The most bytes of a user name and of a password.
const MAX_CREDENTIAL_BYTES: usize = 1024;

/// No `Debug`: there is a password in it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunRequest {
    experiment: String,
    /// The duration of each test; without it, each test's short duration.
    seconds: Option<u32>,
    /// By default, the number of the experiment.
    users: Option<u32>,
    /// By default, this server.
    server: Option<String>,
    tenant: String,
    username: String,
    password: String,
}

pub(super) async fn list_options(request: Request) -> Outcome<Response> {
    let laboratory = laboratory(&request)?;
    let experiments: Vec<Value> = laboratory
        .experiments
        .iter()
        .map(|one| json!({"name": one.name, "about": one.about, "tests": one.tests, "shortSeconds": one.short_seconds}))
        .collect();
    let bounds = |range: &RangeInclusive<u32>| json!({"least": range.start(), "most": range.end()});
    let body = json!({
        "experiments": experiments,
        "servers": laboratory.servers,
        "seconds": bounds(&SECONDS),
        "users": bounds(&USERS),
    });
    Ok(Response::json(200, &body))
}

pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let laboratory = laboratory(&request)?;
    let asked: RunRequest = request.body()?;
    let arguments = arguments(&asked, laboratory)?;
    let about = json!({
        "experiment": asked.experiment,
        "server": asked.server.as_deref().or(laboratory.servers.first().map(String::as_str)),
        "tenant": asked.tenant,
        "started": request.context.now_text(),
    });
    let line = json!({"username": asked.username, "password": asked.password}).to_string();
    child::begin(&laboratory.program, &arguments, about, &line).await?;
    Ok(Response::json(202, &child::state()))
}

/// The run that is under way or, if none is, how the last one ended.
pub(super) async fn state(request: Request) -> Outcome<Response> {
    laboratory(&request)?;
    Ok(Response::json(200, &child::state()))
}

/// Ends the run as Ctrl-C does, with a report of the tests until then.
pub(super) async fn stop(request: Request) -> Outcome<Response> {
    laboratory(&request)?;
    child::stop();
    Ok(Response::no_content())
}

/// The arguments of the command line, or all mistakes in the request at once.
fn arguments(asked: &RunRequest, laboratory: &Laboratory) -> Outcome<Vec<String>> {
    let mut wrong = Vec::new();
    let mut demand = |holds: bool, field: &str, message: String| {
        if !holds {
            wrong.push(Refusal::new(message).about("field", field));
        }
    };
    let known = laboratory.experiments.iter().any(|one| one.name == asked.experiment);
    demand(known, "experiment", format!("There is no experiment {}", asked.experiment));
    let within = |value: Option<u32>, range: &RangeInclusive<u32>| value.is_none_or(|n| range.contains(&n));
    let between =
        |range: &RangeInclusive<u32>| format!("must be between {} and {}", range.start(), range.end());
    demand(within(asked.seconds, &SECONDS), "seconds", between(&SECONDS));
    demand(within(asked.users, &USERS), "users", between(&USERS));
    let server = asked.server.as_ref().or(laboratory.servers.first());
    let named = server.is_some_and(|server| laboratory.servers.contains(server));
    demand(
        named,
        "server",
        "Runs may be started against the servers of the setting lab-servers alone".to_owned(),
    );
    let plain = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-');
    let tenant = (1..=MAX_TENANT_BYTES).contains(&asked.tenant.len()) && asked.tenant.bytes().all(plain);
    demand(tenant, "tenant", "is not the name of a tenant".to_owned());
    for (field, text) in [("username", &asked.username), ("password", &asked.password)] {
        let fits = (1..=MAX_CREDENTIAL_BYTES).contains(&text.len());
        demand(fits, field, "must be given".to_owned());
    }
    let (Some(server), true) = (server, wrong.is_empty()) else { return Err(Fault::refused(wrong)) };
    let mut arguments =
        vec!["lab".to_owned(), "run".to_owned(), asked.experiment.clone(), "--attended".to_owned()];
    arguments.push(format!("--url={server}"));
    arguments.push(format!("--tenant={}", asked.tenant));
    arguments.push(format!("--out={}", laboratory.reports.display()));
    arguments.push("--short".to_owned());
    arguments.extend(asked.seconds.map(|seconds| format!("--seconds={seconds}")));
    arguments.extend(asked.users.map(|users| format!("--users={users}")));
    Ok(arguments)
}
