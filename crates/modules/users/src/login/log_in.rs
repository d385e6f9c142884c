//! Logging in with a password.

use std::time::Duration;

use octavo_engine::{Context, Request, Response, replace};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_ldap::Answer;
use octavo_modules_base::user_records::{self, USER};
use octavo_pg::{Batch, Session, Statement};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::attempts::{self, AttemptLimits, Consequence};
use super::tokens::{LoggedIn, legacy_token, pair_response, start_session};
use super::{directory, events};
use crate::passwords::guessing::{self, Attempt, Secret};
use crate::passwords::password::{self, Hashed};

/// The shortest time that a failed log-in takes if the library has a directory. The directory needs another time for a check than Octavo,
/// so the time of the answer would reveal which users have a password in Octavo.
const MIN_FAILED_LOG_IN_TIME: Duration = Duration::from_secs(1);

/// `loginCredentials`; unknown members are ignored.
#[derive(Debug, Deserialize)]
pub struct Credentials {
    pub username: Option<String>,
    #[serde(rename = "userId")]
    pub user_id: Option<String>,
    pub password: Option<String>,
}

/// A user with the hash of their password and the generation of their sessions.
pub(super) struct Found {
    pub(super) id: Uuid,
    pub(super) username: String,
    user: Value,
    pub(super) hashed: Option<Hashed>,
    generation: i64,
}

/// Answers with a token that does not expire, in the header and the body.
pub(super) async fn legacy(request: Request) -> Outcome<Response> {
    let user = log_in(&request, &request.body()?).await?;
    let token = legacy_token(&request.context, &user).await?;
    Ok(Response::json(201, &json!({"okapiToken": token})).with_header("x-okapi-token", token))
}

/// Answers with tokens in cookies, and with the times at which they expire in the body.
pub(super) async fn with_expiry(request: Request) -> Outcome<Response> {
    let user = log_in(&request, &request.body()?).await?;
    let mut session = request.context.session().await?;
    Ok(pair_response(&request.context, &start_session(&request.context, &mut session, &user).await?))
}

/// Checks a password, and counts and blocks wrong attempts.
pub async fn log_in(request: &Request, credentials: &Credentials) -> Outcome<LoggedIn> {
    let password = sent_password(credentials)?;
    let earliest = Instant::now() + MIN_FAILED_LOG_IN_TIME;
    let mut batch = Batch::default();
    let user = batch.ask::<UserColumns>(find_user_statement(credentials));
    let settings = batch.ask::<Value>(directory::settings_statement());
    // The database connection is given back before the password is checked, because the check takes long.
    let answers = batch.send(&mut request.context.session().await?).await?;
    let found = answers.first(user).map(Found::from_columns);
    let directory = directory::Settings::from_stored_if_active(answers.first(settings));
    let logged_in = match found {
        Some(found) => log_in_with_password(request, found, password, directory.as_ref()).await,
        None => {
            events::note_refused_log_in(request, None, "There is no such user");
            count_and_check_dummy(request, password).await.and_then(|()| Err(unknown_user(credentials)))
        }
    };
    if logged_in.is_err() && directory.is_some() {
        sleep_until(earliest).await;
    }
    logged_in
}

/// Logs in a user by the password that is stored in Octavo, or else by that of the directory.
async fn log_in_with_password(
    request: &Request,
    found: Found,
    password: &str,
    directory: Option<&directory::Settings>,
) -> Outcome<LoggedIn> {
    if !found.is_active() {
        events::note_refused_log_in(request, Some(found.id), "The user is not active");
        count_and_check_dummy(request, password).await?;
        return Err(found.blocked_fault());
    }
    match (&found.hashed, directory) {
        (Some(hashed), _) => {
            let checked = check_password(request, &found, password, hashed).await?;
            events::note_log_in(request, found.id, &checked, &request.path).await;
            checked?;
            if hashed.is_outdated() {
                let renewed =
                    password::hash(password).await?.to_document(request.context.fresh_id(), found.id);
                let replace = Statement::new(REPLACE).uuid(found.id).text(renewed.to_string());
                request.context.session().await?.rows(replace).await?;
            }
        }
        (None, Some(directory)) => {
            let checked = check_in_directory(request, &found, password, directory).await?;
            let told = format!("{}, by the LDAP directory", request.path);
            events::note_log_in(request, found.id, &checked, &told).await;
            checked?;
        }
        (None, None) => {
            events::note_refused_log_in(request, Some(found.id), "The user has no password");
            count_and_check_dummy(request, password).await?;
            return Err(Fault::bad_request("No credentials match that login"));
        }
    }
    Ok(LoggedIn { id: found.id, username: found.username, generation: found.generation })
}

/// Counts an attempt to log in that no password could make succeed, and takes as long as the check of a wrong password.
async fn count_and_check_dummy(request: &Request, password: &str) -> Outcome<()> {
    let _counted = guessing::count_attempt(request, Secret::Password, None).await?;
    password::verify_dummy(password).await
}

/// Whether a password is the user's. Records the success or the failure of the attempt.
pub(super) async fn check_password(
    request: &Request,
    found: &Found,
    password: &str,
    hashed: &Hashed,
) -> Outcome<Result<(), Refusal>> {
    let attempt = guessing::count_attempt(request, Secret::Password, Some(found.id)).await?;
    if !password::verify(password, hashed).await? {
        return Ok(Err(record_failure(&request.context, found, &attempt).await?));
    }
    record_success(request, found, &attempt).await?;
    Ok(Ok(()))
}

