//! Creating, changing and deleting users, with mod-users' checks beyond the schema.

use octavo_engine::{Context, Request, Response, Snapshot, create_with, ids_where, replace_with};
use octavo_kernel::{Body, Fault, Outcome, Refusal, parse_time};
use octavo_modules_base::persons;
use octavo_modules_base::user_records::{GROUP, MISSING_DEPARTMENT, USER};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::custom_fields::check_values;
use super::records::ADDRESS_TYPE;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let user = add(&request.context, request.json()?, Vec::new()).await?;
    let id = user["id"].as_str().unwrap_or_default().to_owned();
    Ok(Response::json(201, &user).with_header("location", id))
}

/// Stores a new user, and runs the statements `with` in the same transaction.
pub(crate) async fn add(context: &Context, mut user: Value, with: Vec<Statement>) -> Outcome<Value> {
    refuse_invalid_personal(&user)?;
    refuse_repeated_address_type(&user)?;
    prepare(&mut user, &context.now_text());
    if let Some(name) = user["username"].as_str().map(str::trim).filter(|name| !name.is_empty()) {
        user["username"] = json!(name);
    }
    let snapshot = context.snapshot().await?;
    check_values(&snapshot, &user)?;
    if !address_types_exist(&snapshot, &user) {
        return Err(Fault::bad_request("You cannot add addresses with non-existent address types"));
    }
    check_group_exists(&snapshot, &user)?;
    let mut session = context.session().await?;
    create_with(context, &mut session, &USER, user, |_| with).await.map_err(with_folio_message)
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    change(&request.context, request.path_parameter(0), request.json()?, &[]).await?;
    Ok(Response::no_content())
}

/// Replaces the user with the id in the path, and runs the statements `with` in the same transaction.
pub(crate) async fn change(
    context: &Context,
    path: &str,
    mut user: Value,
    with: &[Statement],
) -> Outcome<()> {
    refuse_invalid_personal(&user)?;
    prepare(&mut user, &context.now_text());
    let snapshot = context.snapshot().await?;
    check_values(&snapshot, &user)?;
    refuse_repeated_address_type(&user)?;
    if user["id"].as_str() != Some(path) {
        return Err(Fault::bad_request("You cannot change the value of the id field"));
    }
    if !address_types_exist(&snapshot, &user) {
        return Err(Fault::bad_request("All addresses types defined for users must be existing"));
    }
    check_group_exists(&snapshot, &user)?;
    let id = Uuid::parse_str(path).map_err(|_| Fault::not_found_with(path))?;
    let mut session = context.session().await?;
    let replaced = replace_with(context, &mut session, &USER, id, user, with).await;
    replaced.map_err(|fault| to_text_fault(fault, path)).map(drop)
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let path = request.path_parameter(0);
    let id = Uuid::parse_str(path).map_err(|_| Fault::not_found_with(path))?;
    let mut session = request.context.session().await?;
    persons::lock(&mut session, &[id]).await?;
    match persons::delete(&request.context, &mut session, vec![id]).await?.is_empty() {
        true => Err(Fault::not_found_with(path)),
        false => Ok(Response::no_content()),
    }
}

pub(super) async fn delete_found(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found = ids_where(&mut session, &USER, request.query("query")).await?;
    for users in found.chunks(BATCH) {
        persons::lock(&mut session, users).await?;
        persons::delete(&request.context, &mut session, users.to_vec()).await?;
    }
    Ok(Response::no_content())
}

/// How many users are deleted in one transaction, in which each of them is locked.
const BATCH: usize = 500;

