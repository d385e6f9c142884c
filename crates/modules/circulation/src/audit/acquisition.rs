//! `GET /audit-data/acquisition/...`: orders, order lines and pieces have no history here, because there are no orders.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::json;
use uuid::Uuid;

/// The number of characters of a UUID. Java's `UUID.fromString` has a message of its own for longer texts.
const LONGEST_UUID: usize = 36;

pub(super) async fn empty_history(request: Request, collection: &'static str) -> Outcome<Response> {
    let bound = i64::from(i32::MAX);
    request.query_number("offset", 0, 0..=bound)?;
    request.query_number("limit", bound, 0..=bound)?;
    if let Some(order) = request.query("sortOrder").filter(|order| !["asc", "desc"].contains(order)) {
        return Err(Fault::bad_request(format!(
            "'sortOrder' parameter is incorrect. parameter value {{{order}}} is not valid: must be one of asc, desc"
        )));
    }
    let id = request.path_parameter(0);
    if id.len() > LONGEST_UUID {
        return Err(Fault::bad_request("UUID string too large"));
    }
    Uuid::parse_str(id).map_err(|_| Fault::bad_request(format!("Invalid UUID string: {id}")))?;
    Ok(Response::json(200, &json!({collection: [], "totalItems": 0})))
}
