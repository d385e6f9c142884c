//! Permission sets of users, and permissions of removed modules.

use std::sync::LazyLock;

use octavo_engine::{
    Context, Request, Response, create as store, find, invalidate_caches, notify_statements,
    replace as overwrite,
};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Session, Statement};
use octavo_record::{Reading, Schema};
use serde_json::{Value, json};
use uuid::Uuid;

use super::assignment::{check_may_assign, check_may_create};
use super::known::{find_known, parse_record_id, unique_names, unknown_added_names, unknown_names};
use super::records::PERMISSION;

/// The members of a permission that clients may set.
static UPLOAD: LazyLock<Schema> = LazyLock::new(|| {
    Schema::parse(include_str!("../../../folio/records/mod-permissions/permissionUpload.tsv"))
});

/// Answers with the permission as it was sent, and with what the server adds.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut upload = read(&request)?;
    if upload.get("id").is_none() {
        upload["id"] = json!(context.fresh_id());
    }
    if upload.get("permissionName").is_none() {
        upload["permissionName"] = upload["id"].clone();
    }
    let name = upload["permissionName"].as_str().unwrap_or_default().to_owned();
    upload["mutable"] = json!(true);
    if upload.get("visible").is_none() {
        upload["visible"] = json!(true);
    }
    let mut session = context.session().await?;
    let about = |message: String| Refusal::rmb(message).about("'permissionName'", &name);
    // Also if the name is only contained in others so far.
    if !find_known(&mut session, std::slice::from_ref(&name)).await?.is_empty() {
        return Err(about(format!("Permission with name {name} already exists")).into());
    }
    check_may_create(&name, &context.caller)?;
    let subs = unique_names(&upload, "subPermissions");
    let contained = find_known(&mut session, &subs).await?;
    check_may_assign(&contained, &context.caller)?;
    // A permission may contain itself: it exists when its sub-permissions are looked up.
    let missing: Vec<String> =
        unknown_names(&subs, &contained).into_iter().filter(|sub| *sub != name).collect();
    if !missing.is_empty() {
        return Err(about(non_existent_message(&missing, &name)).into());
    }
    let document = to_stored_document(&upload, &json!({"dummy": false, "deprecated": false}));
    let stored = store(context, &mut session, &PERMISSION, document).await?;
    Ok(Response::json(201, &with_server_members(upload, &stored)))
}

/// Answers with the permission as it was sent, and with what the server adds.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let upload = read(&request)?;
    let path = request.path_parameter(0);
    if upload["id"].as_str() != Some(path) {
        return Err(Fault::bad_request("Invalid id value"));
    }
    let (id, stored) = load_permission(&mut session, path).await?;
    if upload["permissionName"] != stored["permissionName"] {
        return Err(Fault::bad_request("permission name property cannot change"));
    }
    if stored["mutable"] != true {
        return Err(Fault::bad_request("cannot change an immutable permission"));
    }
    let name = stored["permissionName"].as_str().unwrap_or_default();
    let (before, subs) = (unique_names(&stored, "subPermissions"), unique_names(&upload, "subPermissions"));
    let known = find_known(&mut session, &subs).await?;
    let added: Vec<_> = known.iter().filter(|known| !before.contains(&known.name)).cloned().collect();
    check_may_assign(&added, &context.caller)?;
    let missing = unknown_added_names(&subs, &known, &before);
    if !missing.is_empty() {
        let message = format!("Unable to update derived fields: {}", non_existent_message(&missing, name));
        return Err(Refusal::rmb(message).about("id", path).into());
    }
    let mut document = to_stored_document(&upload, &stored);
    document["mutable"] = json!(true);
    let stored = overwrite(context, &mut session, &PERMISSION, id, document).await?;
    Ok(Response::json(200, &with_server_members(upload, &stored)))
}

fn with_server_members(mut upload: Value, stored: &Value) -> Value {
    upload["mutable"] = json!(true);
    upload["metadata"] = stored["metadata"].clone();
    upload
}

/// Deletes a permission, and removes it from users and other permissions.
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (_, stored) = load_permission(&mut session, request.path_parameter(0)).await?;
    if stored["mutable"] != true {
        return Err(Fault::bad_request("cannot delete an immutable permission"));
    }
    let name = stored["permissionName"].as_str().unwrap_or_default().to_owned();
    remove(&request.context, &mut session, vec![name]).await?;
    Ok(Response::no_content())
}

/// Deletes the deprecated permissions of removed modules.
pub(super) async fn purge_deprecated(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let names: Vec<String> = session.read(Statement::new(DEPRECATED)).await?;
    remove(&request.context, &mut session, names.clone()).await?;
    Ok(Response::json(200, &json!({"permissionNames": names, "totalRecords": names.len()})))
}

async fn remove(context: &Context, session: &mut Session, names: Vec<String>) -> Outcome<()> {
    if names.is_empty() {
        return Ok(());
    }
    let mut changes: Vec<Statement> = [FROM_USERS, FROM_SETS, REMOVE]
        .into_iter()
        .map(|sql| Statement::new(sql).texts(names.clone()))
        .collect();
    changes.extend(notify_statements(context, &PERMISSION, Uuid::nil()));
    session.transaction(changes).await?;
    invalidate_caches(context, &PERMISSION, Uuid::nil());
    Ok(())
}

fn read(request: &Request) -> Outcome<Value> {
    let checked = UPLOAD.check(request.json()?, Reading::FromClient).map_err(Fault::refused)?;
    let mut upload = checked.0;
    for list in ["tags", "subPermissions"] {
        if upload.get(list).is_none() {
            upload[list] = json!([]);
        }
    }
    Ok(upload)
}

/// The stored form: the sent members, and the server's members of the stored permission.
fn to_stored_document(upload: &Value, before: &Value) -> Value {
    let mut document = upload.clone();
    for field in ["dummy", "deprecated"] {
        document[field] = before[field].clone();
    }
    document
}

async fn load_permission(session: &mut Session, id: &str) -> Outcome<(Uuid, Value)> {
    let unknown = || Fault::not_found_with(format!("No permission found to match id {id}"));
    let parsed = parse_record_id(id)?;
    Ok((parsed, find(session, &PERMISSION, parsed).await?.ok_or_else(unknown)?))
}

fn non_existent_message(missing: &[String], name: &str) -> String {
    format!(
        "Attempting to add non-existent permissions {} as sub-permissions to permission {name}",
        missing.join(",")
    )
}

const DEPRECATED: &str = "\
select \"permissionName\"
from permissions
where deprecated = 'true'
order by \"permissionName\"";
const FROM_USERS: &str = "\
update permissions_users
set doc = jsonb_set(doc::jsonb, '{permissions}', (doc -> 'permissions')::jsonb - $1::text[])
where (doc -> 'permissions')::jsonb ?| $1::text[]";
const FROM_SETS: &str = "\
update permissions
set doc = jsonb_set(doc::jsonb, '{subPermissions}', (doc -> 'subPermissions')::jsonb - $1::text[])
where (doc -> 'subPermissions')::jsonb ?| $1::text[]";
const REMOVE: &str = "delete from permissions where \"permissionName\" = any($1)";

octavo_pg::statements!(other = [DEPRECATED, FROM_USERS, FROM_SETS, REMOVE]);
