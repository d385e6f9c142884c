//! The log of log-ins and passwords, which a library switches on by entries of mod-configuration with the module `EVENT_LOG`: one with the
//! code `STATUS` for the whole, one for each type of event.

use octavo_cql::parse;
use octavo_engine::{
    CountMode, ListRequest, Request, Response, SecurityEventKind, Snapshot, list as search, statements,
};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::configuration;
use octavo_pg::Statement;
use octavo_record::Page;
use serde_json::{Value, json};
use uuid::Uuid;

use super::records::EVENT;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    PasswordReset,
    PasswordCreated,
    PasswordChanged,
    LoggedIn,
    LogInFailed,
    UserBlocked,
}

impl Event {
    const fn code(self) -> &'static str {
        match self {
            Event::PasswordReset => "PASSWORD_RESET",
            Event::PasswordCreated => "PASSWORD_CREATE",
            Event::PasswordChanged => "PASSWORD_CHANGE",
            Event::LoggedIn => "SUCCESSFUL_LOGIN_ATTEMPT",
            Event::LogInFailed => "FAILED_LOGIN_ATTEMPT",
            Event::UserBlocked => "USER_BLOCK",
        }
    }

    /// The event for the log of security; `None` for passwords that are set, which are noted in that log where they are stored.
    const fn security(self) -> Option<SecurityEventKind> {
        match self {
            Event::LoggedIn => Some(SecurityEventKind::LoggedIn),
            Event::LogInFailed => Some(SecurityEventKind::LogInFailed),
            Event::UserBlocked => Some(SecurityEventKind::UserBlocked),
            Event::PasswordReset | Event::PasswordCreated | Event::PasswordChanged => None,
        }
    }
}

/// Notes in the log of security a refused log-in for which mod-login has no event: with an unknown name, or of a user who may not log in.
pub(super) fn note_refused_log_in(request: &Request, user: Option<Uuid>, why: &str) {
    request.note_security_event(SecurityEventKind::LogInFailed, user, why);
}

/// Notes the outcome of a log-in. `told` is the description in the log of security: the path of the call, and who checked the password.
pub(super) async fn note_log_in(request: &Request, user: Uuid, checked: &Result<(), Refusal>, told: &str) {
    match checked {
        Ok(()) => note(request, user, Event::LoggedIn, told).await,
        Err(refusal) => {
            note(request, user, Event::LogInFailed, told).await;
            if refusal.code.as_deref() == Some("password.incorrect.block.user") {
                note(request, user, Event::UserBlocked, told).await;
            }
        }
    }
}

pub(crate) async fn write(request: &Request, user: Uuid, event: Event) {
    note(request, user, event, &request.path).await;
}

/// Notes an event in the log of security, and in mod-login's log if the library has switched its type on. If the second fails, the log-in
/// still counts.
async fn note(request: &Request, user: Uuid, event: Event, told: &str) {
    if let Some(noted) = event.security() {
        request.note_security_event(noted, Some(user), told);
    }
    if let Err(fault) = try_to_write(request, user, event).await {
        let tenant = &request.context.tenant.id;
        tracing::error!(%tenant, %fault, event = event.code(), "an event of a log-in was not written down");
    }
}

async fn try_to_write(request: &Request, user: Uuid, event: Event) -> Outcome<()> {
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    if !is_on(&snapshot, STATUS) || !is_on(&snapshot, event.code()) {
        return Ok(());
    }
    let mut document = json!({
        "eventType": event.code(),
        "tenant": context.tenant.id.as_str(),
        "userId": user,
        "ip": request.client,
        "timestamp": context.now_text(),
    });
    if let Some(browser) = request.header("user-agent") {
        document["browserInformation"] = json!(browser);
    }
    store(request, document).await.map(drop)
}

async fn store(request: &Request, mut document: Value) -> Outcome<Uuid> {
    let id = request.context.fresh_id();
    document["id"] = json!(id);
    request.context.session().await?.rows(statements::insert(&EVENT, id, &document)).await?;
    Ok(id)
}

const STATUS: &str = "STATUS";

fn is_on(snapshot: &Snapshot, code: &str) -> bool {
    let mut entries = snapshot.all(&configuration::ENTRY).map(|(_, entry)| entry);
    entries.any(|entry| entry["module"] == "EVENT_LOG" && entry["code"] == code && entry["enabled"] != false)
}

/// Nothing is answered where the log is switched off.
async fn is_switched_on(request: &Request) -> Outcome<bool> {
    Ok(is_on(&*request.context.snapshot().await?, STATUS))
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    if !is_switched_on(&request).await? {
        return Ok(Response::no_content());
    }
    let bound = i64::from(i32::MAX);
    let query = request.query("query").filter(|query| !query.is_empty());
    let query = query.map(parse).transpose().map_err(|error| Fault::bad_request(error.to_string()))?;
    let page = Page {
        offset: request.query_number("start", 1, 1..=bound)? - 1,
        limit: request.query_number("length", 10, 1..=bound)?,
    };
    let mut session = request.context.session().await?;
    let (events, total) =
        search(&mut session, &EVENT, &ListRequest { query, page, total: CountMode::Exact }).await?;
    Ok(Response::json(200, &json!({"loggingEvent": events, "totalRecords": total})))
}

/// Stores an event that another program reports.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let event = request.checked_json(EVENT.schema)?;
    let snapshot = request.context.snapshot().await?;
    if !is_on(&snapshot, STATUS) || !is_on(&snapshot, event["eventType"].as_str().unwrap_or_default()) {
        return Ok(Response::no_content());
    }
    let id = store(&request, event).await?;
    let message = format!("Event id: {id} was successfully saved to event log");
    Ok(Response::json(201, &json!({"message": message})))
}

/// Deletes the events of the user with the id in the path.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    if !is_switched_on(&request).await? {
        return Ok(Response::no_content());
    }
    let user = request.path_parameter(0);
    let gone = request.context.session().await?.rows(Statement::new(DELETE).text(user)).await?;
    match gone.is_empty() {
        true => Err(Fault::not_found_with(format!(
            "Event Config with `userId`: `{user}` was not found in the db"
        ))),
        false => {
            let message = "Event was successfully deleted from event log";
            Ok(Response::json(200, &json!({"message": message})))
        }
    }
}

const DELETE: &str = "delete from event_logs where \"userId\" = $1 returning id";

octavo_pg::statements!(other = [DELETE]);
