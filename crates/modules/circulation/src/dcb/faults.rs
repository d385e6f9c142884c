//! Refusals in mod-dcb's form: one error with a type and a code.

use octavo_kernel::{Body, Fault};
use serde_json::{Value, json};

pub(super) fn refused(message: impl Into<String>) -> Fault {
    told(400, &message.into())
}

pub(super) fn unknown(message: impl Into<String>) -> Fault {
    told(404, &message.into())
}

pub(super) fn exists(message: impl Into<String>) -> Fault {
    told(409, &message.into())
}

/// What a decision of the desk refuses, or what cannot be read.
pub(super) fn of(fault: Fault) -> Fault {
    match fault.status {
        400 | 404 | 409 | 422 if !is_told(&fault.body) => told(fault.status, &message(&fault)),
        _ => fault,
    }
}

/// What cannot be read is 400, where other modules answer 422.
pub(super) fn unreadable(fault: Fault) -> Fault {
    match fault.status {
        422 => told(400, &message(&fault)),
        _ => of(fault),
    }
}

fn is_told(body: &Body) -> bool {
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

fn told(status: u16, message: &str) -> Fault {
    let code = match status {
        404 => "NOT_FOUND_ERROR",
        409 => "DUPLICATE_ERROR",
        _ => "VALIDATION_ERROR",
    };
    Fault::json(status, json!({"errors": [{"message": message, "type": "-1", "code": code}]}))
}
