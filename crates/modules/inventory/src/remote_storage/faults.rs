//! Error answers with the messages of mod-remote-storage 3.2.0 (`DefaultErrorHandler`).

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use serde_json::json;
use uuid::Uuid;

pub(super) fn error_fault(status: u16, message: impl Into<String>, code: &str) -> Fault {
    let error = json!({"message": message.into(), "type": "-1", "code": code});
    Fault::json(status, json!({"errors": [error], "total_records": 1}))
}

pub(super) fn not_found(message: impl Into<String>) -> Fault {
    error_fault(404, message, "Not found")
}

pub(super) fn accession_fault(message: impl Into<String>) -> Fault {
    error_fault(400, message, "Accession error")
}

pub(super) fn check_in_fault(message: impl Into<String>) -> Fault {
    error_fault(400, message, "Check in by barcode error")
}

pub(super) fn return_fault(message: impl Into<String>) -> Fault {
    error_fault(400, message, "Item return error")
}

/// Offset and limit of the requested page.
pub(super) fn page_parameters(request: &Request) -> Outcome<(i64, i64)> {
    let bound = i64::from(i32::MAX);
    Ok((request.query_number("offset", 0, 0..=bound)?, request.query_number("limit", 10, 0..=bound)?))
}

/// A query parameter that is an id.
pub(super) fn id_parameter(request: &Request, name: &str) -> Outcome<Option<Uuid>> {
    let given = request.query(name).map(Uuid::parse_str).transpose();
    given.map_err(|_| Fault::bad_request(format!("{name} is no UUID")))
}
