//! mod-circulation-item 1.0.0: items of other libraries of a consortium. Only the records are built; desks cannot lend them yet.

use octavo_engine::{Call, Dialect, Module, Notation, Request, Response, calls, create, find, replace};
use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_record::{Field, Hooks, Message, Persons, RecordType, Unique, Words};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::inventory_storage::message_of;

pub static MODULE: Module = Module {
    name: "mod-circulation-item",
    notation: Notation::SPRING,
    dialect: Dialect::Spring { bad_id: "Invalid UUID string: {}" },
    records: &[&CIRCULATION_ITEM],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/circulation-item/{itemId}" => add;
    Put "/circulation-item/{itemId}" => change;
};

pub static CIRCULATION_ITEM: RecordType = RecordType {
    name: "circulation item",
    table: "circulation_item",
    path: "/circulation-item",
    collection: "items",
    default_limit: 1000,
    words: Words::unknown("Circulation item with id {} doesn't exist"),
    schema: include_str!("../../folio/records/mod-circulation-item/CirculationItem__schemas.tsv"),
    fields: &[Field::exact("barcode")],
    unique: &[Unique::of(&["barcode"]).message(Message::new(
        Kind::Conflict,
        "Unable to create circulation item with barcode {} as it already exists",
        "",
    ))],
    hooks: Hooks { default: Some(place), validate: Some(refuse_incomplete), ..Hooks::NONE },
    persons: Some(&Persons { others: &["barcode"], ..Persons::NOBODY }),
    ..RecordType::BASE
};

/// The location that FOLIO gives to all such items.
const LOCATION: &str = "9d1b77e8-f02e-4b7f-b296-3f2042ddac54";

fn place(item: &mut Value) {
    let Some(item) = item.as_object_mut() else { return };
    item.insert("dcbItem".into(), json!(true));
    item.insert("effectiveLocationId".into(), json!(LOCATION));
}

fn refuse_incomplete(item: &Value) -> Vec<Refusal> {
    let needed = [
        "holdingsRecordId",
        "materialTypeId",
        "permanentLoanTypeId",
        "instanceTitle",
        "barcode",
        "pickupLocation",
    ];
    let mut missing: Vec<&str> = needed.into_iter().filter(|field| item[field].is_null()).collect();
    if item["status"]["name"].is_null() {
        missing.push("status");
    }
    missing.into_iter().map(|field| Refusal::new(format!("{field} must not be null"))).collect()
}

async fn add(request: Request) -> Outcome<Response> {
    let (id, item) = read(&request)?;
    let context = &request.context;
    let mut session = context.session().await?;
    if find(&mut session, &CIRCULATION_ITEM, id).await?.is_some() {
        let message = format!("Unable to create circulation item with id {id} as it already exists");
        return Err(told(409, &message, "DUPLICATE_ERROR"));
    }
    let stored = create(context, &mut session, &CIRCULATION_ITEM, item).await.map_err(unreadable)?;
    Ok(Response::json(201, &stored))
}

async fn change(request: Request) -> Outcome<Response> {
    let (id, item) = read(&request)?;
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &CIRCULATION_ITEM, id, item).await;
    Ok(Response::json(200, &stored.map_err(unreadable)?))
}

/// The item in the body, with the id of the path.
fn read(request: &Request) -> Outcome<(Uuid, Value)> {
    let id = request.id(0).map_err(unreadable)?;
    let mut item = request.json().map_err(unreadable)?;
    let named = item["id"].as_str().map(str::to_owned);
    if named.as_ref().is_some_and(|named| Uuid::parse_str(named) != Ok(id)) {
        let message = format!("Request id= {id} and entity id= {} are not equal", named.unwrap_or_default());
        return Err(told(400, &message, "VALIDATION_ERROR"));
    }
    if let Some(item) = item.as_object_mut() {
        item.insert("id".into(), json!(id));
    }
    Ok((id, item))
}

/// This module answers 400 where other Spring modules answer 422.
fn unreadable(fault: Fault) -> Fault {
    match fault.status {
        400 | 422 => told(400, &message_of(&fault), "VALIDATION_ERROR"),
        409 => told(409, &message_of(&fault), "DUPLICATE_ERROR"),
        _ => fault,
    }
}

fn told(status: u16, message: &str, code: &str) -> Fault {
    Fault::json(status, json!({"errors": [{"message": message, "type": "-1", "code": code}]}))
}
