//! The permissions that one user holds: listed, one added, one taken away.

use octavo_engine::{Context, Request, Response, replace};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::grants;
use octavo_modules_base::user_records::PERMISSION_USER;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::assignment::check_may_assign;
use super::known::{Holder, find_known, unique_names};
use super::records::PERMISSION;

pub(super) async fn list(request: &Request, id: &str) -> Outcome<Response> {
    let holder = Holder::from_request(request, id)?;
    let mut session = request.context.session().await?;
    let Some((_, document)) = holder.find(&mut session).await? else {
        return Err(Fault::not_found_with(format!("No user found by {}", holder.description())));
    };
    let mut held = unique_names(&document, "permissions");
    if request.query_flag("expanded") {
        held = grants::expand(&mut session, held).await?;
    }
    if request.query_flag("full") {
        let permissions = load_permission_texts(&mut session, held).await?;
        return Ok(Response::json_text(200, format!("{{\"permissionNames\":[{}]}}", permissions.join(","))));
    }
    Ok(Response::json(200, &json!({"permissionNames": held, "totalRecords": held.len()})))
}

/// The permission records with these names and with the names of all permissions that these contain.
pub(crate) async fn load_expanded_permissions(session: &mut Session, names: Vec<String>) -> Outcome<Value> {
    let names = grants::expand(session, names).await?;
    let permissions = load_permission_texts(session, names).await?;
    Ok(permissions.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok()).collect())
}

/// The permission records with these names, as JSON texts. Unknown names are left out.
pub(super) async fn load_permission_texts(session: &mut Session, names: Vec<String>) -> Outcome<Vec<String>> {
    let sql = format!(
        "select ({})::text from permissions t where t.\"permissionName\" = any($1) order by t.\"permissionName\"",
        PERMISSION.response_document_sql("t")
    );
    let rows = session.rows(Statement::new(sql).texts(names)).await?;
    Ok(rows.iter().map(|row| PERMISSION.schema().with_arrays(row.read()).into_owned()).collect())
}

pub(super) async fn add(request: &Request, id: &str) -> Outcome<Response> {
    let body = request.json()?;
    let name = body["permissionName"].as_str().unwrap_or_default().to_owned();
    let holder = Holder::from_request(request, id)?;
    let named = holder.description();
    let context = &request.context;
    let mut session = context.session().await?;
    let added = |user: Uuid, document: Option<Value>| {
        let Some(document) = document else {
            return Err(Fault::bad_request(format!("User with {named} does not exist")));
        };
        let mut held = unique_names(&document, "permissions");
        if held.contains(&name) {
            let message = format!("User with {named} already has permission {name}");
            return Err(Refusal::rmb(message).about("'userId'", user.to_string()).into());
        }
        held.push(name.clone());
        Ok(with_permissions(document, &held))
    };
    let (user, document) = read(&mut session, &holder).await?;
    added(user, document)?;
    check_may_add(&mut session, context, &name).await?;
    change(context, &mut session, &holder, added).await?;
    Ok(Response::json(200, &json!({"permissionName": name})))
}

async fn check_may_add(session: &mut Session, context: &Context, name: &str) -> Outcome<()> {
    let known = find_known(session, &[name.to_owned()]).await?;
    match known.first() {
        None => Err(Fault::bad_request(format!("Permission by name '{name}' does not exist"))),
        Some(permission) if permission.dummy => Err(Fault::bad_request(format!(
            "'{name}' is flagged as a dummy permission and cannot be assigned to a user"
        ))),
        Some(_) => check_may_assign(&known, &context.caller),
    }
}

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let (id, name) = (request.path_parameter(0), request.path_parameter(1));
    let holder = Holder::from_request(&request, id)?;
    let named = holder.description();
    let context = &request.context;
    let mut session = context.session().await?;
    change(context, &mut session, &holder, |_, document| {
        let Some(document) = document else {
            return Err(Fault::not_found_with(format!("User with {named} does not exist")));
        };
        let mut held = unique_names(&document, "permissions");
        if !held.iter().any(|held| held == name) {
            return Err(Fault::bad_request(format!("User with {named} does not contain {name}")));
        }
        held.retain(|held| held != name);
        Ok(with_permissions(document, &held))
    })
    .await?;
    Ok(Response::no_content())
}

fn with_permissions(mut document: Value, held: &[String]) -> Value {
    document["permissions"] = json!(held);
    document
}

/// Reads, changes and writes the record; repeats this after a conflict.
async fn change(
    context: &Context,
    session: &mut Session,
    holder: &Holder<'_>,
    changed: impl Fn(Uuid, Option<Value>) -> Outcome<Value>,
) -> Outcome<()> {
    const TRIES: usize = 3;
    for attempt in 1..=TRIES {
        let (id, document) = read(session, holder).await?;
        let document = changed(id, document)?;
        match replace(context, session, &PERMISSION_USER, id, document).await {
            Err(fault) if fault.status == 409 && attempt < TRIES => {}
            answer => return answer.map(|_| ()),
        }
    }
    Ok(())
}

async fn read(session: &mut Session, holder: &Holder<'_>) -> Outcome<(Uuid, Option<Value>)> {
    Ok(match holder.find(session).await? {
        Some((id, document)) => (id, Some(document)),
        None => (Uuid::nil(), None),
    })
}
