//! mod-patron 6.1.0: what a patron sees and does in a discovery system: their account, renewals, requests and their cancellation.
//!
//! FOLIO asks seven modules, and an item at a time for charges. Here the account is one round trip, and the rest are the decisions of
//! mod-circulation, called as functions. Facts: `PatronServicesResourceImpl`, `HoldHelpers` of mod-patron 6.1.0.

mod account;
mod edge;
mod shown;

use octavo_circulation::command::{Renew, RenewById};
use octavo_circulation::request::{Cancellation, PatronHold, RequestAtInstance, unknown_request};
use octavo_engine::{Call, Dialect, Module, Notation, Request, Response, calls};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_record::{Reading, Schema};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::{by_patron, decide_renewal};
use shown::{Hold, Loan, Title};

pub static MODULE: Module = Module {
    name: "mod-patron",
    // Refusals are mod-circulation's.
    dialect: Dialect::Circulation,
    notation: Notation::RMB,
    calls: CALLS,
    edges: &[edge::EDGE],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/patron/account/{accountId}" => account::answer, search, may_be_late;
    Post "/patron/account/{accountId}/item/{itemId}/renew" => renew;
    Post "/patron/account/{accountId}/item/{itemId}/hold" => hold_on_item;
    Post "/patron/account/{accountId}/instance/{instanceId}/hold" => hold_on_title;
    Post "/patron/account/{accountId}/hold/{holdId}/cancel" => cancel;
    Get "/patron/account/{accountId}/instance/{instanceId}/allowed-service-points" => allowed_service_points;
};

const HOLD: &str = include_str!("../../folio/records/mod-patron/hold.tsv");

async fn renew(request: Request) -> Outcome<Response> {
    let (patron, item) = ids(&request)?;
    let command = RenewById {
        item_id: Some(item.to_string()),
        user_id: Some(patron.to_string()),
        ..RenewById::default()
    };
    let plan = decide_renewal(&request.context, &Renew::ById(command)).await?;
    let loan = read(&plan.response)?;
    let title = Title::from_instance(&loan["item"], Some(item));
    answer(201, &Loan::from_record(&loan, title, request.context.now))
}

async fn hold_on_item(request: Request) -> Outcome<Response> {
    let (patron, item) = ids(&request)?;
    let mut body = request.checked_json(HOLD)?;
    let hold = PatronHold {
        requester_id: patron.to_string(),
        item_id: item.to_string(),
        request_date: take_text(&mut body, "requestDate"),
        expiration_date: take_text(&mut body, "expirationDate"),
        pickup_service_point_id: take_text(&mut body, "pickupLocationId"),
        patron_comments: take_text(&mut body, "patronComments"),
    };
    let plan = by_patron::hold_on_item(&request.context, &hold).await?;
    answer(201, &Hold::from_response(&read(&plan.response)?))
}

async fn hold_on_title(request: Request) -> Outcome<Response> {
    let (patron, instance) = ids(&request)?;
    let mut body = request.checked_json(HOLD)?;
    let asked = RequestAtInstance {
        requester_id: Some(patron.to_string()),
        instance_id: Some(instance.to_string()),
        request_date: take_text(&mut body, "requestDate"),
        request_expiration_date: take_text(&mut body, "expirationDate"),
        pickup_service_point_id: take_text(&mut body, "pickupLocationId"),
        patron_comments: take_text(&mut body, "patronComments"),
        ..RequestAtInstance::default()
    };
    let plan = by_patron::hold_on_title(&request.context, &asked).await?;
    answer(201, &Hold::from_response(&read(&plan.response)?))
}

/// The answer is the hold as it was, with what was said of the cancellation.
async fn cancel(request: Request) -> Outcome<Response> {
    let (patron, text) = (request.path_id(0)?.to_string(), request.path_parameter(1));
    let hold = Uuid::parse_str(text).map_err(|_| unknown_request(text))?;
    let mut body = cancellation(request.json()?)?;
    let said = Cancellation {
        reason_id: take_text(&mut body, "cancellationReasonId"),
        information: take_text(&mut body, "cancellationAdditionalInformation"),
        user_id: take_text(&mut body, "canceledByUserId").or_else(|| Some(patron.clone())),
        date: take_text(&mut body, "canceledDate").or_else(|| Some(request.context.now_text())),
    };
    let plan = by_patron::cancel(&request.context, hold, &patron, &said).await?;
    let hold = Hold::from_response(&read(&plan.response)?);
    answer(200, &hold.cancelled(said))
}

/// Checks a hold that is cancelled. Of its members only those about the cancellation are used, so the two that a new hold needs may be
/// left out.
fn cancellation(mut body: Value) -> Outcome<Value> {
    const UNUSED: [(&str, &str); 2] = [
        ("requestDate", "1970-01-01T00:00:00Z"),
        ("pickupLocationId", "00000000-0000-4000-8000-000000000000"),
    ];
    if let Some(members) = body.as_object_mut() {
        for (key, value) in UNUSED {
            members.entry(key).or_insert(json!(value));
        }
    }
    Ok(Schema::parse_cached(HOLD).check(body, Reading::FromClient).map_err(Fault::refused)?.0)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AllowedServicePoints {
    allowed_service_points: Vec<Value>,
}

/// The service points for any type of request, each of them once.
async fn allowed_service_points(request: Request) -> Outcome<Response> {
    let (patron, instance) = ids(&request)?;
    let by_type = by_patron::allowed_points(&request.context, patron, instance).await?;
    let mut points: Vec<Value> = Vec::new();
    for point in ["Page", "Hold", "Recall"].iter().filter_map(|kind| by_type[kind].as_array()).flatten() {
        if !points.contains(point) {
            points.push(point.clone());
        }
    }
    answer(200, &AllowedServicePoints { allowed_service_points: points })
}

/// The patron, and the record that the path names.
fn ids(request: &Request) -> Outcome<(Uuid, Uuid)> {
    Ok((request.path_id(0)?, request.path_id(1)?))
}

fn take_text(body: &mut Value, key: &str) -> Option<String> {
    match body.get_mut(key).map(Value::take) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// The answer of a decision, which is JSON.
fn read(response: &str) -> Outcome<Value> {
    serde_json::from_str(response).map_err(Fault::internal)
}

fn answer(status: u16, shown: &impl Serialize) -> Outcome<Response> {
    Ok(Response::json_text(status, json_text(shown)))
}

octavo_pg::statements!(within = [account, edge]);
