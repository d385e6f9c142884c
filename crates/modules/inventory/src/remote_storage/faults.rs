//! Refusals in the words of mod-remote-storage 3.2.0 (`DefaultErrorHandler`).

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use serde_json::json;
use uuid::Uuid;

pub(super) fn refused(status: u16, message: impl Into<String>, code: &str) -> Fault {
    let error = json!({"message": message.into(), "type": "-1", "code": code});
    Fault::json(status, json!({"errors": [error], "total_records": 1}))
}

pub(super) fn not_found(message: impl Into<String>) -> Fault {
    refused(404, message, "Not found")
}

pub(super) fn of_accession(message: impl Into<String>) -> Fault {
    refused(400, message, "Accession error")
}

pub(super) fn of_check_in(message: impl Into<String>) -> Fault {
    refused(400, message, "Check in by barcode error")
}

pub(super) fn of_return(message: impl Into<String>) -> Fault {
    refused(400, message, "Item return error")
}

/// The page that a client asks for.
pub(super) fn page(request: &Request) -> Outcome<(i64, i64)> {
    let bound = i64::from(i32::MAX);
    Ok((request.number("offset", 0, 0..=bound)?, request.number("limit", 10, 0..=bound)?))
}

/// A query parameter that is an id.
pub(super) fn id(request: &Request, name: &str) -> Outcome<Option<Uuid>> {
    let given = request.query(name).map(Uuid::parse_str).transpose();
    given.map_err(|_| Fault::bad_request(format!("{name} is no UUID")))
}
