//! `GET /audit-data/circulation/logs`

use octavo_engine::{ListRequest, Request, Response, list_response};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_modules_base::circulation_log::LOG;
use serde_json::json;

use super::query;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut listing = ListRequest::for_record_type(&request, &LOG).map_err(refused)?;
    listing.query = Some(query::query_for_table(listing.query.take()));
    list_response(&request.context, &LOG, &listing).await.map_err(refused)
}

/// FOLIO tells what is wrong with a query as one error in JSON.
fn refused(fault: Fault) -> Fault {
    match &fault.body {
        Body::Text(message) if fault.status == 400 => {
            Fault::json(400, json!({"message": message, "code": "HTTP_BAD_REQUEST"}))
        }
        _ => fault,
    }
}