/// Whether a password is the user's in the library's directory.
async fn check_in_directory(
    request: &Request,
    found: &Found,
    password: &str,
    settings: &directory::Settings,
) -> Outcome<Result<(), Refusal>> {
    let (attempt, answer) = directory::check(request, (found.id, &found.user), password, settings).await?;
    match answer {
        Answer::Right => record_success(request, found, &attempt).await.map(Ok),
        Answer::Wrong => Ok(Err(record_failure(&request.context, found, &attempt).await?)),
        // No password would be right: further attempts from this address have to wait, and the user is not blocked.
        Answer::NoEntry | Answer::SeveralEntries => Ok(Err(Consequence::Refused.refusal(&found.username))),
    }
}

async fn record_success(request: &Request, found: &Found, attempt: &Attempt) -> Outcome<()> {
    let mut changes = attempt.success_statements(&request.context);
    changes.push(attempts::reset_failures_statement(found.id, request.context.now));
    request.context.session().await?.batch(changes).await?;
    Ok(())
}

impl Found {
    fn from_columns((id, user, credentials, generation): UserColumns) -> Found {
        let username = user["username"].as_str().unwrap_or_default().to_owned();
        let hashed = credentials.as_ref().and_then(Hashed::read);
        Found { id, username, user, hashed, generation: generation.unwrap_or(0) }
    }

    pub(super) fn is_active(&self) -> bool {
        user_records::is_active(&self.user)
    }

    pub(super) fn blocked_fault(&self) -> Fault {
        Refusal::new("User must be flagged as active").kind("error").code("user.blocked").into()
    }
}

fn sent_password(credentials: &Credentials) -> Outcome<&str> {
    if credentials.username.is_none() && credentials.user_id.is_none() {
        return Err(Fault::bad_request("You must provide a username or userId"));
    }
    credentials.password.as_deref().ok_or_else(|| Fault::bad_request("You must provide a password"))
}

fn unknown_user(credentials: &Credentials) -> Fault {
    let refusal = Refusal::new(format!("Error verifying user existence: {}", no_user_message(credentials)))
        .kind("error")
        .code("username.incorrect");
    match &credentials.username {
        Some(name) => refusal.about("username", name).into(),
        None => refusal.into(),
    }
}

/// FOLIO's message names no user who was searched by id.
pub(super) fn no_user_message(credentials: &Credentials) -> String {
    let name = credentials.username.as_deref().filter(|_| credentials.user_id.is_none());
    format!("No user found by username {}", name.unwrap_or("null"))
}

/// Counts a failure, and blocks the user at the configured number.
async fn record_failure(context: &Context, found: &Found, attempt: &Attempt) -> Outcome<Refusal> {
    if !attempt.may_block {
        return Ok(Consequence::Refused.refusal(&found.username));
    }
    let mut session = context.session().await?;
    let snapshot = context.snapshot_over(&mut session).await?;
    let allowed = AttemptLimits::from_snapshot(&snapshot);
    let failures: Option<i64> = session
        .read(attempts::count_failure_statement(found.id, context.fresh_id(), context.now, &allowed))
        .await?;
    let consequence = Consequence::from_failures(failures.unwrap_or(1), &allowed);
    if consequence == Consequence::Blocked {
        if attempts::is_last_who_unlocks(context, &mut session, found.id).await? {
            return Ok(Consequence::Refused.refusal(&found.username));
        }
        let mut user = found.user.clone();
        user["active"] = json!(false);
        replace(context, &mut session, &USER, found.id, user).await?;
        session.rows(attempts::reset_failures_statement(found.id, context.now)).await?;
    }
    Ok(consequence.refusal(&found.username))
}

/// Finds the user by id, or by name if no id is given.
pub(super) async fn find(session: &mut Session, credentials: &Credentials) -> Outcome<Option<Found>> {
    Ok(session.read::<Option<UserColumns>>(find_user_statement(credentials)).await?.map(Found::from_columns))
}

/// What [`find_user_statement`] reads: id, user, credentials, generation of the sessions.
type UserColumns = (Uuid, Value, Option<Value>, Option<i64>);

fn find_user_statement(credentials: &Credentials) -> Statement {
    match &credentials.user_id {
        Some(id) => Statement::new(BY_ID).maybe_uuid(Uuid::parse_str(id).ok()),
        None => Statement::new(BY_NAME).text(credentials.username.as_deref().unwrap_or_default().trim()),
    }
}

/// Makes a blocked user active again and forgets the failures; `None` if there is no such user.
pub async fn unlock(context: &Context, username: &str) -> Outcome<Option<Uuid>> {
    let mut session = context.session().await?;
    let named = Credentials { username: Some(username.to_owned()), user_id: None, password: None };
    let Some(found) = find(&mut session, &named).await? else { return Ok(None) };
    if !found.is_active() {
        let mut user = found.user;
        user["active"] = json!(true);
        replace(context, &mut session, &USER, found.id, user).await?;
    }
    session
        .batch(vec![
            attempts::reset_failures_statement(found.id, context.now),
            guessing::forget_failures(found.id),
        ])
        .await?;
    Ok(Some(found.id))
}

const BY_NAME: &str = "\
select u.id, u.doc::text, c.doc::text, (e.doc ->> 'generation')::int8
from users u
left join auth_ended_sessions e on e.id = u.id
left join auth_credentials c on c.\"userId\" = u.id
where u.username = octavo.fold($1)";
const BY_ID: &str = "\
select u.id, u.doc::text, c.doc::text, (e.doc ->> 'generation')::int8
from users u
left join auth_ended_sessions e on e.id = u.id
left join auth_credentials c on c.\"userId\" = u.id
where u.id = $1";

const REPLACE: &str = "update auth_credentials set doc = $2::text::json where \"userId\" = $1";

octavo_pg::statements!(hot = [BY_NAME, BY_ID, REPLACE]);
