//! Refusals in mod-dcb's form: one error with a type and a code.

use octavo_kernel::{Body, Fault};
use serde_json::{Value, json};

pub(super) fn refused(message: impl Into<String>) -> Fault {
    dcb_error(400, &message.into())
}

pub(super) fn unknown(message: impl Into<String>) -> Fault {
    dcb_error(404, &message.into())
}

pub(super) fn exists(message: impl Into<String>) -> Fault {
    dcb_error(409, &message.into())
}

/// Converts a fault, as of a decision of the desk or of a body that cannot be read, into mod-dcb's form.
pub(super) fn to_dcb_fault(fault: Fault) -> Fault {
    match fault.status {
        400 | 404 | 409 | 422 if !is_dcb_error(&fault.body) => dcb_error(fault.status, &message(&fault)),
        _ => fault,
    }
}

/// The fault for a body that cannot be read: 400, where other modules answer 422.
pub(super) fn unreadable(fault: Fault) -> Fault {
    match fault.status {
        422 => dcb_error(400, &message(&fault)),
        _ => to_dcb_fault(fault),
    }
}

fn is_dcb_error(body: &Body) -> bool {
    matches!(body, Body::Json(Value::Object(members)) if members.contains_key("errors"))
}

fn message(fault: &Fault) -> String {
    match &fault.body {
        Body::Refusals(refusals) => {
            let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
            messages.join("; ")
        }
        body => body.render(),
    }
}

fn dcb_error(status: u16, message: &str) -> Fault {
    let code = match status {
        404 => "NOT_FOUND_ERROR",
        409 => "DUPLICATE_ERROR",
        _ => "VALIDATION_ERROR",
    };
    Fault::json(status, json!({"errors": [{"message": message, "type": "-1", "code": code}]}))
}