/// Refuses pictures and dates of birth that no user may have.
fn refuse_invalid_personal(user: &Value) -> Outcome<()> {
    let personal = &user["personal"];
    let shadow = user["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("shadow"));
    if shadow && personal["profilePictureLink"].is_string() {
        return Err(Fault::bad_request("Profile Picture feature is not applicable for user's type SHADOW"));
    }
    let born = personal["dateOfBirth"].as_str().and_then(parse_time);
    if born.is_some_and(|born| Some(born) < parse_time("0001-01-01")) {
        return Err(Fault::bad_request("dateOfBirth must be at least 0001-01-01"));
    }
    Ok(())
}

fn refuse_repeated_address_type(user: &Value) -> Outcome<()> {
    let types: Vec<&str> = address_types(user).collect();
    if types.iter().enumerate().any(|(at, kind)| types[..at].contains(kind)) {
        return Err(Fault::bad_request("Users are limited to one address per addresstype"));
    }
    Ok(())
}

fn address_types(user: &Value) -> impl Iterator<Item = &str> {
    let addresses = user["personal"]["addresses"].as_array().into_iter().flatten();
    addresses.filter_map(|address| address["addressTypeId"].as_str())
}

fn address_types_exist(snapshot: &Snapshot, user: &Value) -> bool {
    let known = |id: &str| Uuid::parse_str(id).is_ok_and(|id| snapshot.get(&ADDRESS_TYPE, id).is_some());
    address_types(user).all(known)
}

fn check_group_exists(snapshot: &Snapshot, user: &Value) -> Outcome<()> {
    let Some(group) = user["patronGroup"].as_str() else { return Ok(()) };
    match Uuid::parse_str(group) {
        Ok(id) if snapshot.get(&GROUP, id).is_none() => {
            Err(Fault::bad_request(format!("Cannot add {group}. Patron group not found")))
        }
        // A text that is no id is refused by the schema.
        _ => Ok(()),
    }
}

/// Removes empty custom fields, and sets both dates to the server's time.
fn prepare(user: &mut Value, now: &str) {
    let Some(user) = user.as_object_mut() else { return };
    if let Some(Value::Object(fields)) = user.get_mut("customFields") {
        fields.retain(|_, value| value.as_str() != Some(""));
    }
    for name in ["createdDate", "updatedDate"] {
        // What cannot be read as a time is left for the schema to refuse.
        if user.get(name).is_none_or(|given| !given.is_object() && !given.is_array()) {
            user.insert(name.into(), json!(now));
        }
    }
}

fn with_folio_message(mut fault: Fault) -> Fault {
    if let Body::Refusals(refusals) = &mut fault.body {
        for refusal in refusals.iter_mut().filter(|r| r.message.starts_with("id value already exists")) {
            refusal.message = "User with this id already exists".into();
        }
    }
    fault
}

/// Turns the 422 of creating a user into the 400 with a text that a change answers.
fn to_text_fault(fault: Fault, id: &str) -> Fault {
    match &fault.body {
        Body::Text(_) if fault.status == 404 => Fault::not_found_with(id),
        Body::Refusals(refusals) => match refusals.as_slice() {
            [refusal] => match USER.unique.iter().find(|unique| is_about(unique, &refusal.message)) {
                Some(unique) => Fault::bad_request(duplicate_message(unique, refusal)),
                None if is_about_department(&refusal.message) => Fault::bad_request(refusal.message.clone()),
                None => fault,
            },
            _ => fault,
        },
        _ => fault,
    }
}

/// The message about a duplicate: mod-users has its own messages for user names and barcodes, and otherwise answers with PostgreSQL's
/// detail of the error.
fn duplicate_message(unique: &octavo_record::Unique, refusal: &Refusal) -> String {
    match unique.fields {
        [field @ "externalSystemId"] => {
            let sent = refusal.parameters.first().and_then(|(_, value)| value.as_deref());
            let value = sent.unwrap_or_default().to_lowercase();
            format!("Key (lower(f_unaccent(jsonb ->> '{field}'::text)))=({value}) already exists.")
        }
        _ => refusal.message.clone(),
    }
}

fn is_about_department(message: &str) -> bool {
    MISSING_DEPARTMENT.split("{}").all(|part| message.contains(part))
}

fn is_about(unique: &octavo_record::Unique, message: &str) -> bool {
    unique.message.is_some_and(|own| message.starts_with(own.text.trim_end_matches("{}")))
}
