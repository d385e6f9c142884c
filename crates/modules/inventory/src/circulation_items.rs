//! mod-circulation-item 1.0.0: items of partner libraries, as records. The desk lends them like the library's own.

use octavo_engine::{Call, Dialect, Module, Notation, Request, Response, calls, create, find, replace};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::CIRCULATION_ITEM;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::inventory_storage::fault_message;

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

async fn add(request: Request) -> Outcome<Response> {
    let (id, item) = item_from_request(&request)?;
    let context = &request.context;
    let mut session = context.session().await?;
    if find(&mut session, &CIRCULATION_ITEM, id).await?.is_some() {
        let message = format!("Unable to create circulation item with id {id} as it already exists");
        return Err(error_fault(409, &message, "DUPLICATE_ERROR"));
    }
    let stored = create(context, &mut session, &CIRCULATION_ITEM, item).await.map_err(to_module_fault)?;
    Ok(Response::json(201, &stored))
}

async fn change(request: Request) -> Outcome<Response> {
    let (id, item) = item_from_request(&request)?;
    let mut session = request.context.session().await?;
    let stored = replace(&request.context, &mut session, &CIRCULATION_ITEM, id, item).await;
    Ok(Response::json(200, &stored.map_err(to_module_fault)?))
}

/// The item in the body, with the id of the path.
fn item_from_request(request: &Request) -> Outcome<(Uuid, Value)> {
    let id = request.path_id(0).map_err(to_module_fault)?;
    let mut item = request.json().map_err(to_module_fault)?;
    let named = item["id"].as_str().map(str::to_owned);
    if named.as_ref().is_some_and(|named| Uuid::parse_str(named) != Ok(id)) {
        let message = format!("Request id= {id} and entity id= {} are not equal", named.unwrap_or_default());
        return Err(error_fault(400, &message, "VALIDATION_ERROR"));
    }
    if let Some(item) = item.as_object_mut() {
        item.insert("id".into(), json!(id));
    }
    Ok((id, item))
}

/// Converts a fault: this module answers 400 where other Spring modules answer 422.
fn to_module_fault(fault: Fault) -> Fault {
    match fault.status {
        400 | 422 => error_fault(400, &fault_message(&fault), "VALIDATION_ERROR"),
        409 => error_fault(409, &fault_message(&fault), "DUPLICATE_ERROR"),
        _ => fault,
    }
}

fn error_fault(status: u16, message: &str, code: &str) -> Fault {
    Fault::json(status, json!({"errors": [{"message": message, "type": "-1", "code": code}]}))
}
