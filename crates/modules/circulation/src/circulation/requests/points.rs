//! `GET /circulation/requests/allowed-service-points`

use octavo_circulation::request::{Operation, allowed_service_points};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use serde_json::Value;
use uuid::Uuid;

use super::gather::{Gathered, RequestKeys};
use super::gather_facts;

pub(in crate::circulation) async fn allowed(request: Request) -> Outcome<Response> {
    let (operation, asked) = read_parameters(&request)?;
    Ok(Response::json(200, &find_service_points(&request.context, operation, &asked).await?))
}

/// The service points by type of request.
pub(super) async fn find_service_points(
    context: &Context,
    operation: Operation,
    asked: &RequestKeys,
) -> Outcome<Value> {
    let of_title = asked.items.is_empty() && asked.request.is_none();
    let wanted = RequestKeys { whole_title: of_title, ..asked.clone() };
    let Gathered { mut facts, mut stored } = gather_facts(context, &wanted).await?;
    // A request for a title may be filled by any of its copies.
    if operation == Operation::Replace
        && stored.as_ref().is_some_and(|request| request["requestLevel"] == "Title")
    {
        let wanted = RequestKeys { whole_title: true, ..asked.clone() };
        Gathered { facts, stored } = gather_facts(context, &wanted).await?;
    }
    if let (Some(id), None) = (asked.request, &stored) {
        return Err(not_found("Request", id));
    }
    if let (Some(id), None) = (asked.instance, &facts.instance) {
        return Err(not_found("Instance", id));
    }
    if let Some(id) = asked.items.first().filter(|_| facts.desk.item.is_none()) {
        return Err(Refusal::new(format!("Item with id={id} cannot be found")).into());
    }
    let of_request = stored.as_ref().and_then(|request| request["requesterId"].as_str());
    let Some(patron) = facts.desk.patron.take() else {
        let id = of_request.map(str::to_owned).or(asked.requester.map(|id| id.to_string()));
        return Err(Refusal::new(format!("User with ID {} was not found", id.unwrap_or_default())).into());
    };
    // For a move only the destination counts.
    if let Some(item) = facts.desk.item.clone() {
        facts.items = vec![item];
    }
    allowed_service_points(&facts, &patron, operation)
}

fn not_found(kind: &str, id: Uuid) -> Fault {
    Refusal::new(format!("{kind} with ID {id} was not found")).into()
}

fn read_parameters(request: &Request) -> Outcome<(Operation, RequestKeys)> {
    let mut problems = Vec::new();
    let mut id = |kind: &str, name: &str| {
        let text = request.query(name)?;
        let read = Uuid::parse_str(text).ok();
        if read.is_none() {
            problems.push(format!("{kind} ID is not a valid UUID: {text}."));
        }
        read
    };
    let (requester, instance) = (id("Requester", "requesterId"), id("Instance", "instanceId"));
    let (item, existing) = (id("Item", "itemId"), id("Request", "requestId"));
    let given =
        ["requesterId", "instanceId", "itemId", "requestId"].map(|name| request.query(name).is_some());
    let operation = request.query("operation").map(str::to_lowercase);
    let operation = match (operation.as_deref(), given) {
        (Some("create"), [true, true, false, false] | [true, false, true, false]) => Some(Operation::Create),
        (Some("replace"), [false, false, false, true]) => Some(Operation::Replace),
        (Some("move"), [false, false, true, true]) => Some(Operation::Move),
        _ => None,
    };
    let wanted = RequestKeys {
        request: existing,
        requester,
        instance,
        items: item.into_iter().collect(),
        ..RequestKeys::default()
    };
    match operation.filter(|_| problems.is_empty()) {
        Some(operation) => Ok((operation, wanted)),
        None => {
            if operation.is_none() {
                problems.push("Invalid combination of query parameters".to_owned());
            }
            Err(Fault::bad_request(problems.join(" ")))
        }
    }
}
