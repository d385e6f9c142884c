//! `POST /inventory/instances/batch`: creates the valid ones of many instances, with their relations; none if one of them breaks the
//! schema. Facts: mod-inventory 20.2.6.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::Value;

use super::instances::{create_with_relations, known_members, load_instance};
use super::relations::refuse_untitled;
use crate::inventory_storage::{batch_response, fault_message, refuse_misshapen};

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    let bodies = body["instances"].as_array();
    let bodies = bodies.ok_or_else(|| Fault::bad_request("The body has no array \"instances\""))?;
    let (valid, invalid): (Vec<_>, Vec<_>) =
        bodies.iter().map(|body| (body, objections(body))).partition(|(_, objections)| objections.is_empty());
    let told = |(_, objections): &(&Value, Vec<String>)| {
        format!("Instance is not valid for further processing: [{}]", objections.join(", "))
    };
    let mut messages: Vec<String> = invalid.iter().map(told).collect();
    let misshapen: Vec<String> = valid
        .iter()
        .filter_map(|(body, _)| Some(fault_message(&refuse_misshapen(known_members(body)).err()?)))
        .collect();
    if !misshapen.is_empty() {
        messages.extend(misshapen);
        return Ok(batch_response(&[], &messages));
    }
    let mut session = request.context.session().await?;
    let mut created = Vec::new();
    for (body, _) in valid {
        match create_with_relations(&request.context, &mut session, body).await {
            Ok(id) => created.extend(load_instance(&mut session, id).await?),
            Err(fault) => messages.push(fault_message(&fault)),
        }
    }
    Ok(batch_response(&created, &messages))
}

fn objections(body: &Value) -> Vec<String> {
    let mut objections = Vec::new();
    if body["title"].as_str().is_none_or(|title| title.trim().is_empty()) {
        let id = body["id"].as_str().unwrap_or("null");
        objections.push(format!("Title must be provided for an instance: {id}"));
    }
    objections.extend(refuse_untitled(body).err().map(|fault| fault_message(&fault)));
    objections
}
