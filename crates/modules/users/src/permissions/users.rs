//! Permissions users: which permissions a user was given, as one record.

use octavo_engine::{
    Context, Request, Response, create as store, delete as remove, metadata, notify_statements,
    replace as overwrite, statements,
};
use octavo_kernel::{Caller, Fault, Outcome, Refusal};
use octavo_modules_base::user_records::PERMISSION_USER;
use octavo_pg::{Session, Statement};
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

use super::assignment::check_may_assign;
use super::known::{Holder, find_known, parse_record_id, unique_names, unknown_added_names};

pub(super) async fn get(request: &Request, id: &str) -> Outcome<Response> {
    let holder = Holder::from_request(request, id)?;
    let mut session = request.context.session().await?;
    match holder.find(&mut session).await? {
        Some((_, document)) => Ok(Response::json(200, &document)),
        None => Err(Fault::not_found_with(format!("No user with {}", holder.description()))),
    }
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut document = read(&request)?;
    if document.get("id").is_none() {
        document["id"] = json!(context.fresh_id());
    }
    let mut session = context.session().await?;
    check(&mut session, &context.caller, &mut document, &[], Dummies::Accepted).await?;
    let stored = store(context, &mut session, &PERMISSION_USER, document).await?;
    Ok(Response::json(201, &stored))
}

/// Answers with the record as it was sent.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let sent_id = request.path_parameter(0);
    let mut document = read(&request)?;
    let mut session = context.session().await?;
    refuse_dummies(&mut session, &document).await?;
    let id = parse_record_id(sent_id)?;
    let stored = octavo_engine::find(&mut session, &PERMISSION_USER, id).await?;
    let stored = stored.ok_or_else(|| not_found_fault(sent_id))?;
    // If the record now names another user, all its permissions are given.
    let held = match stored["userId"] == document["userId"] {
        true => unique_names(&stored, "permissions"),
        false => Vec::new(),
    };
    check(&mut session, &context.caller, &mut document, &held, Dummies::Refused).await?;
    let mut answer = document.clone();
    overwrite(context, &mut session, &PERMISSION_USER, id, document).await?;
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("metadata");
    }
    Ok(Response::json(200, &answer))
}

async fn refuse_dummies(session: &mut Session, document: &Value) -> Outcome<()> {
    match find_known(session, &unique_names(document, "permissions"))
        .await?
        .iter()
        .any(|permission| permission.dummy)
    {
        true => Err(Fault::bad_request("Cannot add permissions flagged as 'dummy' to users")),
        false => Ok(()),
    }
}

/// The statements that give a user these permissions and no others, checked as in a request of its own.
pub(crate) async fn grant_statements(
    context: &Context,
    session: &mut Session,
    user: Uuid,
    permissions: &Value,
) -> Outcome<Vec<Statement>> {
    let stored: Option<(Uuid, Value)> = session.read(Statement::new(OF_USER).uuid(user)).await?;
    let id = stored.as_ref().map_or_else(|| context.fresh_id(), |(id, _)| *id);
    let mut document = json!({"id": id, "userId": user, "permissions": permissions});
    refuse_dummies(session, &document).await?;
    let held = stored.as_ref().map(|(_, stored)| unique_names(stored, "permissions")).unwrap_or_default();
    check(session, &context.caller, &mut document, &held, Dummies::Refused).await?;
    let before = stored.as_ref().map(|(_, stored)| stored);
    document["metadata"] = metadata(context, before, &context.now_text());
    let write = match before {
        Some(_) => statements::overwrite(&PERMISSION_USER, id, &document),
        None => statements::insert(&PERMISSION_USER, id, &document),
    };
    Ok([write].into_iter().chain(notify_statements(context, &PERMISSION_USER, id)).collect())
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let parsed = parse_record_id(id)?;
    let mut session = request.context.session().await?;
    remove(&request.context, &mut session, &PERMISSION_USER, parsed).await.map_err(|fault| {
        match fault.status {
            404 => not_found_fault(id),
            _ => fault,
        }
    })?;
    Ok(Response::no_content())
}

fn not_found_fault(id: &str) -> Fault {
    Fault::not_found_with(format!("No permissions user found with id {id}"))
}

/// The body in its stored form; a user id that is none is 400 here.
fn read(request: &Request) -> Outcome<Value> {
    let body = request.json()?;
    let checked = PERMISSION_USER.schema().check(body, Reading::FromClient).map_err(Fault::refused)?;
    let mut document = checked.0;
    for field in ["id", "userId"] {
        if let Some(text) = document[field].as_str() {
            let id = Uuid::parse_str(text)
                .map_err(|_| Fault::bad_request(format!("Invalid UUID string: {text}")))?;
            document[field] = json!(id);
        }
    }
    if let Some(document) = document.as_object_mut() {
        document.retain(|_, value| !value.is_null());
    }
    Ok(document)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dummies {
    Accepted,
    Refused,
}

/// Refuses new permissions that do not exist, or that the caller may not give.
async fn check(
    session: &mut Session,
    caller: &Caller,
    document: &mut Value,
    held: &[String],
    dummies: Dummies,
) -> Outcome<()> {
    let wanted = unique_names(document, "permissions");
    let known = find_known(session, &wanted).await?;
    let added: Vec<_> = known.iter().filter(|permission| !held.contains(&permission.name)).cloned().collect();
    debug_assert!(dummies == Dummies::Accepted || !added.iter().any(|permission| permission.dummy));
    check_may_assign(&added, caller)?;
    let missing = unknown_added_names(&wanted, &known, held);
    if !missing.is_empty() {
        let id = document["id"].as_str().unwrap_or("null").to_owned();
        let message = format!(
            "Unable to update derived fields: Attempting to add non-existent permissions {} to permission user with id {id}",
            missing.join(",")
        );
        return Err(Refusal::rmb(message).about("id", id).into());
    }
    document["permissions"] = json!(wanted);
    Ok(())
}

const OF_USER: &str = "select id, doc::text from permissions_users where \"userId\" = $1";

octavo_pg::statements!(hot = [OF_USER]);
